"""A package as a zip file: written so that nothing is lost, and read as what a stranger sent.

Nothing is ever written to a disk, so there is no path that could lead out of a folder; names are checked all the same,
because they become addresses and the names of files in a jail. Sizes are counted while unpacking: what a header says
of them is not believed. What comes out is text below the limits, or `BadArchive` with a complaint for each entry that
can't be used.
"""

import io
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import IO

from judge.catalog.table import Complaint

MAX_ARCHIVE_BYTES = 2 * 1024 * 1024
MAX_FILES = 400
MAX_FILE_BYTES = 64 * 1024
MAX_PACKAGE_BYTES = 2 * 1024 * 1024
MAX_NAME = 120
"""Characters of a path."""
_MAX_COMPLAINTS = 20
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_CHUNK = 64 * 1024
_UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, OverflowError),
    *(ValueError, RuntimeError),  # of names and places that make no sense, and of methods that are not known
)
"""What the standard library raises where a zip file is damaged."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_WRITTEN_AT = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip file can hold: equal packages make equal files."""


class BadArchive(Exception):
    """The file can't be used. `complaints` says why."""

    def __init__(self, complaints: list[Complaint]) -> None:
        super().__init__("\n".join(str(complaint) for complaint in complaints))
        self.complaints = complaints


def write_archive(slug: str, files: Mapping[str, str]) -> bytes:
    """The files in a folder `slug`, byte for byte."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{slug}/{name}", _WRITTEN_AT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(entry, files[name].encode())
    return buffer.getvalue()


def read_archive(stream: IO[bytes]) -> tuple[str, dict[str, str]]:
    """The name of the folder that all is in, or an empty text, and the files below it. Raises `BadArchive`."""
    content = stream.read(MAX_ARCHIVE_BYTES + 1)
    if len(content) > MAX_ARCHIVE_BYTES:
        raise BadArchive([_whole(f"it has more than {MAX_ARCHIVE_BYTES:,} bytes", "leave out what is no package")])
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return _read(archive)
    except _UNREADABLE as error:
        reason = f"it is no zip file that can be read ({_words(str(error)) or type(error).__name__})"
        raise BadArchive([_whole(reason, "zip the folder of the problem once more")]) from None


def fault_of_name(name: str) -> str:
    """Why `name` can't be the path of a file in a package; empty if it can."""
    if len(name) > MAX_NAME:
        return f"its name has more than {MAX_NAME} characters"
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        return "its name is absolute"
    if "\\" in name:
        return "its name has a backslash"
    parts = name.split("/")
    if ".." in parts or "." in parts:
        return "its name leads out of the folder"
    if not all(_PART.fullmatch(part) for part in parts):
        return "its name has other characters than letters, digits, dots, hyphens and underscores"
    return ""


def fault_of_text(text: str) -> str:
    """Why `text` can't be the content of a file in a package; empty if it can."""
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        return "it has half of a character"
    if size > MAX_FILE_BYTES:
        return f"it has {size:,} bytes, and {MAX_FILE_BYTES:,} are allowed"
    if "\0" in text:
        return f"line {text.count(chr(10), 0, text.index(chr(0))) + 1} has a null byte"
    return ""


def collisions(names: list[str]) -> Iterator[tuple[str, str]]:
    """Each name that can't stand beside an earlier one, and why."""
    seen: dict[str, str] = {}
    folders: dict[str, str] = {}
    for name in names:
        folded = name.casefold()
        if folded in seen:
            same = seen[folded] == name
            yield name, "it is there twice" if same else f"its name differs from {seen[folded]} in capitals only"
        elif folded in folders:
            yield name, f"it is a file, and {folders[folded]} is in a folder of that name"
        parents = folded.split("/")[:-1]
        for depth in range(1, len(parents) + 1):
            parent = "/".join(parents[:depth])
            folders.setdefault(parent, name)
            if parent in seen:
                yield name, f"it is in a folder, and {seen[parent]} is a file of that name"
        seen.setdefault(folded, name)


def _read(archive: zipfile.ZipFile) -> tuple[str, dict[str, str]]:
    entries = archive.infolist()
    if len(entries) > 4 * MAX_FILES:
        reason = f"it has {len(entries):,} entries, and {MAX_FILES} files are allowed"
        raise BadArchive([_whole(reason, "leave out what is no package")])
    complaints = [found for entry in entries if (found := _of_entry(entry))]
    _refuse(complaints)
    wanted = [entry for entry in entries if not entry.is_dir() and not _is_litter(entry.filename)]
    if len(wanted) > MAX_FILES:
        raise BadArchive([_whole(f"it has {len(wanted)} files, and {MAX_FILES} are allowed", "leave some out")])
    folder = _common_folder([entry.filename for entry in wanted])
    names = {entry: entry.filename.removeprefix(f"{folder}/") if folder else entry.filename for entry in wanted}
    complaints = [
        Complaint(_words(name), fault, "rename it") for name in names.values() if (fault := fault_of_name(name))
    ]
    complaints += [
        Complaint(_words(name), fault, "remove one of the two") for name, fault in collisions(list(names.values()))
    ]
    _refuse(complaints)
    return folder, _texts(archive, names)


