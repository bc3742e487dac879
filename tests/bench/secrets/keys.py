"""Private keys, tokens and passwords of no vendor: files, headers, addresses, command lines."""

from __future__ import annotations

from tests.bench.secrets.formats import Format, named, shaped, whole

_LABELS = ("", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ")
_OLD = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{32:HEX}\n\n"


def _pem(label: str, header: str = "", lines: str = "<{pem}>", joint: str = "\n") -> str:
    dashes = "-" * 5
    return (
        f"{dashes}BEGIN {label}PRIVATE KEY{dashes}{joint}{header}{lines}{joint}"
        f"{dashes}END {label}PRIVATE KEY{dashes}"
    )


def _armoured() -> str:
    return _pem("PGP ", header="\n").replace("PRIVATE KEY", "PRIVATE KEY BLOCK")


PRIVATE = [
    *whole("Private keys", *(_pem(label) for label in _LABELS)),
    *whole("Private keys", _pem("RSA ", header=_OLD), _armoured()),
    *whole(
        "Private keys",
        *(f'"{_pem(label, lines="<{escaped}>", joint=chr(92) + "n")}"' for label in _LABELS),
        'KEY="' + _pem("", lines="<{escaped}>", joint="\\n") + '"',
        "key: |\n  " + _pem("", lines="<{64:b64}>\n  <{64:b64}>", joint="\n  "),
        _pem("EC ").rpartition("\n")[0],
        "PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 2\n<{64:b64}>\n<{40:b64}>",
        '{"kty": "EC", "crv": "P-256", "x": "a", "d": "<{43:url}>"}',
        "[Interface]\nPrivateKey = <{43:b64}>=\nAddress = 10.0.0.2/32",
        "client-key-data: <LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt{200:b64}>",
    ),
    *shaped("age", "AGE-SECRET-KEY-1{58:upper}"),
]

TOKENS = [
    *shaped("JWT", "{jwt}"),
    *whole("JWT", "Authorization: Bearer <{jwt}>"),
    *whole(
        "Headers",
        "Authorization: Bearer <{32:alnum}>",
        "-H 'Authorization: Bearer <{40:url}>'",
        '{"Authorization": "Bearer <{40:alnum}>"}',
        "Authorization: Basic <{basic}>",
        "headers={'Authorization': 'Basic <{basic}>'}",
        "Authorization: token <{40:hex}>",
        'req.Header.Set("Authorization", "Bearer <{40:alnum}>")',
        "Proxy-Authorization: Basic <{basic}>",
        "X-Api-Key: <{32:alnum}>",
        "x-auth-token: <{32:hex}>",
        "X-Access-Token: <{32:alnum}>",
        "api-key: <{32:hex}>",
    ),
    *whole(
        "Cookies",
        "Cookie: sessionid=<{32:lower}>",
        "Cookie: theme=dark; connect.sid=<s%3A{32:url}.{43:alnum}>; lang=en",
        "Set-Cookie: JSESSIONID=<{32:HEX}>; Path=/; HttpOnly",
        "Set-Cookie: PHPSESSID=<{26:lower}>; path=/",
        "set-cookie: __Host-session=<{40:url}>; Secure; SameSite=Lax",
        "curl -b 'session=<{40:url}>' https://x.example.org",
        'curl --cookie "auth_token=<{40:hex}>" https://x.example.org',
        "document.cookie = 'access_token=<{40:alnum}>; path=/'",
        "Cookie: _session_id=<{32:hex}>; csrftoken=<{32:alnum}>",
        "Cookie: .AspNetCore.Cookies=<CfDJ8{120:url}>",
    ),
]

_SCHEMES = ("postgres", "postgresql", "mysql", "mongodb", "mongodb+srv", "redis", "rediss", "amqp")
_MORE = ("amqps", "mssql", "smtp", "ftp", "https", "clickhouse", "nats", "ldap", "mysql+pymysql")

ADDRESSES = [
    *whole(
        "Connection strings",
        *(f"{scheme}://app:<{{password}}>@db.example.org/shop" for scheme in _SCHEMES + _MORE),
        *(f"{scheme}://app:<{{generated}}>@10.0.0.7:5432/shop" for scheme in _SCHEMES),
        "redis://:<{password}>@cache:6379/0",
        "DATABASE_URL=postgres://app:<{password}>@db:5432/shop?sslmode=require",
        '"DATABASE_URL": "mysql://root:<{password}>@127.0.0.1:3306/shop"',
        "jdbc:postgresql://db/shop?user=app&password=<{password}>&ssl=true",
        "jdbc:mysql://db/shop?user=app&password=<{password}>",
        "jdbc:sqlserver://db:1433;databaseName=x;user=sa;password=<{password}>;encrypt=true",
        "jdbc:oracle:thin:scott/<{password}>@//db:1521/x",
        "Server=tcp:x.database.windows.net,1433;User ID=sa;Password=<{password}>;Encrypt=True;",
        "Data Source=db;Initial Catalog=x;User Id=sa;Password=<{password}>;",
        "Driver={ODBC Driver 18};Server=db;Uid=sa;Pwd=<{password}>;",
        "Host=db;Port=5432;Username=app;Password=<{password}>;Database=shop",
        "host=db user=app password=<{password}> dbname=shop sslmode=disable",
        "spring.datasource.password=<{password}>",
        "hibernate.connection.password = <{password}>",
        "sqlalchemy.url = postgresql+psycopg2://app:<{password}>@db/shop",
        "amqps://app:<{generated}>@mq.example.org:5671/vhost",
    ),
    *whole(
        "URLs with credentials",
        "https://kim:<{password}>@git.example.org/team/repo.git",
        "git clone https://oauth2:<{20:url}>@gitlab.example.org/x.git",
        "pip install --index-url https://kim:<{password}>@pypi.example.org/simple x",
        "http://proxy:<{password}>@10.0.0.1:3128",
        "https://api.example.org/v1?access_token=<{32:alnum}>",
        "https://api.example.org/v1?api_key=<{32:hex}>&x=1",
        "https://api.example.org/v1?token=<{24:alnum}>",
        "wss://x.example.org/socket?auth_token=<{32:alnum}>",
        "https://maps.example.org/js?client_secret=<{32:alnum}>",
    ),
]

FILES = [
    *whole(
        "Files of credentials",
        "machine git.example.org login kim password <{password}>",
        "machine git.example.org\n  login kim\n  password <{password}>",
        "db.example.org:5432:shop:kim:<{password}>",
        "[client]\nuser=root\npassword=<{password}>",
        "apiVersion: v1\nusers:\n- name: kim\n  user:\n    token: <{jwt}>",
        "apiVersion: v1\nusers:\n- name: kim\n  user:\n    password: <{password}>",
        "//npm.example.org/:_authToken=<{40:hex}>",
        "<server>\n  <username>kim</username>\n  <password><{generated}></password>\n</server>",
        "nexusPassword=<{password}>",
        "machine api.example.org login kim@example.org password <{generated}>",
        "APP_KEY=base64:<{43:b64}>=",
        "SECRET_KEY = '<{50:alnum}>'",
        "secret_key_base: <{128:hex}>",
        "RAILS_MASTER_KEY=<{32:hex}>",
        'NEXTAUTH_SECRET="<{43:b64}>="',
        "JWT_SECRET=<{64:hex}>",
        "ENCRYPTION_KEY=<{64:hex}>",
        'ansible_ssh_pass: "<{password}>"',
        "ansible_become_password: <{password}>",
        'variable "db_password" { default = "<{password}>" }',
        '<add key="Password" value="<{password}>" />',
        '"ConnectionStrings": {"Default": "Server=db;Database=x;User=sa;Password=<{password}>"}',
    ),
    *whole(
        "Command lines",
        "curl -u admin:<{password}> https://x.example.org",
        "curl --user 'admin:<{generated}>' https://x.example.org",
        "curl -k -X POST https://x \\\n  -u developer:<{generated}>",
        "curl --user 'kim':'<{generated}>' https://x.example.org",
        "wget --user=kim --password=<{password}> https://x.example.org",
        "mysql -u root -p<{password}> shop",
        "mysqldump --password=<{password}> shop",
        "PGPASSWORD=<{password}> psql -h db shop",
        "sshpass -p <{password}> ssh kim@host",
        "redis-cli -h cache -a <{password}> ping",
        "deploy --token <{32:alnum}> --dry-run",
        "az login --service-principal -u x -p <abc8Q~{34:alnum}> --tenant t",
        "helm install x --set db.password=<{password}>",
        "openssl rsa -in k.pem -passin pass:<{password}>",
        "htpasswd -b .htpasswd kim <{password}>",
        'ConvertTo-SecureString "<{generated}>" -AsPlainText -Force',
        "mongosh --username kim --password <{password}> --host db",
        "sqlcmd -S db -U sa -P <{password}>",
        "ldapsearch -D cn=admin -w <{password}> -b dc=x",
        "vault login <hvs.{24:alnum}>",
        "npm config set //registry.example.org/:_authToken <npm_{36:alnum}>",
    ),
]

PASSWORDS = [
    *named(
        "Passwords by name",
        "{password}",
        *("DB_PASSWORD", "PASSWORD", "db_password", "POSTGRES_PASSWORD", "smtpPassword"),
        *("REDIS_PASS", "ADMIN_PWD", "passphrase", "keystore.password", "DB_PASSWORD_PROD"),
    ),
    *named(
        "Passwords by name",
        "{generated}",
        *("DB_PASSWORD", "password", "dbPassword", "MYSQL_ROOT_PASSWORD"),
    ),
    *named(
        "Secrets by name",
        "{32:alnum}",
        *("API_KEY", "apiKey", "api_key", "CLIENT_SECRET", "clientSecret", "ACCESS_TOKEN"),
        *("accessToken", "auth_token", "SECRET_KEY", "PRIVATE_KEY", "WEBHOOK_SECRET", "secret"),
    ),
    *(
        Format("Passwords in sentences", template, contexts="whole")
        for template in (
            "the password for staging is <{password}>.",
            "password is <{password}>",
            "The root password was <{password}> until last week",
            "log in as admin with password <{password}>",
            "log in with admin / password <{password}>",
            "use the password '<{password}>' for the demo account",
            "we set the password to <{password}> on all machines",
            "its password (<{password}>) is in the wiki",
            "user: kim, pw: <{password}>",
            "credentials: kim / <{password}>",
            "username kim password <{password}>",
            "The API token is <{32:alnum}>",
            "the api key we use there is <{32:hex}>, ask Kim",
            "PIN/passcode: <{6:digits}>",
            "Passwort: <{password}>",
            "le mot de passe est <{password}>",
            "密码是 <{password}>",
            "пароль <{password}>",
        )
    ),
]
