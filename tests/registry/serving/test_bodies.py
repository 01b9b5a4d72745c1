"""Reading bodies: whole ones come out as they went in, the others within their limits not at all."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from registry.serving.bodies import Bodies, Full, Limits, Sender, TooSlow
from tests.registry.serving.loops import on_a_loop

LIMITS = Limits(max_bytes=1_000_000, seconds=600, pause_seconds=20, bytes_per_second=500, max_open=500)
STRANGER, OTHER_STRANGER = Sender("192.0.2.1"), Sender("192.0.2.2")
ADA, GRACE, MARY = (Sender(name, is_known=True) for name in ("ada", "grace", "mary"))
#: As short as a test can wait.
SHORT = replace(LIMITS, pause_seconds=0.2)


async def chunks(*sizes: int, pause: float = 0, silent: bool = False) -> AsyncIterator[bytes]:
    """Return chunks of these sizes with a pause before each; then the end, or silence."""
    for number, size in enumerate(sizes):
        await asyncio.sleep(pause)
        yield bytes([number % 256]) * size
    if silent:
        await asyncio.Event().wait()


async def read(bodies: Bodies, stream: AsyncIterator[bytes], length: int, sender: Sender = STRANGER) -> bytes:
    with await bodies.receive(stream, length, sender) as body:
        return body.read()


def receive(limits: Limits, stream: AsyncIterator[bytes], length: int) -> bytes:
    return on_a_loop(read(Bodies(limits), stream, length))


@pytest.mark.parametrize("sizes", [(1,), (10, 20, 30), (65_536, 1), (300_000, 300_000)])
def test_a_body_comes_out_as_it_went_in(sizes: tuple[int, ...]) -> None:
    expected = b"".join(bytes([number]) * size for number, size in enumerate(sizes))
    assert receive(LIMITS, chunks(*sizes), len(expected)) == expected


@pytest.mark.parametrize("sizes", [(), (2,), (500_000,)])
def test_silence_ends_it(sizes: tuple[int, ...]) -> None:
    with pytest.raises(TooSlow):
        receive(SHORT, chunks(*sizes, silent=True), 1_000_000)


@pytest.mark.parametrize(
    ("n_bytes", "now", "deadline"),
    [
        (0, 100, 120),  # nothing yet: the pause
        (500, 110, 121),  # a second's worth: a second more than the pause
        (1_000_000, 115, 135),  # far ahead of the rate: the pause again
        (1_000_000, 695, 700),  # near the end of the whole time
    ],
)
def test_the_next_byte_has_its_deadline(n_bytes: int, now: float, deadline: float) -> None:
    assert LIMITS.deadline(100, now, n_bytes) == deadline


def test_of_too_many_the_one_that_moved_last_goes_last() -> None:
    async def outcomes() -> list[str]:
        bodies = Bodies(replace(LIMITS, max_open=2))
        fate: dict[str, str] = {}

        async def meet(name: str, stream: AsyncIterator[bytes]) -> None:
            try:
                await read(bodies, stream, 3)
                fate[name] = "read"
            except TooSlow:
                fate[name] = "sent away"

        async with asyncio.TaskGroup() as group:
            group.create_task(meet("silent", chunks(silent=True)))
            group.create_task(meet("moving", chunks(1, 1, 1, pause=0.02)))
            await asyncio.sleep(0.03)
            group.create_task(meet("new", chunks(3)))
        return [fate[name] for name in ("silent", "moving", "new")]

    assert on_a_loop(outcomes()) == ["sent away", "read", "read"]


@pytest.mark.parametrize(
    ("max_open", "coming", "fates"),
    [
        # A stranger takes the place of a stranger, and of nobody else.
        (2, [ADA, STRANGER, STRANGER], ["stays", "sent away", "stays"]),
        (2, [ADA, GRACE, *[STRANGER] * 14], ["stays", "stays", *["full"] * 14]),
        # Who is known takes a stranger's place; of strangers, one of the address that has most open.
        (2, [STRANGER, ADA, GRACE], ["sent away", "stays", "stays"]),
        (3, [OTHER_STRANGER, STRANGER, STRANGER, ADA], ["stays", "sent away", "stays", "stays"]),
        # Who has several open makes room for others, and who comes again for themselves.
        (2, [ADA, ADA, GRACE], ["sent away", "stays", "stays"]),
        (2, [ADA, GRACE, ADA, ADA], ["sent away", "stays", "sent away", "stays"]),
        # Nobody known ends what another one known sends.
        (2, [ADA, GRACE, MARY], ["stays", "stays", "full"]),
    ],
)
def test_who_makes_room_for_whom(max_open: int, coming: list[Sender], fates: list[str]) -> None:
    async def outcomes() -> list[str]:
        bodies, reading = Bodies(replace(LIMITS, max_open=max_open)), []
        for sender in coming:
            reading.append(asyncio.create_task(read(bodies, chunks(silent=True), 3, sender)))
            await asyncio.sleep(0)
        leaving = [task for task, fate in zip(reading, fates, strict=True) if fate != "stays"]
        await asyncio.wait(leaving, timeout=60)
        ends = [_fate(task) for task in reading]
        for task in reading:
            task.cancel()
        return ends

    assert on_a_loop(outcomes()) == fates


def _fate(task: "asyncio.Task[bytes]") -> str:
    if not task.done():
        return "stays"
    return {TooSlow: "sent away", Full: "full"}[type(task.exception())]  # type: ignore[index]


def test_who_made_room_is_not_heard_any_more() -> None:
    """Its next chunk may have come in the same moment."""

    async def outcomes() -> list[object]:
        bodies, comes = Bodies(replace(LIMITS, max_open=1)), asyncio.Event()

        async def late() -> AsyncIterator[bytes]:
            await comes.wait()
            yield b"late"

        async def newest() -> AsyncIterator[bytes]:
            yield b"new"

        first = asyncio.create_task(bodies.receive(late(), 4, STRANGER))
        await asyncio.sleep(0)
        new = asyncio.create_task(read(bodies, newest(), 3))
        comes.set()
        return await asyncio.gather(new, first, return_exceptions=True)

    new, first = on_a_loop(outcomes())
    assert isinstance(first, TooSlow)
    assert new == b"new"


def test_many_at_once_are_read_or_sent_away_and_nothing_else() -> None:
    async def outcomes() -> list[object]:
        bodies = Bodies(replace(SHORT, pause_seconds=0.02, max_open=5))

        async def visit(number: int) -> object:
            await asyncio.sleep(number % 7 / 500)
            # Some end in the moment in which their time is over.
            return await read(bodies, chunks(1, 1, pause=number % 5 / 100, silent=number % 3 == 0), 2)

        ends = await asyncio.gather(*map(visit, range(500)), return_exceptions=True)
        return [*ends, await read(bodies, chunks(1, 1), 2)]

    *ends, last = on_a_loop(outcomes())
    assert {type(end) for end in ends if isinstance(end, BaseException)} == {TooSlow}
    # On a busy machine all of them may be too slow, but none of them is left behind.
    assert last == b"\x00\x01"


def test_of_what_is_refused_ten_times_the_most_goes_by() -> None:
    taken = []

    async def count() -> AsyncIterator[bytes]:
        for number in range(200):
            taken.append(number)
            yield b"x"

    on_a_loop(Bodies(replace(LIMITS, max_bytes=10)).discard(count()))
    assert len(taken) == 101, "the first byte beyond them ends it"
