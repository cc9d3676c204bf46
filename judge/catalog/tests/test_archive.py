"""Packages as zip files: what goes out comes back, and what a stranger made is refused, with the name of the file."""

import io
import random
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from judge.catalog.archive import (
    MAX_ARCHIVE_BYTES,
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_PACKAGE_BYTES,
    BadArchive,
    read_archive,
    write_archive,
)
from judge.catalog.package import version_of
from judge.catalog.tests.packages import PACKAGE

FILES = dict(PACKAGE.files)
SYMLINK, FIFO, DEVICE = (kind << 28 for kind in (0xA, 0x1, 0x6))


def zipped(entries: list[tuple[Any, bytes | str]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip file with `problem.toml` and these entries; a name may be a `ZipInfo`."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr("problem.toml", FILES["problem.toml"])
        for name, content in entries:
            archive.writestr(name, content)
    return buffer.getvalue()


def entry(name: str, attributes: int = 0, **fields: Any) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("placeholder")
    info.filename, info.external_attr = name, attributes
    for field, value in fields.items():
        setattr(info, field, value)
    return info


def refusal(content: bytes) -> list[str]:
    with pytest.raises(BadArchive) as caught:
        read_archive(io.BytesIO(content))
    return [str(complaint) for complaint in caught.value.complaints]


def test_what_is_written_is_read_byte_for_byte() -> None:
    odd = {**FILES, "notes/odd.md": "\ufefftab\t, CRLF\r\n, old Mac\r, é, 🙂, no end of line"}

    folder, files = read_archive(io.BytesIO(write_archive("my-problem", odd)))

    assert (folder, files) == ("my-problem", odd)
    assert version_of(files) == version_of(odd)
    assert write_archive("my-problem", files) == write_archive("my-problem", odd)


def test_the_files_may_lie_in_no_folder() -> None:
    assert read_archive(io.BytesIO(zipped([("statement.md", "Hello")]))) == (
        "",
        {"problem.toml": FILES["problem.toml"], "statement.md": "Hello"},
    )


def test_what_systems_leave_behind_is_passed_over() -> None:
    litter = [("__MACOSX/._problem.toml", b"\0\1"), (".DS_Store", b"\0"), ("checks/__pycache__/a.pyc", b"\xff")]

    assert list(read_archive(io.BytesIO(zipped([*litter, (".git/config", "x")])))[1]) == ["problem.toml"]


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("../../etc/passwd", "../../etc/passwd: its name leads out of the folder"),
        ("checks/../../evil.py", "checks/../../evil.py: its name leads out of the folder"),
        ("..", "..: its name leads out of the folder"),
        ("checks\\..\\..\\evil.py", "checks\\..\\..\\evil.py: its name leads out of the folder"),
        ("checks\\test_a.py", "checks\\test_a.py: its name has a backslash"),
        ("/etc/cron.d/evil", "/etc/cron.d/evil: its name is absolute"),
        ("//host/share", "//host/share: its name is absolute"),
        ("C:/Windows/evil.py", "C:/Windows/evil.py: its name is absolute"),
        ("./a.py", "./a.py: its name leads out of the folder"),
        ("checks//a.py", "checks//a.py: its name has other characters than"),
        ("checks/a b.py", "checks/a b.py: its name has other characters than"),
        ("checks/a\nb.py", "checks/a\N{REPLACEMENT CHARACTER}b.py: its name has other characters than"),
        ("checks/\x1b[31m.py", "checks/\N{REPLACEMENT CHARACTER}[31m.py: its name has other characters than"),
        ("checks/<script>.py", "checks/<script>.py: its name has other characters than"),
        ("checks/-rf.py", "checks/-rf.py: its name has other characters than"),
        ("checks/tést.py", "checks/tést.py: its name has other characters than ASCII's"),
        ("checks/\u202etxt.py", "checks/\N{REPLACEMENT CHARACTER}txt.py: its name has other characters than ASCII's"),
        ("checks/" + "a" * 300 + ".py", "..: its name has more than 120 characters"),
        ("a/" * 100 + "a.py", "..: its name has more than 120 characters"),
    ],
)
def test_names_that_lead_elsewhere_are_refused(name: str, fault: str) -> None:
    (said,) = refusal(zipped([(entry(name), "x")]))

    assert fault in said


