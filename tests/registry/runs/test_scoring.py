"""What runs score: agreement with trec_eval, and each policy with its count."""

import math
import random

import ir_measures
import pytest
import pytrec_eval

from analysis.runs.reading import Limits, RunReader
from analysis.runs.scoring import score_run
from registry.catalog.models import Measure
from registry.runs.documents import upload_document
from registry.runs.pipeline.packing import pack_scores, topic_scores_csv, unpack_scores
from registry.runs.services.judging import put_judgements
from tests.analysis.documents import dl_2019
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_result
from tests.registry.runs.world import make_judged, run_of, score

#: Ours to trec_eval's, with the grade from which on documents are relevant.
TREC_EVAL = {
    "AP": ("map", 1), "AP(rel=2)@100": ("map_cut_100", 2), "nDCG@10": ("ndcg_cut_10", 1), "P(rel=2)@10": ("P_10", 2),
    "R(rel=2)@100": ("recall_100", 2), "RR": ("recip_rank", 1), "Rprec": ("Rprec", 1), "nDCG": ("ndcg", 1),
    "Bpref": ("bpref", 1), "R@100": ("recall_100", 1),
}  # fmt: skip


@pytest.mark.parametrize("name", ["BM25", "REP_LLAMA", "SPLADE_P_P_ENSEMBLE_DISTIL+RankVicuna7B"])
def test_agrees_with_trec_eval(name):
    content, qrels = dl_2019.run_text(name), dl_2019.judgements_text(also_graded=3)
    collection = make_collection()
    for name in TREC_EVAL:
        make_leaderboard(collection, Measure.objects.filter(name=name).first() or make_measure(name))
    put_judgements(collection=collection, content=qrels.encode(), source="its repository")
    upload = score(content.encode(), collection)
    assert upload.work.state == "done", upload.work.refusal
    table = unpack_scores(bytes(upload.work.scores))
    judged = pytrec_eval.parse_qrel(qrels.splitlines())
    run = pytrec_eval.parse_run(content.splitlines())
    assert set(table.topics) == set(judged)
    for grade in (1, 2):
        wanted = {name: theirs for name, (theirs, of) in TREC_EVAL.items() if of == grade}
        evaluated = pytrec_eval.RelevanceEvaluator(judged, {*wanted.values()}, relevance_level=grade).evaluate(run)
        for name, theirs in wanted.items():
            for topic, ours in zip(table.topics, table.scores[name], strict=True):
                expected = evaluated[topic][theirs] if topic in evaluated else 0.0
                assert math.isclose(ours, expected, abs_tol=1e-6), (name, topic)


#: Every measure of pytrec_eval's that is given no more of a run than it looks at; and some that see all of it.
REACHING = """
    AP AP@20 AP(rel=2)@20 nDCG nDCG@5 nDCG@50 nDCG(gains={1:3,2:7})@10 P@5 P@50 P(rel=2)@5 R@5 R@50 RR RR(rel=2)
    Rprec Rprec(rel=2) Success@1 Success@30 Bpref Bpref(rel=2) IPrec@0.0 IPrec@0.3 IPrec@1.0 infAP
    AP(judged_only=True) P(judged_only=True)@5 nDCG(judged_only=True)@10 RR@3 RR(rel=2)@10
    SetP SetR SetF SetAP NumRet NumRet(rel=1) NumRel NumQ Judged@5 Judged Compat(p=0.9)
"""


