"""What is asked about the names in a table: each once, alike ones together, and what the answers make of the rows."""

from collections.abc import Mapping, Sequence

from analysis.readers.questions import Question
from analysis.readers.rejections import Candidate, Refused, Rejection
from analysis.readers.tables import Record
from registry.catalog.models import Collection
from registry.submissions.pipeline.systems import ON_RECORD
from registry.submissions.pipeline.which import NamesOfTable

UNREADABLE = Rejection("ragged", "has 3 cells", 99)
NONE = ("none", "None of these; its rows will be refused")


class Names:
    """A catalog in which some names are several collections or measures."""

    def __init__(
        self,
        collections: Mapping[str, tuple[str, Sequence[Candidate]]] = {},
        measures: Mapping[str, tuple[str, Sequence[Candidate]]] = {},
        suites: Mapping[str, Sequence[Collection]] = {},
        only_on: str = "",
    ) -> None:
        self._collections, self._measures, self._suites, self._only_on = collections, measures, suites, only_on

    def collection(self, text: str, *, under: str = "") -> str:
        if text == "unknown":
            raise Refused("unknown_collection", "is no collection", [Candidate("a", "a")])
        if text in self._collections and under != "told":
            question, candidates = self._collections[text]
            raise Refused("ambiguous", "may be several", candidates, question)
        return text

    def measure(self, text: str, *, on: str | None = None) -> str:
        if text in self._measures and (not self._only_on or on == self._only_on):
            question, candidates = self._measures[text]
            raise Refused("ambiguous", "may be several", candidates, question)
        return text

    def collections(self, text: str) -> Sequence[Collection]:
        return self._suites.get(text, ())


class Systems:
    """Systems on record by their names, with why each has to be asked about."""

    def __init__(self, **refused: Refused) -> None:
        self._refused = {name.replace("__", "/"): one for name, one in refused.items()}

    def unclear(self, cells: Mapping[str, str]) -> Refused | None:
        return None if cells["team"] else self._refused.get(cells["system"])


def record(line: int, collection: str = "c", measure: str = "AP", **cells: str) -> Record:
    return Record(line, {"collection": collection, "measure": measure, "system": f"s{line}", "team": ""} | cells)


def two(one: str, other: str) -> list[Candidate]:
    return [Candidate(one, one.upper(), f"about {one}"), Candidate(other, other.upper())]


def pairs(found: Sequence[Record | Rejection]) -> list[tuple[str, str]]:
    return [(one.cells["collection"], one.cells["measure"]) for one in found if isinstance(one, Record)]


def settle(
    records: Sequence[Record | Rejection], names: Names, *given: str, systems: Systems | None = None
) -> tuple[list[Record | Rejection], list[Question]]:
    """The rows, and the questions, where these answers are given to the questions in their order."""
    answers: dict[str, str] = {}
    for answer in given:
        table = NamesOfTable(names, answers, systems)
        table.settle(records)
        (asked, *_) = [one for one in table.questions if not one.answer and one.key not in answers]
        answers[asked.key] = answer
    table = NamesOfTable(names, answers, systems)
    return table.settle(records), table.questions


def told(questions: Sequence[Question]) -> list[tuple[str, str, str]]:
    return [(one.about, one.text, one.answer) for one in questions]


# --- collections and measures


def test_a_name_is_asked_about_once_and_its_answer_holds_for_all_its_rows():
    names = Names({"DL19": ("Passages or documents?", two("dl-p", "dl-d"))})
    records = [record(1, "DL19"), UNREADABLE, record(2), record(3, "DL19", "RR"), record(4, "DL19", "told")]
    found, (asked,) = settle(records, names)
    assert found == records
    assert (asked.about, asked.text) == ("which-collection", "DL19: Passages or documents?")
    assert asked.choices == (("dl-p", "DL-P: about dl-p"), ("dl-d", "DL-D"), NONE)
    found, (asked,) = settle(records, names, "dl-d")
    assert pairs(found) == [("dl-d", "AP"), ("c", "AP"), ("dl-d", "RR"), ("DL19", "told")]
    assert (found[1], asked.answer) == (UNREADABLE, "dl-d")
    assert [one.line for one in found] == [1, 99, 2, 3, 4]
    assert found[2] is records[2]
    for answer in ("none", "dl-x", "0"):
        assert settle(records, names, answer)[0] == records


def test_what_is_not_ambiguous_is_not_asked_about():
    records = [record(1, "unknown"), record(2, ""), record(3, "c", "")]
    names = Names({"": ("Which?", two("a", "b"))}, {"": ("Which?", two("a", "b"))})
    assert settle(records, names) == (records, [])


