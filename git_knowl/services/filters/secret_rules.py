"""What gives a secret away: its shape, or the name, header or address it stands in.

Most specific first: of overlapping findings the earlier row names the type. No pattern repeats a
repetition, and what may start anywhere has a bounded length: a long text stays cheap.
"""

from git_knowl.services.filters.secret_shapes import LEFT, RIGHT, VENDORS, WORD, Rule

# A character above 255 inside a class makes it ten times as long to compile; hence alternatives.
_GAP = r"(?:[ \t\u00a0]|\u3000)*"
_QUOTED = r"""(?P<quote>\\?["'`])(?P<quoted>(?:(?!(?P=quote))[^\n])+)(?P=quote)"""
_BARE = (
    r"""(?P<value>(?:&(?!\w+=)|,(?=\S)(?!\w+\s*[=:])|[^\s"'`,;&<>|\\]){1,1000}[A-Za-z0-9+/=_-]*)"""
)
_VALUE = rf"""(?:[bfruBFRU]{{0,2}}{_QUOTED}|\\?(?:["'`]|\u201c|\u300c)?{_BARE})"""
_STAGE = r"(?:[_-]?\d{1,2}|[_-](?:prod(?:uction)?|stag(?:e|ing)|dev|test|live|base|value|old|new))?"
_TYPED = rf":{_GAP}[A-Za-z][\w.\[\]|? ]{{0,30}}?=(?!=)"
_SEPARATOR = rf"{_GAP}(?P<separator>{_TYPED}|:=|=>|={{1,3}}|[:|]|\uff1a|\uff1d){_GAP}"
_SIGNS = ":=|\uff1a\uff1d"
_DIGITS = "0123456789"


def _assigned(kind: str, gates: tuple[str, ...], names: str, judge: str = "key") -> Rule:
    """Return the rule of NAME = VALUE in code, configuration, query strings and prose."""
    # Account number and colon before it: the name of a secret in Amazon's store.
    pattern = rf"(?<!\d:)(?i:(?P<name>{names}){_STAGE})(?:\\?[\"'`]|\])*{_SEPARATOR}{_VALUE}"
    return Rule(kind, gates, pattern, judge, near=_SIGNS, reach=32)


def _told(kind: str, gates: tuple[str, ...], names: str, verbs: str, judge: str) -> Rule:
    """Return the rule of a sentence that tells a value: `the NAME for staging is VALUE`."""
    words = r"(?:[ \t]+[\w'/-]+){0,5}?"
    pattern = rf"{LEFT}(?i:{names}){RIGHT}{words}[ \t]+(?:{verbs}):?[ \t]+(?:{_QUOTED}|{_BARE})"
    return Rule(kind, gates, pattern, judge, near=_DIGITS)


