"""Ordinary technical text that only looks like it: sentences, paths, hashes, ids, placeholders."""

from __future__ import annotations

from collections.abc import Iterable

from tests.bench.secrets.making import Maker

IDENTIFIERS = (
    *("{40:hex}", "{64:hex}", "{32:hex}", "{7:hex}", "{uuid}", "sha256:{64:hex}", "md5:{32:hex}"),
    *("sha512-{86:b64}==", "sha384-{64:b64}", "sha1-{27:b64}=", "h1:{43:b64}=", "01k4{22:lower}"),
    *("{24:hex}", "blob sha1:{40:hex}", "v{1:digits}.{2:digits}.{1:digits}-rc.{1:digits}"),
    *("{1:digits}.{1:digits}.{3:digits}+build.{8:hex}", "2026-11-{2:digits}T10:00:00Z"),
    *("#{4:digits}", "PROJ-{4:digits}", "0x{8:hex}", "10.0.{2:digits}.{1:digits}:5432"),
    *("feature/{4:word}-{6:hex}", "{8:hex}..{8:hex}", "refs/heads/{8:word}", "@{6:word}/{8:word}"),
    *("{8:word}.{4:word}.{3:word}", "{5:word}-{5:word}-{6:hex}", "MAX_{6:cap}_{4:cap}"),
    *("lib/{6:word}/{8:word}.ts:{3:digits}", "~/{6:word}/.{5:word}rc", "{12:digits}"),
    *("https://example.org/{8:word}/{40:hex}", "https://example.org/x?page=2&id={8:digits}"),
    *("data:image/png;base64,{120:b64}", "pkg:npm/%40{6:word}/{8:word}@1.2.{1:digits}"),
    *("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{43:b64} kim@laptop", "SHA256:{43:b64}"),
    *("git@git.example.org:{6:word}/{8:word}.git", "arn:aws:iam::{12:digits}:role/{6:word}"),
    *("index-{8:alnum}.js", "chunk.{20:hex}.css", "{6:word}:{8:hex}@sha256:{64:hex}"),
)

SENTENCES = (
    "It turned out that @ is read twice before the cache is filled",
    "Fixed in @, see the log of the nightly job",
    "The build went red after @ and was green again a day later",
    "(see @)",
    "| release | @ | green |",
    "- @",
    "`@` is what the server sends back",
    "Why: @ was chosen because the other one breaks on Windows.",
    "the key @ is missing from the map",
    "the token bucket of @ refills every second",
    "commit @",
    "etag: @",
    "integrity: @",
    'resolved "@"',
    "cache-key: @",
    "request id @ timed out after 30s",
    "PATH_TO=@",
    '{"id": "@", "state": "open"}',
)

PLACEHOLDERS = (
    *("<your-token>", "<password>", "${TOKEN}", "$TOKEN", "$(cat token)", "{{ token }}"),
    *("{{ .Values.token }}", "%TOKEN%", "xxxx", "xxxxxxxxxxxxxxxx", "****", "********", "..."),
    *("changeme", "change-me", "your-api-key", "YOUR_API_KEY", "your_token_here", "REDACTED"),
    *("process.env.TOKEN", "os.environ['TOKEN']", 'os.environ["API_KEY"]', "os.getenv('KEY')"),
    *("import.meta.env.VITE_KEY", "ENV['TOKEN']", "ENV.fetch('TOKEN')", "settings.SECRET_KEY"),
    *("config.token", "secrets.NPM_TOKEN", "${{ secrets.NPM_TOKEN }}", "vault:secret/data/db"),
    *("op://team/db/password", "!vault", "arn:aws:secretsmanager:eu-west-1:1:secret:db", "null"),
    *("None", "undefined", "true", "string", "required", "[REDACTED:TOKEN]", "example", "secret"),
    *("sops:ENC[AES256_GCM,data:x]", "abc…xyz", "sk-...", "user_token", "getToken()", "token"),
)
SLOTS = (
    *("token: @", "api_key=@", "password = @", "export API_TOKEN=@", '"secret": "@"', "PASSWORD=@"),
    *("Authorization: Bearer @", "the password is @", "client_secret: '@'", "deploy --token @"),
    *("//registry.example.org/:_authToken=@", "ENV TOKEN=@", "postgres://app:@@db/shop"),
)

