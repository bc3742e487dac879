"""What gives a secret away by name: assignments, sentences, command lines, files of credentials.

No pattern repeats a repetition, and what may start anywhere has a bounded length: a long text stays
cheap.
"""

from git_knowl.services.filters.secret_shapes import LEFT, RIGHT, Rule

# A character above 255 inside a class makes it ten times as long to compile; hence alternatives.
GAP = r"(?:[ \t\u00a0]|\u3000)*"
_QUOTED = r"""(?P<quote>\\?["'`])(?P<quoted>(?:(?!(?P=quote))[^\n])+)(?P=quote)"""
#: How far a value is followed: each of many beginnings would else be followed to the end.
_LONGEST = 8192
_BARE = (
    r"""(?P<value>(?:&(?!\w+=)|,(?=\S)(?!\w+\s*[=:])|[^\s"'`,;&<>|\\]){1,300}"""
    rf"[A-Za-z0-9+/=_-]{{0,{_LONGEST}}})"
)
_VALUE = rf"""(?:[bfruBFRU]{{0,2}}{_QUOTED}|\\?(?:["'`]|\u201c|\u300c)?{_BARE})"""
_STAGE = r"(?:[_-]?\d{1,2}|[_-](?:prod(?:uction)?|stag(?:e|ing)|dev|test|live|base|value|old|new))?"
_TYPED = (
    rf":{GAP}[A-Za-z][\w.\[\]|? ]{{0,30}}?=(?!=)|"
    r"[ \t](?:string|\[\]byte|String|str|char|&str|auto)[ \t]*=(?!=)"
)
_SEPARATOR = rf"{GAP}(?P<separator>{_TYPED}|:{{1,3}}=|=>|={{1,3}}|\?=|[:|]|\uff1a|\uff1d){GAP}"
_SIGNS = ":=|\uff1a\uff1d"
_DIGITS = "0123456789"
_QUOTES = "\"'`"
#: Where a name may begin: at a word, after an underscore, at a capital inside, after PG.
_START = r"(?:(?<![A-Za-z0-9])|(?<=[a-z0-9])(?=[A-Z])|(?<=PG)(?=PASS))"


def _assigned(kind: str, gates: tuple[str, ...], names: str, judge: str = "key") -> Rule:
    """Return the rule of NAME = VALUE in code, configuration, query strings and prose."""
    # Account number and colon before it: the name of a secret in Amazon's store.
    pattern = rf"(?<!\d:)(?i:(?P<name>{names}){_STAGE})(?:\\?[\"'`]|\])*{_SEPARATOR}{_VALUE}"
    return Rule(kind, gates, pattern, judge, near=_SIGNS, reach=32)


def _told(kind: str, gates: tuple[str, ...], names: str, verbs: str, judge: str) -> Rule:
    """Return the rule of a sentence that tells a value: `the NAME for staging is VALUE`."""
    words = r"[\"'`)]*(?:[ \t]+[\w'/-]+){0,5}?"
    verb = rf"[ \t]+(?:{verbs}):?[ \t]+"
    pattern = rf"{_START}(?i:(?:{names}){_STAGE}){RIGHT}{words}{verb}(?:{_QUOTED}|{_BARE})"
    return Rule(kind, gates, pattern, judge, near=_DIGITS + _QUOTES, reach=60)


AWS_SECRET = _assigned(
    "AWS_SECRET",
    ("secret",),
    r"(?:aws[_ -]?)?secret[_ -]?access[_ -]?key|aws[_ -]?secret(?:[_ -]?key)?",
)