_PASSWORD = (
    r"pass(?:word|wd|phrase|code)|pwd|(?<=[_-])pass|密码|密碼|口令|パスワード|비밀번호|"
    r"(?:П|п)ароль|contraseña|passwort|kennwort|mot de passe|senha"
)
_PASSWORD_GATES = (
    *("password", "passwd", "passphrase", "passcode", "pwd", "_pass", "-pass"),
    *("密码", "密碼", "口令", "パスワード", "비밀번호", "пароль"),
    *("contraseña", "passwort", "kennwort", "mot de passe", "senha"),
)
_KEY = (
    r"(?:access|auth|private|secret|signing|encryption|account|license|subscription|master|"
    r"service|session|storage|shared[_ -]?access|webhook|deploy)[_. -]?key"
)
_NAMED = r"(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)"

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
    Rule("AGE_KEY", ("age-secret-key-",), rf"{LEFT}AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{{40,}}"),
    Rule("PRIVATE_KEY", ('"kty"',), rf'"d"\s*:\s*"(?P<value>{WORD}{{32,}})"'),
    *VENDORS,
    _assigned(
        "AWS_SECRET",
        ("secret",),
        r"(?:aws[_ -]?)?secret[_ -]?access[_ -]?key|aws[_ -]?secret(?:[_ -]?key)?",
    ),
    Rule(
        "AZURE_KEY",
        ("accountkey", "sharedaccesskey"),
        rf"(?i)(?:AccountKey|SharedAccessKey){_GAP}[=:]{_GAP}(?P<value>[A-Za-z0-9+/]{{20,}}={{0,2}})",
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
        near=_DIGITS,
    ),
    Rule(
        "AUTHORIZATION",
        ("authorization",),
        rf"(?i)authorization[\"'`\]]*{_GAP}[:=]{_GAP}[\"'`]?"
        r"(?:(?:basic|bearer|token|digest|api-?key|negotiate|bot|key|splunk)[ \t]+)?"
        r"(?P<value>[^\s\"'`,;<>]{8,})",
        "mixed",
    ),
    Rule(
        "COOKIE",
        ("cookie:", "cookie2:", "--cookie", "cookie="),
        rf"(?i)(?:(?:cookie2?{_GAP}[:=]|--cookie){_GAP}[ =]?[\"'`]?|;{_GAP})"
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
    # Command lines and files of credentials
    Rule(
        "PASSWORD",
        ("curl", "wget", "http"),
        r"(?:curl|wget|https?)(?= )[^\n|]{0,200}?[ \t](?:-u|--user|--proxy-user)[ =]*[\"']?"
        r"[^\s:\"']+:(?P<value>[^\s\"']{3,})",
        "url",
    ),
    Rule(
        "PASSWORD",
        ("sshpass", "mysql"),
        r"(?:sshpass[ \t]+-p[ \t]*|mysql\w*(?= )[^\n|;]{0,80}?[ \t]-p)[\"']?"
        r"(?P<value>[^\s\"']{4,})",
        "mixed",
    ),
    Rule(
        "PASSWORD",
        ("login",),
        rf"(?i){LEFT}login\s+\S+\s+password\s+(?P<value>\S{{3,}})",
        "mixed",
    ),
    Rule(
        "PASSWORD",
        (":5432:", ":*:"),
        r"(?m)^[^\s:]+:(?:\d{2,5}|\*):[^\s:]+:[^\s:]+:(?P<value>[^\s:]{4,})$",
    ),
    Rule("PASSWORD", ("pwd={", "password={"), r"(?i)(?:pwd|password)=\{(?P<value>[^}\n]{4,})\}"),
    Rule(
        "SECRET",
        ("--",),
        rf"(?i)--[\w-]*{_NAMED}[ \t]+[\"'`]?(?P<value>[^\s\"'`|;&<>]{{4,}})",
        "mixed",
    ),
    Rule(
        "SECRET",
        ("env ", "setenv ", "-e "),
        rf"(?i)(?:ENV|setenv|--env|-e)[ \t]+\w*{_NAMED}{_STAGE}[ \t]+[\"']?"
        r"(?P<value>[^\s\"'=]{4,})",
        "mixed",
    ),
    Rule(
        "SECRET",
        ("value:", "value=", 'value"', "value'"),
        rf"(?i)(?:name|key)[\"']?\s*[=:]\s*[\"']?[\w.-]*{_NAMED}{_STAGE}[\"']?[\s,]*"
        r"[\"']?value[\"']?\s*[=:]\s*[\"']?(?P<value>[^\s\"'<>]{4,})",
        "mixed",
    ),
    Rule(
        "SECRET",
        ("</",),
        rf"(?i)<[\w:.-]*{_NAMED}>\s*(?P<value>[^<\s]{{4,}})\s*</",
        "mixed",
    ),
    # Names and values, last because they say least
    _assigned("PASSWORD", _PASSWORD_GATES, _PASSWORD, "password"),
    _assigned("API_KEY", ("key",), r"(?:api|app)[_. -]?key"),
    _assigned("SECRET_KEY", ("key",), _KEY),
    _assigned("SECRET", ("secret",), "secret"),
    _assigned(
        "TOKEN",
        ("token", "bearer", "credential", "auth"),
        r"token|bearer|credentials?|(?<!o)auth",
    ),
    _told("PASSWORD", _PASSWORD_GATES, _PASSWORD, "is|was|to|as", "mixed"),
    _told(
        "TOKEN",
        ("token", "secret", "key", "credential"),
        rf"token|secret|api[ -]?key|{_KEY}|credentials?",
        "is|was",
        "random",
    ),
)