def test_a_null_byte_does_not_cut_a_name() -> None:
    content = zipped([("checks/test_aXevil.py", "x")]).replace(b"test_aXevil", b"test_a\0evil")

    assert refusal(content) == ["checks/test_a\N{REPLACEMENT CHARACTER}evil.py: its name has a null byte; rename it"]


def test_a_name_that_is_no_utf_8_is_refused() -> None:
    content = zipped([("checks/test_\N{LATIN SMALL LETTER E WITH ACUTE}.py", "x")]).replace(b"\xc3\xa9", b"\xff\xfe")

    (said,) = refusal(content)
    assert said.startswith("the zip file: it is no zip file that can be read ('utf-8' codec can't decode byte 0xff")


@pytest.mark.parametrize(
    ("attributes", "what"),
    [(SYMLINK | 0o777 << 16, "a symbolic link"), (FIFO, "a device, a pipe or a socket"), (DEVICE, "a device")],
)
def test_nothing_but_plain_files_is_taken(attributes: int, what: str) -> None:
    (said,) = refusal(zipped([(entry("reference.py", attributes), "/etc/passwd")]))

    assert said.startswith(f"reference.py: it is {what}")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("a.py", "a.py"), "a.py: it is there twice; remove one of the two"),
        (("a.py", "A.py"), "A.py: its name differs from a.py in capitals only; remove one of the two"),
        (("checks/a.py", "Checks/A.py"), "Checks/A.py: its name differs from checks/a.py in capitals only"),
        (("a", "a/b.py"), "a/b.py: it is in a folder, and a is a file of that name"),
        (("a/b.py", "a"), "a: it is a file, and a/b.py is in a folder of that name"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_names_that_can_not_stand_side_by_side(names: tuple[str, str], said: str) -> None:
    (found,) = refusal(zipped([(name, "x") for name in names]))

    assert found.startswith(said)


def test_two_descriptions_are_refused() -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        content = zipped([("problem.toml", "format = 2")])

    assert refusal(content) == ["problem.toml: it is there twice; remove one of the two"]


def memory_of(action: Callable[[], Any]) -> int:
    """The most bytes that were held at a time."""
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_file_that_unpacks_to_a_gigabyte_is_not_unpacked() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = b"".join(packer.compress(b"\0" * 2**20) for _ in range(1024)) + packer.flush()
    content = with_lying_sizes(packed, size=2**30)
    assert len(content) < MAX_ARCHIVE_BYTES

    used = memory_of(lambda: refusal(content))

    assert refusal(content) == [f"statement.md: it has more than {MAX_FILE_BYTES:,} bytes; shorten it"]
    assert used < 16 * 2**20


def test_a_size_in_a_header_is_not_believed() -> None:
    """The header says ten bytes; a reader that trusts it would take what it is told, or unpack everything."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(b"a" * (MAX_FILE_BYTES * 4)) + packer.flush()

    (said,) = refusal(with_lying_sizes(packed, size=10))

    assert said.startswith(
        ("the zip file: it is no zip file that can be read (Bad CRC-32", "statement.md: it has more")
    )


def with_lying_sizes(packed: bytes, size: int) -> bytes:
    """A zip file by hand: `problem.toml`, and `statement.md` with `packed` and a size that may be wrong."""
    toml = FILES["problem.toml"].encode()
    parts, directory, offset = [], [], 0
    for name, method, data, claimed in ((b"problem.toml", 0, toml, len(toml)), (b"statement.md", 8, packed, size)):
        crc = zlib.crc32(toml) if method == 0 else 0
        common = struct.pack("<HHHHHIIIHH", 20, 0, method, 0, 33, crc, len(data), claimed, len(name), 0)
        parts.append(b"PK\x03\x04" + common + name + data)
        directory.append(
            b"PK\x01\x02" + struct.pack("<H", 20) + common + struct.pack("<HHHII", 0, 0, 0, 0, offset) + name
        )
        offset += len(parts[-1])
    central = b"".join(directory)
    end = struct.pack("<HHHHIIH", 0, 0, 2, 2, len(central), offset, 0)
    return b"".join(parts) + central + b"PK\x05\x06" + end


def test_many_files_that_are_small_alone_are_too_much_together() -> None:
    names = [f"wrong/m{number}.py" for number in range(MAX_PACKAGE_BYTES // MAX_FILE_BYTES + 1)]

    said = refusal(zipped([(name, b"#" * MAX_FILE_BYTES) for name in names]))

    assert said == [
        f"the zip file: unpacked it has more than {MAX_PACKAGE_BYTES:,} bytes; leave out what is no package"
    ]


def test_a_hundred_thousand_entries_are_refused_before_they_are_read() -> None:
    content = zipped([(f"n/{number:05}.md", "") for number in range(100_000)], zipfile.ZIP_STORED)
    assert refusal(content) == ["the zip file: it has more than 2,097,152 bytes; leave out what is no package"]

    some = zipped([(f"{number}", "") for number in range(15_000)], zipfile.ZIP_STORED)
    assert len(some) < MAX_ARCHIVE_BYTES
    assert refusal(some) == [
        "the zip file: it has 15,001 entries, and 400 files are allowed; leave out what is no package"
    ]

    few = zipped([(f"notes/{number}.md", "") for number in range(MAX_FILES)])
    assert refusal(few) == ["the zip file: it has 401 files, and 400 are allowed; leave some out"]


def test_entries_that_share_their_data_are_refused() -> None:
    """A bomb without nesting: many entries of the directory that point at the same packed bytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(b"a" * (MAX_FILE_BYTES - 1)) + packer.flush()
    content = with_lying_sizes(packed, size=MAX_FILE_BYTES - 1)
    end = content.rindex(b"PK\x05\x06")
    second = content[content.rindex(b"PK\x01\x02") : end]
    central = content[content.index(b"PK\x01\x02") : end] + second * 300
    offset = content.index(b"PK\x01\x02")
    bomb = content[:offset] + central + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 302, 302, len(central), offset, 0)

    assert "statement.md: it is there twice; remove one of the two" in refusal(bomb)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_ways_of_packing_are_refused(method: int) -> None:
    (said, *_) = refusal(zipped([], method))

    assert said == "problem.toml: it is packed in an unusual way; zip the folder with the usual method, deflate"


