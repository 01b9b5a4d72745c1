"""Sealed judgements: what of them gets out, and what of attacks on them."""

import csv
import io
import logging
import zlib
from itertools import product
from math import log2
from pathlib import Path
from random import Random
from statistics import median

import numpy as np
import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client, override_settings
from scipy.optimize import Bounds, LinearConstraint, brentq, milp

from analysis.readers.rejections import Refused
from analysis.runs.reading import Ranking
from analysis.runs.scoring import score_run
from registry.catalog.models import Curator
from registry.core.models import Job
from registry.core.services import run_job
from registry.runs.models import Answer, Judgements
from registry.runs.queries import SCORE, answers_left, lines_of
from registry.runs.services.judging import put_judgements
from registry.runs.services.scoring import save_score, why_no_run
from registry.runs.services.scoring import score as score_work
from registry.runs.services.uploading import erase_uploads, hand_in
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_result, make_user
from tests.registry.pages import page_of
from tests.registry.runs.world import POOLED, QRELS, TOPICS, make_judged, make_sealed, run_of, score, signed_in, work

HONEST = [*POOLED[5:20], "unjudged-1", "unjudged-2", *POOLED[20:25]]
#: Whether these are relevant is what an attack is after.
TARGETS = {topic: f"secret-{topic}" for topic in TOPICS}
RANKS = (1, 2, 4, 11)


def sealed_with(grade: int):
    return make_sealed("".join(f"{topic} 0 {document} {grade}\n" for topic, document in TARGETS.items()))


def attack(number: int) -> bytes:
    """Attack with one target at ranks 1, 2, 4 and 11 of four topics, among junk that is like no other run's."""
    random, lines = Random(number), []
    for place, topic in enumerate(TOPICS):
        documents = [f"junk-{random.getrandbits(40)}" for _ in range(30)]
        if place // len(RANKS) == number:
            documents[RANKS[place % len(RANKS)] - 1] = TARGETS[topic]
        lines += [f"{topic} Q0 {document} {rank} {50 - rank}.5 mine\n" for rank, document in enumerate(documents, 1)]
    return "".join(lines).encode()


@override_settings(PLUMBLINE_SEALED_ANSWERS=3)
def test_an_attack_by_two_accounts_reads_nothing_and_uses_answers_up():
    worlds = [sealed_with(grade) for grade in (0, 1)]
    people = [make_user(), make_user()]
    works = [[score(attack(number), world, people[number]).work for number in range(2)] for world in worlds]
    outcomes = {(work.state, work.refusal, str(work.means), str(work.report)) for runs in works for work in runs}
    # Whatever the judgements are, the words are the same.
    ((state, refusal, means, report),) = outcomes
    assert (state, means, report) == ("refused", "{}", "{}")
    assert "Too few of its top documents are judged" in refusal
    world = worlds[0]
    assert [answers_left(sealed) for sealed in worlds] == [1, 1]
    assert score(run_of(*HONEST), world).work.state == "done"
    with pytest.raises(Refused, match=r"give 3 answers in all, for everybody together. They are used up"):
        score(attack(2), world, make_user())
    # What was answered before is there for whoever sends the same, and tells nothing new.
    assert score(run_of(*HONEST), world, make_user()).work.state == "done"
    assert Answer.objects.filter(judgements__collection=world).count() == 3
    put_judgements(
        collection=world,
        content=lines_of(Judgements.objects.get(collection=world, ended_at=None)),
        source="the owner, again",
        measure=world.leaderboards.get(measure__name="P@10").measure,
    )
    assert answers_left(world) == 0


class _Lines:
    """A run as the scorer reads one."""

    tag, n_lines, head, remarks = "mine", 0, [], ()

    def __init__(self, rankings: dict[str, list[str]]) -> None:
        self.rankings = rankings

    def __iter__(self):
        for topic, documents in self.rankings.items():
            n = len(documents)
            yield Ranking(topic, 1, documents, np.arange(n, 0, -1.0), np.arange(1, n + 1))


