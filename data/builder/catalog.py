"""Test collections: one slug each, aliases that name one collection only, and how many topics a mean covers."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from builder.languages import of_task
from builder.tables import Row, join_notes

COLUMNS = [
    "slug",
    "name",
    "aliases",
    "ir_datasets_id",
    "documents",
    "n_documents",
    "n_topics",
    "n_topics_source",
    "n_topics_at_least",
    "n_topics_at_least_source",
    "relevant_per_topic",
    "task",
    "mteb_task",
    "domain",
    "year",
    "suite",
    "language",
    "url",
    "notes",
    "judge",
    "judged_by",
    "holder",
    "held_by",
    "group_kind",
    "topic_groups",
]

#: Whose topics are turns of conversations: first letters of slugs. How many these are was counted in topic scores.
_CONVERSATIONS = ("trec-2019-cast", "trec-2020-cast", "trec-2021-cast", "trec-2022-cast", "mteb-topiocqa",
                  "mteb-statcan-dialogue", "qrecc")  # fmt: skip
_N_GROUPS = {"trec-2021-cast": "19"}

#: Relations in duplicate_ids.csv under which two ids are one collection: the topics *and* the judgements are the same.
_SAME = ("same topics and qrels", "same queries and qrels", "same topics; MTEB id")

#: Which of two ids stays: the one named like its siblings.
_CANONICAL = {
    "backgroundlinking18": "trec-2018-news-background",
    "backgroundlinking19": "trec-2019-news-background",
    "trec02ar": "trec-2002-xlingual-arabic",
    "mteb-msmarco-dev": "msmarco-passage-dev",
    "bright-earth_science": "bright-earth-science",
    "bright-sustainable_living": "bright-sustainable-living",
}

#: Ids that would become a slug already taken by another collection, or an unreadable one.
_RENAMED = {
    "bright-theoremqa_questions": "mteb-bright-theoremqa-questions",
    "bright-theoremqa_theorems": "mteb-bright-theoremqa-theorems",
    "mteb-msmarco-test (TREC DL 2019 topics)": "mteb-msmarco-test",
}

#: Names that the source gives twice, or in its own shorthand.
_NAMES = {
    "mteb-bright-theoremqa-questions": "MTEB BRIGHT theoremqa-questions",
    "mteb-bright-theoremqa-theorems": "MTEB BRIGHT theoremqa-theorems",
    "clef-tar-2017-abs": "CLEF TAR 2017 (abstract level)",
    "clef-tar-2017-content": "CLEF TAR 2017 (content level)",
    "clef-tar-2018-task1": "CLEF TAR 2018 (task 1)",
    "clef-tar-2018-task2": "CLEF TAR 2018 (task 2)",
    "clef-tar-2019-abs": "CLEF TAR 2019 (abstract level)",
    "clef-tar-2019-content": "CLEF TAR 2019 (content level)",
    "trec-1995-spanish-topics-1-25": "TREC 1995 Spanish (topics 1-25)",
    "trec-1995-spanish-topics-26-50": "TREC 1995 Spanish (topics 26-50)",
}

#: Ids that look like those of ir_datasets, which has no such data (0.6.3).
_NOT_IN_IR_DATASETS = {"msmarco-segment-v2.1/trec-rag-2024", "trec-cast/v2/2021", "trec-cast/v3/2022"}

#: The question sets that two source ids mix in one: printed label, slug, name.
_QUESTION_SETS = {
    "DPR: Natural Questions Test": ("nq-test", "Natural Questions test"),
    "DPR: TriviaQA Test": ("triviaqa-test", "TriviaQA test"),
    "DPR: SQuAD Test": ("squad-test", "SQuAD test"),
    "DPR: WebQuestions Test": ("webquestions-test", "WebQuestions test"),
    "DPR: CuratedTREC Test": ("curatedtrec-test", "CuratedTREC test"),
    "EfficientQA: Natural Questions Test": ("efficientqa-nq-test", "EfficientQA Natural Questions test"),
}
_MIXED = {"wikipedia-dpr-100w-bm25": "wikipedia-dpr-100w", "wiki-all-6-3-tamber-bm25": "wiki-all-6-3-tamber"}

_UNVERIFIED = "from memory of the overview"

#: What the notes of the source say in its own shorthand, in words that a reader of a collection's page can follow.
_REWORDED = [
    (r"confirmed by P@k lattice \((\d+) values, fit 1\)", r"topic count confirmed by \1 printed precisions"),
    (r"P@k lattice: (\d+) values, fit 1$", r"topic count inferred from \1 printed precisions, which all fit it"),
    (
        r"P@k lattice: (\d+) values, fit (0\.\d+)",
        r"topic count inferred from \1 printed precisions; share that fits it \2",
    ),
    (r"tirex_evaluations\.csv: P@k fits (\d+) instead", r"TIREx divides by \1"),
    (r"qrels blob absent from the mirror", "topic count not checked against the judgements"),
    (
        r"few runs: best lattice fit, equal to the well supported sister ids of the same track and year",
        "few runs: the topic count that fits best, which is that of the same track's other tasks of the year",
    ),
    (r"see n_topics_overrides\.csv", "see the leaderboards"),
    (
        r"TIREx values are near zero \(id mismatch in the source\)",
        "the TIREx figures are near zero because document ids did not match; they are marked as doubtful",
    ),
    (r"\(underscore id comes from MTEB, hyphen id from Anserini\)", ""),
    (r"do not use", ""),
    (r"two ids for the same qrels \(Anserini with v1\.0, Pyserini without\)", ""),
    (r"same topics as bright-theoremqa-(questions|theorems) *$", r"same task as bright-theoremqa-\1"),
    (r"same topics as bright-(earth-science|sustainable-living) *$", ""),
]

MTEB_CAVEAT = "the best MTEB entries may have been trained on data of this kind, which the source doesn't record"


@dataclass(frozen=True)
class Catalog:
    """The collections and the way from an id of the gathered files to a slug."""

    rows: list[Row]
    slugs: dict[str, str]

    def with_more(self, rows: list[Row], slugs: dict[str, str]) -> "Catalog":
        """Return the catalog with the collections of another, and the way to them."""
        blank = dict.fromkeys(COLUMNS, "")
        return Catalog(
            sorted([*self.rows, *(blank | row for row in rows)], key=lambda row: row["slug"]), self.slugs | slugs
        )

    def slug(self, source_id: str, system: str) -> str:
        """Return the slug for a source's id; for the ids that mix question sets, by the set named in the system."""
        if source_id in _MIXED:
            label = question_set(system)
            return f"{_MIXED[source_id]}-{_QUESTION_SETS[label][0]}"
        return self.slugs[source_id]


