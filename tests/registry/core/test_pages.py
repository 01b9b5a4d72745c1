"""Documents of the repository as pages: titles, headings to link to, links, pictures, tables and code."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.cache.backends.redis import RedisCacheClient
from redis.exceptions import ConnectionError as RedisAway

from registry.core import cache as core_cache
from registry.core import pages
from registry.core.env import env_own_host
from registry.core.pages import Document, method_subjects, section_about

TEXT = """# Scores & *how*
they are read

First paragraph, with `code`
and a [link](other.md#part) to [elsewhere](https://example.org/a.md), [here](#part), [root](/x/), [none](gone.md).

## Part

![A drawing](images/drawing.svg)
![A photograph](images/photo.png)

## Part

### Part: of 2_3-4!

| a | b | c |
|---|--:|:-:|
| <b>x</b> | 1 | 2 |

```python
a < b
```

    indented & so on
"""


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Document:
    """A document beside another that has a page."""
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "drawing.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="30" height="40"/>')
    (tmp_path / "text.md").write_text(TEXT, encoding="utf-8")
    monkeypatch.setattr(pages, "_DOCS", tmp_path)
    monkeypatch.setattr(pages, "addresses", lambda: {tmp_path / "other.md": "/documents/other/"})
    monkeypatch.setattr(pages, "static", lambda name: f"/static/{name}")
    document: Document = pages._read.__wrapped__(tmp_path / "text.md", "text")
    return document


def test_a_document_is_a_page(read: Document) -> None:
    assert (read.name, read.title) == ("text", "Scores & how")
    assert read.summary == "they are read"
    html = read.html
    assert '<h1 id="scores--how">' in html
    assert [part.split('"')[0] for part in html.split('<h2 id="')[1:]] == ["part", "part-1"]
    assert '<h3 id="part-of-2_3-4">' in html
    for link in ("/documents/other/#part", "https://example.org/a.md", "#part", "/x/", "gone.md"):
        assert f'href="{link}"' in html
    assert '<img src="/static/docs/images/drawing.svg"' not in html
    assert '<img src="/static/docs/drawing.svg" alt="A drawing" width="30" height="40">' in html
    assert '<img src="/static/docs/photo.png" alt="A photograph">' in html
    assert '<div class="table-frame" role="group" aria-label="Table" tabindex="0"><table>' in html
    assert html.count('class="number"') == 2
    assert "style=" not in html
    assert "<td>&lt;b&gt;x&lt;/b&gt;</td>" in html
    assert '<pre tabindex="0"><code>a &lt; b\n</code></pre>' in html
    assert '<pre tabindex="0"><code>indented &amp; so on\n</code></pre>' in html
    assert html.count("</table></div>") == 1


def test_a_paragraph_of_several_lines_is_summed_up_in_one(tmp_path: Path) -> None:
    (tmp_path / "text.md").write_text("# Title\n\nFirst, with `code`\nand *a* [link](b.md).\n\nSecond.\n")
    document = pages._read.__wrapped__(tmp_path / "text.md", "text")
    assert (document.title, document.summary) == ("Title", "First, with code and a link.")


def test_the_sections_about_a_subject_are_found_by_their_headings(monkeypatch: pytest.MonkeyPatch) -> None:
    html = (
        "<h1>All</h1><p>0</p><h2 id='a'>BEIR, <em>MTEB</em></h2><p>1</p><h2>TREC</h2><p>2</p>\n<h2>Of BEIR</h2><p>3</p>"
    )
    of_document = Document("sources", "", "", html)
    of_method = Document("ties", "", "", html.replace("<p>1</p>", "<p>method</p>"))
    monkeypatch.setattr(pages, "read_document", {"sources": of_document}.get)
    monkeypatch.setattr(pages, "read_method", {"ties": of_method, "sources": of_method}.get)
    assert section_about("sources", "BEIR") == "<p>1</p><p>3</p>"
    assert section_about("sources", "TREC") == "<p>2</p>\n"
    assert section_about("sources", "CLEF") == ""
    assert section_about("ties", "BEIR") == "<p>method</p><p>3</p>"
    assert section_about("nothing", "BEIR") == ""


def test_every_method_says_what_it_is_about() -> None:
    subjects = {subject.name: subject for subject in method_subjects()}
    assert "README" not in subjects
    assert set(subjects) == set(pages._methods())
    some = next(iter(subjects.values()))
    page = pages.read_method(some.name)
    assert page
    assert (page.title, page.summary) == (some.title, some.summary)
    assert some.headed[0] == some.title
    assert any(subject.glossed for subject in subjects.values())
    assert pages.read_document("decisions")
    assert pages.read_document("README") is None
    assert pages.read_method("README") is None


def test_a_site_that_listens_everywhere_is_found_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "[::1]", "[::]": "[::1]", "fe80::1": "[fe80::1]", "h": "h"}
    for text, host in heard.items():
        monkeypatch.setenv("PLUMBLINE_TEST_HOST", text)
        assert env_own_host("PLUMBLINE_TEST_HOST") == host


def test_a_cache_that_is_away_is_asked_again_after_ten_seconds(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    did: list[object] = []
    clock = SimpleNamespace(now=50.0)

    def answer(name: str) -> object:
        def ask(self: object, key: str, *given: object) -> object:
            did.append((name, key, *given))
            if key == "away":
                raise RedisAway("refused")
            return 1

        return ask

    for name in ("get", "set", "delete"):
        monkeypatch.setattr(RedisCacheClient, name, answer(name))
    monkeypatch.setattr(core_cache, "time", SimpleNamespace(monotonic=lambda: clock.now))
    client = core_cache._Client(["redis://localhost"])
    assert client.get("a", 7) == 1
    client.set("a", "value", 60)
    assert client.delete("a") is True
    assert did == [("get", "a", 7), ("set", "a", "value", 60), ("delete", "a")]
    did.clear()
    assert client.get("away", 7) == 7
    assert caplog.messages == ["the cache does not answer (refused): pages are built anew"]
    clock.now += 9.9
    assert client.get("a", 7) == 7
    client.set("a", "value", 60)
    assert client.delete("a") is False
    assert did == [("get", "away", 7)]
    clock.now += 0.1
    assert client.get("a", 7) == 1
    assert client.delete("away") is False
