"""Measures: canonical names, the names that tools print for them, ranges and decimals."""

import re

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
    "description",
    "notes",
]

#: Names that differ only in case from another measure's.
RENAMED = {"precision": "Precision (tweet timeline)"}

#: Aliases beyond what the rules of _aliases give. No alias may name two measures.
_ALIASES = {
    "AP": ["MAP", "Mean average precision", "Average precision"],
    "RR": ["MRR", "Mean reciprocal rank"],
    "Rprec": ["R-Prec", "R-Precision"],
    "GMAP": ["Geometric MAP"],
    "nDCG(dcg='exp-log2')@20": ["gdeval nDCG@20"],
    "RBP(p=0.5)": ["rbp_p5"],
    "infP@10": ["iP10"],
    "infP@100": ["iP100"],
}

#: Describes the judgements, not the system.
UNSHIPPED = {"Judged@10"}

_TWO_DECIMALS = ("Precision (new", "Precision (relevant", "Recall (new", "Recall (relevant")
_UNBOUNDED = ("risk(", "LastRel", "NumShown")


def build_measures(source: list[Row], used: set[str]) -> list[Row]:
    """The rows of ``measures.csv``: those that results use, and the others that ir-measures or a track defines."""
    rows = []
    for row in source:
        if row["name"] in UNSHIPPED:
            continue
        name = RENAMED.get(row["name"], row["name"])
        flags = "".join(
            f" {note.removeprefix('trec_eval ')}" for note in row["notes"].split("; ") if "trec_eval -" in note
        )
        printed = "" if name.startswith("top_") or "not by trec_eval" in row["notes"] else row["trec_eval name"]
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
    missing = used - {row["name"] for row in rows}
    if missing:
        raise ValueError(f"results use measures that measures.csv does not list: {sorted(missing)}")
    return sorted(rows, key=lambda row: (row["name"].casefold(), row["name"]))


def _aliases(name: str, printed: str) -> list[str]:
    """What trec_eval prints, and the common spellings."""
    found = [printed, *_ALIASES.get(name, [])]
    cut = re.fullmatch(r"(nDCG|P|R|RR)@(\d+)", name)
    if cut:
        base, k = cut.groups()
        words = {"nDCG": "ndcg_cut.{}", "P": "Precision@{}|P{}", "R": "Recall@{}", "RR": "MRR@{}"}[base]
        found += words.replace("{}", k).split("|")
    if "_" in name and "@" in name:
        found.append(name.replace("_", "-"))
    return list({alias.casefold(): alias for alias in found if alias and alias.casefold() != name.casefold()}.values())


def _decimals(name: str, printed: int) -> str:
    """Decimals to show: what the sources print, but no more than four, which is what the field's tools print."""
    if name == "NumShown":
        return "0"
    if name == "LastRel":
        return "1"
    if name.startswith(_TWO_DECIMALS):
        return "2"
    return str(3 if printed == 3 and not name.startswith("P@") else 4)
