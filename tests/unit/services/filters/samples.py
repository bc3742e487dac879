"""A labelled set for the secret filter: what has to go, what has to stay.

Every sample is put together at run time from parts, so that no file of this repository holds
anything that a scanner of secrets, or a reader, could take for one.
"""

from __future__ import annotations

import base64
import hashlib
import string
from dataclasses import dataclass

ALNUM = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + string.digits
LOWER = string.ascii_lowercase + string.digits
HEX = "0123456789abcdef"
URLSAFE = ALNUM + "-_"
BASE64 = ALNUM + "+/"
DIGITS = string.digits


def body(size: int, alphabet: str = ALNUM, seed: str = "") -> str:
    """Return characters that look generated and are the same in every run."""
    stream = b""
    while len(stream) < size:
        stream += hashlib.sha256(f"{seed}/{size}/{alphabet}/{len(stream)}".encode()).digest()
    made = "".join(alphabet[byte % len(alphabet)] for byte in stream[:size])
    return made if alphabet in (HEX, DIGITS) else made[:-2] + "k7" if alphabet == LOWER else made


def encoded(text: str) -> str:
    """Return base 64."""
    return base64.b64encode(text.encode()).decode()


def pem(label: str, *, header: str = "", end: bool = True) -> str:
    """Return a private key block as text."""
    dashes = "-" * 5
    lines = "\n".join(body(64, BASE64, f"{label}{n}") for n in range(4))
    close = f"\n{dashes}END {label}{dashes}" if end else ""
    return f"{dashes}BEGIN {label}{dashes}\n{header}{lines}{close}"


@dataclass(frozen=True)
class Positive:
    """A text with parts that must not survive, and the type they are reported under."""

    name: str
    text: str
    hidden: tuple[str, ...]
    type: str


def _one(name: str, kind: str, secret: str, around: str = "we used {} in the job") -> Positive:
    return Positive(name, around.replace("{}", secret), (secret,), kind)


def _groups() -> list[str]:
    return [body(6, UPPER), body(6, UPPER, "2"), *(body(5, UPPER, f"{n}") for n in range(4))]


JWT = f"ey{'JhbGciOiJIUzI1NiJ9'}.ey{'JzdWIiOiI0MiJ9'}.{body(43, URLSAFE, 'jwt')}"
KEY_ID = "AK" + "IA" + body(16, UPPER, "aws")
PASSWORD = "Tr0ub" + "4dor&3"
PRIVATE = "PRIVATE" + " KEY"