_PASSWORD = (
    r"pass(?:word|wd|phrase|code)|pwd|(?<=[_-])pass|(?<![a-z0-9])pw|密码|密碼|口令|パスワード|"
    r"비밀번호|(?:П|п)ароль|contraseña|passwort|kennwort|mot de passe|senha"
)
_ENGLISH_GATES = ("password", "passwd", "passphrase", "passcode", "pwd")
_OTHER_GATES = (
    *("密码", "密碼", "口令", "パスワード", "비밀번호", "пароль"),
    *("contraseña", "passwort", "kennwort", "mot de passe", "senha"),
)
_PASSWORD_GATES = (*_ENGLISH_GATES, "_pass", "-pass", " pw", *_OTHER_GATES)
_KEY = (
    r"(?:access|auth|private|secret|signing|encryption|account|license|subscription|master|admin|"
    r"service|session|storage|shared[_ -]?access|webhook|deploy|routing|integration|functions|"
    r"fastly|server|application|root)[_. -]?key"
)
_API_KEY = r"(?:api|app)[_. -]?key"
_NAMED = (
    rf"(?:password|passwd|passphrase|secret|token|credentials?|pwd|(?<=[_-])pa(?:ss|t)|{_API_KEY}"
    rf"|{_KEY})"
)

_COMMANDS: tuple[Rule, ...] = (
    Rule(
        "PASSWORD",
        ("curl", "wget", "http"),
        r"(?:curl|wget|https?)(?= )(?:[^\n|\\]|\\\n?){0,300}?[ \t](?:-u|--user|--proxy-user)[ =]*"
        r"[\"']?[^\s:\"']{0,100}[\"']?:[\"']?(?P<value>[^\s\"']{3,})",
        "url",
    ),
    Rule(
        "PASSWORD",
        ("sshpass", "mysql", "redis-cli", "sqlcmd", "ldap", "docker login", "twine", "az login"),
        r"(?:sshpass[ \t]+-p[ \t]*|mysql\w*(?= )[^\n|;]{0,80}?[ \t]-p|"
        r"redis-cli(?= )[^\n|;]{0,80}?[ \t]-a[ \t]+|ldap\w+(?= )[^\n|;]{0,120}?[ \t]-w[ \t]+|"
        r"sqlcmd(?= )[^\n|;]{0,80}?[ \t]-P[ \t]*|(?:docker|az|helm registry)[ \t]+login(?= )"
        r"[^\n|;]{0,80}?[ \t]-p[ \t]+|twine(?= )[^\n|;]{0,80}?[ \t]-p[ \t]+)[\"']?"
        r"(?P<value>[^\s\"']{4,})",
        "mixed",
    ),
    Rule("PASSWORD", ("pass:",), rf"{LEFT}-?pass(?:in|out)?[ \t=]+pass:(?P<value>[^\s\"']{{4,}})"),
    Rule(
        "PASSWORD",
        ("htpasswd",),
        r"htpasswd[ \t]+-\w*b\w*[ \t]+\S{1,100}[ \t]+\S{1,100}[ \t]+[\"']?(?P<value>[^\s\"']{4,})",
        "mixed",
    ),
    Rule(
        "PASSWORD",
        ("convertto-securestring",),
        rf"(?i)ConvertTo-SecureString[ \t]+(?:-String[ \t]+)?{_QUOTED}",
    ),
    Rule(
        "PASSWORD",
        ("login",),
        rf"(?i){LEFT}login\s+\S+\s+password\s+(?P<value>\S{{3,}})",
        "mixed",
    ),
    Rule(
        "SECRET",
        ("--",),
        rf"(?i)--[\w-]{{0,40}}?{_NAMED}[ \t]+[\"'`]?(?P<value>[^\s\"'`|;&<>]{{4,}})",
        "mixed",
    ),
    Rule(
        "SECRET",
        ("env ", "setenv ", "setx ", "-e ", " set "),
        r"(?i)(?:ENV|setenv|setx|--env|-e|config(?:ure)?[ \t]+set)[ \t]+"
        rf"[\w.:/-]{{0,60}}?{_NAMED}{_STAGE}[ \t]+[\"']?(?P<value>[^\s\"'=][^\s\"']{{3,}})",
        "mixed",
    ),
)

