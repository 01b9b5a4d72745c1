"""Notes beside the numbers: what is missing, scores that contradict each other, splits, what makers disclose."""

import re
from collections.abc import Iterable

from builder.tables import Row

MISSING_COLUMNS = ["about", "slug", "missing", "where", "day", "found"]
CONTESTED_COLUMNS = [
    "kind", "system", "collection", "other_collection", "measure", "value", "other_value", "expected", "address",
    "other_address", "cause", "cause_address", "note",
]  # fmt: skip
_COUNTS = ["train_queries", "train_judgements", "dev_queries", "board_queries"]
SPLIT_COLUMNS = [
    "collection", "board_split", *_COUNTS, "corpus_shared_with", "known_leaks", "leak_sources", "note", "source",
]  # fmt: skip
DISCLOSURE_COLUMNS = ["system", "disclosure", "source", "line", "extra", "other_sources", "base_model", "handed_in_by"]

_PUBLIC = "the text of public repositories and pages"
_DL = ("collection:trec-dl-2019-passage", "collection:trec-dl-2020-passage")
_BEIR = ("suite:beir", "suite:beir-13")
_OF_KILT = (
    *("aidayago2", "cweb", "eli5", "fever", "hotpotqa", "nq", "structured-zeroshot", "trex", "triviaqa", "wned"),
    "wow",
)
#: What was searched and not found: on which pages to say so, what it is, where it was searched, the last time, and what
#: was found in its place.
_MISSING: list[tuple[tuple[str, ...], str, str, str, str]] = [
    ((*_BEIR, "suite:lotte", "collection:msmarco-passage-dev"), "ColBERTv2 and PLAID as their papers report them",
     _PUBLIC, "2026-11-29", "other people's runs"),
    ((*_BEIR, *_DL), "RankGPT's main tables", "sunnweiwei/RankGPT, and " + _PUBLIC, "2026-11-29",
     "its README has them as a picture"),
    (_DL, "LiT5 and FIRST as their papers report them", "castorini/rank_llm", "2026-11-28", "runs of RankVicuna"),
    (_BEIR, "InPars and Promptagator as their papers report them", _PUBLIC, "2026-11-29", ""),
    (_BEIR, "HotpotQA of SPLADE-v3-Doc", "a copy of its paper's text", "2026-11-28", "the row is cut off there"),
    (("suite:bright",), "Rank1 and ReasonRank as their own papers report them", _PUBLIC, "2026-11-28",
     "the scores that the paper of Retro* reports of them, which are here"),
    (("suite:bright",), "the benchmark's own table by data set", "its site", "2026-11-28", "means alone"),
    (tuple(f"collection:kilt-{name}-dev" for name in _OF_KILT), "KILT's leaderboard",
     "facebookresearch/KILT, and " + _PUBLIC, "2026-11-29", "a link to its board"),
    (("collection:trec-dl-2023-passage", "collection:trec-dl-2023-doc", "suite:trec-neuclir", "suite:trec-rag"),
     "summary scores of the runs of TREC 2023 and later tracks", "usnistgov/trec-browser at 06c261d091", "2026-11-28",
     ""),
    (("collection:trec-2023-tot-dev", "collection:trec-2024-tot-dev2"), "the runs of participants", "TREC-ToT/bench",
     "2026-11-28", "the organisers' baselines of 2024"),
    (("collection:longeval-2023", "collection:longeval-2024", "collection:longeval-2025-web"),
     "the runs of participants in LongEval", _PUBLIC, "2026-11-29", "reports of single teams"),
    (("collection:car17v1-5-benchmarky1test", "collection:car17v2-0-benchmarky1test", "suite:trec-car",
      "collection:antique-test"), "reported results beyond those of toolkits", _PUBLIC, "2026-11-28", ""),
]  # fmt: skip

