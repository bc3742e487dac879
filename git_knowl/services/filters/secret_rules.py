"""What gives a secret away: its shape, or the name, header or address it stands in.

Most specific first: of overlapping findings the earlier row names the type. No pattern repeats a
repetition, and what may start anywhere has a bounded length: a long text stays cheap.
"""

from git_knowl.services.filters.secret_named import AWS_SECRET, GAP, NAMED
from git_knowl.services.filters.secret_services import SERVICES
from git_knowl.services.filters.secret_shapes import HOSTS, LEFT, RIGHT, WORD, Rule

RULES: tuple[Rule, ...] = (
    # Private keys
    Rule(
        "PRIVATE_KEY",
        ("private key",),
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:(?!-----(?:BEGIN|END))[\s\S])*-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
        r"|(?:[\s\\>|\"',]+(?:[A-Za-z-]+: [^\n\\]*|[A-Za-z0-9+/=]{16,}))+)",
        "block",
    ),
    Rule(
        "PRIVATE_KEY",
        ("private-lines:",),
        r"Private-Lines: \d+\s+(?P<value>(?:[A-Za-z0-9+/=]{4,}[ \t\r]*(?:\n|$))+)",
        "block",
    ),
    Rule(
        "PRIVATE_KEY",
        ("ls0tls1crudjti",),
        r"LS0tLS1CRUdJTi(?:BQUklW|BSU0Eg|BFQyBQ|BPUEVOU1NI|BFTkNSWVBU|BEU0Eg|BQR1Ag)"
        r"[A-Za-z0-9+/=]{16,}",
    ),
    Rule("AGE_KEY", ("age-secret-key-",), rf"{LEFT}AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{{40,}}"),
    Rule("PRIVATE_KEY", ('"kty"',), rf'"d"\s*:\s*"(?P<value>{WORD}{{32,}})"'),
    *HOSTS,
    *SERVICES,
    AWS_SECRET,
    Rule(
        "AZURE_KEY",
        ("accountkey", "sharedaccesskey"),
        rf"(?i)(?:AccountKey|SharedAccessKey){GAP}[=:]{GAP}(?P<value>[A-Za-z0-9+/]{{20,}}={{0,2}})",
    ),
    # Tokens and headers of any vendor
    Rule("JWT", ("eyj",), rf"{LEFT}eyJ{WORD}{{8,}}\.{WORD}{{8,}}(?:\.{WORD}+)*"),
    Rule(
        "BASIC_AUTH",
        ("basic",),
        rf"(?i){LEFT}basic[ \t]+(?P<value>[A-Za-z0-9+/]{{8,}}={{0,2}}){RIGHT}",
        "basic",
    ),
    Rule(
        "BEARER_TOKEN",
        ("bearer",),
        rf"(?i){LEFT}bearer[ \t]+[\"'`]?(?P<value>[A-Za-z0-9._~+/=-]{{12,}})",
        "mixed",
        near="0123456789",
    ),
    Rule(
        "AUTHORIZATION",
        ("authorization",),
        rf"(?i)authorization[\"'`\]]*{GAP}[:=]{GAP}[\"'`]?"
        r"(?:(?:basic|bearer|token(?:[ \t]+token=)?|digest|api-?(?:key|token)|negotiate|"
        r"bot|key|splunk|ssws|geniekey)[ \t]*(?<=[ \t=])[\"']?)?"
        r"(?P<value>[^\s\"'`,;<>]{8,})",
        "mixed",
    ),
    Rule(
        "COOKIE",
        ("cookie:", "cookie2:", "--cookie", "cookie=", "cookie =", "curl"),
        rf"(?i)(?:(?:cookie2?{GAP}[:=]|--cookie|[ ]-b){GAP}[ =]?[\"'`]?|;{GAP})"
        r"(?P<name>[\w.-]+)=(?P<value>[^\s;,\"'`]{8,})",
        "cookie",
    ),
    # Addresses with credentials
    Rule(
        "URL_PASSWORD",
        ("://",),
        r"(?i)[a-z][a-z0-9+.-]{1,30}://[^\s/?#@:\"'`<>]*:(?!\d{1,5}[/?#])"
        r"(?P<value>[^\s\"'`<>/]+(?=@)|[^\s\"'`<>@]+(?=@))@(?!sha\d)",
        "url",
        near="@",
    ),
    Rule(
        "URL_PASSWORD",
        ("://",),
        r"(?i)[a-z][a-z0-9+.-]{1,30}://[^\s/?#@:\"'`<>]+@[^\s/?#@:\"'`<>]+:"
        r"(?P<value>[^\s\"'`<>/@]+)@[a-z0-9]",
        "mixed",
        near="@",
    ),
    Rule(
        "URL_TOKEN",
        ("://",),
        r"://(?P<value>[A-Za-z0-9_~.-]{20,})(?::x-oauth-basic)?@",
        "random",
        near="@",
    ),
    Rule("URL_PASSWORD", ("jdbc:oracle",), r"jdbc:oracle:\w+:[^\s/@]+/(?P<value>[^\s@]+)@", "url"),
    Rule(
        "URL_SIGNATURE",
        ("sig=", "signature=", "x-amz-", "security-token="),
        r"(?i)[?&;](?:sig|signature|x-(?:amz|goog)-signature|x-amz-security-token)="
        r"(?P<value>[A-Za-z0-9%+/=_.-]{16,})",
    ),
    *NAMED,
)