SHAPES: tuple[Positive, ...] = (
    _one("aws access key id", "AWS_KEY", KEY_ID),
    _one("aws temporary key id", "AWS_KEY", "AS" + "IA" + body(16, UPPER, "sts")),
    _one("google api key", "GOOGLE_KEY", "AI" + "za" + body(35, URLSAFE, "g")),
    _one("google access token", "GOOGLE_TOKEN", "ya" + "29." + body(60, URLSAFE, "ya")),
    _one("google client secret", "GOOGLE_SECRET", "GOC" + "SPX-" + body(28, URLSAFE, "gs")),
    _one("azure client secret", "AZURE_SECRET", "abc8" + "Q~" + body(34, ALNUM, "az")),
    _one("github classic", "GITHUB_TOKEN", "gh" + "p_" + body(36)),
    _one("github oauth", "GITHUB_TOKEN", "gh" + "o_" + body(36)),
    _one("github user to server", "GITHUB_TOKEN", "gh" + "u_" + body(36)),
    _one("github server to server", "GITHUB_TOKEN", "gh" + "s_" + body(36)),
    _one("github refresh", "GITHUB_TOKEN", "gh" + "r_" + body(76)),
    _one("github fine-grained", "GITHUB_TOKEN", "github" + "_pat_" + body(82, ALNUM + "_")),
    _one("gitlab personal", "GITLAB_TOKEN", "gl" + "pat-" + body(20, URLSAFE)),
    _one("gitlab deploy", "GITLAB_TOKEN", "gl" + "dt-" + body(20, URLSAFE)),
    _one("gitlab runner", "GITLAB_TOKEN", "gl" + "rt-" + body(27, URLSAFE)),
    _one("slack bot", "SLACK_TOKEN", "xo" + "xb-" + body(12, DIGITS) + "-" + body(24)),
    _one("slack app", "SLACK_TOKEN", "xa" + "pp-1-A012-" + body(13, DIGITS) + "-" + body(64, HEX)),
    _one(
        "slack webhook",
        "SLACK_WEBHOOK",
        f"T0{body(9, UPPER)}/B0{body(9, UPPER)}/{body(24)}",
        "post to https://hooks.slack." + "com/services/{} when done",
    ),
    _one(
        "discord webhook",
        "DISCORD_WEBHOOK",
        body(68, URLSAFE, "dw"),
        f"https://discord.com/api/webhooks/{body(18, DIGITS)}/" + "{}",
    ),
    _one(
        "discord bot",
        "DISCORD_TOKEN",
        f"M{body(25, ALNUM, 'd')}.{body(6, ALNUM, 'e')}.{body(38, URLSAFE, 'f')}",
    ),
    _one("telegram bot", "TELEGRAM_TOKEN", body(10, DIGITS) + ":A" + "A" + body(33, URLSAFE)),
    _one("stripe live", "STRIPE_KEY", "sk" + "_live_" + body(24)),
    _one("stripe test", "STRIPE_KEY", "sk" + "_test_" + body(24)),
    _one("stripe restricted", "STRIPE_KEY", "rk" + "_live_" + body(24)),
    _one("stripe webhook secret", "STRIPE_SECRET", "whsec" + "_" + body(32)),
    _one("openai legacy", "OPENAI_KEY", "s" + "k-" + body(48)),
    _one("openai project", "OPENAI_KEY", "s" + "k-proj-" + body(64, URLSAFE)),
    _one("anthropic", "ANTHROPIC_KEY", "s" + "k-ant-api03-" + body(93, URLSAFE) + "AA"),
    _one("hugging face", "HUGGINGFACE_TOKEN", "h" + "f_" + body(34)),
    _one("groq", "GROQ_KEY", "gs" + "k_" + body(52)),
    _one("npm", "NPM_TOKEN", "np" + "m_" + body(36)),
    _one("pypi", "PYPI_TOKEN", "py" + "pi-AgEIcHlwaS5vcmc" + body(80, URLSAFE)),
    _one("rubygems", "RUBYGEMS_KEY", "ruby" + "gems_" + body(48, HEX)),
    _one("docker hub", "DOCKER_TOKEN", "dckr" + "_pat_" + body(27, URLSAFE)),
    _one("sendgrid", "SENDGRID_KEY", "S" + "G." + body(22, URLSAFE) + "." + body(43, URLSAFE)),
    _one("twilio key", "TWILIO_KEY", "S" + "K" + body(32, HEX)),
    _one("twilio pair", "TWILIO_SECRET", body(32, HEX, "t"), f"A{'C'}{body(32, HEX)}:" + "{}"),
    _one("mailgun", "MAILGUN_KEY", "ke" + "y-" + body(32, HEX)),
    _one("mailchimp", "MAILCHIMP_KEY", body(32, HEX, "mc") + "-us" + "12"),
    _one("digitalocean", "DIGITALOCEAN_TOKEN", "do" + "p_v1_" + body(64, HEX)),
    _one("cloudflare token", "CLOUDFLARE_TOKEN", "cf" + "ut_" + body(48)),
    _one("shopify", "SHOPIFY_TOKEN", "shp" + "at_" + body(32, HEX)),
    _one("square secret", "SQUARE_TOKEN", "sq0" + "csp-" + body(43, URLSAFE)),
    _one("square access", "SQUARE_TOKEN", "EA" + "AA" + body(60, URLSAFE)),
    _one("databricks", "DATABRICKS_TOKEN", "da" + "pi" + body(32, HEX)),
    _one("terraform", "TERRAFORM_TOKEN", body(14) + ".atlas" + "v1." + body(67, URLSAFE)),
    _one("vault", "VAULT_TOKEN", "hv" + "s." + body(95, URLSAFE)),
    _one("grafana", "GRAFANA_TOKEN", "gl" + "sa_" + body(32) + "_" + body(8, HEX)),
    _one("linear", "LINEAR_KEY", "lin" + "_api_" + body(40)),
    _one("age", "AGE_KEY", "AGE-SECRET" + "-KEY-1" + body(58, UPPER)),
    _one("jwt", "JWT", JWT),
    Positive(
        "rsa block",
        f"key:\n{pem('RSA ' + PRIVATE)}\nend",
        (body(64, BASE64, f"RSA {PRIVATE}1"),),
        "PRIVATE_KEY",
    ),
    Positive("pkcs8 block", pem(PRIVATE), (body(64, BASE64, f"{PRIVATE}0"),), "PRIVATE_KEY"),
    Positive(
        "encrypted block",
        pem("ENCRYPTED " + PRIVATE),
        (body(64, BASE64, f"ENCRYPTED {PRIVATE}3"),),
        "PRIVATE_KEY",
    ),
    Positive(
        "openssh block",
        pem("OPENSSH " + PRIVATE),
        (body(64, BASE64, f"OPENSSH {PRIVATE}2"),),
        "PRIVATE_KEY",
    ),
    Positive(
        "pgp block",
        pem(f"PGP {PRIVATE} BLOCK", header="Version: 1\n\n"),
        (body(64, BASE64, f"PGP {PRIVATE} BLOCK0"),),
        "PRIVATE_KEY",
    ),
    Positive(
        "block cut off",
        pem("EC " + PRIVATE, header="Proc-Type: 4,ENCRYPTED\n\n", end=False),
        (body(64, BASE64, f"EC {PRIVATE}3"),),
        "PRIVATE_KEY",
    ),
    Positive(
        "block in a json string",
        '{"private_key": "' + pem(PRIVATE).replace("\n", "\\n") + '\\n"}',
        (body(64, BASE64, f"{PRIVATE}1"),),
        "PRIVATE_KEY",
    ),
    Positive(
        "putty key",
        f"PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 2\n{body(64, BASE64, 'p')}\n"
        f"{body(40, BASE64, 'q')}\nPrivate-MAC: 00ff\n",
        (body(64, BASE64, "p"), body(40, BASE64, "q")),
        "PRIVATE_KEY",
    ),
)

