"""What vendors hand out: tokens that are known by their shape alone, one row a shape.

``type`` names the placeholder. ``gates`` are lower-case substrings: a text with none of them cannot
match, so its pattern is never even compiled; with ``near``, one of those characters has to follow a
gate within ``reach`` characters. The secret is group ``value`` (or ``quoted``), else the whole
match. ``judge`` names the test in `secret_judges` that a match has to pass.
"""


class Rule:
    """One shape of secret; made by the hundred at every start, hence no dataclass."""

    __slots__ = ("gates", "judge", "near", "pattern", "reach", "type")

    def __init__(
        self,
        kind: str,
        gates: tuple[str, ...],
        pattern: str,
        judge: str = "shape",
        near: str = "",
        reach: int = 120,
    ) -> None:
        self.type = kind
        self.gates = gates
        self.pattern = pattern
        self.judge = judge
        self.near = near
        self.reach = reach


# Explicit classes instead of \w and \b: a token may stand right after a Chinese or Cyrillic letter.
LEFT = r"(?<![A-Za-z0-9])"
RIGHT = r"(?![A-Za-z0-9])"
WORD = r"[A-Za-z0-9_-]"
UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"

HOSTS: tuple[Rule, ...] = (
    # Cloud providers
    Rule(
        "AWS_SECRET",
        ("akia", "asia"),
        rf"{LEFT}A(?:KI|SI)A[A-Z0-9]{{16}}[\"']?[\s,:;|/]{{1,4}}[\"']?"
        r"(?P<value>[A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])",
    ),
    Rule(
        "AWS_KEY",
        ("akia", "asia", "abia", "acca", "a3t"),
        rf"{LEFT}A(?:KIA|SIA|BIA|CCA|3T[A-Z0-9])[A-Z0-9]{{16}}{RIGHT}",
    ),
    Rule(
        "AWS_SECRET",
        ("iqojb3jpz2lu", "fwogzxivyxdz"),
        rf"{LEFT}(?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[A-Za-z0-9/+]{{60,}}={{0,2}}",
    ),
    Rule("ALIBABA_KEY", ("ltai",), rf"{LEFT}LTAI[A-Za-z0-9]{{20}}{RIGHT}"),
    Rule("GOOGLE_KEY", ("aiza",), rf"{LEFT}AIza{WORD}{{35,}}"),
    Rule("GOOGLE_TOKEN", ("ya29.",), rf"{LEFT}ya29\.{WORD}{{20,}}"),
    Rule("GOOGLE_TOKEN", ("1//0",), rf"{LEFT}1//0{WORD}{{20,}}"),
    Rule("GOOGLE_SECRET", ("gocspx-",), rf"{LEFT}GOCSPX-{WORD}{{20,}}"),
    Rule("AZURE_SECRET", ("q~",), rf"{LEFT}[A-Za-z0-9_~.-]{{3}}\dQ~[A-Za-z0-9_~.-]{{31,}}"),
    Rule("AZURE_KEY", ("azdo",), rf"{LEFT}[A-Za-z0-9]{{76}}AZDO[A-Za-z0-9]{{4}}{RIGHT}"),
    Rule("AZURE_KEY", ("jqqj99",), rf"{LEFT}[A-Za-z0-9]{{52}}JQQJ99[A-Za-z0-9]{{26}}{RIGHT}"),
    Rule("FIREBASE_KEY", (":apa91b",), rf"{LEFT}{WORD}{{11}}:APA91b{WORD}{{100,}}"),
    Rule("DIGITALOCEAN_TOKEN", ("_v1_",), rf"{LEFT}do[opr]_v1_[0-9a-f]{{40,}}"),
    Rule(
        "CLOUDFLARE_TOKEN", ("cfk_", "cfut_", "cfat_"), rf"{LEFT}cf(?:k|ut|at)_[A-Za-z0-9]{{30,}}"
    ),
    Rule("CLOUDFLARE_KEY", ("v1.0-",), rf"{LEFT}v1\.0-[0-9a-f]{{24}}-[0-9a-f]{{100,}}"),
    Rule("HEROKU_KEY", ("hrku-",), rf"{LEFT}HRKU-{WORD}{{30,}}"),
    Rule("FLY_TOKEN", ("fm1_", "fm2_", "fo1_"), rf"{LEFT}f(?:m[12]|o1)_[A-Za-z0-9+/=_-]{{40,}}"),
    Rule("NETLIFY_TOKEN", ("nfp_",), rf"{LEFT}nfp_[A-Za-z0-9]{{30,}}"),
    Rule(
        "VERCEL_TOKEN",
        ("vcp_", "vci_", "vca_", "vcr_", "vck_"),
        rf"{LEFT}vc[piark]_[A-Za-z0-9]{{24,}}",
    ),
    Rule("RENDER_KEY", ("rnd_",), rf"{LEFT}rnd_[A-Za-z0-9]{{28,}}{RIGHT}"),
    Rule("NEON_KEY", ("napi_",), rf"{LEFT}napi_[a-z0-9]{{60,}}"),
    Rule("NEON_KEY", ("npg_",), rf"{LEFT}npg_[A-Za-z0-9]{{12}}{RIGHT}", "random"),
    Rule("MONGODB_KEY", ("mdb_sa_sk_",), rf"{LEFT}mdb_sa_sk_{WORD}{{30,}}"),
    Rule("SUPABASE_KEY", ("sbp_", "sb_secret_"), rf"{LEFT}sb(?:p|_secret)_{WORD}{{20,}}"),
    Rule(
        "PLANETSCALE_TOKEN", ("pscale_",), rf"{LEFT}pscale_(?:tkn|pw|oauth)_[A-Za-z0-9._=-]{{30,}}"
    ),
    # Code hosts and registries
    Rule(
        "GITHUB_TOKEN",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        rf"{LEFT}gh[opusr]_[A-Za-z0-9_]{{20,}}(?:\.{WORD}{{10,}})*",
    ),
    Rule("GITHUB_TOKEN", ("github_pat_",), rf"{LEFT}github_pat_[A-Za-z0-9_]{{20,}}"),
    Rule(
        "GITLAB_TOKEN",
        ("gl",),
        rf"{LEFT}gl(?:pat|dt|rtr?|cbt|ptt|ft|soat|imt|agent|oas|ffct|wt)-{WORD}{{20,}}(?:\.{WORD}{{2,}})*",
    ),
    Rule("GITLAB_TOKEN", ("gr1348941",), rf"{LEFT}GR1348941{WORD}{{20,}}"),
    Rule("BITBUCKET_TOKEN", ("atbb",), rf"{LEFT}ATBB[A-Za-z0-9]{{24,}}"),
    Rule("ATLASSIAN_TOKEN", ("atatt3", "atctt3"), rf"{LEFT}AT[AC]TT3[A-Za-z0-9_=-]{{40,}}"),
    Rule("NPM_TOKEN", ("npm_",), rf"{LEFT}npm_[A-Za-z0-9]{{30,}}"),
    Rule(
        "PYPI_TOKEN",
        ("pypi-",),
        rf"{LEFT}pypi-(?={WORD}{{30}}){WORD}{{0,100}}?[A-Za-z0-9]{{16}}{WORD}*",
    ),
    Rule("RUBYGEMS_KEY", ("rubygems_",), rf"{LEFT}rubygems_[0-9a-f]{{40,}}"),
    Rule("CRATES_TOKEN", ("cio",), rf"{LEFT}cio[A-Za-z0-9]{{32}}{RIGHT}", "random"),
    Rule("NUGET_KEY", ("oy2",), rf"{LEFT}oy2[a-z0-9]{{43}}{RIGHT}"),
    Rule("DOCKER_TOKEN", ("dckr_",), rf"{LEFT}dckr_(?:pat|oat)_{WORD}{{20,}}"),
    # A name in code has fewer capitals and digits than that.
    Rule(
        "HUGGINGFACE_TOKEN",
        ("hf_", "api_org_"),
        rf"{LEFT}(?:hf|api_org)_(?=(?:[a-z]*[A-Z0-9]){{8}})[A-Za-z0-9]{{30,}}",
    ),
    Rule("SONAR_TOKEN", ("sqp_", "squ_", "sqa_"), rf"{LEFT}sq[pua]_[0-9a-f]{{40}}{RIGHT}"),
    Rule("CLOJARS_TOKEN", ("clojars_",), rf"{LEFT}CLOJARS_[0-9a-f]{{60}}{RIGHT}"),
    Rule("CIRCLECI_TOKEN", ("ccipat_",), rf"{LEFT}CCIPAT_[A-Za-z0-9]{{22}}_[0-9a-f]{{40}}"),
    Rule("BUILDKITE_TOKEN", ("bkua_",), rf"{LEFT}bkua_[0-9a-f]{{40}}{RIGHT}"),
    # Infrastructure
    Rule(
        "TERRAFORM_TOKEN",
        (".atlasv1.",),
        rf"{LEFT}[A-Za-z0-9]{{14}}\.atlasv1\.[A-Za-z0-9=_-]{{40,}}",
    ),
    Rule("VAULT_TOKEN", ("hvs.", "hvb.", "hvr."), rf"{LEFT}hv[sbr]\.{WORD}{{20,}}"),
    Rule("DATABRICKS_TOKEN", ("dapi", "dose"), rf"{LEFT}d(?:api|ose)[0-9a-f]{{32}}(?:-\d)?{RIGHT}"),
    Rule("PULUMI_TOKEN", ("pul-",), rf"{LEFT}pul-[0-9a-f]{{40}}{RIGHT}"),
    Rule(
        "DOPPLER_TOKEN",
        ("dp.",),
        rf"{LEFT}dp\.(?:pt|st|ct|scim|audit)\.(?:{WORD}+\.)?{WORD}{{30,}}",
    ),
    Rule("TAILSCALE_KEY", ("tskey-",), rf"{LEFT}tskey-[a-z]+-{WORD}{{20,}}"),
    Rule("GRAFANA_TOKEN", ("glsa_", "glc_"), rf"{LEFT}gl(?:sa|c)_[A-Za-z0-9+/=_]{{30,}}"),
    Rule("GRAFANA_TOKEN", ("eyjrijoi",), rf"{LEFT}eyJrIjoi[A-Za-z0-9+/_-]{{60,}}={{0,2}}"),
    Rule("SENTRY_TOKEN", ("sntry",), rf"{LEFT}sntry[su]_[A-Za-z0-9+/=_-]{{40,}}"),
    Rule("NEWRELIC_KEY", ("nrak-",), rf"{LEFT}NRAK-[A-Z0-9]{{27}}{RIGHT}"),
    Rule("NEWRELIC_KEY", ("nrii-", "nriq-"), rf"{LEFT}NRI[IQ]-{WORD}{{32}}{RIGHT}"),
    Rule("NEWRELIC_KEY", ("nral",), rf"{LEFT}[0-9a-f]{{36}}NRAL{RIGHT}"),
    Rule("POSTHOG_KEY", ("phx_",), rf"{LEFT}phx_[A-Za-z0-9]{{40,}}"),
    Rule("HONEYCOMB_KEY", ("hcaik_", "hcalk_"), rf"{LEFT}hca[il]k_[a-z0-9]{{50,}}"),
    Rule(
        "LAUNCHDARKLY_KEY",
        ("sdk-", "api-"),
        rf"{LEFT}(?:sdk|api)-{UUID}{RIGHT}",
    ),
    Rule("INFRACOST_KEY", ("ico-",), rf"(?<![A-Za-z0-9.])ico-[A-Za-z0-9]{{32}}{RIGHT}", "random"),
    Rule("ONEPASSWORD_TOKEN", ("ops_eyj",), rf"{LEFT}ops_eyJ{WORD}{{40,}}={{0,2}}"),
)
