"""Several executions of one system: the first instance counts for all."""

from registry.results.models import Result
from tests.registry.results.loading import counts, line, load, standing


def by_name() -> dict[str, Result]:
    return {result.system.name: result for result in standing().select_related("system", "replicate_of")}


def test_replicates_point_to_their_first_instance_wherever_it_stands(robust04, tmp_path):
    rows = [line(system="b", replicate_of="A"), line(system="a"), line(system="c", replicate_of="a")]
    assert counts(load(tmp_path, *rows)) == (3, 0, 0, 0)
    results = by_name()
    assert results["a"].replicate_of is None
    assert results["b"].replicate_of == results["c"].replicate_of == results["a"]
    assert list(Result.objects.counted()) == [results["a"]]
    assert counts(load(tmp_path, *rows)) == (0, 3, 0, 0)


def test_a_refused_first_instance_takes_its_replicates_along(robust04, tmp_path):
    rows = [line(system="a", value="NaN"), line(system="b", replicate_of="a"), line(system="c")]
    assert counts(load(tmp_path, *rows, keep_good=True)) == (1, 0, 0, 2)
    assert list(by_name()) == ["c"]


def test_becoming_a_replicate_supersedes(robust04, tmp_path):
    load(tmp_path, line(system="a"), line(system="b"))
    assert counts(load(tmp_path, line(system="a"), line(system="b", replicate_of="a"))) == (0, 1, 1, 0)
    assert by_name()["b"].replicate_of == by_name()["a"]


def test_replicates_follow_their_first_instance_when_it_is_superseded(robust04, tmp_path):
    rows = [line(system="b", replicate_of="a"), line(system="c", replicate_of="a")]
    load(tmp_path, line(system="a"), *rows)
    load(tmp_path, line(system="a", notes="Table 3"))
    results = by_name()
    assert results["a"].notes == "Table 3"
    assert results["b"].replicate_of == results["c"].replicate_of == results["a"]
    assert counts(load(tmp_path, line(system="a", notes="Table 3"), *rows)) == (0, 3, 0, 0)
