"""Boards of shipped data as inputs of a study, made from the files alone."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from analysis.boards import (
    BoardInputs,
    BoardRow,
    Elsewhere,
    Evidence,
    MeasureFacts,
    RelevantDocuments,
    SuiteInputs,
    SuiteMember,
    SuiteRow,
    TopicScoresInput,
)
from analysis.scores import ScoreMatrix
from tests.analysis.matrices import shipped_matrix
from tests.data.shipped import table

BEIR = (
    "arguana",
    "climate-fever",
    "cqadupstack",
    "dbpedia-entity",
    "fever",
    "fiqa",
    "hotpotqa",
    "nfcorpus",
    "nq",
    "quora",
    "scidocs",
    "scifact",
    "trec-covid",
    "webis-touche2020",
)
#: Relevant documents of a topic, as the judgements have them.
ROBUST, TREC_7, MS_MARCO = (
    RelevantDocuments(mean=mean, share_with_one=share, known_from="judgements")
    for mean, share in ((69.9277, 0.0), (93.48, 0.0), (1.0655, 0.9441))
)
ARGUANA, SCIDOCS = (
    RelevantDocuments(mean=mean, share_with_one=share, known_from="judgements")
    for mean, share in ((1.0, 1.0), (4.928, 0.0))
)


def of_board(file: str, collection: str, measure: str) -> Iterator[dict[str, str]]:
    return (row for row in table(f"results/{file}") if (row["collection"], row["measure"]) == (collection, measure))


def rows_of(file: str, collection: str, measure: str, **elsewhere: Any) -> tuple[BoardRow, ...]:
    """Return rows with a family for each team, else paper, else system."""
    return tuple(
        BoardRow(
            id=number,
            system=row["system"],
            team=row.get("team", ""),
            printed=row["value"],
            value=float(row["value"]),
            role=row["role"],
            comparability=row.get("comparability") or "standard",
            lineage=(f"team:{row['team'].casefold()}",)
            if row.get("team", "").casefold() not in ("", "anonymous", "baseline")
            else ((f"paper:{row['paper_url']}",) if row.get("paper_url") else ()),
            elsewhere=elsewhere.get(row["system"], ()),
        )
        for number, row in enumerate(of_board(file, collection, measure))
    )


def board(file: str, collection: str, measure: str, n_topics: int, relevant: RelevantDocuments) -> BoardInputs:
    rows = rows_of(file, collection, measure)
    return BoardInputs(
        collection=collection, measure=MeasureFacts(name=measure), rows=rows, n_topics=n_topics, relevant=relevant
    )


def scidocs() -> BoardInputs:
    """Return it with the scores of the same systems on the other sets of BEIR."""
    others = [f"beir-{name}" for name in BEIR if name != "scidocs"]
    scores = [{row["system"]: float(row["value"]) for row in of_board("mteb.csv", name, "nDCG@10")} for name in others]
    systems = {row["system"] for row in of_board("mteb.csv", "beir-scidocs", "nDCG@10")}
    elsewhere = {system: tuple(values.get(system) for values in scores) for system in systems}
    return BoardInputs(
        collection="beir-scidocs",
        measure=MeasureFacts(name="nDCG@10"),
        rows=rows_of("mteb.csv", "beir-scidocs", "nDCG@10", **elsewhere),
        n_topics=1000,
        is_zero_shot=True,
        relevant=SCIDOCS,
        elsewhere=Elsewhere(name="BEIR", datasets=tuple(others), as_of="2026-11-22"),
    )


def tar_2019() -> tuple[BoardInputs, ScoreMatrix]:
    """Return it with topic scores of every row."""
    shipped = shipped_matrix("clef-tar-2019-abs__AP")
    matrix = ScoreMatrix([str(place) for place in range(shipped.n_systems)], shipped.topics, shipped.scores)
    rows = tuple(
        BoardRow(id=place, system=system, printed=f"{mean:.4f}", value=float(mean), role="trec_run")
        for place, (system, mean) in enumerate(zip(shipped.systems, matrix.means, strict=True))
    )
    inputs = BoardInputs(
        collection="clef-tar-2019-abs",
        measure=MeasureFacts(name="AP"),
        rows=rows,
        n_topics=matrix.n_topics,
        topic_scores=TopicScoresInput.of(matrix),
    )
    return inputs, matrix


BEIR_TOPICS = {
    "arguana": 1406,
    "climate-fever": 1535,
    "dbpedia-entity": 400,
    "fever": 6666,
    "fiqa": 648,
    "hotpotqa": 7405,
    "nfcorpus": 323,
    "nq": 3452,
    "quora": 10000,
    "scidocs": 1000,
    "scifact": 300,
    "trec-covid": 50,
    "webis-touche2020": 49,
}
DENSE = {"dbpedia-entity", "nfcorpus", "trec-covid", "webis-touche2020"}


def beir_13() -> SuiteInputs:
    """Return the public sets without CQADupStack, of MTEB's rows; a family is a team."""
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    teams = {}
    names = [name for name in BEIR if name != "cqadupstack"]
    for name in names:
        for row in of_board("mteb.csv", f"beir-{name}", "nDCG@10"):
            scores[row["system"]][name] = float(row["value"])
            teams[row["system"]] = row["team"] or row["system"]
    members = tuple(
        SuiteMember(
            collection=name,
            name=name.upper(),
            snapshot="",
            n_topics=BEIR_TOPICS[name],
            evidence=Evidence(
                kind="predicted", residual_variance=0.018961 if name in DENSE else 0.096221, degrees_of_freedom=10.0
            ),
        )
        for name in names
    )
    rows = tuple(
        SuiteRow(
            id=number,
            system=system,
            scores=tuple(own.get(name) for name in names),
            results=(None,) * len(names),
            lineage=(f"team:{teams[system].casefold()}",),
        )
        for number, (system, own) in enumerate(sorted(scores.items()))
    )
    return SuiteInputs(
        suite="beir-13", name="BEIR, 13 collections", measure=MeasureFacts(name="nDCG@10"), members=members, rows=rows
    )


BOARDS = {
    "robust04": lambda: (board("robust04_papers.csv", "trec-2004-robust", "AP", 249, ROBUST), None),
    "trec-7": lambda: (board("trec_adhoc.csv", "trec-7-adhoc", "AP", 50, TREC_7), None),
    "msmarco": lambda: (board("msmarco_passage.csv", "msmarco-passage-dev", "RR@10", 6980, MS_MARCO), None),
    "arguana": lambda: (board("mteb.csv", "beir-arguana", "nDCG@10", 1406, ARGUANA), None),
    "scidocs": lambda: (scidocs(), None),
    "tar-2019": tar_2019,
}