_STATE = re.compile(r"([\w.-]+/[\w.-]+)@(\w+):(.+)")
_VERSIONS = re.compile(r"mteb versions ([^,;]+), ([^,;]+)")
_CAUSE = re.compile(r"(\S+) \((.+)\)")
_KINDS = {
    "same board, two values": "two_values",
    "thread: two published values": "two_values",
    "full against hard negatives": "hard_negatives",
}


def build_missing(slugs: Iterable[str], suites: Iterable[str]) -> list[Row]:
    """Return what is known to be missing, a row a page that says so."""
    known = {"collection": set(slugs), "suite": set(suites)}
    rows = []
    for pages, *statement in _MISSING:
        for page in sorted(pages):
            about, _, slug = page.partition(":")
            if slug not in known[about]:
                raise ValueError(f"there is no {about} {slug}, of which {statement[0]} is missing")
            rows.append(dict(zip(MISSING_COLUMNS, (about, slug, *statement), strict=True)))
    return rows


def build_contested(gathered: Iterable[Row], slugs: Iterable[str]) -> list[Row]:
    """Return two published scores of one system that do not agree, on collections that are here.

    Where only the line through all systems is off, most of them score nearly 0: nothing follows, and it is left out.
    """
    known = set(slugs)
    rows = []
    for row in gathered:
        is_off = row["fit"] in ("", "both fits")
        if not is_off or not {row["board_a"], row["board_b"]} <= known:
            continue
        cause = _CAUSE.match(row["known_cause"])
        rows.append(
            {
                "kind": _KINDS[row["kind"]],
                "system": row["model"],
                "collection": row["board_a"],
                "other_collection": row["board_b"],
                "measure": row["measure"],
                "value": row["value_a"],
                "other_value": row["value_b"],
                "expected": row["expected_b"],
                "address": _address(row["source_a"]),
                "other_address": _address(row["source_b"]),
                "cause": cause[2] if cause else "",
                "cause_address": cause[1] if cause else "",
                "note": _VERSIONS.sub(_versions_in_words, row["note"]),
            }
        )
    return rows


def _versions_in_words(match: re.Match[str]) -> str:
    """Return versions of the mteb package in words, where a file names none."""
    first, second = ("not said" if version == "None" else version for version in match.groups())
    return f"mteb versions {first if first == second == 'not said' else f'{first}, {second}'}"


def build_splits(gathered: Iterable[Row], slugs: Iterable[str]) -> list[Row]:
    """Return the splits of the tasks that collections are of, with what is known to leak, a row a collection.

    What is counted over several collections together is left out; of two rows that of fewer collections stands.
    """
    known, rows = set(slugs), dict[str, Row]()
    for row in sorted(gathered, key=lambda leak: leak["collections"].count(";")):
        of_task = row["collections"].split(";")
        counts = {name: row[name] if len(of_task) == 1 else "" for name in _COUNTS}
        for slug in of_task:
            if slug in known:
                rows.setdefault(
                    slug,
                    {
                        "collection": slug,
                        "board_split": row["board_split"],
                        "leak_sources": row["leak_source"],
                        "source": row["counts_source"] or row["board_split_source"],
                        **{name: row[name] for name in ("corpus_shared_with", "known_leaks", "note")},
                        **counts,
                    },
                )
    return [rows[slug] for slug in sorted(rows)]


def build_disclosures(gathered: Iterable[Row]) -> list[Row]:
    """Return what makers disclose of training beyond, or short of, the package's list; who handed the results in."""
    return [
        {
            "system": row["model"],
            "disclosure": row["disclosure"].replace(" ", "_"),
            "source": row["package_source"],
            "line": row["package_line"],
            "handed_in_by": row["evaluated_by"],
            **{name: row[name] for name in ("extra", "other_sources", "base_model")},
        }
        for row in gathered
    ]


def _address(source: str) -> str:
    """Return where a file of a repository is in its state; an address stays."""
    if match := _STATE.fullmatch(source):
        return f"https://github.com/{match[1]}/blob/{match[2]}/{match[3]}"
    return source