def test_an_encrypted_file_is_refused() -> None:
    content = bytearray(zipped([]))
    content[content.index(b"PK\x01\x02") + 8] |= 1

    assert refusal(bytes(content)) == ["problem.toml: it is encrypted; zip the folder without a password"]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"\xff\xfe\x00a", "byte 0 is not UTF-8 text; save the file as UTF-8"),
        (b"PK\x03\x04\x14\x00\x00\x00\x08\x00\xff", "byte 10 is not UTF-8 text"),
        ("café".encode("latin-1"), "byte 3 is not UTF-8 text"),
        (b"\xed\xa0\x80", "byte 0 is not UTF-8 text"),
        (b"a\nb\0c", "line 2 has a null byte; mend it"),
    ],
    ids=["UTF-16", "a zip in the zip", "Latin 1", "half a character", "a null byte"],
)
def test_what_is_no_text_is_refused(content: bytes, fault: str) -> None:
    (said,) = refusal(zipped([("notes/a.md", content)]))

    assert said.startswith(f"notes/a.md: {fault}")


@pytest.mark.parametrize(
    "content",
    [b"", b"PK", b"PK\x05\x06" + b"\0" * 10, b"GIF89a" * 100, zipped([])[:-30], b"\0" * 100_000],
)
def test_what_is_no_zip_file_is_refused(content: bytes) -> None:
    (said,) = refusal(content)

    assert said.startswith("the zip file: it is no zip file that can be read (")


@pytest.mark.parametrize("seed", range(200))
def test_a_damaged_file_is_read_or_refused_and_nothing_else(seed: int) -> None:
    chance = random.Random(seed)
    content = bytearray(write_archive("a", {"problem.toml": FILES["problem.toml"], "statement.md": "Hello\n" * 50}))
    for _ in range(chance.randint(1, 8)):
        content[chance.randrange(len(content))] = chance.randrange(256)

    try:
        _, files = read_archive(io.BytesIO(bytes(content)))
    except BadArchive:
        return
    assert "problem.toml" in files


def test_a_package_without_its_description_is_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a/statement.md", "Hello")

    assert refusal(buffer.getvalue()) == ["problem.toml: this file is missing; zip the folder that holds it"]


def test_a_long_list_of_complaints_is_cut() -> None:
    said = refusal(zipped([(f"notes/{number} .md", "x") for number in range(50)]))

    assert (len(said), said[-1]) == (21, "the zip file: 30 more entries can't be used; look at them too")
