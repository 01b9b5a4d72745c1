"""The names that papers and tools print above their scores, as ir-measures writes them."""

import re

from registry.core.text import comparison_key

_NAMES = {
    **dict.fromkeys(["ap", "map", "averageprecision", "meanaverageprecision"], "AP"),
    **dict.fromkeys(["ndcg", "normalizeddiscountedcumulativegain"], "nDCG"),
    **dict.fromkeys(["rr", "mrr", "reciprank", "reciprocalrank", "meanreciprocalrank"], "RR"),
    **dict.fromkeys(["p", "prec", "precision"], "P"),
    **dict.fromkeys(["r", "recall"], "R"),
    **dict.fromkeys(["success", "hit", "hits", "hitrate", "hr"], "Success"),
    **dict.fromkeys(["rprec", "rprecision"], "Rprec"),
    **dict.fromkeys(["gmap", "gmmap"], "GMAP"),
    **{"alphandcg": "alpha_nDCG", "bpref": "Bpref", "err": "ERR", "infap": "infAP", "infndcg": "infNDCG"},
    **{"judged": "Judged", "ndcgcut": "nDCG", "mapcut": "AP"},
}
#: Without a cut-off these mean too many things: a column named P may hold anything.
_NEED_CUTOFF = frozenset({"P", "R", "Success", "Judged", "alpha_nDCG"})
_MAX_CUTOFF = 999_999
_PARTS = re.compile(
    r"(?P<name>[a-z][a-z _.\-]*?)(?P<rel>\(rel=[0-9]\))?"
    r"(?:[ _.\-]?@ ?|[ _.\-]|)(?:(?P<cutoff>[0-9]{1,6})(?P<thousand>k)?)?"
)


def measure_name(text: str) -> str:
    """The ir-measures name of what a table calls a measure; blank where it does not look like one.

    >>> [measure_name(head) for head in ("MAP", "NDCG@10", "ndcg_cut_10", "P10", "Recall@1k", "MRR@10")]
    ['AP', 'nDCG@10', 'nDCG@10', 'P@10', 'R@1000', 'RR@10']
    >>> measure_name("P"), measure_name("Latency")
    ('', '')
    """
    if len(text) > 60:
        return ""
    match = _PARTS.fullmatch(comparison_key(text).replace("α", "alpha"))
    name = _NAMES.get(re.sub(r"[ _.\-]", "", match["name"])) if match else None
    if match is None or name is None:
        return ""
    if not match["cutoff"]:
        return "" if name in _NEED_CUTOFF else name + (match["rel"] or "")
    cutoff = int(match["cutoff"]) * (1000 if match["thousand"] else 1)
    return f"{name}{match['rel'] or ''}@{cutoff}" if 0 < cutoff <= _MAX_CUTOFF else ""