def test_a_measure_is_asked_about_on_its_collection_and_not_before_that_is_told():
    measures = {"MRR": ("How deep?", two("RR@10", "RR@100"))}
    names = Names({"DL19": ("Passages or documents?", two("dl-p", "dl-d"))}, measures, only_on="dl-p")
    records = [record(1, "DL19", "MRR"), record(2, "dl-p", "MRR"), record(3, "c", "MRR"), record(4, "", "MRR")]
    found, asked = settle(records, names, "dl-p", "RR@100")
    assert told(asked) == [
        ("which-collection", "DL19: Passages or documents?", "dl-p"),
        ("which-measure", "MRR: How deep?", "RR@100"),
    ]
    assert pairs(found) == [("dl-p", "RR@100"), ("dl-p", "RR@100"), ("c", "MRR"), ("", "MRR")]
    without = Names(measures=measures)
    found, _ = settle([record(1, "", "MRR"), record(2, "c", "MRR")], without, "RR@10")
    assert pairs(found) == [("", "RR@10"), ("c", "RR@10")]


def test_names_that_one_question_tells_are_asked_about_together_or_each_by_itself():
    question = "Passages or documents?"
    names = Names(
        {
            "DL19": (question, two("19-p", "19-d")),
            "DL20": (question, two("20-p", "20-d")),
            "DL21": (question, [*two("21-p", "21-d"), Candidate("21-x", "X")]),
        }
    )
    records = [record(1, "DL19"), record(2, "DL20"), record(3, "DL21")]
    _, (together, alone) = settle(records, names)
    assert together.text == f"DL19 and DL20: {question}"
    assert together.choices == (("0", "19-P and 20-P"), ("1", "19-D and 20-D"), ("apart", "It differs; ask for each"))
    assert (alone.text, len(alone.choices)) == (f"DL21: {question}", 4)
    found, asked = settle(records, names, "1")
    assert pairs(found) == [("19-d", "AP"), ("20-d", "AP"), ("DL21", "AP")]
    assert len(asked) == 2
    found, asked = settle(records, names, "apart", "19-p", "20-d")
    assert pairs(found) == [("19-p", "AP"), ("20-d", "AP"), ("DL21", "AP")]
    assert [one.text.partition(":")[0] for one in asked] == ["DL19 and DL20", "DL19", "DL20", "DL21"]


def suite_of(*slugs: str, suite: str = "BEIR") -> list[Collection]:
    return [Collection(slug=slug, name=slug.title(), suite=suite if "beir" in slug else "") for slug in slugs]


def test_names_that_may_all_be_of_one_suite_are_asked_about_once():
    names = Names(
        {
            "NQ": ("Which NQ?", two("nq", "nq-beir")),
            "FEVER": ("Which FEVER?", two("fever", "fever-beir")),
            "Quora": ("Which Quora?", two("quora-1", "quora-2")),
        },
        suites={
            "NQ": suite_of("nq", "nq-beir"),
            "FEVER": suite_of("fever", "fever-beir"),
            "Quora": suite_of("quora-1-beir", "quora-2-beir"),
        },
    )
    records = [record(1, "NQ"), record(2, "FEVER"), record(3, "Quora")]
    _, asked = settle(records, names)
    assert [one.text for one in asked] == [
        "NQ and FEVER may each be several collections. Are all of them of BEIR?",
        "Quora: Which Quora?",
    ]
    assert asked[0].choices == (("0", "Yes: Nq-Beir and Fever-Beir"), ("apart", "No, or not all; ask for each"))
    found, asked = settle(records, names, "0")
    assert [pair[0] for pair in pairs(found)] == ["nq-beir", "fever-beir", "Quora"]
    assert len(asked) == 2
    found, asked = settle(records, names, "apart", "nq", "fever-beir")
    assert [pair[0] for pair in pairs(found)] == ["nq", "fever-beir", "Quora"]
    assert [one.text for one in asked][1:] == ["NQ: Which NQ?", "FEVER: Which FEVER?", "Quora: Which Quora?"]


def test_a_suite_is_asked_for_where_it_has_two_names_that_one_question_does_not_tell():
    same = "Which of the two?"
    suites = {"NQ": suite_of("nq", "nq-beir"), "FEVER": suite_of("fever", "fever-beir")}
    one_question = Names(
        {"NQ": (same, two("nq", "nq-beir")), "FEVER": (same, two("fever", "fever-beir"))}, suites=suites
    )
    _, asked = settle([record(1, "NQ"), record(2, "FEVER")], one_question)
    assert [one.text for one in asked] == [f"NQ and FEVER: {same}"]
    alone = Names({"NQ": (same, two("nq", "nq-beir"))}, suites=suites)
    assert [one.text for one in settle([record(1, "NQ")], alone)[1]] == [f"NQ: {same}"]


