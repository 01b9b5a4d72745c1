"""Private studies, through the site: the same findings as of a public snapshot, and nobody else's business."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from scipy.stats import ttest_rel
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttost_paired

from analysis.best import gupta_constant
from analysis.reliability import family_weighted_variance
from analysis.scores import ScoreMatrix
from registry.runs.models import Study, Upload
from registry.runs.services.judging import put_judgements
from registry.runs.services.studying import ask_for_study
from tests.analysis.documents import dl_2019
from tests.analysis.matrices import TOPIC_SCORES, shipped_matrix
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_result,
    make_topic_scores,
    make_topics,
    make_user,
)
from tests.registry.leaderboards.boards import analyse, analysed, make_board
from tests.registry.pages import page_of
from tests.registry.runs.world import make_judged, run_of, score, signed_in, work
from tests.thoroughness import every


def send(client: Client, path, **fields) -> str:
    """Send a file, and return the address of what came of it."""
    content = path if isinstance(path, bytes) else path.read_bytes()
    answer = client.post("/runs/", {"file": SimpleUploadedFile("sent.run", content), **fields})
    assert answer.status_code == 302, page_of(answer).text
    work()
    return answer.url


def study(client: Client, address: str, **fields) -> str:
    answer = client.post(f"{address}studies/", fields)
    assert answer.status_code == 302, page_of(answer).text
    work()
    return answer.url


def test_trec_7_by_upload_of_the_matrix():
    path = TOPIC_SCORES / "unnamed" / "trec-7-adhoc__AP.csv"
    board = make_leaderboard(make_collection("trec-7-adhoc", n_topics=50), make_measure("AP"))
    client = signed_in(make_user())
    address = send(client, path, kind="matrix", collection="trec-7-adhoc", measure="AP")
    study_address = study(client, address, measure="AP", alone="yes")
    page = page_of(client.get(study_address))
    assert "0.363 ± 0.041" in page.text
    members = {row[0] for row in page.rows if len(row) == 4 and row[2] == "tied"}
    # The eight of the reference, which has normal critical values, and two more by the allowance for skewness.
    assert members == {f"run{number}" for number in (9, 10, 15, 16, 47, 69, 84, 86, 91, 103)}
    content = client.get(f"{study_address.rstrip('/')}.json").json()["content"]["findings"]["verdict"]
    # The reference counts 85 families, by another rule for near-copies; ours are 87.
    assert content["evidence"]["residual_variance"] == pytest.approx(0.012272, rel=0.006)
    interval = content["corrected"]
    shown = (content["corrected"]["value"], interval["low"], interval["high"])
    assert shown == pytest.approx((0.363454, 0.3223, 0.4047), abs=2e-4)
    assert board.results.count() == 0


@pytest.mark.parametrize("name", every(2, ["BM25", "SPLADE_P_P_ENSEMBLE_DISTIL+RankVicuna7B"], __file__))
def test_runs_of_dl_2019_have_the_scores_that_their_publisher_prints(name):
    collection = make_collection("dl-2019", n_topics=43)
    measures = {
        "AP(rel=2)@100": "AP-rel-2-at-100", "RR(rel=2)@10": "RR-rel-2-at-10",
        "P(rel=2)@10": "P-rel-2-at-10", "R(rel=2)@100": "R-rel-2-at-100",
    }  # fmt: skip
    for measure in measures:
        make_leaderboard(collection, make_measure(measure))
    put_judgements(collection=collection, content=dl_2019.judgements_text().encode(), source="rank_llm")
    client = signed_in(make_user())
    content = dl_2019.run_text(name).encode()
    page = page_of(client.get(send(client, content, kind="run", collection="dl-2019")))
    for measure, file in measures.items():
        printed = shipped_matrix(f"trec-dl-2019-passage__{file}")
        mean = printed.means[printed.systems.index(f"rank_llm {name}")]
        assert float(page.row(measure)[1]) == pytest.approx(mean, abs=1e-4), measure


def test_among_the_results_of_the_leaderboard():
    collection = make_judged()
    board = collection.leaderboards.get(measure__name="AP")
    topics = [f"t{number}" for number in range(1, 13)]
    make_topics(collection, topics)
    for place, printed in enumerate(("0.4000", "0.3000", "0.2000")):
        result = make_result(board, printed=printed)
        mean = float(printed)
        make_topic_scores(result, [mean + 0.05 * (-1) ** (number + place) for number in range(12)])
    user = make_user()
    client = signed_in(user)
    upload = score(run_of("bad", "good"), collection, user)
    page = page_of(client.get(study(client, upload.get_absolute_url(), measure="AP", alone="no")))
    # The same score on every topic: it is shown, and left out of every analysis.
    assert page.row("mine")[1:] == ["0.2500", "–", "uploaded"]
    assert len([row for row in page.rows if row and row[-1] == "on record"]) == 3
    assert board.results.count() == 3


def five_runs() -> tuple[ScoreMatrix, bytes]:
    """Return five systems on 50 topics, and their table."""
    rng = np.random.default_rng(11)
    scores = np.clip(np.linspace(0.2, 0.3, 5)[:, None] + rng.normal(0, 0.2, 50) + rng.normal(0, 0.09, (5, 50)), 0, 1)
    topics, systems = [str(301 + place) for place in range(50)], [f"mine{place}" for place in range(5)]
    rows = [",".join(["topic", *systems])]
    rows += [
        ",".join([topic, *(f"{value:.6f}" for value in column)]) for topic, column in zip(topics, scores.T, strict=True)
    ]
    return ScoreMatrix(systems, topics, scores.round(6)), "\n".join(rows).encode()


def test_five_runs_settle_how_much_scores_vary():
    """From the page of a leaderboard whose variance is from elsewhere to what five runs make of it."""
    values = [f"{0.20 + 0.004 * place:.4f}" for place in range(40)]
    board = analysed(make_board(values, measure=make_measure("AP"), residual_variance=None))
    client = signed_in(make_user())
    before = client.get(f"{board.get_absolute_url().rstrip('/')}.json").json()["verdict"]
    assert before["evidence"]["kind"] == "predicted-without-density"
    margin = before["set"]["margin"]
    text = page_of(client.get(board.get_absolute_url())).text
    assert "from three makers or more, would measure the variance that is now predicted" in text
    assert f"the margin would go from {margin:.4f} to {margin / 2**0.5:.4f}; if twice, to {margin * 2**0.5:.4f}" in text

    matrix, table = five_runs()
    sent = send(client, table, kind="matrix", collection=board.collection.slug, measure=board.measure.name)
    study_address = study(client, sent, measure=board.measure.name, alone="no")
    after = client.get(f"{study_address.rstrip('/')}.json").json()["content"]["findings"]["verdict"]
    assert after["evidence"]["kind"] == "own-and-predicted"
    own, predicted = family_weighted_variance(matrix), before["evidence"]["residual_variance"]
    variance, freedom = after["evidence"]["residual_variance"], after["evidence"]["degrees_of_freedom"]
    assert min(own, predicted) * 0.9 < variance < max(own, predicted) * 1.1
    # 45 rows compete now; the formula of the margin is Gupta's, with the variance that the five runs helped to tell.
    assert before["evidence"]["degrees_of_freedom"] < freedom <= 18
    expected = gupta_constant(45, degrees_of_freedom=freedom) * (2 * variance / 50) ** 0.5
    assert (after["best_unflagged"] or after)["set"]["margin"] == pytest.approx(expected, rel=1e-4)
    assert client.get(study_address).status_code == 200
    # Alone, they say nothing of the leaderboard.
    alone = study(client, sent, measure=board.measure.name, alone="yes")
    page = page_of(client.get(alone, {"first": "mine0", "second": "mine4"}))
    assert (page.row("t")[1], ttest_rel(matrix.scores[0], matrix.scores[4]).pvalue < 0.001) == ("< 0.001", True)
    assert {"randomization", "wilcoxon", "sign", "bootstrap-shift"} <= {row[0] for row in page.rows if row}
    # Against each of the others, corrected together, and as good within a margin.
    margin = 0.12
    page = page_of(client.get(alone, {"first": "mine0", "second": "", "margin": str(margin)}))
    first, others = matrix.scores[0], matrix.scores[1:]
    different = multipletests([ttest_rel(first, other).pvalue for other in others], method="holm")[1]
    within = multipletests([ttost_paired(first, other, -margin, margin)[0] for other in others], method="holm")[1]
    for number, other in enumerate(others):
        row = next(row for row in page.rows if row[:1] == [f"mine0 − mine{number + 1}"])
        low, high = ttest_rel(first, other).confidence_interval()
        words = {(True, False): "significantly different", (False, True): "as good", (False, False): "open",
                 (True, True): "significantly different, by less than matters"}  # fmt: skip
        assert row[1] == words[bool(different[number] <= 0.05), bool(within[number] <= 0.05)]
        ends = f"{low:+.4f} to {high:+.4f}".replace("-", "−")
        assert row[2:4] == [f"{first.mean() - other.mean():+.4f}".replace("-", "−"), ends]
    assert "p corrected for 4 pairs (Holm), intervals not" in page.text


def test_where_nothing_is_known_five_runs_are_asked_for_only_if_they_would_do(client):
    known, unknown = (make_board(residual_variance=None, n_topics=n, measure=make_measure(name))
                      for n, name in ((50, "P@1000"), (None, "P@2000")))  # fmt: skip
    sentence = "would measure how much scores vary here"
    for board, is_asked in ((known, True), (unknown, False)):
        analyse(board)
        document = client.get(f"{board.get_absolute_url().rstrip('/')}.json").json()
        assert document["verdict"]["evidence"]["kind"] == "none"
        assert (sentence in page_of(client.get(board.get_absolute_url())).text) == is_asked


def test_nobody_guesses_it_and_only_its_owner_changes_it():
    upload = score(run_of("good"))
    address = upload.get_absolute_url()
    assert len(upload.pk) == 43
    seen = Client().get(address)
    assert seen.status_code == 200
    assert (seen["Cache-Control"], seen["X-Robots-Tag"]) == ("private, no-store", "noindex, nofollow")
    other = signed_in(make_user())
    for path in ("delete/", "studies/", "documents/"):
        assert other.post(f"{address}{path}").status_code == 403
    assert Client().get(f"/runs/{'x' * 43}/").status_code == 404
    assert upload.name not in page_of(other.get("/runs/")).text.replace("examined", "")


def test_what_is_not_kept_is_gone_after_an_hour_with_its_studies(monkeypatch):
    from registry.runs.services import uploading

    upload = score(run_of("good"))
    kept_upload = score(run_of("bad"), upload.collection, kept_until=datetime.now(UTC) + timedelta(days=3))
    board = upload.collection.leaderboards.first()
    ask_for_study(upload=upload, others=[], leaderboard=board, is_alone=True)
    later = datetime.now(UTC) + timedelta(hours=2)
    monkeypatch.setattr(uploading.timezone, "now", lambda: later)
    assert uploading.prune_uploads() == 1
    assert list(Upload.objects.all()) == [kept_upload]
    assert not Study.objects.exists()