VENDORS: tuple[Positive, ...] = (
    _one("json web key", "PRIVATE_KEY", body(43, URLSAFE), '{"kty": "OKP", "crv": "x", "d": "{}"}'),
    _one("alibaba", "ALIBABA_KEY", "LT" + "AI" + body(20)),
    _one("google refresh", "GOOGLE_TOKEN", "1/" + "/0" + body(40, URLSAFE)),
    _one("cloudflare origin", "CLOUDFLARE_KEY", f"v{'1.0'}-{body(24, HEX)}-{body(146, HEX)}"),
    _one("heroku", "HEROKU_KEY", "HRKU" + "-" + body(60, URLSAFE)),
    _one("fly", "FLY_TOKEN", "fo1" + "_" + body(43, URLSAFE)),
    _one("netlify", "NETLIFY_TOKEN", "nf" + "p_" + body(36)),
    _one("supabase", "SUPABASE_KEY", "sb" + "p_" + body(40, HEX)),
    _one("planetscale", "PLANETSCALE_TOKEN", "pscale" + "_tkn_" + body(43, URLSAFE)),
    _one("gitlab registration", "GITLAB_TOKEN", "GR13" + "48941" + body(20, URLSAFE)),
    _one("bitbucket", "BITBUCKET_TOKEN", "AT" + "BB" + body(32)),
    _one("atlassian", "ATLASSIAN_TOKEN", "AT" + "ATT3" + "xFf" + body(180, URLSAFE)),
    _one("crates", "CRATES_TOKEN", "ci" + "o" + body(32)),
    _one("nuget", "NUGET_KEY", "oy" + "2" + body(43, LOWER)),
    _one("sonar", "SONAR_TOKEN", "sq" + "p_" + body(40, HEX)),
    _one("pulumi", "PULUMI_TOKEN", "pu" + "l-" + body(40, HEX)),
    _one("doppler", "DOPPLER_TOKEN", "dp." + "pt." + body(43)),
    _one("tailscale", "TAILSCALE_KEY", "ts" + "key-auth-" + body(30, ALNUM)),
    _one("sentry", "SENTRY_TOKEN", "sntry" + "u_" + body(64, HEX)),
    _one("new relic", "NEWRELIC_KEY", "NR" + "AK-" + body(27, UPPER)),
    _one("1password account", "ONEPASSWORD_TOKEN", "ops" + "_eyJ" + body(250)),
    _one("1password secret key", "ONEPASSWORD_KEY", "A" + "3-" + "-".join(_groups())),
    _one("xai", "XAI_KEY", "xa" + "i-" + body(80)),
    _one("replicate", "REPLICATE_TOKEN", "r" + "8_" + body(37)),
    _one("perplexity", "PERPLEXITY_KEY", "pp" + "lx-" + body(48)),
    _one("bedrock", "BEDROCK_KEY", "AB" + "SK" + body(109, BASE64)),
    _one(
        "teams webhook",
        "TEAMS_WEBHOOK",
        f"{body(36, HEX)}@{body(36, HEX)}/IncomingWebhook/{body(32, HEX)}",
        "https://x.webhook." + "office.com/webhookb2/{}",
    ),
    _one(
        "mailgun signing",
        "MAILGUN_KEY",
        f"{body(32, HEX)}-{body(8, HEX, '1')}-{body(8, HEX, '2')}",
        "mailgun uses {}",
    ),
    _one("brevo", "BREVO_KEY", "xkey" + "sib-" + body(64, HEX) + "-" + body(16)),
    _one("meta", "META_TOKEN", "EA" + "AM" + body(120)),
    _one("flutterwave", "FLUTTERWAVE_KEY", "FLWS" + "ECK-" + body(32, HEX) + "-X"),
    _one("easypost", "EASYPOST_KEY", "EZ" + "AK" + body(54)),
    _one("shippo", "SHIPPO_TOKEN", "shippo" + "_live_" + body(40, HEX)),
    _one("notion", "NOTION_TOKEN", "nt" + "n_" + body(46)),
    _one("figma", "FIGMA_TOKEN", "fi" + "gd_" + body(40, URLSAFE)),
    _one("postman", "POSTMAN_KEY", "PM" + "AK-" + body(24, HEX) + "-" + body(34, HEX)),
    _one("airtable", "AIRTABLE_TOKEN", "pa" + "t" + body(14) + "." + body(64, HEX)),
    _one("artifactory", "ARTIFACTORY_KEY", "AK" + "Cp" + body(69)),
    _one("dynatrace", "DYNATRACE_TOKEN", f"dt{'0c01'}.{body(24, UPPER)}.{body(64, UPPER)}"),
    _one("harness", "HARNESS_KEY", f"pa{'t'}.{body(22, URLSAFE)}.{body(24, HEX)}.{body(20)}"),
    _one("octopus", "OCTOPUS_KEY", "AP" + "I-" + body(26, UPPER)),
    _one("openshift", "OPENSHIFT_TOKEN", "sha256" + "~" + body(43, URLSAFE)),
    _one("prefect", "PREFECT_KEY", "pn" + "u_" + body(36)),
    _one("sourcegraph", "SOURCEGRAPH_TOKEN", "sg" + "p_" + body(40, HEX)),
)