_FILES: tuple[Rule, ...] = (
    Rule(
        "PASSWORD",
        (":5432:", ":*:"),
        r"(?m)(?:^|(?<=\s))[^\s:]{1,100}:(?:\d{2,5}|\*):[^\s:]{1,100}:[^\s:]{1,100}:"
        r"(?P<value>[^\s:]{4,})(?=\s|$)",
    ),
    Rule("PASSWORD", ("pwd={", "password={"), r"(?i)(?:pwd|password)=\{(?P<value>[^}\n]{4,256})\}"),
    Rule(
        "PASSWORD",
        ("variable",),
        rf"(?i)variable[ \t]+\"[\w-]{{0,60}}?{_NAMED}\"\s*\{{[^{{}}]{{0,200}}?default\s*=\s*"
        r"\"(?P<value>[^\"\n]{4,})\"",
        "mixed",
    ),
    Rule(
        "SECRET",
        ("value:", "value=", 'value"', "value'"),
        rf"(?i)(?:name|key)[\"']?\s*[=:]\s*[\"']?[\w.-]{{0,60}}?{_NAMED}{_STAGE}[\"']?[\s,]*"
        r"[\"']?value[\"']?\s*[=:]\s*[\"']?(?P<value>[^\s\"'<>]{4,})",
        "mixed",
    ),
    Rule(
        "SECRET",
        ("</",),
        rf"(?i)<[\w:.-]{{0,60}}?{_NAMED}>\s*(?P<value>[^<\s]{{4,}})\s*</",
        "mixed",
    ),
)

_VALUES: tuple[Rule, ...] = (
    _assigned("PASSWORD", _PASSWORD_GATES, _PASSWORD, "password"),
    _assigned("API_KEY", ("key",), _API_KEY),
    _assigned("SECRET_KEY", ("key",), _KEY),
    _assigned("SECRET_KEY", ("_key",), r"(?-i:(?<=[A-Z0-9]_)(?<!CACHE_)KEY)", "random"),
    _assigned("SECRET", ("secret",), "secret"),
    _assigned(
        "TOKEN",
        ("token", "bearer", "credential", "auth", "_pat", "-pat"),
        r"token|bearer|credentials?|(?<!o)auth|(?<=[_-])pat",
    ),
)

_SENTENCES: tuple[Rule, ...] = (
    _told(
        "PASSWORD",
        _PASSWORD_GATES,
        _PASSWORD,
        "is|was|to|as|ist|est|es|è|(?:with|has) (?:the |a )?value(?: of)?",
        "told",
    ),
    _told(
        "TOKEN",
        ("token", "secret", "key", "credential", "_pat"),
        rf"token|secret|(?<=_)pat|{_API_KEY}|{_KEY}|secret[_ ]?access[_ ]?key|credentials?",
        "is|was|to|ist|est|(?:with|has) (?:the |a )?value(?: of)?",
        "random",
    ),
    Rule(
        "PASSWORD",
        _ENGLISH_GATES + _OTHER_GATES,
        rf"{LEFT}(?i:{_PASSWORD}){RIGHT}(?:[ \t]*(?:是|为|為)[ \t]*|[ \t]+\(?)"
        rf"(?:{_QUOTED}|(?P<value>[^\s\"'`,;&<>|\\()]{{6,100}}))",
        "mixed",
        near=_DIGITS,
        reach=60,
    ),
    Rule(
        "PASSWORD",
        ("password is ", "password was ", "passphrase is ", "passphrase was "),
        r"(?im)pass(?:word|phrase)[ ](?:is|was)[ ](?P<value>[a-z]{5,30})"
        r"(?=[.!;,)]?[ \t]*$|[.!;,)][ \t]|[ ](?:on|for|in|until|everywhere)\b)",
        "word",
    ),
    Rule(
        "PASSWORD",
        ("credential", "creds", "login"),
        rf"(?i){LEFT}(?:credentials?|creds|login)(?:[ \t]*[:=]|[ \t]+(?:is|are))[ \t]*[\"'`]?"
        r"[\w.@-]{1,60}[\"'`]?[ \t]*[/:][ \t]*[\"'`]?(?P<value>[^\s\"'`,;<>|)]{4,100})",
        "mixed",
        near=_DIGITS,
    ),
)

#: Most specific first, names and values last, because they say least.
NAMED = _COMMANDS + _FILES + _VALUES + _SENTENCES
