"""Addresses of leaderboards, suites and snapshots: what each is called in templates, and which methods it takes."""

import pytest
from django.test import Client
from django.urls import NoReverseMatch, Resolver404, resolve, reverse

from registry.leaderboards.views import boards, collections, methods, snapshots, suites

#: By name: addresses, the view if it is a function, and what is read from the address.
ADDRESSES = {
    "collection-list": [("/collections/", {})],
    "collection-file": [("/collections.csv", {"suffix": "csv"}), ("/collections.json", {"suffix": "json"})],
    "collection-croissant": [("/collections/robust.croissant.json", {"name": "robust"})],
    "collection-detail": [("/collections/robust/", {"name": "robust"})],
    "collection-about": [("/collections/robust/about/", {"name": "robust"})],
    "leaderboard-format": [
        (f"/leaderboards/robust/nDCG@10.{suffix}", {"collection": "robust", "measure": "nDCG@10", "suffix": suffix})
        for suffix in ("biblatex.bib", "sources.bib", "csl.json", "croissant.json", "macros.tex", "json", "csv", "tex",
                       "bib", "ris", "md")
    ],
    "leaderboard-feed": [("/leaderboards/robust/P.5.atom", {"collection": "robust", "measure": "P.5"})],
    "leaderboard-picture": [
        (f"/leaderboards/robust/AP/{name}", {"collection": "robust", "measure": "AP", "suffix": name})
        for name in ("badge.svg", "card.png", "figure.svg")
    ],
    "leaderboard-detail": [("/leaderboards/robust/AP/", {"collection": "robust", "measure": "AP"})],
    "result-citation": [
        (f"/results/5.{suffix}", {"pk": "5", "suffix": suffix}) for suffix in ("bib", "ris", "csl.json")
    ],
    "suite-list": [("/suites/", {})],
    "suite-file": [("/suites.csv", {"suffix": "csv"}), ("/suites.json", {"suffix": "json"})],
    "suite-format": [
        (f"/suites/beir/nDCG@10.{suffix}", {"suite": "beir", "measure": "nDCG@10", "suffix": suffix})
        for suffix in ("biblatex.bib", "csl.json", "croissant.json", "macros.tex", "json", "csv", "tex", "bib", "ris",
                       "md")
    ],
    "suite-picture": [("/suites/beir/AP/card.png", {"suite": "beir", "measure": "AP", "suffix": "card.png"})],
    "suite-feed": [("/suites/beir/AP.atom", {"suite": "beir", "measure": "AP"})],
    "site-feed": [("/feed.atom", {})],
    "suite-first": [("/suites/beir/", {"slug": "beir"})],
    "suite-detail": [("/suites/beir/AP/", {"suite": "beir", "measure": "AP"})],
    "snapshot-format": [
        (f"/snapshots/ab12.{suffix}", {"snapshot_id": "ab12", "suffix": suffix})
        for suffix in ("biblatex.bib", "csl.json", "macros.tex", "json", "bib", "ris")
    ],
    "calibration": [("/methods/calibration/", {})],
    "snapshot-topic-scores": [("/snapshots/ab12/topic_scores.csv", {"snapshot_id": "ab12"})],
    "snapshot-picture": [("/snapshots/ab12/card.png", {"snapshot_id": "ab12", "name": "card.png"})],
    "snapshot-bundle": [("/snapshots/ab12/bundle.zip", {"snapshot_id": "ab12"})],
    "snapshot-detail": [("/snapshots/ab12/", {"snapshot_id": "ab12"})],
}  # fmt: skip
FUNCTIONS = {
    "collection-list": collections.collection_list, "collection-croissant": collections.collection_croissant,
    "collection-detail": collections.collection_detail, "collection-about": collections.collection_about,
    "leaderboard-feed": boards.leaderboard_feed, "result-citation": snapshots.result_citation,
    "suite-first": suites.suite_first, "suite-feed": suites.suite_feed, "site-feed": boards.site_feed,
    "calibration": methods.calibration_detail, "snapshot-topic-scores": snapshots.snapshot_topic_scores,
    "snapshot-picture": snapshots.snapshot_picture, "snapshot-bundle": snapshots.snapshot_bundle,
    "snapshot-detail": snapshots.snapshot_detail, "snapshot-format": snapshots.snapshot_detail,
}  # fmt: skip


@pytest.mark.django_db
def test_every_address_has_its_name_and_is_only_read():
    client = Client()
    for name, addresses in ADDRESSES.items():
        for address, kwargs in addresses:
            found = resolve(address)
            assert (found.view_name, found.captured_kwargs) == (f"leaderboards:{name}", kwargs), address
            assert FUNCTIONS.get(name, found.func) == found.func
            assert reverse(f"leaderboards:{name}", kwargs=kwargs) == address
        address, _ = addresses[0]
        assert client.post(address).status_code == 405, address
        assert client.get(address).status_code in (200, 404), address


@pytest.mark.parametrize(
    "address",
    ["/leaderboards/robust/AP.xml", "/suites/beir/AP.xml", "/snapshots/ab12.csv", "/collections.bib",
     "/results/5.json", "/results/1234567890123456789.bib"],
)  # fmt: skip
def test_formats_that_are_none_have_no_address(address):
    with pytest.raises(Resolver404):
        resolve(address)


def test_names_need_what_they_are_about():
    with pytest.raises(NoReverseMatch):
        reverse("leaderboards:snapshot-detail")
