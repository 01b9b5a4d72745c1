"""The documents hold together: each can be reached, every link leads somewhere, no method page is named in vain."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urldefrag

import pytest
from django.core.management import get_commands, load_command_class

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted({*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "data").glob("*.md")})
START = (ROOT / "README.md", DOCS / "README.md")
#: What a repository needs and no other page has a reason to name.
ALONE = {ROOT / "CHANGELOG.md"}
CODE = re.compile(r"^(`{3,})[^`]*?^\1`*$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
#: Of a line, up to the next program.
COMMAND = re.compile(r"manage\.py ([a-z_]+)([^`\n&|;]*)")
LINK = re.compile(r"\]\(([^()\s]+)\)")


def prose(path: Path) -> str:
    """A page without its code."""
    return CODE.sub("", path.read_text(encoding="utf-8"))


def links(path: Path) -> Iterator[tuple[Path, str]]:
    """(file, anchor) of every link of a page to something in the repository."""
    for target in LINK.findall(prose(path)):
        if not re.match(r"[a-z]+:", target):
            file, anchor = urldefrag(target)
            yield ((path.parent / file).resolve() if file else path), anchor


def options_of(command: str) -> set[str]:
    """The options of a command of manage.py, whose name is one."""
    app = get_commands()[command]
    made = load_command_class(app, command) if isinstance(app, str) else app
    return {option for action in made.create_parser("manage.py", command)._actions for option in action.option_strings}


def test_every_command_and_option_that_a_document_names_exists() -> None:
    pages = {page: page.read_text(encoding="utf-8") for page in PAGES if page not in ALONE}
    named = [(page.name, *found) for page, text in pages.items() for found in COMMAND.findall(text)]
    assert len(named) > 60
    unknown = {(page, command) for page, command, _ in named if command not in get_commands()}
    assert unknown == set()
    given = {(page, command, one) for page, command, rest in named for one in re.findall(r"(?<!\S)--[a-z-]+", rest)}
    assert {one for one in given if one[2] not in options_of(one[1])} == set()


def anchors(path: Path) -> set[str]:
    """The names of the headings of a page, as sites that show Markdown make them."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    plain = [re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", heading).replace("`", "") for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files_and_parts_that_exist(path):
    for file, anchor in links(path):
        assert file.exists(), f"{file.relative_to(ROOT)} is not there"
        if anchor:
            assert anchor in anchors(file), f"{file.relative_to(ROOT)} has no part {anchor}"


def test_every_document_can_be_reached_from_the_two_indexes():
    found, waiting = set(START), list(START)
    while waiting:
        page = waiting.pop()
        for file, _ in links(page):
            if file.suffix == ".md" and file not in found:
                found.add(file)
                waiting.append(file)
    assert set(PAGES) - ALONE - found == set()


@pytest.mark.parametrize("path", sorted(DOCS.glob("*.md")), ids=lambda path: path.stem)
def test_the_index_of_documents_names_every_one(path):
    assert path == DOCS / "README.md" or path in {file for file, _ in links(DOCS / "README.md")}


def test_method_pages_that_code_and_templates_name_exist():
    names = {path.stem for path in (DOCS / "methods").glob("*.md")} - {"README"}
    named = set()
    for folder, pattern in (("registry", "*.py"), ("templates", "*.html"), ("analysis", "*.py"), ("static", "*.js")):
        for path in (ROOT / folder).rglob(pattern):
            text = path.read_text(encoding="utf-8")
            named |= set(re.findall(r"method-detail['\"],? (?:args=\[)?['\"]([\w-]+)['\"]", text))
            named |= set(re.findall(r"/methods/([\w-]+)/", text))
            named |= set(re.findall(r"methods/([\w-]+)\.md", text))
    assert named
    assert named - names == set()


def test_the_index_of_methods_names_every_page():
    index = {file for file, _ in links(DOCS / "methods" / "README.md")}
    assert {path for path in (DOCS / "methods").glob("*.md") if path.stem != "README"} <= index


GLOSSARY = [
    [cell.strip() for cell in row.strip("|").split("|")]
    for row in re.findall(r"^\|.+\|$", (DOCS / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE)
]


def glossary_tables() -> list[list[list[str]]]:
    """The rows of each table of the glossary, without its head."""
    starts = [place for place, row in enumerate(GLOSSARY) if row[0] == "word"]
    return [GLOSSARY[start + 2 : end] for start, end in zip(starts, [*starts[1:], None], strict=True)]


def test_the_glossary_is_in_order_and_says_each_word_once():
    words = [[row[0].strip("[").split("](")[0].lower() for row in table] for table in glossary_tables()]
    assert all(table == sorted(table) for table in words)
    assert len({word for table in words for word in table}) == sum(len(table) for table in words)


@pytest.mark.parametrize("row", glossary_tables()[1], ids=lambda row: row[0])
def test_a_word_of_the_methods_is_used_on_the_page_that_explains_it(row):
    word, file = row[0].strip("[)").split("](")
    text = (DOCS / file).read_text(encoding="utf-8").lower()
    stem = word.lower().removesuffix("s").removesuffix("ce")
    assert re.sub(r"\s+", " ", stem) in re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("path", sorted((DOCS / "methods").glob("*.md")), ids=lambda path: path.stem)
def test_methods_keep_to_the_words_of_the_glossary(path):
    """What the glossary says a word is not: where that is a word of its own, it isn't used."""
    text = prose(path).lower().replace("query expansion", "")
    others = [word for row in glossary_tables()[0] for word in row[2].split(", ") if word]
    own = {row[0] for row in glossary_tables()[0]}
    unused = {"metric", "dataset", "query", "performance", "proof"}
    assert unused <= set(others) - own
    assert not [word for word in unused if re.search(rf"\b{word}s?\b", text)]
