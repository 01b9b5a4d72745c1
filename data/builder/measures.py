"""Measures: canonical names, the names that tools print for them, ranges and decimals."""

import re
from collections.abc import Iterator

from analysis.scores import measure_nature
from builder.tables import Row

COLUMNS = [
    "name",
    "ir_measures",
    "trec_eval",
    "aliases",
    "long_name",
    "low",
    "high",
    "higher_is_better",
    "decimals",
    "kind",
    "family",
    "cutoff",
    "zero_is_failure",
    "description",
    "notes",
]

#: Names that differ only in case from another measure's.
RENAMED = {"precision": "Precision (tweet timeline)"}

#: Aliases beyond what the rules of _aliases give. No alias may name two measures.
_ALIASES = {
    "AP": ["MAP", "Mean average precision", "Average precision"],
    "nDCG": ["nDCG (full)"],
    "Rprec": ["R-Prec", "R-Precision"],
    "GMAP": ["Geometric MAP"],
    "nDCG(dcg='exp-log2')@20": ["gdeval nDCG@20"],
    "RBP(p=0.5)": ["rbp_p5"],
    "WSS@95": ["WSS95"],
    "WSS@100": ["WSS100"],
    "infP@10": ["iP10"],
    "infP@100": ["iP100"],
}

#: Depths at which papers cut rankings off.
DEPTHS = (1, 3, 5, 10, 15, 20, 30, 50, 100, 200, 500, 1000)
#: Where question answering is cut off: success by answer strings, and not by judgements, is a measure of its own.
ANSWER_DEPTHS = (1, 5, 10, 20, 50, 100, 200, 300, 500, 1000)
RENAMED |= {f"top_{k}_accuracy": f"Top-{k} accuracy (answers)" for k in ANSWER_DEPTHS}

#: Measures that are cut off at them: what trec_eval prints, a long name, what they are.
_FAMILIES = {
    "nDCG": (
        "ndcg_cut_{k}",
        "Normalised discounted cumulative gain",
        "Graded gain with a log rank discount, divided by the value of the ideal ranking.",
    ),
    "AP": (
        "map_cut_{k}",
        "Average precision",
        "Mean of the precision values at the ranks of the relevant documents, divided by the number of relevant "
        "documents.",
    ),
    "RR": (
        "recip_rank -M {k}",
        "Reciprocal rank",
        "One divided by the rank of the first relevant result, 0 if there is none.",
    ),
    "P": ("P_{k}", "Precision", "Share of the first k results that are relevant."),
    "R": ("recall_{k}", "Recall", "Share of the relevant documents found in the first k results."),
    "Success": ("success_{k}", "Success", "Whether any of the first k results is relevant."),
}

#: Describes the judgements, not the system.
UNSHIPPED = {"Judged@10"}

_TWO_DECIMALS = ("Precision (new", "Precision (relevant", "Recall (new", "Recall (relevant")
_UNBOUNDED = ("risk(", "LastRel", "NumShown")


def build_measures(source: list[Row], used: set[str]) -> list[Row]:
    """Return the rows of ``measures.csv``: those that results use, and others that ir-measures or a track defines."""
    rows = []
    for row in source:
        if row["name"] in UNSHIPPED or row["name"].startswith("top_"):
            continue
        name = RENAMED.get(row["name"], row["name"])
        flags = "".join(
            f" {note.removeprefix('trec_eval ')}" for note in row["notes"].split("; ") if "trec_eval -" in note
        )
        printed = "" if "not by trec_eval" in row["notes"] else row["trec_eval name"]
        unbounded = name.startswith(_UNBOUNDED)
        rows.append(
            {key: row[key] for key in COLUMNS if key in row}
            | {
                "name": name,
                "trec_eval": f"{printed}{flags}" if printed else "",
                "aliases": "|".join(_aliases(name, printed if not flags and "[" not in name else "")),
                "low": "" if unbounded else row["low"],
                "high": "" if unbounded or name == "loss_er" else row["high"],
                "decimals": _decimals(name, int(row["decimals"])),
                "notes": row["notes"].replace(", see MANIFEST", "; corrected here"),
            }
        )
    rows += [row for row in _usual_measures() if row["name"] not in {known["name"] for known in rows}]
    missing = used - {row["name"] for row in rows}
    if missing:
        raise ValueError(f"results use measures that measures.csv does not list: {sorted(missing)}")
    rows = [row | _nature(row) for row in rows]
    return sorted(rows, key=lambda row: (row["name"].casefold(), row["name"]))