NAMED: tuple[Positive, ...] = (
    _one("aws secret", "AWS_SECRET", body(40, BASE64, "s"), "aws_secret_access_key = {}"),
    _one("aws secret in yaml", "AWS_SECRET", body(40, BASE64, "s"), "SecretAccessKey: {}"),
    _one("aws pair in csv", "AWS_SECRET", body(40, BASE64, "v"), KEY_ID + ",{}"),
    _one(
        "azure storage",
        "AZURE_KEY",
        body(86, BASE64) + "==",
        "AccountName=x;AccountKey={};EndpointSuffix=core",
    ),
    _one(
        "azure service bus",
        "AZURE_KEY",
        body(43, BASE64) + "=",
        "SharedAccessKeyName=Root;SharedAccessKey={}",
    ),
    _one("bearer header", "BEARER_TOKEN", body(32), "Authorization: Bearer {}"),
    _one("bare bearer", "BEARER_TOKEN", body(24), "the call needs Bearer {} to pass"),
    _one("basic header", "BASIC_AUTH", encoded("kim:" + PASSWORD), "Authorization: Basic {}"),
    _one("authorization token", "AUTHORIZATION", body(40, HEX), "-H 'Authorization: token {}'"),
    _one("x-api-key header", "API_KEY", body(32), "curl -H 'X-Api-Key: {}' host"),
    _one("api key in json", "API_KEY", body(24), '{"api_key": "{}", "name": "x"}'),
    _one("api key camel case", "API_KEY", body(24), 'apiKey: "{}",'),
    _one("api key in a query", "API_KEY", body(24), "GET /v1/x?api_key={}&page=2"),
    _one("token in env", "TOKEN", body(24), "export CI_TOKEN={}"),
    _one("access token in yaml", "TOKEN", body(24), "access_token: {}"),
    _one("npmrc", "TOKEN", body(32, HEX), "//registry.example.org/:_authToken={}"),
    _one("docker auth", "TOKEN", encoded("kim:" + PASSWORD), '{"auths": {"x": {"auth": "{}"}}}'),
    _one("client secret", "SECRET", body(32), "client_secret: '{}'"),
    _one("rails secret", "SECRET_KEY", body(64, HEX), "SECRET_KEY_BASE={}"),
    _one("typed constant", "TOKEN", body(20), 'const token: string = "{}";'),
    _one("php arrow", "SECRET", body(20), "'secret' => '{}',"),
    _one("escaped json", "PASSWORD", PASSWORD, 'body "{\\"password\\": \\"{}\\"}"'),
    _one("password with equals", "PASSWORD", "hunter" + "2", "password={}"),
    _one("password with colon", "PASSWORD", "hunter" + "2", "password: {}"),
    _one("password of plain words", "PASSWORD", "sword" + "fish", 'password = "{}"'),
    _one("env of plain words", "PASSWORD", "let" + "mein", "DB_PASSWORD={}"),
    _one("db password", "PASSWORD", PASSWORD, "db_password: {}"),
    _one("stage in the name", "PASSWORD", PASSWORD, "DB_PASSWORD_PROD={}"),
    _one("digits", "PASSWORD", "839" + "27461", "admin password: {}"),
    _one("odbc", "PASSWORD", "sword" + "fish", "Driver={x};Server=db;Uid=sa;Pwd={};Encrypt=yes"),
    _one("odbc in braces", "PASSWORD", "a;b" + "1c", "Server=db;Pwd={{}};Encrypt=yes"),
    _one("prose", "PASSWORD", "hunter" + "2", "the password for staging is {}."),
    _one("prose of plain words", "PASSWORD", "sword" + "fish", "the password is {} on staging"),
    _one("prose of a plain word", "PASSWORD", "sword" + "fish", "its root password was {}."),
    _one(
        "prose with quotes", "PASSWORD", "blue" + "42fish", "reset the admin password to `{}` first"
    ),
    _one("prose about a token", "TOKEN", body(24), "the token we use there is {}, ask Kim"),
    _one("chinese line", "PASSWORD", PASSWORD, "数据库密码：{}，不要提交"),
    _one("accented line", "PASSWORD", PASSWORD, "für die Datenbank gilt password: {} – ändern"),
    _one("russian name", "PASSWORD", PASSWORD, "пароль: {}"),
    _one("emoji line", "TOKEN", body(24), "🔑 token={} ✅"),
    _one("markdown table", "PASSWORD", PASSWORD, "| DB_PASSWORD | {} |"),
    _one("cli option", "SECRET", body(12) + "9", "deploy --token {} --dry-run"),
    _one("cli option with equals", "PASSWORD", PASSWORD, "deploy --password={} now"),
    _one("dockerfile", "SECRET", "blue" + "42fish", "ENV DB_PASSWORD {}"),
    _one("kubernetes env", "SECRET", PASSWORD, "- name: DB_PASSWORD\n  value: {}"),
    _one("xml element", "SECRET", PASSWORD.replace("&", "+"), "<password>{}</password>"),
    _one("curl user", "PASSWORD", "sword" + "fish1", "curl -s -u admin:{} https://x.example"),
    _one("mysql", "PASSWORD", "S3cret" + "12", "mysql -u root -p{} shop"),
    _one("netrc", "PASSWORD", "S3cret" + "12", "machine x login kim password {}"),
    _one("pgpass", "PASSWORD", "S3cret" + "12", "db:5432:shop:kim:{}"),
    _one("postgres", "URL_PASSWORD", "s3cr3t" + "pw", "postgres://app:{}@db.example.org:5432/shop"),
    _one("mongodb", "URL_PASSWORD", "s3cr3t" + "pw", "mongodb+srv://app:{}@cluster0.example.net/x"),
    _one("redis without user", "URL_PASSWORD", "s3cr3t" + "pw", "redis://:{}@cache:6379/0"),
    _one("https", "URL_PASSWORD", "pa" + "ss", "https://user:{}@host/x"),
    _one("at sign in it", "URL_PASSWORD", "p@ss" + "w0rd", "amqp://app:{}@mq/vhost"),
    _one("slash in it", "URL_PASSWORD", "pa/ss" + "w0rd", "mysql://app:{}@db/shop"),
    _one(
        "user is an address", "URL_PASSWORD", "S3cret" + "12", "smtp://kim@example.org:{}@mail:587"
    ),
    _one("token as user", "URL_TOKEN", body(40, HEX), "git clone https://{}@git.example.org/x.git"),
    _one("oracle", "URL_PASSWORD", "tig" + "er1", "jdbc:oracle:thin:scott/{}@//db:1521/x"),
    _one(
        "signed url",
        "URL_SIGNATURE",
        body(43, ALNUM) + "%3D",
        "https://x.blob.example/c?sv=2024&sig={}&se=1",
    ),
    _one("cookie", "COOKIE", body(32), "Cookie: theme=dark; sessionid={}; lang=en"),
    _one("set-cookie", "COOKIE", "s%3A" + body(32), "Set-Cookie: connect.sid={}; Path=/; HttpOnly"),
    _one("unknown cookie", "COOKIE", body(40), "cookie: _x={}"),
    Positive(
        "two on a line",
        f"token: {body(20, seed='1')} and token: {body(20, seed='2')}",
        (body(20, seed="1"), body(20, seed="2")),
        "TOKEN",
    ),
    Positive(
        "an innocent copy before",
        f"{body(20, seed='3')} secret: {body(20, seed='3')}",
        (body(20, seed="3"),),
        "SECRET",
    ),
    Positive(
        "a name in the value of a name",
        "auth token: password: hunter" + "2",
        ("hunter" + "2",),
        "PASSWORD",
    ),
    Positive(
        "two passwords in one string",
        f"user=a;password={PASSWORD};admin_password=sword" + "fish;",
        (PASSWORD, "sword" + "fish"),
        "PASSWORD",
    ),
)