def test_of_many_names_eight_are_listed():
    question = "Passages or documents?"
    many = {f"D{number}": (question, two(f"{number}-p", f"{number}-d")) for number in range(10)}
    _, (asked,) = settle([record(number, name) for number, name in enumerate(many)], Names(many))
    assert asked.text == f"D0, D1, D2, D3, D4, D5, D6, D7 and 2 more: {question}"
    _, (asked,) = settle([record(number, name) for number, name in enumerate([*many][:8])], Names(many))
    assert asked.text == f"D0, D1, D2, D3, D4, D5, D6 and D7: {question}"


# --- systems


def on_record(value: str, *, n_others: int = 1) -> Refused:
    known = Candidate(value, value, "on record", {"team": value.partition("/")[0]})
    others = [Candidate(f"another {number}", f"another {number}", "", {"team": "–"}) for number in range(n_others)]
    return Refused("ambiguous", "may be on record", [known, *others], ON_RECORD)


def systems(found: Sequence[Record | Rejection]) -> list[tuple[str, str]]:
    return [(one.cells["system"], one.cells["team"]) for one in found if isinstance(one, Record)]


def test_a_system_is_asked_about_once_and_the_answer_fills_its_team():
    known = Systems(bge=on_record("BAAI/bge"), nameless=Refused("generic_name", "names no system"))
    records = [record(1, system="bge"), record(2, system="bge", measure="RR"), UNREADABLE, record(3, system="nameless")]
    found, (asked,) = settle(records, Names(), systems=known)
    assert found == records
    assert (asked.about, asked.text) == ("which-system", f"bge: {ON_RECORD}")
    assert asked.choices == (("0", "BAAI/bge: on record"), ("1", "another 0"), NONE)
    found, (asked,) = settle(records, Names(), "0", systems=known)
    assert systems(found) == [("BAAI/bge", "BAAI"), ("BAAI/bge", "BAAI"), ("nameless", "")]
    assert [one.line for one in found] == [1, 2, 99, 3]
    assert pairs(found)[1] == ("c", "RR")
    assert systems(settle(records, Names(), "1", systems=known)[0])[0] == ("another 0", "–")
    assert systems(settle(records, Names(), "none", systems=known)[0])[0] == ("bge", "")
    assert settle(records, Names())[1] == []


def test_what_an_answer_turns_a_name_into_may_have_to_be_asked_about_as_well():
    latin = Refused("look_alike", "looks alike", [Candidate("bge", "bge", "in Latin letters")], "Is it this name?")
    known = Systems(bgе=latin, bge=on_record("BAAI/bge"))
    found, asked = settle([record(1, system="bgе")], Names(), "0", "0", systems=known)
    assert systems(found) == [("BAAI/bge", "BAAI")]
    assert [one.text for one in asked] == ["bgе: Is it this name?", f"bge: {ON_RECORD}"]


def test_models_of_hubs_are_asked_about_together_and_others_by_themselves():
    known = Systems(
        bge=on_record("BAAI/bge"),
        e5=on_record("intfloat/e5"),
        several=on_record("lab/several", n_others=2),
        bm25=on_record("BM25"),
    )
    records = [record(line, system=name) for line, name in enumerate(("bge", "e5", "several", "bm25"), 1)]
    _, asked = settle(records, Names(), systems=known)
    together = "bge and e5 are called like systems on record. Are they these?"
    assert [one.text for one in asked] == [together, f"several: {ON_RECORD}", f"bm25: {ON_RECORD}"]
    assert asked[0].choices == (
        ("0", "Yes: BAAI/bge: on record and intfloat/e5: on record"),
        ("apart", "No, or not all; ask for each"),
    )
    found, asked = settle(records, Names(), "0", "2", systems=known)
    assert systems(found) == [("BAAI/bge", "BAAI"), ("intfloat/e5", "intfloat"), ("another 1", "–"), ("bm25", "")]
    found, asked = settle(records, Names(), "apart", "1", "0", systems=known)
    assert systems(found)[:2] == [("another 0", "–"), ("intfloat/e5", "intfloat")]
    assert [one.text.partition(":")[0] for one in asked if one.text != together][:2] == ["bge", "e5"]
    alone = settle(records[:1] + records[2:], Names(), systems=known)[1]
    assert [one.text for one in alone] == [f"{name}: {ON_RECORD}" for name in ("bge", "several", "bm25")]