def _nature(row: Row) -> Row:
    """Return what the measure is."""
    nature = measure_nature(row["name"])
    return {
        "kind": nature.kind,
        "family": nature.family,
        "cutoff": str(nature.cutoff or ""),
        "zero_is_failure": str(row["low"] == "0" and row["higher_is_better"] == "true").lower(),
    }


def _usual_measures() -> Iterator[Row]:
    """Yield the measures that papers print at the usual depths, whether or not a result here has one."""
    for base, (word, long_name, description) in _FAMILIES.items():
        for k in DEPTHS:
            name = f"{base}@{k}"
            yield _usual(name, f"{long_name} at {k}", description, word.format(k=k), ir_measures=name)
    for k in ANSWER_DEPTHS:
        first = f"at least one of the first {k} passages" if k > 1 else "the first passage"
        meaning = f"Share of the questions with {first} containing an answer string."
        # Top-k accuracy alone is a spelling of Success@k, too.
        accuracy = _usual(f"Top-{k} accuracy (answers)", f"Top-{k} accuracy by answer strings", meaning)
        yield accuracy | {"notes": f"like Success@{k}, but relevance is answer string match"}
    for k in DEPTHS:
        meaning = (
            "Number of relevant documents in the first k results, divided by k or by their number if that is less."
        )
        yield _usual(f"R_cap@{k}", f"Capped recall at {k}", meaning)
    err = "Expected value of 1/rank of the result that satisfies a user who stops the sooner the higher the grade."
    yield _usual("ERR@10", "Expected reciprocal rank at 10", err, ir_measures="ERR@10")
    intents = "ERR averaged over the subtopics of a topic."
    yield _usual("ERR_IA@20", "Intent-aware expected reciprocal rank at 20", intents, ir_measures="ERR_IA@20")
    covered = "nDCG in which a subtopic counts less each time it is covered again."
    yield _usual("alpha_nDCG@20", "Alpha-nDCG at 20", covered, ir_measures="alpha_nDCG@20")
    covered_share = "Share of the subtopics that the first k results cover."
    yield _usual("StRecall@10", "Subtopic recall at 10", covered_share, ir_measures="StRecall@10")
    meaning = "The largest average precision at 1000 that any of a topic's subqueries gets."
    yield _usual("max over subqueries AP@1000", "Largest average precision at 1000 over subqueries", meaning)
    moved = (
        "How far relevant documents move with an altered instruction: 1 as it asks for, -1 the other way, 0 not at all."
    )
    yield _usual("p-MRR", "Pairwise change of reciprocal rank", moved) | {"low": "-1"}
    weighted = "Precision with geometric rank weights for a user who goes on to the next result with probability p."
    # ir-measures writes its default persistence, 0.8, as RBP.
    for p, name in (("0.8", "RBP"), ("0.95", "RBP(p=0.95)")):
        yield _usual(f"RBP(p={p})", f"Rank-biased precision (p={p})", weighted, ir_measures=name)


def _usual(name: str, long_name: str, description: str, printed: str = "", ir_measures: str = "") -> Row:
    return {
        "name": name,
        "ir_measures": ir_measures,
        "trec_eval": printed,
        "aliases": "|".join(_aliases(name, "" if " " in printed else printed)),
        "long_name": long_name,
        "low": "0",
        "high": "1",
        "higher_is_better": "true",
        "decimals": "4",
        "description": description,
        "notes": "",
    }


def _aliases(name: str, printed: str) -> list[str]:
    """Return what trec_eval prints, and the common spellings."""
    aliases = [printed, *_ALIASES.get(name, [])]
    cut = re.fullmatch(r"(nDCG|P|R|RR)@(\d+)", name)
    if cut:
        base, k = cut.groups()
        words = {"nDCG": "ndcg_cut.{}", "P": "Precision@{}|P{}", "R": "Recall@{}", "RR": "MRR@{}"}[base]
        aliases += words.replace("{}", k).split("|")
    if "_" in name and "@" in name:
        aliases.append(name.replace("_", "-"))
    return list(
        {alias.casefold(): alias for alias in aliases if alias and alias.casefold() != name.casefold()}.values()
    )


def _decimals(name: str, printed: int) -> str:
    """Return decimals to show: what the sources print, but no more than four, which is what the field's tools print."""
    if name == "NumShown":
        return "0"
    if name == "LastRel":
        return "1"
    if name.startswith(_TWO_DECIMALS):
        return "2"
    return str(3 if printed == 3 and not name.startswith("P@") else 4)