def _of_entry(entry: zipfile.ZipInfo) -> Complaint | None:
    """What keeps an entry from being unpacked, whatever is in it."""
    mode = entry.external_attr >> 16
    kind = stat.S_IFMT(mode)
    name = _words(entry.orig_filename) or "(no name)"
    is_ascii = entry.orig_filename.isascii()
    if entry.filename != entry.orig_filename:
        return Complaint(name, "its name has a null byte", "rename it")
    if not is_ascii and not _is_litter(entry.filename):
        return Complaint(name, "its name has other characters than ASCII's", "rename it")
    if kind and kind not in (stat.S_IFREG, stat.S_IFDIR):
        what = "a symbolic link" if kind == stat.S_IFLNK else "a device, a pipe or a socket"
        return Complaint(name, f"it is {what}", "put the file itself here")
    if entry.flag_bits & 0x1:
        return Complaint(name, "it is encrypted", "zip the folder without a password")
    if entry.compress_type not in _METHODS:
        return Complaint(name, "it is packed in an unusual way", "zip the folder with the usual method, deflate")
    if not entry.is_dir() and ".." in entry.filename.replace("\\", "/").split("/"):
        return Complaint(name, "its name leads out of the folder", "rename it")
    return None


def _texts(archive: zipfile.ZipFile, names: Mapping[zipfile.ZipInfo, str]) -> dict[str, str]:
    files: dict[str, str] = {}
    complaints: list[Complaint] = []
    left = MAX_PACKAGE_BYTES
    for entry, name in names.items():
        content = _unpacked(archive, entry, min(MAX_FILE_BYTES, left))
        if content is None:
            if left < MAX_FILE_BYTES:
                reason = f"unpacked it has more than {MAX_PACKAGE_BYTES:,} bytes"
                raise BadArchive([*complaints, _whole(reason, "leave out what is no package")])
            complaints.append(Complaint(name, f"it has more than {MAX_FILE_BYTES:,} bytes", "shorten it"))
            continue
        left -= len(content)
        try:
            files[name] = content.decode("utf-8")
        except UnicodeDecodeError as error:
            complaints.append(Complaint(name, f"byte {error.start} is not UTF-8 text", "save the file as UTF-8"))
            continue
        if fault := fault_of_text(files[name]):
            complaints.append(Complaint(name, fault, "mend it"))
    _refuse(complaints)
    if "problem.toml" not in files:
        raise BadArchive([Complaint("problem.toml", "this file is missing", "zip the folder that holds it")])
    return files


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> bytes | None:
    """The content, or None if it is larger than `most`: then the rest is not unpacked."""
    parts: list[bytes] = []
    size = 0
    with archive.open(entry) as stream:
        while part := stream.read(_CHUNK):
            parts.append(part)
            size += len(part)
            if size > most:
                return None
    return b"".join(parts)


def _common_folder(names: list[str]) -> str:
    """The folder that holds everything, if `problem.toml` is in it and not beside it."""
    folder = names[0].partition("/")[0] if names else ""
    inside = all(name.startswith(f"{folder}/") for name in names)
    return folder if inside and f"{folder}/problem.toml" in names else ""


def _is_litter(name: str) -> bool:
    """What systems and programs leave behind, and `read_folder` passes over too."""
    return any(
        part.startswith((".", "__pycache__", "__MACOSX")) and part not in (".", "..") for part in name.split("/")
    )


def _whole(reason: str, remedy: str) -> Complaint:
    return Complaint("the zip file", reason, remedy)


def _refuse(complaints: list[Complaint]) -> None:
    if len(complaints) > _MAX_COMPLAINTS:
        more = len(complaints) - _MAX_COMPLAINTS
        complaints = [*complaints[:_MAX_COMPLAINTS], _whole(f"{more} more entries can't be used", "look at them too")]
    if complaints:
        raise BadArchive(complaints)


def _words(name: str) -> str:
    """A name that a stranger chose, as it can be shown."""
    shown = "".join(
        character if not unicodedata.category(character).startswith("C") else "\N{REPLACEMENT CHARACTER}"
        for character in name
    )
    return shown if len(shown) <= MAX_NAME else shown[: MAX_NAME - 3] + "..."
