"""A long-running clean filter (gitattributes, "Long Running Filter Process") that shouts."""

import sys

IN, OUT = sys.stdin.buffer, sys.stdout.buffer


def read() -> bytes | None:
    size = int(IN.read(4) or b"0", 16)
    return IN.read(size - 4) if size else None


def read_all() -> list[bytes]:
    return list(iter(read, None))


def write(*packets: bytes) -> None:
    for packet in packets:
        OUT.write(b"%04x" % (len(packet) + 4) + packet)
    OUT.write(b"0000")
    OUT.flush()


read_all()
write(b"git-filter-server", b"version=2")
read_all()
write(b"capability=clean")
while read_all():
    data = b"".join(read_all())
    write(b"status=success")
    write(data.upper())
    write()
