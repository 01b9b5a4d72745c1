"""Addresses take turns, and have a budget of what may be computed for them."""

from concurrent.futures import ThreadPoolExecutor

from registry.serving.fairness import Budget, Costs, FairQueue


class Clock:
    """Stands still until it is set."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def drain(queue: FairQueue[str], n: int) -> list[str | None]:
    return [queue.get() for _ in range(n)]


def test_addresses_take_turns_and_each_keeps_its_order() -> None:
    queue = FairQueue[str]()
    for item in ("a1", "a2", "a3", "a4", "b1", "b2", "c1"):
        queue.put(item[0], item)
    assert drain(queue, 4) == ["a1", "b1", "c1", "a2"]
    # Who comes back waits behind those who are there, and not behind all that these have waiting.
    queue.put("c", "c2")
    assert drain(queue, 4) == ["b2", "a3", "c2", "a4"]


def test_what_is_taken_out_of_turn_leaves_the_turns_of_others_alone() -> None:
    queue = FairQueue[str]()
    for item in ("a1", "b1", "a2", "c1", "b2"):
        queue.put(item[0], item)
    assert queue.take_all(lambda item: item in {"b1", "a2", "b2"}) == ["a2", "b1", "b2"]
    queue.put("d", "d1")
    assert drain(queue, 3) == ["a1", "c1", "d1"], "of a, nothing is left"
    assert queue.take_all(lambda item: True) == []
    queue.put("a", "a3")
    assert queue.take_all(lambda item: False) == []
    assert drain(queue, 1) == ["a3"]
    queue.close()
    assert queue.get() is None


def test_a_budget_is_charged_afterwards_and_fills_evenly() -> None:
    clock = Clock()
    budget = Budget(30, 300, clock)
    budget.charge("a", 29.9)
    assert (budget.wait("a"), budget.wait("b")) == (0, 0)
    # Whoever has anything left may begin, whatever it turns out to cost.
    budget.charge("a", 4)
    assert budget.wait("a") == 40
    assert budget.wait("b") == 0
    clock.now += 39
    assert budget.wait("a") == 1
    clock.now += 1
    assert budget.wait("a") == 0
    clock.now += 300
    budget.charge("a", 29)
    assert budget.wait("a") == 0
    # Nobody saves up while they ask for nothing.
    clock.now += 1000
    budget.charge("a", 31)
    assert budget.wait("a") == 11
    assert budget.wait("a") == 11, "asking costs nothing"


def test_what_has_the_lowest_place_is_next_and_the_record_goes_before_what_somebody_makes_up() -> None:
    place = {"a": 5.0, "b": 1.0}
    queue = FairQueue[str](lambda item: (place.get(item[0], 0.0),))
    for item in ("a1", "a2", "b1", "c1"):
        queue.put(item[0], item, rank=1)
    queue.put("a", "a as it stands", rank=0)
    assert [queue.get(most_rank=0), queue.get()] == ["a as it stands", "c1"]
    place["b"] = 9.0
    assert drain(queue, 3) == ["a1", "a2", "b1"]
    with ThreadPoolExecutor(1) as pool:
        # Who computes the record alone waits for it, whatever else there is to be done.
        queue.put("a", "a3", rank=1)
        waiting = pool.submit(queue.get, most_rank=0)
        queue.put("b", "b as it stands", rank=0)
        assert (waiting.result(60), queue.get()) == ("b as it stands", "a3")


def test_what_is_cheap_goes_first_of_those_who_had_much_alike() -> None:
    budget = Budget(30, 300, Clock())
    budget.charge("reads", 4)
    assert budget.place("reads", 0.1) < budget.place("new", 0.2)
    budget.charge("reads", 4)
    assert budget.place("reads", 0.1) > budget.place("new", 0.2)


def test_who_has_less_left_than_it_is_expected_to_cost_waits() -> None:
    clock = Clock()
    budget = Budget(30, 300, clock)
    budget.charge("a", 29)
    assert (budget.wait("a", 0.9), budget.wait("a", 1.1)) == (0, 2)
    budget.charge("a", -20)
    assert budget.wait("a", 1.1) == 0
    # Whoever has all of it may begin what takes more than all of it.
    assert budget.wait("b", 1000) == 0


def test_what_a_kind_costs_is_learned_from_the_dearest_and_forgotten_slowly() -> None:
    costs = Costs()
    assert costs.expected("board") == 0
    for seconds in (0.1, 0.5, 0.1):
        costs.learn("board", seconds)
    assert 0.4 < costs.expected("board") < 0.5
    assert costs.expected("paper") == 0
