"""The summaries of TREC runs: under the heading of a run, one or several lists of what trec_eval and others print."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.readers.upstream.scores import Printed
from builder.lines import Finder, plain_measure
from builder.tables import Row, hyphened

_RUN = re.compile(r"#### (.*?) *$")
_SUMMARY = re.compile(r'\?\?\? example "summary \((.*)\)"')
_SCORE = re.compile(r"\t(\S.*?)\s+all\s+(\S+)\s*$")

#: What summaries call measures, where the name isn't a cutoff away from it.
_LABELS = {
    "AP": ["map"],
    "Bpref": ["bpref"],
    "RR": ["recip_rank", "mrr"],
    "nDCG": ["ndcg"],
    "RBP(p=0.5)": ["rbp_p5"],
    "ERR@20": ["err"],
    "nDCG(dcg='exp-log2')@20": ["ndcg"],
    "ERR_IA@10": ["ERR-IA@10"],
    "alpha_nDCG@10": ["alpha-nDCG@10"],
    "P_IA@10": ["P-IA@10"],
    "AP_IA": ["MAP-IA"],
}
_CUT_OFF = {"P": ["P_{k}", "Precision@{k}"], "R": ["recall_{k}"], "nDCG": ["ndcg_cut_{k}", "ndcg_{k}"]}
_RISK = re.compile(r"risk\(alpha=(\d+)(?:,baseline=(\w+))?\):(.+)")

#: Of passages of the Deep Learning track, what counts from grade 2 on and what is graded, the surest list first.
_OF_PASSAGES = ("passages-eval", "ndcg", "trec_eval")

#: Blogs judged for their topic, in summaries that have a list for opinions too; the others are called like their list.
_OF_TOPICS = ("trec-2006-blog", "trec-2007-blog-opinion", "trec-2008-blog-opinion", "trec-2008-blog-baseline")


@dataclass(frozen=True, slots=True)
class _Score:
    """A score of a run: in which of its lists, and where."""

    summary: str
    printed: Printed


def trec_summary(text: str) -> Finder:
    """Return a finder in ``results.md`` of a track."""
    scores: dict[tuple[str, str], list[_Score]] = defaultdict(list)
    for run, label, score in _scores(text):
        scores[run, label].append(score)

    def find(row: Row) -> Printed | None:
        candidates = [score for label in _labels(row) for score in scores[row["system"], label]]
        return _of_block(row["notes"], _of_summary(row, candidates))

    return find


def _scores(text: str) -> Iterator[tuple[str, str, _Score]]:
    run = summary = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if heading := _RUN.match(line):
            run, summary = heading[1], ""
        elif named := _SUMMARY.match(line):
            summary = named[1]
        elif score := _SCORE.match(line):
            yield run, score[1], _Score(summary, Printed(score[2], number))


def _labels(row: Row) -> list[str]:
    """Return what the summary may call the measure of a row."""
    if printed := re.search(r'(?<!run type )printed as "([^"]+)"', row["notes"]):
        return [printed[1]]
    if "measure name as printed" in row["notes"]:
        return [row["measure"]]
    risk = _RISK.fullmatch(row["measure"])
    measure = plain_measure(risk[3] if risk else row["measure"])
    name, _, cutoff = measure.partition("@")
    cut_off = [label.format(k=cutoff) for label in _CUT_OFF.get(name, [])] if cutoff else []
    return _LABELS.get(measure) or cut_off or [measure]


def _of_summary(row: Row, candidates: list[_Score]) -> list[Printed]:
    """Return the prints of the list that covers the row's topics and judgements; a run may have several lists."""
    summaries = list(dict.fromkeys(score.summary for score in candidates))
    if len(summaries) > 1:
        summaries = _covering(row, summaries)
    return [score.printed for score in candidates if score.summary in summaries[:1]]


def _covering(row: Row, summaries: list[str]) -> list[str]:
    """Return the lists that cover a row, of several."""
    if risk := _RISK.fullmatch(row["measure"]):
        start = "-".join(filter(None, ["risk", risk[2], f"a{risk[1]}"]))
        return [summary for summary in summaries if summary in (f"{start}-gd", f"{start}-nd")]
    if "passages-eval" in summaries or "ndcg" in summaries:
        is_graded = "(rel=" in row["measure"] or row["measure"].startswith("nDCG")
        return sorted(set(summaries) & set(_OF_PASSAGES if is_graded else ["trec_eval"]), key=_OF_PASSAGES.index)
    if row["collection"] in _OF_TOPICS:
        return [summary for summary in summaries if summary == "topicrel"]
    return [summary for summary in summaries if row["collection"].endswith("-" + hyphened(summary))]


def _of_block(notes: str, prints: list[Printed]) -> Printed | None:
    """Return the only print, or that of the block which the notes name."""
    if block := re.search(r"\bblock (\d)\b", notes):
        number = int(block[1])
        return prints[number - 1] if number <= len(prints) else None
    return prints[0] if len(prints) == 1 else None
