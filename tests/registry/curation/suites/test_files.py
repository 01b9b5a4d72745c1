"""Files of suites: what each row says, what takes the place of what was, and which leaderboards are studied again."""

from functools import partial

from analysis.readers.tables import Record
from registry.curation.suites.models import Suite, SuiteMember
from registry.curation.suites.pipeline import SUITE_COLUMNS, SuiteOfFile, parse_suite
from registry.curation.suites.services import load_shipped_suites, load_suites
from registry.journal.models import Entry
from tests.registry.curation.suites.world import make_boards
from tests.registry.factory import make_leaderboard, make_measure
from tests.registry.results.people import editor


def suite_row(**cells: str):
    usual = {"slug": "BEIR-13", "name": "BEIR", "source": "mteb"} | dict.fromkeys(SUITE_COLUMNS[2:5], "true")
    return parse_suite(Record(3, dict.fromkeys(SUITE_COLUMNS, "") | usual | cells))


def test_a_row_of_suites_is_read():
    assert suite_row(is_average="FALSE", url="https://example.org/", description="Fourteen.") == SuiteOfFile(
        "beir-13",
        {
            "name": "BEIR", "is_zero_shot": True, "is_average": False, "is_screen": True, "description": "Fourteen.",
            "source": "mteb", "url": "https://example.org/",
        },
    )  # fmt: skip
    assert isinstance(suite_row(name="n" * 200, source="s" * 300), SuiteOfFile)
    for cells, column, message in (
        ({"slug": "a b"}, "slug", "'a b' does not fit into an address; use letters, digits and hyphens"),
        ({"slug": "-a"}, "slug", "does not fit into an address"),
        ({"slug": "a" * 101}, "slug", "101 characters"),
        ({"name": " "}, "name", "is blank"),
        ({"source": ""}, "source", "is blank"),
        ({"name": "n" * 201}, "name", "201 characters"),
        ({"source": "s" * 301}, "source", "301 characters"),
        ({"is_screen": "yes"}, "is_screen", "'yes' is neither true nor false"),
        ({"url": "example"}, "url", ""),
    ):
        (rejection,) = suite_row(**cells)
        assert (rejection.column, rejection.line) == (column, 3)
        assert message in rejection.message


SUITES = "slug,name,is_zero_shot,is_average,is_screen,description,source,url\n"
MEMBERS = "suite,collection,measure,part_of,has_training_part\n"
BEIR = "beir,BEIR,true,false,true,,mteb,\n"
ROWS = "beir,two,nDCG@10,one,false\nbeir,one,nDCG@10,,true\nbeir,three,nDCG@10,,false\n"


def write(folder, suites: str = BEIR, members: str = ROWS) -> None:
    (folder / "suites.csv").write_text(SUITES + suites)
    (folder / "suite_members.csv").write_text(MEMBERS + members)


def test_both_files_are_loaded_where_one_of_them_changed_and_none_where_one_is_missing(tmp_path):
    make_boards("one", "two", "three")
    progress: list[tuple[str, int]] = []
    load = partial(load_shipped_suites, directory=tmp_path, progress=lambda what, n: progress.append((what, n)))
    assert list(load()) == []
    (tmp_path / "suites.csv").write_text(SUITES + BEIR)
    assert list(load()) == []
    write(tmp_path)
    person = editor()
    reports = list(load(actor=person, reason="shipped"))
    assert [(report.label, report.path, report.added) for report in reports] == [
        ("suites.csv", str(tmp_path / "suites.csv"), 1), ("suite_members.csv", str(tmp_path / "suite_members.csv"), 3),
    ]  # fmt: skip
    assert "changed" in reports[0].summary()
    assert progress == [("reading suites.csv", 0)]
    entries = Entry.objects.filter(action="catalog.suites.loaded").order_by("pk")
    assert [(entry.subject_id, entry.actor, entry.reason) for entry in entries] == [
        ("suites.csv", person, "shipped"), ("suite_members.csv", person, "shipped"),
    ]  # fmt: skip
    assert list(load()) == []
    write(tmp_path, members=ROWS.replace("three,nDCG@10,,false", "three,nDCG@10,,true"))
    assert [report.superseded for report in load()] == [0, 3]
    tasks = MEMBERS.replace("\n", ",task\n") + ROWS.replace("\n", ",T\n")
    (tmp_path / "suite_members.csv").write_text(tasks)
    assert [report.superseded for report in load()] == [0, 3]
    assert set(SuiteMember.objects.values_list("task", flat=True)) == {"T"}