def test_targets_hidden_in_a_genuine_run_tell_one_bit_at_most():
    """Among the 50 topics of a usual collection: what the documents say of the same four targets."""
    topics = [f"t{number}" for number in range(50)]
    answers: dict[str, set[float]] = {name: set() for name in ("P@10", "P@15", "nDCG@10")}
    for grades in product((0, 1), repeat=4):
        judged = {topic: {document: int(number < 10) for number, document in enumerate(POOLED)} for topic in topics}
        rankings = {topic: list(HONEST) for topic in topics}
        for topic, rank, grade in zip(topics, RANKS, grades, strict=False):
            judged[topic]["target"] = grade
            rankings[topic].insert(rank - 1, "target")
        scored = score_run(_Lines(rankings), judged, {name: name for name in answers}, lambda done: None)
        assert not why_no_run(scored.as_document()["report"])
        for name, scores in scored.scores.items():
            answers[name].add(round(sum(scores) / len(scores), 2))
    assert all(len(values) <= 2 for values in answers.values()), answers


def solve(asked: np.ndarray, means: np.ndarray, n_places: int) -> np.ndarray:
    """Judgements, 0 or 1 each, that explain all rounded means: what the strongest attacker takes them to be.

    A row of ``asked`` has 1 for each target that counted for a mean, over so many places.
    """
    within = LinearConstraint(asked / n_places, means - 0.00501, means + 0.00501)
    fit = milp(np.zeros(asked.shape[1]), constraints=within, integrality=np.ones(asked.shape[1]), bounds=Bounds(0, 1))
    assert fit.success
    return np.round(fit.x).astype(int)


def most_right(bits: float, n_judged: int) -> float:
    """Return the most judgements that anybody gets right on average who was told so many bits of as many fair coins:
    Shannon's bound of a binary source under Hamming distortion."""
    left = 1 - bits / n_judged
    entropy = lambda wrong: -wrong * np.log2(wrong) - (1 - wrong) * np.log2(1 - wrong) - left  # noqa: E731
    return n_judged * (1 - brentq(entropy, 1e-12, 0.5))


