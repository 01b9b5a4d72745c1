"""What a digest says of each change, sentence by sentence."""

import pytest

from registry.catalog.models import Leaderboard
from registry.following.documents import Block, Line, Section, describe_changes, describe_methods, digest_subject
from registry.following.models import Following
from registry.following.queries import MAX_LISTED, Changed, Changes, NamedVerdict, read_changes
from registry.journal.models import Entry
from registry.leaderboards.models import MethodChange
from registry.results.models import CorrectionRequest, Result
from registry.results.services.corrections import accept_correction, request_correction
from registry.results.services.gathering import GATHERED, GATHERING_UNDONE, SAID
from registry.results.services.merging import rename_system
from tests.registry.factory import make_leaderboard, make_model, make_paper, make_result, make_system, make_user

pytestmark = pytest.mark.django_db

NOTHING = Changed([], 0)


def changes(thing, **given) -> Changes:
    """What happened to something that is followed: nothing but this."""
    following = Following(**{thing._meta.model_name: thing})
    nothing = dict.fromkeys(("recorded", "superseded", "withdrawn"), NOTHING)
    nothing |= {"renamings": [], "requests": [], "before": None, "after": None, "obstacle": "", "methods": None}
    return Changes(following=following, **{"until": 9, "snapshot_id": "abc", **nothing, **given})


def verdict(best: str, printed: str, *candidates: str) -> NamedVerdict:
    return NamedVerdict(best, printed, frozenset(candidates), "13")


def lines(one: Changes) -> list[Line]:
    section = describe_changes(one)
    return [line for block in section.blocks for line in block.lines] if section else []


def texts(one: Changes) -> list[str]:
    return [line.text for line in lines(one)]


def test_where_nothing_happened_nothing_is_said():
    assert describe_changes(changes(make_leaderboard())) is None


def test_sentences_about_the_best_result():
    board, path = make_leaderboard(), "/snapshots/abc/"
    first = changes(board, after=verdict("A", "0.3", "A", "B"))
    assert lines(first) == [Line("First analysis: the best result is A, 0.3; 2 results may be the best.", path)]
    section = describe_changes(first)
    assert (section.title, section.path) == (str(board), board.get_absolute_url())
    alone = changes(board, after=verdict("A", "0.3", "A"))
    assert texts(alone) == ["First analysis: the best result is A, 0.3; 1 result may be the best."]
    # Another score of the same best result; the page is named once, with the last sentence.
    moved = changes(board, before=verdict("A", "0.3", "A", "B"), after=verdict("A", "0.4", "A", *"GFEDCHI"))
    assert lines(moved) == [
        Line("The best result is now A, 0.4; it was A, 0.3."),
        Line("May be the best now as well: C, D, E, F, G and 2 others."),
        Line("May be the best no longer: B.", path),
    ]
    six = changes(board, before=verdict("A", "0.3", "A"), after=verdict("A", "0.3", "A", *"BCDEFG"))
    assert texts(six) == ["May be the best now as well: B, C, D, E, F and 1 other."]
    five = changes(board, before=verdict("A", "0.3", "A"), after=verdict("A", "0.3", "A", *"BCDEF"))
    assert texts(five) == ["May be the best now as well: B, C, D, E, F."]
    long = changes(board, after=verdict("x" * 101, "0.3", "A"))
    assert texts(long)[0].startswith(f"First analysis: the best result is {'x' * 99}…, 0.3;")
    names = changes(board, before=verdict("A", "0.3", "A"), after=verdict("A", "0.3", "A", "y" * 60, "z" * 61))
    assert texts(names) == [f"May be the best now as well: {'y' * 60}, {'z' * 59}…."]


@pytest.mark.parametrize(
    ("obstacle", "said"),
    [("", "There is no analysis any more."), ("too few", "There is no analysis any more: too few.")],
)
def test_sentences_about_the_end_of_an_analysis(obstacle, said):
    board = make_leaderboard()
    assert lines(changes(board, before=verdict("A", "0.3", "A"), obstacle=obstacle)) == [Line(said)]
    assert lines(changes(board, obstacle=obstacle)) == []


def entry(action: str, before: dict | None = None, after: dict | None = None, reason: str = "") -> Entry:
    return Entry(pk=7, action=action, subject_type="system", subject_id="5", before=before, after=after, reason=reason)


@pytest.mark.parametrize(
    ("happened", "said"),
    [
        (entry(GATHERED, after={"systems": 2}), "2 systems came to it, read from their names"),
        (entry(GATHERED, after={"systems": 1}), "1 system came to it, read from its name"),
        (entry(GATHERING_UNDONE, {"systems": 2}, reason="no"), "2 systems that rules had read as its own left it: no"),
        (entry(SAID, {"model": "A"}, {"model": "B"}, "card"), "System 5 is of B now, and was of A: card"),
        (entry(SAID, {"model": ""}, {"model": "B"}), "System 5 is of B now, and was of no model"),
        (entry("results.system.merged", {"name": "A"}, {"name": "B"}), "A was merged into B"),
        (entry("results.system.merge_undone", {"name": "B"}, {"name": "A"}), "A is no longer merged into B"),
        (
            entry("results.system.renamed", {"name": "A", "team": "uni"}, {"name": "B", "team": ""}),
            "A by uni is now called B",
        ),
        (entry("results.paper.renamed", {"name": "A"}, {"name": "B"}, "x\ny"), "A is now called B: x y"),
    ],
)
def test_sentences_about_names_and_models(happened, said):
    assert lines(changes(make_model(), renamings=[happened])) == [Line(said, happened.get_absolute_url())]


