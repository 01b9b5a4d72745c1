"""Files of lineages and of declared training data: all or nothing, and nothing the second time."""

from django.utils import timezone

from registry.curation.lineage.models import Lineage
from registry.curation.lineage.training import Training, TrainingState, training_of
from registry.results.services.merging import merge_systems
from tests.registry.curation.lineage.world import Row, load_lineage, load_training, make_of
from tests.registry.factory import make_collection, make_leaderboard
from tests.registry.results.loading import counts, refusals


def standing() -> list[tuple[str, str, bool]]:
    rows = Lineage.objects.standing().exclude(system=None)
    return sorted(rows.values_list("system__name", "key", "holds"))


def test_one_bad_row_keeps_all_out_and_each_says_what_to_do(tmp_path):
    make_of("a", "x"), make_of("b", "x")
    report = load_lineage(
        tmp_path,
        "a,x,model:m,its name",
        ",,model:m,everybody's",
        "a,x,modle:m,its name",
        "b,x,model:m,",
        "A, X ,MODEL:m,again",
    )
    assert not Lineage.objects.exists()
    assert [(line, message.partition(";")[0]) for line, _, message in refusals(report)] == [
        (3, "names no system"),
        (4, "'modle' is none of team, paper, model, toolkit, twin, curator"),
        (5, "says nowhere how it is known"),
        (6, "says of the same system what line 2 says"),
    ]


def test_declared_training_data_are_answers_and_silence_is_none_of_them(tmp_path):
    fiqa = make_leaderboard(make_collection("beir-fiqa"))
    quiet, honest, trained, strange = (make_of(name, "x", leaderboard=fiqa) for name in ("q", "h", "t", "s"))
    report = load_training(
        tmp_path,
        "q,x,unknown,its maker publishes no list,mteb,beir-fiqa",
        "h,x,no,not on the list,mteb,beir-fiqa",
        "t,x,YES,the list names FiQA2018,mteb,beir-fiqa",
    )
    assert counts(report) == (3, 0, 0, 0)
    training = training_of([Row(result) for result in (quiet, honest, trained, strange)], fiqa.collection)
    assert [training[result.pk].answer for result in (quiet, honest, trained, strange)] == [
        "unknown",
        "no",
        "yes",
        "unknown",
    ]
    assert [statement.how for statement in training[trained.pk].statements] == ["the list names FiQA2018"]
    assert training[strange.pk] == Training(TrainingState.SAYS_NOTHING) != training[quiet.pk]


def test_declarations_follow_merged_systems_and_know_their_time(tmp_path):
    fiqa = make_leaderboard(make_collection("beir-fiqa"))
    source, target = make_of("old", "x", leaderboard=fiqa), make_of("new", "x")
    before = timezone.now()
    load_training(tmp_path, "old,x,yes,named,mteb,beir-fiqa")
    merge_systems(source=source.system, target=target.system, actor=None, reason="one system")
    moved = fiqa.results.standing().get()
    assert training_of([Row(moved)], fiqa.collection)[moved.pk].answer == "yes"
    earlier = training_of([Row(moved)], fiqa.collection, moment=before)[moved.pk]
    assert earlier == Training(TrainingState.SAYS_NOTHING)
    load_training(tmp_path, "new,x,no,not on the list,mteb,beir-fiqa")
    assert training_of([Row(moved)], fiqa.collection)[moved.pk].answer == "no"
    load_training(tmp_path, "new,x,no,not on the list,mteb,beir-fiqa", "old,x,yes,named,mteb,beir-fiqa")
    assert training_of([Row(moved)], fiqa.collection)[moved.pk].answer == "yes"


def test_declarations_of_a_leaderboard_take_two_queries(tmp_path, django_assert_num_queries):
    fiqa = make_leaderboard(make_collection("beir-fiqa"))
    rows = [Row(make_of(f"s{n}", "x", leaderboard=fiqa)) for n in range(40)]
    load_training(tmp_path, *(f"s{n},x,no,not on the list,mteb,beir-fiqa" for n in range(40)))
    with django_assert_num_queries(2):
        training = training_of(rows, fiqa.collection)
    assert {answered.answer for answered in training.values()} == {"no"}