@pytest.mark.parametrize("is_tied", [False, True])
def test_what_is_left_out_of_a_ranking_changes_no_score(is_tied):
    rng = random.Random(12)
    topics = [f"t{number}" for number in range(30)]
    documents = [f"d{number}" for number in range(60)]
    judged = {topic: {doc: rng.choice([-1, 0, 0, 1, 2]) for doc in rng.sample(documents, rng.choice([1, 5, 40]))}
              for topic in topics}  # fmt: skip
    run = {}
    for topic in topics:
        order = rng.sample(documents, rng.choice([1, 8, 40]))
        run[topic] = {doc: float(-place // 4 if is_tied else -place) for place, doc in enumerate(order)}
    content = "".join(f"{topic} Q0 {doc} 1 {score} x\n" for topic, of in run.items() for doc, score in of.items())
    limits = Limits(10**6, 10**6, 10**6, 9, 10**9)
    reader = RunReader(iter([content.encode()]), limits)
    scored = score_run(reader, judged, {name: name for name in REACHING.split()}, lambda done: None)
    # The evaluators of reciprocal rank with a cutoff and of Compat order ties otherwise than trec_eval.
    untied = {topic: {doc: -place for place, doc in enumerate(sorted(of, key=lambda key: (of[key], key), reverse=True))}
              for topic, of in run.items()}  # fmt: skip
    for name in REACHING.split():
        (measure,) = [ir_measures.parse_measure(name)]
        rankings = untied if name.startswith(("RR@", "RR(rel=2)@", "Compat")) else run
        whole = {metric.query_id: metric.value for metric in ir_measures.iter_calc([measure], judged, rankings)}
        assert scored.scores[name] == pytest.approx([whole.get(topic, 0.0) for topic in topics], abs=1e-12), name


def test_gains_of_one_measure_are_not_those_of_another():
    judged, run = {"t": {"a": 1, "b": 2}}, b"t Q0 a 1 2 x\nt Q0 b 2 1 x\n"
    gains = [f"nDCG(gains={{1:{2 + number},2:1}})" for number in range(10)]
    limits = Limits(10**6, 10**6, 10**6, 9, 10**9)
    names = {name: name for name in ("nDCG", *gains)}
    scored = score_run(RunReader(iter([run]), limits), judged, names, lambda done: None)
    deep = 1 / math.log2(3)
    assert scored.scores["nDCG"] == pytest.approx([(1 + 2 * deep) / (2 + deep)], abs=1e-12)
    assert [scored.scores[name] for name in gains] == [pytest.approx([1.0], abs=1e-12)] * len(gains)


def test_missing_foreign_tied_and_disordered_are_counted_with_their_lines():
    content = run_of("good", "bad", topics=["t1", "elsewhere"])
    content += b"t2 Q0 bad 1 3 mine\nt2 Q0 good 2 3 mine\nt3 Q0 bad 1 1 mine\nt3 Q0 good 2 2 mine\n"
    upload = score(content)
    report = upload.work.report
    assert (report["n_missing"], report["missing"][:2]) == (9, ["t4", "t5"])
    assert (report["n_foreign"], report["foreign"]) == (1, [[3, "elsewhere"]])
    assert (report["n_tied"], report["tied"]) == (1, [[5, "t2"]])
    assert (report["n_disordered"], report["disordered"]) == (1, [[8, "t3"]])
    scores = unpack_scores(bytes(upload.work.scores))
    # Ties by document, descending: good before bad; the score counts where the rank says otherwise; missing are 0.
    assert scores.scores["AP"][:4] == [0.5, 0.5, 0.5, 0.0]
    names = [line.name for line in upload_document(upload).report]
    assert names == ["Judged topics with an answer", "Topics without an answer", "Topics without judgements",
                     "Topics whose ranks contradict the scores", "Topics with equal scores"]  # fmt: skip


def test_no_judged_topic_is_refused():
    assert "None of its topics is judged here" in score(run_of("good", topics=["x"])).work.refusal


@pytest.mark.parametrize(("printed", "is_same"), [("0.250", True), ("0.2500", True), ("0.251", False)])
def test_the_mean_beside_the_claimed_result(printed, is_same):
    collection = make_judged()
    result = make_result(collection.leaderboards.get(measure__name="AP"), printed=printed)
    agreement = upload_document(score(run_of("bad", "good"), collection, claimed=result)).agreement
    assert (agreement.is_same, agreement.mean, agreement.printed) == (is_same, 0.25, printed)


def test_topic_scores_are_kept_without_loss_and_small():
    rng = random.Random(1)
    topics = [str(1_000_000 + 7 * number) for number in range(6980)]
    scores = {f"AP@{n}": [rng.random() for _ in topics] for n in range(4)}
    scores |= {f"P@{n}": [rng.randrange(n) / n for _ in topics] for n in (5, 10, 20, 50, 100, 200)}
    packed = pack_scores(topics, scores)
    assert unpack_scores(packed).scores == scores
    assert unpack_scores(packed).topics == topics
    assert len(packed) < 400_000


def test_topic_scores_are_exported_as_they_are_guarded_against_spreadsheets():
    packed = pack_scores(["t1", "=t2"], {"AP": [0.1, 1 / 3], "@P": [1.0, 0.0]})
    assert topic_scores_csv(packed) == "topic,AP,'@P\nt1,0.1,1.0\n'=t2,0.3333333333333333,0.0\n"
