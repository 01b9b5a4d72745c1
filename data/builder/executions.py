"""Rerankers that were executed several times: which execution counts, and which are its replicates."""

import re
from pathlib import Path
from statistics import fmean

from builder.results import COLUMNS
from builder.tables import Row, read_table

#: Ending of a matrix's file name -> measure, for the five executions that have per-topic scores. Recall at 100 is left
#: out: a reranker of the first 100 results can't change it.
REPEATED = {
    "AP-rel-2-at-100": "AP(rel=2)@100",
    "P-rel-2-at-10": "P(rel=2)@10",
    "RR-rel-2-at-10": "RR(rel=2)@10",
    "nDCG-at-10": "nDCG@10",
}
REPEATED_STEM = "gpt35_rankgpt_dl19"
REPEATED_NAME = "BM25 top-100 > GPT-3.5-turbo (RankGPT), August 2023, execution "
_RUN_FILE = "rerank_results/BM25/gpt-3.5-turbo_4096_PromptMode.RANK_GPT_dl19_2023-08-{}.txt at 916102c7de"
#: When each was begun.
_TIMES = ("04T23:26:51.541203", "04T23:51:44.794704", "05T00:13:30.871852", "05T00:31:10.243233", "05T00:42:44.028285")

EXECUTION = re.compile(r"(?P<reranker>.+) @(?P<time>(?P<year>\d{4})-(?P<month>\d\d)-\d\dT[\d:.]+)")

#: Rerankers of which an execution has per-topic scores, with the name of the row that has them.
_EVALUATED = {
    f"{first_stage} top-100 > RankVicuna-7B (RankGPT)": f"rank_llm {first_stage}+RankVicuna7B"
    for first_stage in ("BM25", "BM25_RM3", "D_BERT_KD_TASB", "OPEN_AI_ADA2", "SPLADE_P_P_ENSEMBLE_DISTIL")
} | {"BM25 top-100 > GPT-3.5-turbo (RankGPT)": f"{REPEATED_NAME}1"}


def repeated_rows(shared: Path) -> list[Row]:
    """Return a row for each execution that has per-topic scores, with their mean; the first counts for all five."""
    rows = []
    for ending, measure in REPEATED.items():
        table = read_table(shared / "replicates" / f"{REPEATED_STEM}__{ending}.csv")
        for number, time in enumerate(_TIMES, start=1):
            mean = fmean(float(line[f"rep{number}"]) for line in table)
            row = dict.fromkeys(COLUMNS, "") | {
                "collection": "trec-dl-2019-passage",
                "measure": measure,
                "system": f"{REPEATED_NAME}{number}",
                "value": f"{mean:.4f}",
                "year": "2023",
                "role": "baseline",
                "run_type": "automatic",
                "team": "castorini",
                "source": "castorini/rank_llm",
                "locator": _RUN_FILE.format(time),
                "notes": "mean of the per-topic scores of this execution and qrels.dl19-passage.txt",
                "comparability": "standard",
                "replicate_of": "" if number == 1 else f"{REPEATED_NAME}1",
                "provenance": "topic_scores",
            }
            rows.append(row)
    return rows


def mark_executions(rows: list[Row]) -> list[Row]:
    """Let one execution of a reranker count, and make the others replicates of it.

    That with per-topic scores counts, else the first by its time stamp: chosen without a look at the scores. What
    counts stands before its replicates.
    """
    systems = {(row["collection"], row["measure"], row["system"]) for row in rows}
    counting: dict[tuple[str, str, str], str] = {}
    marked = []
    for row in sorted(rows, key=_time_stamp):
        match = EXECUTION.fullmatch(row["system"])
        if match:
            board = (row["collection"], row["measure"])
            evaluated = _EVALUATED.get(match["reranker"], "")
            first = evaluated if (*board, evaluated) in systems else row["system"]
            counts = counting.setdefault((*board, match["reranker"]), first)
            row = row | {"notes": "", "replicate_of": "" if counts == row["system"] else counts}
        marked.append(row)
    return marked


def _time_stamp(row: Row) -> str:
    """Return the time in an execution's name; '' for other rows, which keeps them first and in order."""
    return row["system"].rpartition(" @")[2] if EXECUTION.fullmatch(row["system"]) else ""
