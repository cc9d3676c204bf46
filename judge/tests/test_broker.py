"""The folder that carries messages, used by several processes at once."""

from collections.abc import Iterator
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection

from judge.broker import FolderChannel, FolderTransport


@pytest.fixture
def channel(tmp_path: Path) -> Iterator[FolderChannel]:
    (tmp_path / "messages").mkdir()
    options = {
        "data_folder_in": str(tmp_path / "messages"),
        "data_folder_out": str(tmp_path / "messages"),
        "control_folder": str(tmp_path / "control"),
    }
    with Connection(transport=FolderTransport, transport_options=options) as connection:
        channel = connection.default_channel
        assert isinstance(channel, FolderChannel)
        yield channel


def test_messages_come_out_in_order_and_leave_nothing(channel: FolderChannel, tmp_path: Path) -> None:
    for number in range(12):
        channel._put("judging", {"number": number})

    assert [channel._get("judging")["number"] for _ in range(12)] == list(range(12))
    assert list((tmp_path / "messages").iterdir()) == []


def test_an_empty_queue_says_so(channel: FolderChannel) -> None:
    channel._put("other", {})

    with pytest.raises(Empty):
        channel._get("judging")


def test_a_message_that_is_still_written_is_not_seen(channel: FolderChannel, tmp_path: Path) -> None:
    (tmp_path / "messages" / "00000000000000000001_half.draft").write_text('{"num')

    with pytest.raises(Empty):
        channel._get("judging")


def test_only_one_of_two_gets_a_message(
    channel: FolderChannel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel._put("judging", {"number": 1})
    listed = [file.name for file in (tmp_path / "messages").iterdir()]
    assert channel._get("judging") == {"number": 1}

    monkeypatch.setattr("os.listdir", lambda _: listed)  # what a slower process saw before

    with pytest.raises(Empty):
        channel._get("judging")