POSITIVES = SHAPES + VENDORS + NAMED

NEGATIVES: tuple[str, ...] = (
    # prose about secrets
    "auth: required for all routes",
    "the token: expires daily",
    "password: must be at least 12 characters and is checked twice",
    "Password reset: the mail is sent by a worker, so tests have to wait",
    "secret: stored in Vault, never in the repository",
    "token: JWT signed with RS256, valid 15 minutes",
    "the token is refreshed by the interceptor, not by the component",
    "the password is hashed with argon2id before it is stored",
    "password hashing moved from bcrypt to argon2id in v2",
    "API key: see the runbook",
    "The secret is that flushJobs runs twice",
    "secret rotation-procedure.md describes the steps",
    "authorization: role-based, see policies.rb",
    "Authorization: required",
    "Use Bearer authentication, basic auth is switched off",
    "basic understanding of the parser is enough",
    "credentials: same-origin is required for the cookie to be sent",
    "fetch(url, {credentials: 'include'}) drops the cookie on Safari",
    "unexpected token: ']' at line 3",
    "SyntaxError: Unexpected token < in JSON at position 0",
    "the tokenizer: gpt2 counts 1.3 tokens a word",
    "max_tokens: 4096, token_type: bearer, token_count=1500",
    "pad_token = '<pad>' and eos_token = \"<|endoftext|>\"",
    "password: ≥ 12 chars, 2FA: on",
    "passwordless: true; the magic link expires after 15min",
    "the first pass: O(n log n), second pass: 12 of 14 green",
    "PWD=/home/kim/project OLDPWD=/tmp",
    "cookie: SameSite=Lax; Path=/; Max-Age=3600; Secure; HttpOnly",
    "Set-Cookie: theme=dark; Expires=Wed, 21 Oct 2026 07:28:00 GMT",
    "密码: 长度至少为12个字符",
    "пароль: обязателен для всех",
    "le mot de passe: obligatoire pour tous",
    "the key: value pairs are sorted, primary key: user_id",
    "cache key: v2:users:42:profile",
    "access key: Alt+Shift+S opens the search",
    # references and placeholders
    "DB_PASSWORD=${DB_PASSWORD}",
    "TOKEN=$TOKEN npm publish",
    "set TOKEN=%TOKEN%",
    "token: ${{ secrets.NPM_TOKEN }}",
    "const token = process.env.API_TOKEN",
    "password = os.environ['DB_PASSWORD']",
    "api_key=os.getenv('API_KEY')",
    "apiKey: import.meta.env.VITE_API_KEY,",
    "Authorization: Bearer <your-token>",
    "Authorization: Bearer ${TOKEN}",
    'curl -u "$USER:$TOKEN" https://x.example',
    "token: <your-token>",
    "token: your-token-here",
    "api_key: YOUR_API_KEY",
    "password: changeme",
    "password: ********",
    "secret = 'xxxxxxxxxxxxxxxxxxxxxxxx'",
    "gh" + "p_" + "x" * 36,
    "s" + "k-ant-" + "x" * 24,
    "s" + "k-...",
    "token: abc…xyz",
    "password = get_password(user)",
    "password = user.password",
    "login(user=name, password=password)",
    "client_secret=settings.client_secret",
    "token = TOKEN_FROM_VAULT",
    "password: {{ vault_db_password }}",
    "password: !vault",
    "password: op://team/db/password",
    "secretKeyRef: {name: db-credentials, key: password}",
    "password: arn:aws:secretsmanager:eu-west-1:123456789012:secret:db",
    "password_file: /run/secrets/db",
    "password: string; token: string | null",
    '{"password": "string", "token": "required"}',
    '{"password": "Passwort", "token": "Jeton"}',
    "AK" + "IA" + "IOSFODNN7EXAMPLE",
    "aws_secret_access_key = wJalrXUtnFEMI/" + "K7MDENG/bPxRfiCYEXAMPLEKEY",
    "https://hooks.slack." + "com/services/T00000000/B00000000/" + "X" * 24,
    "postgres://user:${PASS}@localhost/db",
    "postgres://<user>:<password>@host/db",
    "postgres://user:password@localhost/db",
    # digests, ids, addresses
    "fixed in " + body(40, HEX),
    "as of 4f2c9d1",
    "sha256:" + body(64, HEX),
    "id 01k4zq8v7m3n5p6r8s9t0w1x2y and 6f9619ff-8b86-d011-b42d-00c04fc964ff",
    "integrity sha512-" + body(86, BASE64) + "==",
    "image@sha256:" + body(64, HEX),
    "docker://alpine:3.18@sha256:" + body(64, HEX),
    "cache-key-" + body(32, HEX),
    "git@github.com:org/repo.git",
    "ssh://git@host.example:22/org/repo.git",
    "git+ssh://git@github.com:org/repo.git@v1.2",
    "https://example.org:8080/a?x=kim@example.org",
    "redis://cache:6379/0 and postgres://db.example.org/shop",
    "http://user@host/path",
    "Kim Miller <kim.miller@example.org>",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + body(43, BASE64) + " kim@laptop",
    "ssh-rsa AAAAB3NzaC1yc2E" + body(200, BASE64) + " kim@laptop",
    "-" * 5
    + "BEGIN PUBLIC KEY"
    + "-" * 5
    + "\n"
    + body(64, BASE64)
    + "\n"
    + "-" * 5
    + "END PUBLIC KEY"
    + "-" * 5,
    "files with -----BEGIN RSA " + PRIVATE + "----- are refused",
    "data:image/png;base64," + body(200, BASE64),
    "pk" + "_live_" + body(24) + " is the publishable key",
    "purl pkg:npm/%40scope/x@1.2.3",
    # ordinary technical sentences
    "It turns out that useDark in a leaf component recalculates styles in flushJobs 400 times",
    "npm_config_registry has to be set, npm_lifecycle_event is test",
    "hf_hub_download fails offline, so the model has to be in the cache",
    "sk-learn-compatible estimators need fit and predict",
    "the sk-toolbar-2-left-panel-header class is generated",
    "pypi-publish-action-for-trusted-publishing fails on forks",
    "docker run -u 1000:1000 -e TZ=UTC image",
    "mysql -p asks for the password, mysql -P 3306 sets the port",
    "int total(List<String> a) { return a.size() > 3 ? 2 : 1; }",
    "src/auth/token-service.ts:42 reads the session from the cookie header",
    "v1alpha1 and v1beta2 are served, v1 is stored",
    "HTTP 401 at 2026-11-29T10:00:00Z, retry after 30s",
    "重试预算为三次，超过后返回 503",
)