PROSE = (
    "The password is hashed with argon2id before it is stored",
    "the password is required for every route",
    "The password was wrong, so the account got locked for 15 minutes",
    "password is never logged",
    "If the password is correct, the session is renewed",
    "The token is refreshed by the interceptor 30 seconds before it expires",
    "Tokens are signed with RS256 and live for 15 minutes",
    "the secret is that flushJobs runs twice",
    "The API key is read from the environment at startup",
    "API keys are rotated every 90 days by cron",
    "Basic authentication is switched off since v3.2",
    "use Bearer authentication for all routes under /api/v2",
    "Set-Cookie: theme=dark; Path=/; SameSite=Lax",
    "the cookie is dropped by Safari 17 when SameSite=None lacks Secure",
    "--password is deprecated, use --password-file",
    "pass the --token option to deploy",
    "login with the password of your directory account",
    "max_tokens: 4096, top_p: 0.9, presence_penalty: 0.1",
    "pad_token_id=0 and eos_token_id=50256 for gpt2",
    "csrf_token is taken from the meta tag, not from the cookie",
    "the primary key is (tenant_id, created_at)",
    "the routing_key is orders.created.v1",
    "cache_key = f'{user}:{page}'",
    "The sort key: created_at, then id",
    "private key files are never read by the agent",
    "publicKey: ssh-rsa only, ed25519 is refused by the old appliance",
    "redis://cache:6379/0 is shared by both workers",
    "postgres://db.example.org:5432/shop has no pooling",
    "kubectl create secret generic db --from-file=password.txt",
    "helm upgrade --set image.tag=v1.2.3 --set replicas=3",
    "docker login registry.example.org fails behind the proxy",
    "mysql -u root -p asks for the password",
    'curl -u "$USER:$PASS" https://x.example.org',
    "The credentials: include option makes fetch send cookies",
    "credentials are kept in the keychain",
    "OAuth2 with PKCE needs no client secret",
    "AES-256-GCM with a 96-bit nonce, TLS 1.3 only",
    "UTF-8 with BOM breaks the parser, UTF-16 works",
    "the hash of the password column is bcrypt, cost 12",
    "passwordless login uses a magic link that expires after 15min",
    "the pass is O(n log n), the second pass 12 of 14 green",
    "access key: Alt+Shift+S opens the search",
    "密码: 长度至少为12个字符",
    "пароль: обязателен для всех",
    "Das Passwort ist zu lang, höchstens 72 Zeichen",
    "le mot de passe est obligatoire",
    "重试预算为三次，超过后返回 503",
    "git push origin HEAD:refs/for/main%topic=secret-scan",
    "the token type is bearer, the grant type is client_credentials",
    "Sidekiq retries 25 times, then the job is dead",
    "vi.mock is hoisted above the imports, so the token constant is undefined there",
    "`password` is a write-only field in the schema of v2",
    "The `secret` prop is passed to useSession() and must stay stable",
    "a webhook secret is compared in constant time",
    "session.get('auth') returns None after 30 minutes",
    "The license key: one per seat, checked once a day",
    "account_key is the name of the column, not its value",
    "X-Api-Key is stripped by the gateway",
    "Authorization: role-based, see policies.rb",
    "Proxy-Authorization is removed on redirect",
    "the storage key starts with a two letter shard",
    "encryption key rotation takes 4 hours on the large tenant",
    "service key missing: expected one of us-east-1, eu-west-1",
    "deploy keys are read-only",
    "signing-key.md says how to renew it",
)


def ordinary(seeds: Iterable[int] = range(3)) -> list[str]:
    """Return every sentence with every identifier, every slot with every placeholder, and prose."""
    found = [*PROSE, *(slot.replace("@", held, 1) for slot in SLOTS for held in PLACEHOLDERS)]
    for seed in seeds:
        for template in IDENTIFIERS:
            maker = Maker(f"{seed}/{template}")
            found += [sentence.replace("@", maker.fill(template)) for sentence in SENTENCES]
    return found
