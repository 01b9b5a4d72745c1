"""Saying what a system was trained on: who may, where it shows, what it decides, and taking it back."""

import pytest
from django.utils import timezone

from registry.accounts.personal import account_document
from registry.accounts.services import delete_account
from registry.curation.lineage.models import TrainingDeclaration
from registry.curation.lineage.training import TrainingState, training_of
from registry.journal.models import Entry
from tests.registry.curation.lineage.world import Row, load_training, make_of
from tests.registry.factory import make_collection, make_leaderboard, make_paper, make_user
from tests.registry.pages import read
from tests.registry.results.people import editor, signed_in

ORCID = "0000-0002-1825-0097"
ANSWER = {
    "declared": "yes", "dataset": "beir-fiqa", "split": "train", "text": "We used its training topics.",
    "url": "https://example.org/card",
}  # fmt: skip


@pytest.fixture
def result():
    fiqa = make_leaderboard(make_collection("beir-fiqa", mteb_task="FiQA2018"))
    return make_of("stella", "infgrad", leaderboard=fiqa, paper=make_paper("Doe (2024)", author_orcids=[ORCID]))


def answer(result, person, **fields):
    return signed_in(person).post(f"/systems/{result.system.slug}/training/", ANSWER | fields)


def state_of(result):
    return training_of([Row(result)], result.leaderboard.collection)[result.pk]


def test_anybody_who_is_signed_in_answers_beside_the_others_and_decides_nothing(client, tmp_path, result):
    load_training(tmp_path, "stella,infgrad,no,,,package,,mteb 2,,medium,,*")
    result.leaderboard.refresh_from_db()
    version, person = result.leaderboard.results_version, make_user("ada")
    response = answer(result, person)
    assert response.headers["Location"] == result.system.get_absolute_url()
    text = read(client, result.system.get_absolute_url()).text
    assert "Trained on it (train): We used its training topics." in text
    assert f"{person.public_name} here" in text
    assert "low confidence" in text
    assert state_of(result).state == TrainingState.NOT_LISTED
    result.leaderboard.refresh_from_db()
    assert result.leaderboard.results_version == version
    (entry,) = [row for row in client.get(f"/api/v1/systems/{result.system.slug}/").json()["training"] if row["by"]]
    assert (entry["collection"], entry["evidence"], entry["confidence"]) == ("beir-fiqa", "answer", "low")
    assert entry["url"] == ANSWER["url"]


def test_an_author_by_orcid_decides(result):
    author = make_user(orcid=ORCID, orcid_verified_at=timezone.now())
    version = result.leaderboard.results_version
    answer(result, author)
    assert (state_of(result).state, state_of(result).split) == (TrainingState.DECLARES, "train")
    result.leaderboard.refresh_from_db()
    assert result.leaderboard.results_version == version + 1
    answer(result, author, declared="no")
    assert state_of(result).state == TrainingState.DECLARES_NONE
    assert TrainingDeclaration.objects.standing().count() == 1


def test_a_no_of_its_maker_stands_beside_a_yes_and_does_not_outvote_it(tmp_path, result):
    load_training(tmp_path, "stella,infgrad,yes,FiQA,,paper,we use it,https://arxiv.org/abs/1,,high,,beir-fiqa")
    answer(result, make_user(orcid=ORCID, orcid_verified_at=timezone.now()), declared="no")
    assert (state_of(result).state, state_of(result).is_disputed) == (TrainingState.DECLARES, True)


def test_a_reload_leaves_answers_alone(tmp_path, result):
    answer(result, make_user())
    load_training(tmp_path, "stella,infgrad,no,,,package,,mteb 2,,medium,,*")
    load_training(tmp_path, "stella,infgrad,unknown,,,package,,mteb 3,,medium,,*")
    assert [row.evidence for row in TrainingDeclaration.objects.standing().order_by("pk")] == ["answer", "package"]


def test_twice_is_once_and_the_log_does_not_repeat_it(result):
    person = make_user()
    answer(result, person)
    answer(result, person)
    entries = Entry.objects.filter(action="results.training.answered")
    assert (entries.count(), TrainingDeclaration.objects.count()) == (1, 1)
    assert ANSWER["text"] not in str(entries.get().after)


def test_who_answered_and_editors_take_it_back(client, result):
    person = make_user("ada")
    answer(result, person)
    pk = TrainingDeclaration.objects.get().pk
    address = f"/training/answers/{pk}/withdraw/"
    assert signed_in(make_user("eve")).post(address, {"reason": "no"}).status_code == 403
    signed_in(editor()).post(address, {"reason": "no source"})
    assert not TrainingDeclaration.objects.standing().exists()
    assert signed_in(person).get(address).status_code == 404
    assert ANSWER["text"] not in read(client, result.system.get_absolute_url()).text


def test_an_account_that_goes_takes_its_words_along(result):
    person = make_user("ada")
    answer(result, person)
    assert account_document(person)["training_answers"][0]["text"] == ANSWER["text"]
    delete_account(user=person)
    declaration = TrainingDeclaration.objects.get()
    assert (declaration.quotation, declaration.source, declaration.ended_at is None) == ("", "", False)


def test_a_split_is_of_training_alone(result):
    answer(result, make_user("ada"), declared="no", split="train")
    assert TrainingDeclaration.objects.get(person__username="ada").split == ""
    answer(result, make_user("ben"), split="")
    assert TrainingDeclaration.objects.get(person__username="ben").split == "unspecified"