@pytest.mark.parametrize("per_topic", [1, 2, 4, 40])
def test_an_integer_program_with_all_answers_reads_no_more_than_their_bits(per_topic):
    """The attacker knows every judgement but the targets, and which documents are judged; half of all are relevant."""
    random = np.random.default_rng(per_topic)
    secret = random.permutation(np.repeat([0, 1], len(TOPICS) * len(POOLED) // 2)).reshape(len(TOPICS), len(POOLED))
    lines = "".join(
        f"{topic} 0 {document} {grade}\n"
        for topic, grades in zip(TOPICS, secret, strict=True)
        for document, grade in zip(POOLED, grades, strict=True)
    )
    collection = make_judged()
    make_leaderboard(collection, measure := make_measure("P@10"))
    put_judgements(collection=collection, content=lines.encode(), source="the owner", measure=measure)
    targets, asked, means, person = secret[:, :per_topic], [], [], None
    while answers_left(collection):
        chosen = np.zeros(targets.shape, int)
        ranked, known = "", 0
        for place, topic in enumerate(TOPICS):
            n_asked = random.integers(0, min(per_topic, 10) + 1)
            first = random.choice(per_topic, n_asked, replace=False)
            chosen[place, first] = 1
            others = np.setdiff1d(np.arange(len(POOLED)), first)
            # Known documents fill the first ten where there are any, then those that are targets, too.
            filling = sorted(others, key=lambda document: (document < per_topic, document))
            top = [*first, *filling][:10]
            chosen[place, [document for document in top if document < per_topic]] = 1
            known += sum(secret[place, document] for document in top if document >= per_topic)
            ranked += run_of(*(POOLED[document] for document in [*top, *filling[10:20]]), topics=[topic]).decode()
        person = person or make_user()
        work_done = score(ranked.encode(), collection, person).work
        assert work_done.state == "done", work_done.refusal
        asked.append(chosen.ravel())
        means.append(work_done.means["P@10"] - known / (10 * len(TOPICS)))
    read = solve(np.array(asked), np.array(means), 10 * len(TOPICS)) == targets.ravel()
    n_answers = len(asked)
    # What is no target is guessed.
    n_right = read.sum() + (secret.size - targets.size) / 2
    print(f"{targets.size} targets, {read.sum()} of them right; of all {secret.size} judgements {n_right:.0f}")
    assert n_right <= most_right(n_answers * log2(103), secret.size)
    assert most_right(n_answers * log2(103), secret.size) < 0.69 * secret.size
    # It is an attack: with few targets the bits suffice.
    assert per_topic > 1 or read.mean() > 0.9


def test_where_a_measure_is_coarse_all_is_read_so_it_is_refused(db):
    """P@1 over 43 topics, as of Deep Learning 2019: twenty answers give every judgement at the top away."""
    random = np.random.default_rng(0)
    secret, asked = random.integers(0, 2, 43), random.integers(0, 2, (20, 43))
    assert (solve(asked, np.round(asked @ secret / 43, 2), 43) == secret).all()
    collection, measure = make_collection(n_topics=43), make_measure("P@1")
    lines = "".join(f"t{topic} 0 d{number} {int(number < 9)}\n" for topic in range(43) for number in range(40))
    with pytest.raises(Refused, match=r"moves the mean P@1 over these 43 topics by up to 0\.023"):
        put_judgements(collection=collection, content=lines.encode(), source="the owner", measure=measure)
    assert put_judgements(
        collection=collection, content=lines.encode(), source="the owner", measure=make_measure("P@10")
    ).is_sealed


def test_real_runs_pass_and_the_document_quotes_them():
    """What was counted of published runs against the judgements of their tracks."""
    with (Path(__file__).parent / "honest_runs.csv").open(encoding="utf-8", newline="") as file:
        runs = list(csv.DictReader(file))
    reports = [{name: int(row[name]) for name in row if name not in ("collection", "run")} for row in runs]
    assert not [why for report in reports if (why := why_no_run(report))]
    shares = sorted(report["n_judged_at_top"] / report["n_top"] for report in reports)
    hardly = max(report["n_hardly_judged"] / report["n_judged_topics"] for report in reports)
    n_hardly, n_topics = (sum(report[name] for report in reports) for name in ("n_hardly_judged", "n_judged_topics"))
    document = (settings.BASE_DIR / "docs" / "runs.md").read_text(encoding="utf-8")
    assert f"{len(runs)} runs on {len({run['collection'] for run in runs})} collections" in document
    assert f"{shares[0]:.2f} to {shares[-1]:.2f}, median {median(shares):.2f}" in document
    assert f"{hardly:.0%} at most; {n_hardly} of {n_topics:,} in all" in document


@pytest.mark.parametrize(
    "report",
    [
        {"n_judged_at_top": 499, "n_hardly_judged": 0},
        {"n_judged_at_top": 900, "n_hardly_judged": 11},
        {"n_judged_at_top": 900, "n_hardly_judged": 0, "n_missing": 6},
    ],
)
def test_what_is_below_them_does_not(report):
    assert why_no_run({"n_top": 1000, "n_judged_topics": 50, "n_missing": 0} | report)


def test_the_scorer_alone_reads_them(caplog):
    caplog.set_level(logging.DEBUG)
    collection, owner = sealed_with(1), make_user(is_editor=True)
    documents = [*HONEST[:3], *[TARGETS[topic] for topic in TOPICS[:2]], *HONEST[3:]]
    result = make_result(collection.leaderboards.get(measure__name="P@10"), printed="0.4000")
    upload = score(run_of(*documents), collection, owner, claimed=result)
    assert upload.work.state == "done"
    assert upload.n_done == 0
    assert list(upload.work.means) == ["P@10"]
    assert upload.work.means["P@10"] == round(upload.work.means["P@10"], 2)
    judgements = Judgements.objects.get(ended_at=None, collection=collection)
    assert b"secret" in lines_of(judgements)
    # Nothing that anybody gets has a document, a topic or a count of them that the run did not bring.
    assert (bytes(upload.work.scores), bytes(upload.work.rankings)) == (b"", b"")
    assert set(upload.work.report) == {"tag", "n_lines", "n_topics", "n_documents", "tied", "n_tied", "disordered",
                                       "n_disordered", "remarks"}  # fmt: skip
    dumped = io.StringIO()
    call_command("dumpdata", "runs", stdout=dumped)
    admin = signed_in(make_user(is_staff=True, is_superuser=True))
    address = upload.get_absolute_url()
    pages = [
        client.get(path)
        for client in (Client(), signed_in(owner), admin)
        for path in (
            address, f"{address}topic-scores.csv", f"/collections/{collection.slug}/judgements/",
            f"/collections/{collection.slug}/judgements.qrels", f"/collections/{collection.slug}/", "/log/",
            "/admin/", "/admin/runs/answer/", "/admin/runs/judgements/",
        )
    ]  # fmt: skip
    texts = [dumped.getvalue(), caplog.text, *(page.content.decode() for page in pages)]
    assert not [text for text in texts if "secret-t" in text]
    assert zlib.compress(lines_of(judgements), 6) not in bytes(judgements.content)
    statuses = {page.status_code for page in pages if "topic-scores" in page.request["PATH_INFO"]}
    assert statuses == {404}
    missing = Client().get(f"/collections/{collection.slug}/judgements.qrels")
    assert missing.status_code == 404
    assert "given out" in missing.json()["error"]
    own = page_of(signed_in(owner).get(address)).text
    assert "This is one of 7 answers that these judgements give; 6 are left, for everybody" in own
    assert "A mismatch: the run’s mean P@10 is 0." in own
    shown = page_of(Client().get(f"/collections/{collection.slug}/judgements/")).text
    assert "6 of 7 answers are left, for everybody together and for good" in shown
    assert "under P@10" in shown
    assert "What can leak: each answer is one of 101 means" in shown


@override_settings(PLUMBLINE_SEALED_ANSWERS=1)
def test_of_runs_that_wait_together_as_many_are_answered_as_answers_are_left():
    world = make_sealed()
    first, second = (
        hand_in(owner=make_user(), name="mine", collection=world, content=run_of(*HONEST, tag=tag)) for tag in "ab"
    )
    answered, late = score_work(first.work_id), score_work(second.work_id)
    # Whoever saves the same again, as it took too long, takes no answer.
    for _ in range(2):
        save_score(answered)
    save_score(late)
    assert Answer.objects.get().user == first.owner
    second.work.refresh_from_db()
    assert (second.work.state, second.work.means, second.work.is_passing) == ("refused", {}, True)
    assert second.work.refusal == "All answers that the sealed judgements of this collection give are used up."


def test_deleting_an_account_gives_no_answers_back():
    collection, person = make_sealed(), make_user()
    score(run_of(*HONEST), collection, person)
    erase_uploads(person)
    assert answers_left(collection) == 6
    assert Answer.objects.get().user is None


def test_a_file_that_is_no_run_costs_no_answer_and_one_of_few_topics_does():
    collection = make_sealed()
    assert score(b"t1 Q0 a\n", collection).work.state == "refused"
    assert answers_left(collection) == 7
    refused = score(run_of(*HONEST, topics=["t1"]), collection).work
    assert "leaves out more than one in ten topics" in refused.refusal
    assert answers_left(collection) == 6


def test_whoever_seals_names_a_measure_and_has_judgements_enough():
    collection, curator = make_judged(), make_user()
    Curator.objects.create(user=curator, collection=collection)
    address, client = f"/collections/{collection.slug}/judgements/", signed_in(curator)
    few = {"source": "the track", "sealed": "AP", "file": SimpleUploadedFile("qrels", QRELS)}
    answer = client.post(address, few)
    assert answer.status_code == 400
    assert "half of the topics must have 20 or more" in page_of(answer).text
    lines = "".join(f"{topic} 0 {document} 1\n" for topic in TOPICS for document in POOLED).encode()
    enough = few | {"file": SimpleUploadedFile("qrels", lines)}
    assert client.post(address, enough | {"sealed": "no such"}).status_code == 400
    for coarse, step in (("P@2", "0.042"), ("RR@2", "0.083")):
        refused = client.post(address, enough | {"file": SimpleUploadedFile("qrels", lines), "sealed": coarse})
        assert refused.status_code == 400
        assert f"moves the mean {coarse} over these 12 topics by up to {step}" in page_of(refused).text
    enough["file"] = SimpleUploadedFile("qrels", lines)
    assert client.post(address, enough).status_code == 302
    assert Judgements.objects.get(collection=collection, ended_at=None).measure.name == "AP"
    text = page_of(client.get(address)).text
    assert "all answers together tell at most 47 bits of 480 judgements" in text
    assert "bits" not in page_of(Client().get(address)).text


def test_a_lost_key_is_named_to_whoever_runs_the_site_and_its_return_is_all_it_takes(settings):
    world, key = sealed_with(1), settings.SECRET_KEY
    upload = hand_in(owner=make_user(), name="mine", collection=world, content=run_of(*HONEST))
    job = Job.objects.get(kind=SCORE)
    settings.SECRET_KEY = "another key of the site, which is long enough, and quite new"
    run_job(str(job.pk))
    job.refresh_from_db()
    assert "add that key to SECRET_KEY_FALLBACKS" in job.error.splitlines()[-1]
    settings.SECRET_KEY_FALLBACKS = [key]
    Job.objects.update(state=Job.State.QUEUED, leased_until=None)
    work()
    upload.work.refresh_from_db()
    assert upload.work.state == "done"
