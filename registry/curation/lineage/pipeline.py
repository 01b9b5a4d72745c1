"""Reading statements on systems from files; the keys of lineages; systems whose common scores agree."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import combinations
from typing import Any

from analysis.readers.identifiers import paper_facts
from analysis.readers.numbers import parse_date, parse_whole, parse_year
from analysis.readers.rejections import Refused
from analysis.readers.tables import Record
from analysis.readers.text import clean_name, clean_url, comparison_key, did_you_mean, shorten
from registry.catalog.queries import CatalogNames
from registry.curation.lineage.models import KEY_LENGTH, CollectionPaper, PaperLink, SystemFacts, TrainingDeclaration
from registry.results.pipeline.rows import choice_of

#: What lineages rest on, in the words of pages.
KINDS = {
    "team": "team",
    "paper": "paper",
    "model": "model, with its sizes, revisions and precisions",
    "toolkit": "configurations of a toolkit",
    "twin": "same scores under several names",
    "curator": "put together by an editor",
}

#: What stands for a team where none is named.
_NO_TEAM = frozenset({"", "anonymous", "baseline", "baselines", "none", "n/a", "unknown"})

#: An address, with or without its beginning: keys have none.
_ADDRESS = re.compile(r"(?P<scheme>https?://)?[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:[0-9]+)?(/.*)?", re.IGNORECASE)


def parse_key(text: str) -> str:
    """Return the key that somebody wrote, in the form in which keys are compared; a paper is written as its address.

    Refuse what is no key, and say what to write.
    """
    kind, colon, name = clean_name(text, max_length=KEY_LENGTH).partition(":")
    kind, name = comparison_key(kind), name.strip()
    if not colon or not name:
        raise Refused("key", f"{shorten(text)!r} is no lineage; write a kind and a name, as team:baidu nlp")
    if kind not in KINDS:
        raise Refused("key", f"{shorten(kind)!r} is none of {', '.join(KINDS)}{did_you_mean(kind, KINDS)}")
    if kind == "paper" and (match := _ADDRESS.fullmatch(name)):
        # Capitals count in what follows the host.
        address = name if match["scheme"] else f"https://{name}"
        facts = paper_facts("", address)
        return paper_key(facts.identity, url=address) if facts else f"paper:{comparison_key(name)}"
    return f"{kind}:{comparison_key(name)}"


def team_key(team: str) -> str:
    """Return the key of the team of this name; blank where no team is named."""
    name = comparison_key(team)
    return "" if name in _NO_TEAM else f"team:{name}"


def paper_key(identity: str, *, url: str = "", doi: str = "", arxiv_id: str = "", acl_id: str = "") -> str:
    """Return the key of a paper by its address, where that tells it from other papers, else by its identifier.

    The citation beside an address does not matter: two spellings of it are one paper. A DOI that becomes known later
    leaves the key of an address as it is; papers recorded under that DOI are merged into this paper.
    """
    kind, _, name = identity.partition(":")
    if kind == "url" and (shown := paper_facts("", url)):
        name = shown.identity.removeprefix("url:")
    elif kind in ("url", "cite"):
        identifiers = (("", doi), ("arxiv:", arxiv_id), ("acl:", acl_id))
        identifier = next((f"{prefix}{value.lower()}" for prefix, value in identifiers if value), "")
        facts = paper_facts("", url) if url and not identifier else None
        name = identifier or (facts.identity.removeprefix("url:") if facts else identity)
    elif kind != "doi":
        name = identity
    return f"paper:{name}"


def describe_key(key: str) -> tuple[str, str]:
    """Return the kind and the name of a key, for people."""
    kind, _, name = key.partition(":")
    return KINDS.get(kind, kind), name


def final_key(key: str, merged: Mapping[str, str]) -> str:
    """Return the key that this one goes by after all mergers; files whose mergers lead in a circle are refused."""
    while key in merged:
        key = merged[key]
    return key


#: On fewer common leaderboards, scores may agree by chance.
MIN_BOARDS = 10

#: Systems are twins even where one of them was measured again on a few leaderboards, or rounded otherwise.
MIN_SHARE = 0.95

#: A score that more systems share says nothing of any two.
_MOST_ALIKE = 40


@dataclass(frozen=True, slots=True)
class Twin:
    """Two systems with the same scores: on ``n_same`` of the ``n_common`` leaderboards that list both."""

    first: int
    second: int
    n_same: int
    n_common: int


def find_twins(scores: Iterable[tuple[int, int, float]]) -> list[Twin]:
    """Return the pairs of systems whose scores agree nearly everywhere, by their ids.

    ``scores`` are (system, leaderboard, score). A score of 0 is a failed run and agrees with nothing. If a system has
    several results on a leaderboard, the first counts.
    """
    boards: dict[int, dict[int, float]] = defaultdict(dict)
    for system, board, score in scores:
        if score != 0:
            boards[system].setdefault(board, score)
    return [
        Twin(first, second, n_same, n_common)
        for (first, second), n_same in sorted(_agreements(boards).items())
        if n_same >= MIN_BOARDS
        and n_same >= MIN_SHARE * (n_common := len(boards[first].keys() & boards[second].keys()))
    ]


def _agreements(boards: Mapping[int, Mapping[int, float]]) -> Counter[tuple[int, int]]:
    """Count the leaderboards on which two systems have the same score, for systems on enough leaderboards."""
    alike: dict[tuple[int, float], list[int]] = defaultdict(list)
    for system, scores in boards.items():
        if len(scores) >= MIN_BOARDS:
            for place in scores.items():
                alike[place].append(system)
    return Counter(
        pair
        for systems in alike.values()
        if 1 < len(systems) <= _MOST_ALIKE
        for pair in combinations(sorted(systems), 2)
    )


def group_twins(twins: Iterable[Twin]) -> list[set[int]]:
    """Return the groups of systems that are twins, directly or over others."""
    groups: dict[int, set[int]] = {}
    for twin in twins:
        joined = groups.get(twin.first, {twin.first}) | groups.get(twin.second, {twin.second})
        groups |= dict.fromkeys(joined, joined)
    return list({id(group): group for group in groups.values()}.values())


LINEAGE_COLUMNS = ("system", "team", "key", "source")
DECISION_COLUMNS = ("decision", "system", "team", "key", "into", "reason")
PAPER_LINK_COLUMNS = ("system", "team", "year", "paper", "paper_url", "relation", "source")
COLLECTION_PAPER_COLUMNS = ("collection", "place", "role", "paper", "paper_url", "source")
TRAINING_COLUMNS = (
    "system", "team", "declared", "dataset", "split", "evidence", "quotation", "source", "date", "confidence", "how",
    "collections",
)  # fmt: skip

#: Stands for all collections, in a statement on no single data set.
ALL = "*"

#: Precedes a key that a system does not have although its team or paper says so.
NOT = "not "

SYSTEM_FACTS_COLUMNS = (
    "system", "team", "model", "organisation", "released", "n_parameters", "n_active_parameters", "base_model",
    "superseded_by", "revision", "open_weights", "licence", "reference", "training", "training_data", "source",
)  # fmt: skip
#: With the collection, what tells a statement on training from others on a system.
STATED_BY = ("dataset", "source", "how")
_OPEN = {"yes": True, "no": False}
_EVIDENCE = tuple(kind for kind in TrainingDeclaration.Evidence.values if kind != TrainingDeclaration.Evidence.ANSWER)
_DAY = re.compile(r"\d{4}(-\d\d){0,2}")


@dataclass(frozen=True, slots=True)
class Statement:
    """A row of a file on the system of this name and team, or on all systems where both are blank; or on a collection,
    whose slug stands in place of a system's name.

    ``about`` is what else tells it from other rows, once for each statement where the row makes several; ``fields`` is
    what it says, by the column that keeps it.
    """

    name_key: str
    team_key: str
    about: tuple[tuple[Any, ...], ...]
    fields: dict[str, Any]

    @property
    def keys(self) -> Iterator[tuple[Any, ...]]:
        """The keys of its statements, which no other row may have."""
        return ((self.name_key, self.team_key, about) for about in self.about)


def read_lineage(record: Record) -> Statement:
    """Read a row of a table of lineages."""
    cells = record.cells
    name, team = _names(cells)
    text = cells["key"].strip()
    holds = not text.startswith(NOT)
    if not name and holds:
        raise Refused("blank", f"names no system; only what makes no family stands for all, as “{NOT}team:a platform”")
    key = parse_key(text.removeprefix(NOT))
    return Statement(name, team, ((key,),), {"holds": holds, "source": _source(cells, 500)})


class DecisionReader:
    """A reader of the rows of a table of decisions, which may not contradict each other."""

    #: What a decision may be; the last is about a possible error, which ``check_record --possible`` prints no longer.
    CHOICES = ("join", "leave", "dissolve", "merge", "settled")

    def __init__(self) -> None:
        self.merged: dict[str, str] = {}
        self.joined: set[str] = set()
        self.dissolved: set[str] = set()

    def __call__(self, record: Record) -> Statement:
        """Read a decision; refuse one that contradicts a row before it."""
        cells = record.cells
        choice, reason = choice_of(cells["decision"], self.CHOICES), _source(cells, 500, "reason")
        if choice == "settled":
            return Statement("", "", (), {})
        key, into = parse_key(cells["key"]), parse_key(cells["into"]) if choice == "merge" else ""
        if choice in ("join", "leave"):
            name, team = _named(cells)
        elif cells["system"].strip():
            raise Refused("system", f"is about all systems; leave system blank to {choice} {key}")
        else:
            name, team = "", ""
        self._note(choice, key, into)
        return Statement(name, team, ((key,),), {"holds": choice == "join", "into": into, "source": reason})

    def _note(self, choice: str, key: str, into: str) -> None:
        """Remember a decision, which later rows may contradict."""
        if choice == "merge":
            if final_key(into, self.merged) == key:
                raise Refused("into", f"{into} is {key} already; leave one of the two rows out")
            self.merged[key] = into
        elif choice == "join":
            self.joined.add(key)
        elif choice == "dissolve":
            self.dissolved.add(key)
        if self.joined & self.dissolved:
            raise Refused("key", f"{key} is dissolved and joined; leave one of the two rows out")


def read_training(names: CatalogNames, record: Record) -> Statement:
    """Read a row of a table of declared training data."""
    cells = record.cells
    name, team = _named(cells)
    facts = {
        "declared": choice_of(cells["declared"], TrainingDeclaration.Declared.values),
        "dataset": clean_name(cells["dataset"], max_length=200),
        "split": clean_name(cells["split"], max_length=40),
        "evidence": choice_of(cells["evidence"] or "package", _EVIDENCE),
        "quotation": clean_name(cells["quotation"], max_length=500),
        "how": clean_name(cells["how"], max_length=500),
        "source": _source(cells, 500),
        "date": cells["date"].strip(),
        "confidence": choice_of(cells["confidence"] or "medium", TrainingDeclaration.Confidence.values),
    }
    if facts["date"] and not _DAY.fullmatch(facts["date"]):
        raise Refused("date", f"{shorten(facts['date'])!r} is no year, month or day, as 2024, 2024-05 or 2024-05-17")
    slugs = cells["collections"].split("|") if cells["collections"] else []
    if facts["dataset"] and ALL in slugs:
        raise Refused("collections", "is about all data sets and names one; leave one of them out")
    if not (facts["dataset"] or slugs):
        raise Refused("blank", f"names no data set and no collection; fill in collections, with {ALL} for all")
    # A data set without a collection has no leaderboard here.
    about = [None if slug == ALL else names.collection(slug).pk for slug in slugs] or [None]
    stated_by = [facts.pop(column) for column in STATED_BY]
    return Statement(name, team, tuple((pk, *stated_by) for pk in about), facts)


def read_paper_link(papers: Mapping[str, int], record: Record) -> Statement:
    """Read a row of a table of papers about systems; ``papers`` are the ids of papers by their identities."""
    cells = record.cells
    name, team = _named(cells)
    relation, paper = choice_of(cells["relation"], PaperLink.Relation.values), _paper(cells, papers)
    year = parse_year(cells["year"], today=date.today())
    return Statement(name, team, ((paper,),), {"year": year, "relation": relation, "source": _source(cells, 300)})


def read_collection_paper(names: CatalogNames, papers: Mapping[str, int], record: Record) -> Statement:
    """Read a row of a table of papers on collections; ``papers`` are the ids of papers by their identities."""
    cells = record.cells
    slug, role = names.collection(cells["collection"]).slug, choice_of(cells["role"], CollectionPaper.Role.values)
    paper, place = _paper(cells, papers), parse_whole(cells["place"], minimum=1) or 1
    return Statement(slug, "", ((paper,),), {"place": place, "role": role, "source": _source(cells, 300)})


def _paper(cells: Mapping[str, str], papers: Mapping[str, int]) -> int:
    """Return the id of the paper that the cells name; refuse one that is not on record."""
    facts = paper_facts(clean_name(cells["paper"]), clean_url(cells["paper_url"]))
    if facts is None:
        raise Refused("blank", "names no paper; fill in paper, paper_url or both")
    if facts.identity not in papers:
        raise Refused("paper", f"{shorten(facts.cite or facts.url)!r} is no paper on record; load it first")
    return papers[facts.identity]


def read_system_facts(record: Record) -> Statement:
    """Read a row of a table of systems as their makers describe them."""
    cells = record.cells
    name, team = _named(cells)
    training = choice_of(cells["training"] or "unknown", SystemFacts.Training.values)
    is_open = choice_of(cells["open_weights"], _OPEN) if cells["open_weights"].strip() else None
    texts = ("organisation", "base_model", "superseded_by", "revision", "licence")
    facts: dict[str, Any] = {
        column: clean_name(cells[column], max_length=100 if column == "revision" else 200) for column in texts
    }
    facts |= {
        "released": parse_date(cells["released"], today=date.today()),
        "n_parameters": parse_whole(cells["n_parameters"], minimum=1),
        "n_active_parameters": parse_whole(cells["n_active_parameters"], minimum=1),
        "has_open_weights": _OPEN[is_open] if is_open else None,
        "reference": clean_url(cells["reference"]),
        "training": training,
        "training_data": [clean_name(name) for name in cells["training_data"].split("|") if name.strip()],
        "source": _source(cells, 300),
    }
    return Statement(name, team, ((clean_name(cells["model"] or cells["system"]),),), facts)


def _names(cells: dict[str, str]) -> tuple[str, str]:
    """Return name and team of the system, in the form in which they are compared."""
    return comparison_key(clean_name(cells["system"])), comparison_key(clean_name(cells["team"]))


def _named(cells: dict[str, str]) -> tuple[str, str]:
    """Return the same; refuse a blank name."""
    name, team = _names(cells)
    if not name:
        raise Refused("blank", "names no system")
    return name, team


def _source(cells: dict[str, str], max_length: int, column: str = "source") -> str:
    source = clean_name(cells[column], max_length=max_length)
    if not source:
        raise Refused("blank", f"says nowhere how it is known; fill in {column}")
    return source
