"""Fair turns and budgets: addresses take turns, and each has a budget of processor time."""

import math
import sys
import time
from collections import deque
from collections.abc import Callable
from threading import Condition, Lock
from typing import Generic, TypeVar

Item = TypeVar("Item")

#: Beyond so many addresses, those that owe nothing are forgotten; beyond so many kinds, all are.
_MANY_ADDRESSES = _MANY_KINDS = 1000
#: Into so many classes addresses fall by what they used.
_STEPS = 6


class FairQueue(Generic[Item]):
    """Items that wait to be done, in turns by address: the lowest ``place`` is next, of equals who came first.

    Items of a lower ``rank`` go first, whatever their address.
    """

    def __init__(self, place: Callable[[Item], tuple[float, ...]] = lambda item: ()) -> None:
        self._place = place
        self._waiting: dict[tuple[int, str], deque[Item]] = {}
        self._changed = Condition()
        self._is_closed = False

    def put(self, address: str, item: Item, rank: int = 0) -> None:
        """Queue the item behind all others of its address and rank."""
        with self._changed:
            self._waiting.setdefault((rank, address), deque()).append(item)
            self._changed.notify_all()

    def get(self, most_rank: int = sys.maxsize) -> Item | None:
        """Return the next item of no higher rank, once there is one; None after the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or any(rank <= most_rank for rank, _ in self._waiting))
            if self._is_closed:
                return None
            turn = min(self._waiting, key=lambda turn: (turn[0], *self._place(self._waiting[turn][0])))
            items = self._waiting.pop(turn)
            item = items.popleft()
            if items:
                self._waiting[turn] = items
            return item

    def take_all(self, wanted: Callable[[Item], bool]) -> list[Item]:
        """Take the waiting items that are wanted out of the queue, and return them."""
        with self._changed:
            taken = [item for items in self._waiting.values() for item in items if wanted(item)]
            left = {turn: deque(item for item in items if item not in taken) for turn, items in self._waiting.items()}
            self._waiting = {turn: items for turn, items in left.items() if items}
            return taken

    def close(self) -> None:
        """End the queue for all who take from it."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()


class Costs:
    """The cost of requests of a kind, in processor seconds: as much as any did lately."""

    def __init__(self) -> None:
        self._seconds: dict[object, float] = {}

    def expected(self, kind: object) -> float:
        """Return the expected seconds of the next of the kind; 0 if none is known."""
        return self._seconds.get(kind, 0.0)

    def learn(self, kind: object, seconds: float) -> None:
        """Remember the cost of one. A dear one counts at once, cheaper ones after it little by little."""
        if len(self._seconds) >= _MANY_KINDS:
            self._seconds.clear()
        self._seconds[kind] = max(seconds, 0.9 * self.expected(kind) + 0.1 * seconds)


class Budget:
    """Processor seconds of each address: ``seconds`` at once, and as many again, evenly, within ``per`` seconds.

    An address with less left than the expected cost has to wait. The expected cost is charged at the beginning, and
    corrected once the true one is known.
    """

    def __init__(self, seconds: float, per: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = per / seconds
        self._per = per
        self._clock = clock
        self._lock = Lock()
        #: When the budget of an address is whole again; most have a whole one and are not listed.
        self._whole_at: dict[str, float] = {}

    def owed(self, address: str) -> float:
        """Return in how many seconds the budget of the address is whole again."""
        return max(self._whole_at.get(address, 0.0) - self._clock(), 0.0)

    def place(self, address: str, expected: float) -> tuple[float, float]:
        """Return its place: roughly by what the address used, so newcomers aren't always first; then by cost."""
        return self.owed(address) // (self._per / _STEPS), expected

    def wait(self, address: str, expected: float = 0.0) -> int:
        """Return in how many seconds the address has something left, and as much as is expected; 0 where it has."""
        lacking = self.owed(address) - self._per + min(expected * self._rate, self._per)
        return math.floor(lacking) + 1 if lacking > 0 or self.owed(address) >= self._per else 0

    def charge(self, address: str, seconds: float) -> None:
        """Take seconds from the budget of the address; negative ones give back what was taken too much."""
        with self._lock:
            now = self._clock()
            if len(self._whole_at) >= _MANY_ADDRESSES:
                self._whole_at = {known: at for known, at in self._whole_at.items() if at > now}
            self._whole_at[address] = max(self._whole_at.get(address, now), now) + seconds * self._rate