def question_set(system: str) -> str:
    """Return the question set in brackets at the end of a system's name, '' if there is none."""
    match = re.search(r" \[([^\]]+)\]$", system)
    return match.group(1) if match and match.group(1) in _QUESTION_SETS else ""


def plain_system(system: str) -> str:
    """Return a system's name without the question set in brackets."""
    return system.removesuffix(f" [{question_set(system)}]") if question_set(system) else system


def build_catalog(source: list[Row], duplicates: list[Row], overrides: list[Row], in_mteb: set[str]) -> Catalog:
    """Return the catalog of the gathered ``collections.csv``: ids merged, slugs canonical, aliases unambiguous."""
    merged = _merged_ids(duplicates)
    slugs = {row["slug"]: _slug(merged.get(row["slug"], row["slug"])) for row in source}
    groups: dict[str, list[Row]] = {}
    for row in source:
        if row["slug"] not in _MIXED:
            groups.setdefault(slugs[row["slug"]], []).append(row)
    mteb_slugs = {slugs[source_id] for source_id in in_mteb}
    rows = [_collection(slug, group, mteb_slugs) for slug, group in groups.items()]
    for row in source:
        if row["slug"] in _MIXED:
            rows.extend(_question_set_rows(row, overrides))
    _relate(rows, duplicates, slugs)
    _set_aliases(rows, source, slugs)
    return Catalog(sorted(rows, key=lambda row: row["slug"]), slugs)


def add_topic_groups(collections: Iterable[Row]) -> None:
    """Say of each collection whether its topics are turns of conversations, and of how many."""
    for row in collections:
        row["group_kind"] = "conversation" if row["slug"].startswith(_CONVERSATIONS) else ""
        row["topic_groups"] = _N_GROUPS.get(row["slug"], "")


def _merged_ids(duplicates: list[Row]) -> dict[str, str]:
    """Return each id that is another name of a collection, with the id that stays."""
    merged = {}
    for row in duplicates:
        if row["relation"].startswith(_SAME) and "do not merge" not in row["relation"]:
            pair = (row["slug"], row["related_slug"])
            canonical = next((_CANONICAL[name] for name in pair if name in _CANONICAL), row["slug"])
            merged.update({name: canonical for name in pair if name != canonical})
    return merged


def _slug(source_id: str) -> str:
    """Return the id with only lower-case letters, digits and hyphens, as a part of a URL needs it."""
    return _RENAMED.get(source_id) or re.sub(r"[^a-z0-9]+", "-", source_id.lower()).strip("-")


