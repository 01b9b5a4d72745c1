"""rank_llm: lists of what it reproduces, and what trec_eval says of its runs, one a line."""

import json
import re
from collections.abc import Iterator

from analysis.readers.upstream.conditions import scores_of_conditions
from analysis.readers.upstream.scores import Score, Upstream, base_name

_YEAR = re.compile(r"_(dl\d\d|covid|news)_")


def read(path: str, text: str) -> Iterator[Score]:
    """Yield the scores of one list, or of many runs."""
    if path.endswith(".yaml"):
        yield from scores_of_conditions(path, text, "rank_llm")
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line:
            yield from _of_run(json.loads(line), number)


def _of_run(run: dict[str, list[str]], number: int) -> Iterator[Score]:
    file = str(run["file"])
    on = _YEAR.search(file)
    for score in run["result"]:
        measure, _, value = score.split()
        yield Score(
            key=(base_name(file), file.split("/")[1], measure),
            places=(on[1],) if on else (),
            system=f"rank_llm {file.split('/')[1]} > {base_name(file)}",
            measure=measure,
            printed=value,
            line=number,
        )


UPSTREAM = Upstream(
    "castorini/rank_llm", r"src/rank_llm/2cr/[^/]+\.yaml|trec_eval_aggregated_results/[^/]+\.jsonl", read
)
