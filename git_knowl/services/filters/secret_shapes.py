"""What vendors hand out: tokens that are known by their shape alone, one row a shape.

``type`` names the placeholder. ``gates`` are lower-case substrings: a text with none of them cannot
match, so its pattern is never even compiled; with ``near``, one of those characters has to follow a
gate within ``reach`` characters. The secret is group ``value`` (or ``quoted``), else the whole
match. ``judge`` names the test in `secret_judges` that a match has to pass.
"""

from git_knowl.model.light import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """One shape of secret."""

    type: str
    gates: tuple[str, ...]
    pattern: str
    judge: str = "shape"
    near: str = ""
    reach: int = 120


# Explicit classes instead of \w and \b: a token may stand right after a Chinese or Cyrillic letter.
LEFT = r"(?<![A-Za-z0-9])"
RIGHT = r"(?![A-Za-z0-9])"
WORD = r"[A-Za-z0-9_-]"

VENDORS: tuple[Rule, ...] = (
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
    Rule("ALIBABA_KEY", ("ltai",), rf"{LEFT}LTAI[A-Za-z0-9]{{20}}{RIGHT}"),
    Rule("GOOGLE_KEY", ("aiza",), rf"{LEFT}AIza{WORD}{{35,}}"),
    Rule("GOOGLE_TOKEN", ("ya29.",), rf"{LEFT}ya29\.{WORD}{{20,}}"),
    Rule("GOOGLE_TOKEN", ("1//0",), rf"{LEFT}1//0{WORD}{{20,}}"),
    Rule("GOOGLE_SECRET", ("gocspx-",), rf"{LEFT}GOCSPX-{WORD}{{20,}}"),
    Rule("AZURE_SECRET", ("q~",), rf"{LEFT}[A-Za-z0-9_~.-]{{3}}\dQ~[A-Za-z0-9_~.-]{{31,}}"),
    Rule("DIGITALOCEAN_TOKEN", ("_v1_",), rf"{LEFT}do[opr]_v1_[0-9a-f]{{40,}}"),
    Rule(
        "CLOUDFLARE_TOKEN", ("cfk_", "cfut_", "cfat_"), rf"{LEFT}cf(?:k|ut|at)_[A-Za-z0-9]{{30,}}"
    ),
    Rule("CLOUDFLARE_KEY", ("v1.0-",), rf"{LEFT}v1\.0-[0-9a-f]{{24}}-[0-9a-f]{{100,}}"),
    Rule("HEROKU_KEY", ("hrku-",), rf"{LEFT}HRKU-{WORD}{{30,}}"),
    Rule("FLY_TOKEN", ("fm1_", "fm2_", "fo1_"), rf"{LEFT}f(?:m[12]|o1)_[A-Za-z0-9+/=_-]{{40,}}"),
    Rule("NETLIFY_TOKEN", ("nfp_",), rf"{LEFT}nfp_[A-Za-z0-9]{{30,}}"),
    Rule("SUPABASE_KEY", ("sbp_", "sb_secret_"), rf"{LEFT}sb(?:p|_secret)_{WORD}{{20,}}"),
    Rule(
        "PLANETSCALE_TOKEN", ("pscale_",), rf"{LEFT}pscale_(?:tkn|pw|oauth)_[A-Za-z0-9._-]{{30,}}"
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
    Rule("HUGGINGFACE_TOKEN", ("hf_", "api_org_"), rf"{LEFT}(?:hf|api_org)_[A-Za-z0-9]{{30,}}"),
    Rule("SONAR_TOKEN", ("sqp_", "squ_", "sqa_"), rf"{LEFT}sq[pua]_[0-9a-f]{{40}}{RIGHT}"),
    # Infrastructure
    Rule(
        "TERRAFORM_TOKEN",
        (".atlasv1.",),
        rf"{LEFT}[A-Za-z0-9]{{14}}\.atlasv1\.[A-Za-z0-9=_-]{{40,}}",
    ),
    Rule("VAULT_TOKEN", ("hvs.", "hvb.", "hvr."), rf"{LEFT}hv[sbr]\.{WORD}{{20,}}"),
    Rule("DATABRICKS_TOKEN", ("dapi",), rf"{LEFT}dapi[0-9a-f]{{32}}(?:-\d)?{RIGHT}"),
    Rule("PULUMI_TOKEN", ("pul-",), rf"{LEFT}pul-[0-9a-f]{{40}}{RIGHT}"),
    Rule(
        "DOPPLER_TOKEN",
        ("dp.",),
        rf"{LEFT}dp\.(?:pt|st|ct|scim|audit)\.(?:{WORD}+\.)?{WORD}{{30,}}",
    ),
    Rule("TAILSCALE_KEY", ("tskey-",), rf"{LEFT}tskey-[a-z]+-{WORD}{{20,}}"),
    Rule("GRAFANA_TOKEN", ("glsa_", "glc_"), rf"{LEFT}gl(?:sa|c)_[A-Za-z0-9+/=_]{{30,}}"),
    Rule("SENTRY_TOKEN", ("sntry",), rf"{LEFT}sntry[su]_[A-Za-z0-9+/=_-]{{40,}}"),
    Rule("NEWRELIC_KEY", ("nrak-",), rf"{LEFT}NRAK-[A-Z0-9]{{27}}{RIGHT}"),
    Rule("ONEPASSWORD_TOKEN", ("ops_eyj",), rf"{LEFT}ops_eyJ{WORD}{{40,}}={{0,2}}"),
    # Models
    Rule("ANTHROPIC_KEY", ("sk-ant-",), rf"{LEFT}sk-ant-{WORD}{{20,}}"),
    Rule(
        "OPENAI_KEY",
        ("sk-",),
        rf"{LEFT}sk-(?={WORD}{{20}}){WORD}{{0,100}}?[A-Za-z0-9]{{16}}{WORD}*",
    ),
    Rule("GROQ_KEY", ("gsk_",), rf"{LEFT}gsk_[A-Za-z0-9]{{30,}}"),
    Rule("XAI_KEY", ("xai-",), rf"{LEFT}xai-[A-Za-z0-9]{{30,}}"),
    Rule("REPLICATE_TOKEN", ("r8_",), rf"{LEFT}r8_[A-Za-z0-9]{{30,}}"),
    Rule("PERPLEXITY_KEY", ("pplx-",), rf"{LEFT}pplx-[A-Za-z0-9]{{40,}}"),
    Rule("BEDROCK_KEY", ("absk",), rf"{LEFT}ABSK[A-Za-z0-9+/]{{80,}}={{0,2}}"),
    # Messages and mail
    Rule(
        "SLACK_WEBHOOK",
        ("hooks.slack.com",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<value>[A-Za-z0-9/_+-]{20,})",
    ),
    Rule("SLACK_TOKEN", ("xox",), rf"{LEFT}xox[abceoprs](?:[.0-9]xox[abp])?-[A-Za-z0-9-]{{10,}}"),
    Rule("SLACK_TOKEN", ("xapp-",), rf"{LEFT}xapp-\d-[A-Z0-9]+-\d+-[A-Za-z0-9]{{10,}}"),
    Rule(
        "DISCORD_WEBHOOK",
        ("/webhooks/",),
        rf"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{{10,}}/(?P<value>{WORD}{{30,}})",
    ),
    Rule(
        "DISCORD_TOKEN",
        (".",),
        rf"{LEFT}[MNO]{WORD}{{22,28}}\.{WORD}{{6}}\.{WORD}{{27,}}",
        "random",
    ),
    Rule(
        "TEAMS_WEBHOOK",
        ("webhook.office.com",),
        r"webhook\.office\.com/webhookb2/(?P<value>[^\s\"'<>)]{30,})",
    ),
    Rule(
        "TELEGRAM_TOKEN",
        (":aa", "telegram", "bot"),
        rf"(?<!\d)\d{{8,12}}:{WORD}{{35}}(?!{WORD})",
        "random",
    ),
    Rule("TWILIO_KEY", ("sk",), rf"{LEFT}SK[0-9A-Fa-f]{{32}}{RIGHT}"),
    Rule("TWILIO_SECRET", ("ac",), rf"{LEFT}AC[0-9a-f]{{32}}:(?P<value>[0-9a-f]{{32}}){RIGHT}"),
    Rule("SENDGRID_KEY", ("sg.",), rf"{LEFT}SG\.[A-Za-z0-9=_-]{{16,}}\.[A-Za-z0-9=_-]{{16,}}"),
    Rule("MAILGUN_KEY", ("key-",), r"(?<![A-Za-z0-9_-])key-[0-9a-f]{32}(?![0-9A-Za-z])"),
    Rule("MAILGUN_KEY", ("mailgun",), rf"{LEFT}[0-9a-f]{{32}}-[0-9a-f]{{8}}-[0-9a-f]{{8}}{RIGHT}"),
    Rule("MAILCHIMP_KEY", ("-us",), rf"{LEFT}[0-9a-f]{{32}}-us\d{{1,2}}{RIGHT}"),
    Rule("BREVO_KEY", ("xkeysib-", "xsmtpsib-"), rf"{LEFT}x(?:key|smtp)sib-[0-9a-f]{{64}}-{WORD}+"),
    # Shops and payment
    Rule(
        "STRIPE_KEY",
        ("_live_", "_test_", "_prod_"),
        rf"{LEFT}[rs]k_(?:live|test|prod)_[A-Za-z0-9]{{10,}}",
    ),
    Rule("STRIPE_SECRET", ("whsec_",), rf"{LEFT}whsec_[A-Za-z0-9+/=]{{20,}}"),
    Rule("SHOPIFY_TOKEN", ("shp",), rf"{LEFT}shp(?:at|ca|pa|ss|tka)_[0-9A-Fa-f]{{32}}{RIGHT}"),
    Rule("SQUARE_TOKEN", ("sq0",), rf"{LEFT}sq0(?:atp|csp)-{WORD}{{20,}}"),
    Rule("SQUARE_TOKEN", ("eaaa",), rf"(?<![A-Za-z0-9+/])EAAA{WORD}{{56,}}"),
    Rule("META_TOKEN", ("eaa",), r"(?<![A-Za-z0-9+/])EAA[B-Z][A-Za-z0-9]{60,}"),
    Rule("FLUTTERWAVE_KEY", ("flwseck",), rf"{LEFT}FLWSECK(?:_TEST)?-{WORD}{{12,}}"),
    Rule("EASYPOST_KEY", ("ezak", "eztk"), rf"{LEFT}EZ[AT]K[A-Za-z0-9]{{54}}{RIGHT}"),
    Rule("SHIPPO_TOKEN", ("shippo_",), rf"{LEFT}shippo_(?:live|test)_[A-Fa-f0-9]{{40}}{RIGHT}"),
    # Tools for teams
    Rule("LINEAR_KEY", ("lin_",), rf"{LEFT}lin_(?:api|oauth)_[A-Za-z0-9]{{30,}}"),
    Rule("NOTION_TOKEN", ("ntn_",), rf"{LEFT}ntn_[A-Za-z0-9]{{30,}}"),
    Rule("FIGMA_TOKEN", ("figd_",), rf"{LEFT}figd_{WORD}{{30,}}"),
    Rule("POSTMAN_KEY", ("pmak-",), rf"{LEFT}PMAK-[0-9a-f]{{24}}-[0-9a-f]{{34}}{RIGHT}"),
    Rule("AIRTABLE_TOKEN", ("pat",), rf"{LEFT}pat[A-Za-z0-9]{{14}}\.[0-9a-f]{{64}}{RIGHT}"),
    Rule(
        "ONEPASSWORD_KEY",
        ("a3-",),
        rf"{LEFT}A3-[A-Z0-9]{{6}}(?:-[A-Z0-9]{{5,11}}){{3,5}}",
    ),
    Rule("ARTIFACTORY_KEY", ("akcp", "cmvmd"), rf"{LEFT}(?:AKCp|cmVmd)[A-Za-z0-9]{{59,}}"),
    Rule("DYNATRACE_TOKEN", ("dt0",), rf"{LEFT}dt0[a-z]\d\d\.[A-Za-z0-9]{{24}}\.[A-Za-z0-9]{{64}}"),
    Rule(
        "HARNESS_KEY",
        ("pat.", "sat."),
        rf"{LEFT}[ps]at\.{WORD}{{22}}\.[A-Za-z0-9]{{24}}\.[A-Za-z0-9]{{20}}",
    ),
    Rule("OCTOPUS_KEY", ("api-",), rf"{LEFT}API-[A-Z0-9]{{26,}}{RIGHT}", "random"),
    Rule("OPENSHIFT_TOKEN", ("sha256~",), rf"{LEFT}sha256~{WORD}{{43}}"),
    Rule("PREFECT_KEY", ("pnu_",), rf"{LEFT}pnu_[A-Za-z0-9]{{36}}{RIGHT}"),
    Rule(
        "SOURCEGRAPH_TOKEN", ("sgp_",), rf"{LEFT}sgp_(?:{WORD}{{1,40}}_)?[A-Fa-f0-9]{{40}}{RIGHT}"
    ),
)
