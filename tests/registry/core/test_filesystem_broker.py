"""Messages as files: complete or absent, in order, for one reader each; bad files stop nobody."""

import json
import os
import time
from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu import Connection

from registry.core.filesystem_broker import Channel, Transport


def connect(folder: Path) -> Channel:
    options = {"folder": str(folder)}
    return Connection("filesystem://localhost", transport=Transport, transport_options=options).channel()


def message(number: int = 1) -> dict[str, Any]:
    return {
        "body": encoded(json.dumps([[number], {}, {"chain": None}])),
        "content-encoding": "utf-8",
        "content-type": "application/json",
        "headers": {"id": f"id-{number}", "task": "core.sweep"},
        "properties": {
            "body_encoding": "base64",
            "delivery_tag": f"tag-{number}",
            "delivery_info": {"exchange": "", "routing_key": "celery"},
        },
    }


def encoded(body: str) -> str:
    return b64encode(body.encode()).decode()


def number_of(received: dict[str, Any]) -> int:
    return int(received["headers"]["id"].removeprefix("id-"))


@pytest.fixture
def channel(tmp_path: Path) -> Iterator[Channel]:
    channel = connect(tmp_path / "broker")
    channel.queue_declare("celery")
    yield channel
    channel.connection.client.close()


@pytest.fixture
def folder(channel: Channel, tmp_path: Path) -> Path:
    return tmp_path / "broker" / "celery"


def test_messages_come_out_once_in_the_order_they_went_in(channel: Channel, folder: Path) -> None:
    for number in range(20):
        channel._put("celery", message(number))
    assert channel._size("celery") == 20
    assert [number_of(channel._get("celery")) for _ in range(20)] == list(range(20))
    with pytest.raises(Empty):
        channel._get("celery")
    assert list(folder.iterdir()) == []


def test_a_message_sent_while_others_are_read_comes_last(channel: Channel) -> None:
    channel._put("celery", message(1))
    channel._put("celery", message(2))
    assert number_of(channel._get("celery")) == 1
    channel._put("celery", message(3))
    assert [number_of(channel._get("celery")) for _ in range(2)] == [2, 3]


def test_queues_are_apart_whatever_their_names(channel: Channel, folder: Path) -> None:
    channel._put("../escape", message(1))
    channel._put("celery", message(2))
    assert number_of(channel._get("celery")) == 2
    assert number_of(channel._get("../escape")) == 1
    assert sorted(path.name for path in folder.parent.iterdir()) == ["..%2Fescape", "celery"]


def test_only_the_owner_can_read_messages(channel: Channel, folder: Path) -> None:
    channel._put("celery", message())
    (file,) = folder.iterdir()
    assert (folder.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)


def test_a_half_written_message_is_not_seen(channel: Channel, folder: Path) -> None:
    (folder / "00000000000000000001_x.tmp").write_text('{"body": "half')
    with pytest.raises(Empty):
        channel._get("celery")
    assert channel._size("celery") == 0


def without(key: str) -> bytes:
    return json.dumps({name: value for name, value in message().items() if name != key}).encode()


def with_changed(key: str, value: object) -> bytes:
    return json.dumps(message() | {key: value}).encode()


BAD_FILES = {
    "empty": b"",
    "half": json.dumps(message()).encode()[:100],
    "not text": b"\xff\xfe\x00\x80",
    "a list": b"[]",
    "a number": b"7",
    "too deep": b"[" * 100_000,
    "no body": without("body"),
    "no headers": without("headers"),
    "no properties": without("properties"),
    "no task": with_changed("headers", {"id": "1"}),
    "headers are text": with_changed("headers", "task"),
    "pickled": with_changed("content-type", "application/x-python-serialize"),
    "body is no base64": with_changed("body", "%%%"),
    "body is a number": with_changed("body", 7),
    "body is no JSON": with_changed("body", encoded("{")),
    "body has another shape": with_changed("body", encoded("{}")),
}


@pytest.mark.parametrize("content", BAD_FILES.values(), ids=BAD_FILES.keys())
def test_a_bad_file_is_set_aside(
    channel: Channel, folder: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "00000000000000000001_bad.msg").write_bytes(content)
    channel._put("celery", message(5))
    assert number_of(channel._get("celery")) == 5
    assert [path.name for path in folder.iterdir()] == ["00000000000000000001_bad.bad"]
    assert "is no message" in caplog.text


def test_a_folder_named_like_a_message_is_set_aside(channel: Channel, folder: Path) -> None:
    (folder / "00000000000000000001_bad.msg").mkdir()
    channel._put("celery", message(5))
    assert number_of(channel._get("celery")) == 5


def test_a_folder_that_was_removed_comes_back(channel: Channel, folder: Path) -> None:
    folder.rmdir()
    folder.parent.rmdir()
    with pytest.raises(Empty):
        channel._get("celery")
    channel._put("celery", message(1))
    assert number_of(channel._get("celery")) == 1


def test_purging_removes_messages_and_says_how_many(channel: Channel) -> None:
    for number in range(3):
        channel._put("celery", message(number))
    assert channel.queue_purge("celery") == 3
    assert channel._size("celery") == 0


def test_leftovers_are_pruned_when_their_time_is_over(channel: Channel, folder: Path) -> None:
    hours = {"old.tmp": 2, "old.taken": 2, "new.tmp": 0, "new.bad": 2, "old.bad": 8 * 24, "waiting.msg": 999}
    for name, age in hours.items():
        (folder / name).touch()
        os.utime(folder / name, times=(time.time() - 3600 * age,) * 2)
    channel.queue_declare("celery")
    assert sorted(path.name for path in folder.iterdir()) == ["new.bad", "new.tmp", "waiting.msg"]


def test_a_folder_that_cannot_be_used_is_a_broker_that_is_down(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    connection = Connection(
        "filesystem://localhost", transport=Transport, transport_options={"folder": str(tmp_path / "file" / "broker")}
    )
    with connection, pytest.raises(connection.connection_errors):
        connection.channel().queue_declare("celery")


def send(folder: Path, numbers: range) -> None:
    channel = connect(folder)
    for number in numbers:
        channel._put("celery", message(number))


def receive(folder: Path, all_sent: Path) -> list[int]:
    """What there is to receive until all is sent and nothing is left, however slow the machine."""
    channel, received = connect(folder), []
    while True:
        is_over = all_sent.exists()
        try:
            received.append(number_of(channel._get("celery")))
        except Empty:
            if is_over:
                return received
            time.sleep(0.001)


def test_writers_and_readers_at_once_lose_and_double_nothing(channel: Channel, folder: Path, tmp_path: Path) -> None:
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        all_sent = tmp_path / "all-sent"
        readers = [pool.submit(receive, folder.parent, all_sent) for _ in range(2)]
        writers = [pool.submit(send, folder.parent, range(start, start + 1000)) for start in (0, 1000)]
        for writer in writers:
            writer.result()
        all_sent.touch()
        received = [number for reader in readers for number in reader.result()]
    assert sorted(received) == list(range(2000))
    assert list(folder.iterdir()) == []