def test_members_stand_in_the_order_of_the_file_and_parts_with_their_whole(tmp_path):
    boards = make_boards("one", "two", "three", "four")
    unlisted = make_leaderboard(boards[0].collection, make_measure())
    write(tmp_path)
    load_suites(directory=tmp_path)
    members = list(SuiteMember.objects.order_by("position"))
    assert [(member.collection.slug, member.position, member.has_training_part) for member in members] == [
        ("two", 0, False), ("one", 1, True), ("three", 2, False),
    ]  # fmt: skip
    assert [member.part_of and member.part_of.collection.slug for member in members] == ["one", None, None]

    def versions() -> list[int]:
        return [type(board).objects.get(pk=board.pk).results_version for board in (*boards, unlisted)]

    assert versions() == [2, 2, 2, 1, 0]
    write(tmp_path, BEIR.replace("BEIR,true", "BEIR (new),true") + "other,O,true,true,true,,x,\n")
    reports = load_suites(directory=tmp_path)
    assert [(report.added, report.unchanged, report.superseded) for report in reports] == [(1, 0, 1), (0, 3, 0)]
    assert versions() == [3, 3, 3, 1, 0]
    assert list(SuiteMember.objects.order_by("position")) == members, "they are the same rows"
    assert list(Suite.objects.values_list("slug", "name", "position")) == [("beir", "BEIR (new)", 0), ("other", "O", 1)]
    write(tmp_path, BEIR.replace("BEIR,true", "BEIR (new),true") + "other,O,true,true,true,,x,\n",
          "beir,one,nDCG@10,,true\nother,four,nDCG@10,,false\n")  # fmt: skip
    reports = load_suites(directory=tmp_path)
    assert [(report.added, report.unchanged, report.superseded) for report in reports] == [(0, 2, 0), (1, 0, 1)]
    assert versions() == [4, 4, 4, 2, 0]


def test_a_part_belongs_to_a_member_of_its_suite_under_its_measure(tmp_path):
    boards = make_boards("one", "two", "three")
    make_leaderboard(boards[0].collection, make_measure("AP"))
    for members, line, code in (
        ("beir,two,nDCG@10,one,false\n", 2, "part_of"),
        ("beir,one,AP,,false\nbeir,two,nDCG@10,one,false\n", 3, "part_of"),
        ("beir,three,nDCG@10,,false\nbeir,one,nDCG@10,three,false\nbeir,two,nDCG@10,one,false\n", 4, "part_of"),
        ("beir,one,nDCG@10,,false\nnano,two,nDCG@10,,false\n", 3, "unknown_suite"),
    ):
        write(tmp_path, members=members)
        of_suites, of_members = load_suites(directory=tmp_path)
        assert [(rejection.line, rejection.code) for rejection in of_members.rejections] == [(line, code)], members
        assert of_suites.refused == 0
    assert not Suite.objects.exists()


def test_one_bad_row_keeps_both_files_out(tmp_path):
    make_boards("one", "two", "three")
    for suites, members, place, message in (
        (BEIR + BEIR, ROWS, 0, "is there already, in line 2"),
        (BEIR, ROWS.replace("three", "thre"), 1, "did you mean three"),
        (BEIR, ROWS.replace("nDCG@10", "nDGC@10"), 1, "no measure is called"),
        (BEIR, ROWS + "beir,one,nDCG@10,,true\n", 1, "is there already, in line 3"),
    ):
        write(tmp_path, suites, members)
        assert message in load_suites(directory=tmp_path)[place].rejections[0].message
    assert not Suite.objects.exists()