def test_what_was_corrected_is_said_by_what_differs():
    board = make_leaderboard()
    by = Entry(reason="typo")

    def superseded(name: str, by: Entry | None = by, **changed) -> Result:
        old = make_result(board, system := make_system(name), "0.30")
        new = make_result(board, **{"system": system, "printed": "0.30", "source": "corrected", **changed})
        old.superseded_by, old.ended_by = new, by
        return old

    confirmed = Result.Provenance.AUTHOR_CONFIRMED
    found = [
        superseded("A", printed="0.31"),
        superseded("B", paper=make_paper("Doe (2021)")),
        superseded("C", by=Entry(), system=make_system("E")),
        superseded("D", notes="tuned"),
        superseded("F", by=None, provenance=confirmed),
        superseded("G", unit="percent"),
    ]
    assert lines(changes(board, superseded=Changed(found, 6))) == [
        Line(said, old.superseded_by.get_absolute_url())
        for old, said in zip(
            found,
            (
                "A: 0.31, was 0.30: typo",
                "B, 0.30 now stands under Doe (2021): typo",
                "C, 0.30 now stands under E",
                "D, 0.30: what is said about it: typo",
                f"F, 0.30 is now {confirmed.label}",
                "G: 0.0030, was 0.30: typo",
            ),
            strict=True,
        )
    ]
    section = describe_changes(changes(board.collection, superseded=Changed(found[:1], 12)))
    (block,) = section.blocks
    assert (block.heading, block.n_more) == ("12 corrected:", 11)
    assert block.lines[0].text == f"A: 0.31, was 0.30: typo, on {board}"


def test_what_became_of_requests_is_said():
    board, user = make_leaderboard(), make_user()
    result = make_result(board, make_system("A"), "0.30")
    request_correction(result=result, requester=user, kind="correction", reason="table 3", proposed_printed="0.21")
    accept_correction(request=CorrectionRequest.objects.get(), actor=user, reason="so it is", printed="0.21")
    found = read_changes(Following(collection=board.collection, told_entry=0), Entry.objects.order_by("-pk")[0].pk)
    assert [line.text for line in lines(found)] == [
        f"A, 0.30 (test), on {board}",
        f"A: 0.21, was 0.30: so it is, on {board}",
        f"A correction to 0.21 is asked for: A, 0.30, on {board}: table 3",
        f"The request to correct A, 0.30, on {board} was accepted: so it is",
    ]
    assert {line.path for line in lines(found)[2:]} == {result.get_absolute_url()}


def test_what_happens_to_others_is_not_told():
    mine, other, paper = make_system("mine"), make_system("other"), make_paper("Doe")
    rename_system(system=other, name="renamed", team="", actor=None, reason="x")
    Entry.objects.create(action="results.paper.renamed", subject_type="paper", subject_id=str(mine.pk))
    Entry.objects.create(
        action="results.system.kept", subject_type="system", subject_id="999", before={"merged_into": mine.pk}
    )
    last = Entry.objects.order_by("-pk")[0].pk
    for thing in ({"system": mine}, {"paper": paper} if paper.pk != mine.pk else {"system": mine}):
        assert read_changes(Following(**thing, told_entry=0), last).renamings == []
    assert len(read_changes(Following(system=other, told_entry=0), last).renamings) == 1
    assert read_changes(Following(system=other, told_entry=last), last).renamings == []
    assert read_changes(Following(system=other, told_entry=0), last - 99).renamings == []


def test_boards_that_newer_methods_changed_stand_in_one_section_a_version():
    boards = [make_leaderboard() for _ in range(MAX_LISTED + 2)]

    def change(board: Leaderboard, version: str, *, is_same: bool = False) -> Changes:
        made = MethodChange(leaderboard=board, version=version, before={"best": 1}, after={"best": 1 if is_same else 2})
        return changes(board, methods=made)

    found = describe_methods(
        [
            *(change(board, "13") for board in boards[1:]),
            change(boards[0], "12"),
            change(boards[1], "14", is_same=True),
            changes(boards[0]),
        ]
    )
    heading = "Newer methods analysed these again: {} something else now:"
    listed = [Line(str(board), board.get_absolute_url()) for board in boards]
    assert found == [
        Section(
            "Methods 12 in place of earlier ones",
            "/methods/changes/12/",
            (Block(heading.format("1 leaderboard that you follow says"), (listed[0],)),),
        ),
        Section(
            "Methods 13 in place of earlier ones",
            "/methods/changes/13/",
            (Block(heading.format("11 leaderboards that you follow say"), tuple(listed[1:11]), 1),),
        ),
    ]


def test_the_subject_names_the_first_section_and_counts_the_others():
    one, long = Section("A board", "/", ()), Section("x" * 81, "/", ())
    assert digest_subject([one]) == "What changed: A board"
    assert digest_subject([one, long, one]) == "What changed: A board and 2 more"
    assert digest_subject([long]) == f"What changed: {'x' * 79}…"
