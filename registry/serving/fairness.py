"""Whose turn it is, and what it may cost: addresses take turns, and each has a budget of processor time."""

import math
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from threading import Condition
from typing import Generic, TypeVar

Item = TypeVar("Item")

#: With so many addresses on the books, those that owe nothing any more are struck off.
_MANY_ADDRESSES = 1000


class FairQueue(Generic[Item]):
    """What waits to be done, in turns by address: of many from one address, one is done for each of another."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[Item]] = OrderedDict()
        self._changed = Condition()
        self._is_closed = False

    def put(self, address: str, item: Item) -> None:
        """Have it wait behind all others of its address."""
        with self._changed:
            self._waiting.setdefault(address, deque()).append(item)
            self._changed.notify()

    def get(self) -> Item | None:
        """The next one, once there is one; None after the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closed)
            if self._is_closed:
                return None
            address, items = self._waiting.popitem(last=False)
            item = items.popleft()
            if items:
                self._waiting[address] = items
            return item

    def take_all(self, wanted: Callable[[Item], bool]) -> list[Item]:
        """Those that wait and are wanted, which do not wait any longer."""
        with self._changed:
            taken = [item for items in self._waiting.values() for item in items if wanted(item)]
            for address in list(self._waiting) if taken else ():
                left = deque(item for item in self._waiting[address] if not wanted(item))
                if left:
                    self._waiting[address] = left
                else:
                    del self._waiting[address]
            return taken

    def close(self) -> None:
        """End it for whoever takes from it."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()


class Budget:
    """Processor seconds of each address: ``seconds`` at once, and as many again, evenly, within ``per`` seconds.

    What something costs is known once it is done. So whoever has anything left may begin, and pays afterwards.
    """

    def __init__(self, seconds: float, per: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = per / seconds
        self._per = per
        self._clock = clock
        #: When the budget of an address is whole again; of most it is.
        self._whole_at: dict[str, float] = {}

    def wait(self, address: str) -> int:
        """In how many seconds the address has something left; 0 where it has."""
        owed = self._whole_at.get(address, 0.0) - self._clock()
        return math.floor(owed - self._per) + 1 if owed >= self._per else 0

    def charge(self, address: str, seconds: float) -> None:
        """Take from the budget of the address what was done for it."""
        now = self._clock()
        if len(self._whole_at) >= _MANY_ADDRESSES:
            self._whole_at = {one: at for one, at in self._whole_at.items() if at > now}
        self._whole_at[address] = max(self._whole_at.get(address, now), now) + seconds * self._rate
