"""What a page costs on its way: one style sheet of all components, and text compressed wherever it comes from."""

import gzip
from importlib.machinery import ModuleSpec
from pathlib import Path

import brotli
import pytest
from backports import zstd
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.exceptions import ImproperlyConfigured

from registry.core.staticfiles import PackedStorage, PlotlyFinder, SheetFinder

pytestmark = pytest.mark.django_db

LONG = "A sentence that stands here again and again. " * 100


def test_the_sheet_has_every_component_in_the_order_of_the_cascade():
    folder = Path(settings.BASE_DIR, "static", "css")
    assert {*SheetFinder.components, "plotly"} == {path.stem for path in folder.glob("*.css")}
    sheet = Path(finders.find("css/site.css")).read_text(encoding="utf-8")
    places = [sheet.index((folder / f"{name}.css").read_text(encoding="utf-8")) for name in SheetFinder.components]
    assert places == sorted(places)


def test_a_sheet_that_is_gone_or_another_is_made_anew_for_nobody_else(settings, tmp_path):
    settings.HOME = tmp_path
    finder = SheetFinder()
    assert finder.find("css/other.css") is None
    assert finder.find("css/other.css", find_all=True) == []
    assert not (tmp_path / "made").exists()
    sheet = tmp_path / "made" / "css" / "site.css"
    ((name, storage),) = finder.list(None)
    assert (name, storage.path(name)) == ("css/site.css", str(sheet))
    whole = sheet.read_text(encoding="utf-8")
    sheet.write_text("another")
    assert finder.find("css/site.css", find_all=True) == [finder.find("css/site.css")] == [str(sheet)]
    assert sheet.read_text(encoding="utf-8") == whole
    assert [path.name for path in sheet.parent.iterdir()] == ["site.css"]
    assert [folder.stat().st_mode & 0o777 for folder in (sheet.parent, sheet.parents[1])] == [0o700, 0o700]


@pytest.mark.parametrize("spec", [None, ModuleSpec("plotly", None)])
def test_without_plotly_it_is_said_how_to_get_it(monkeypatch, spec):
    monkeypatch.setattr("registry.core.staticfiles.find_spec", lambda name: spec)
    with pytest.raises(ImproperlyConfigured, match=r"plotly is not installed: pip install -r requirements\.txt"):
        PlotlyFinder()


@pytest.mark.parametrize(
    ("coding", "unpack"), [("gzip", gzip.decompress), ("br", brotli.decompress), ("zstd", zstd.decompress)]
)
def test_pages_that_nobody_keeps_are_compressed(client, coding, unpack):
    response = client.get("/accounts/login/", HTTP_ACCEPT_ENCODING=coding)
    assert response["Content-Encoding"] == coding
    assert "Sign in" in unpack(response.content).decode()
    assert "accept-encoding" in response["Vary"].lower()


def test_the_length_of_a_page_with_a_secret_differs_from_time_to_time(client):
    answers = [client.get("/accounts/login/", HTTP_ACCEPT_ENCODING="gzip") for _ in range(12)]
    assert len({len(response["X-Noise"]) for response in answers}) > 1


def test_static_files_are_packed_when_they_are_collected(tmp_path):
    (tmp_path / "long.css").write_text(LONG)
    storage = PackedStorage(location=tmp_path)
    for _, _, is_done in storage.post_process({"long.css": (storage, "long.css")}):
        assert is_done is True
    named = storage.stored_name("long.css")
    packed = {path.name for path in tmp_path.iterdir() if path.suffix in {".br", ".gz"}}
    assert packed == {f"{named}.br", f"{named}.gz"}
    assert brotli.decompress((tmp_path / f"{named}.br").read_bytes()).decode() == LONG