def _collection(slug: str, group: list[Row], mteb_slugs: set[str]) -> Row:
    """Return one row from the rows of all ids of a collection; what the kept id lacks comes from the others."""
    group = sorted(group, key=lambda row: _slug(row["slug"]) != slug)
    merged = {key: next((row[key] for row in group if row[key]), "") for key in group[0]}
    row = {key: merged[key] for key in COLUMNS if key in merged} | {
        "slug": slug,
        "name": _NAMES.get(slug) or merged["name"],
        "suite": merged["track_or_suite"],
        "language": of_task(slug, merged["language"]),
    }
    notes = join_notes(*(row["notes"] for row in group))
    if _UNVERIFIED in notes:
        row |= {"n_topics": "", "n_topics_source": ""}
        notes = "the number of judged topics was not verified"
    if row["ir_datasets_id"] in _NOT_IN_IR_DATASETS:
        row["ir_datasets_id"] = ""
    row["notes"] = join_notes(_reworded(notes), MTEB_CAVEAT if slug in mteb_slugs else "")
    return row


def _reworded(notes: str) -> str:
    parts = notes.split("; ")
    for pattern, words in _REWORDED:
        parts = [re.sub(pattern, words, part).strip() for part in parts]
    return join_notes(*parts)


def _question_set_rows(row: Row, overrides: list[Row]) -> Iterable[Row]:
    """Yield a collection for each question set of an id that mixes six."""
    for label, (suffix, name) in _QUESTION_SETS.items():
        known = [
            entry for entry in overrides if entry["collection"] == row["slug"] and entry["system"] == f"*[{label}]"
        ]
        yield {key: row.get(key, "") for key in COLUMNS} | {
            "slug": f"{_MIXED[row['slug']]}-{suffix}",
            "name": f"{row['name'].removesuffix(' (open-domain QA)')}, {name}",
            "aliases": "",
            "n_topics": known[0]["n_topics"] if known else "",
            "n_topics_source": "size of the question set" if known else "",
            "suite": row["track_or_suite"],
            "notes": "",
        }


def _relate(rows: list[Row], duplicates: list[Row], slugs: dict[str, str]) -> None:
    """Name on both pages the collection that is easily mistaken for the other."""
    by_slug = {row["slug"]: row for row in rows}
    for pair in duplicates:
        first, second = (slugs.get(pair[key], _slug(pair[key])) for key in ("slug", "related_slug"))
        if first == second:
            continue
        relation = pair["relation"].removesuffix("; do not merge")
        for slug, other in ((first, second), (second, first)):
            if slug in by_slug:
                by_slug[slug]["notes"] = join_notes(by_slug[slug]["notes"], f"related: {other} ({relation})")


def _set_aliases(rows: list[Row], source: list[Row], slugs: dict[str, str]) -> None:
    """Give every collection the aliases that it alone is known by; the ids of the sources come first.

    A name that two collections go by (DL19, msmarco) names neither: it would send half of its readers to the wrong
    page. The search still finds both by it, for it is part of their longer aliases.
    """
    own_ids = {source_id: slug for source_id, slug in slugs.items() if source_id not in _MIXED}
    taken = {row["slug"] for row in rows} | {source_id.casefold() for source_id in own_ids}
    claims: dict[str, list[str]] = {row["slug"]: [] for row in rows}
    for row in source:
        if row["slug"] in _MIXED:
            continue
        names = [*row["aliases"].split("; "), row["ir_datasets_id"], *_deep_learning_aliases(row["slug"])]
        claims[slugs[row["slug"]]] += [name.strip() for name in names if name.strip().casefold() not in taken | {""}]
    claimants = Counter(name for names in claims.values() for name in {name.casefold() for name in names})
    for row in rows:
        ids = [source_id for source_id, slug in own_ids.items() if slug == row["slug"] != source_id.casefold()]
        unique = [name for name in claims[row["slug"]] if claimants[name.casefold()] == 1]
        aliases: dict[str, str] = {}
        for name in [*ids, *unique]:
            aliases.setdefault(name.casefold(), name)
        row["aliases"] = "|".join(aliases.values())


def _deep_learning_aliases(slug: str) -> list[str]:
    """Return DL19 and its like, which passages and documents share, with the word added that tells them apart."""
    match = re.fullmatch(r"trec-dl-20(\d\d)-(doc|passage)", slug)
    if not match:
        return []
    kind = {"doc": "document", "passage": "passage"}[match.group(2)]
    return [f"DL{match.group(1)} {kind}", f"dl{match.group(1)}-{match.group(2)}"]
