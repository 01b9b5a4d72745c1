"""Parts of what reads bibliographies, formats of exchange and what programs print: bounds, places and sentences."""

from dataclasses import replace

import pytest

from analysis.readers import rows, structured
from analysis.readers.bibliography import bibtex_entries
from analysis.readers.bibliography.author_names import Author, Authors, read_authors
from analysis.readers.bibliography.bibtex import read_bibtex
from analysis.readers.bibliography.bibtex_entries import Fault, read_entries, refuse_text
from analysis.readers.bibliography.bibtex_file import read_bibtex_file
from analysis.readers.bibliography.lookup import address_to_ask, look_up
from analysis.readers.bibliography.papers import PaperDraft, draft_of_addresses, read_identifier
from analysis.readers.exchange import every_eval_ever, formats, ir_metadata, run_cards
from analysis.readers.grids import MAX_CELL_LENGTH, Aside, Flaw
from analysis.readers.identifiers import arxiv_address, dblp_address, doi_address, identifier_address
from analysis.readers.pasted import score_files, tool_output
from analysis.readers.pasted.heads import Head, conflicts
from analysis.readers.rejections import Refused, Rejection
from analysis.readers.structured import Number, read_json, read_yaml, write_yaml
from analysis.readers.tables import Record
from tests.analysis.readers.examples import Names

# --- bibliographies


def fault_of(text: str) -> Rejection:
    with pytest.raises(Fault) as caught:
        _read(text)
    return caught.value.rejection


def _read(text: str) -> None:
    refuse_text(text)
    read_entries(text)


def test_an_entry_stands_where_it_stands():
    text = "One of mine.\n\n@Article ( a:1,\n  Title = {T},\n\n  Year=2004, )\nbehind\n@misc{b}"
    first, second = read_entries(text)
    assert (first.kind, first.key, first.line) == ("article", "a:1", 3)
    assert text[first.start : first.end] == "@Article ( a:1,\n  Title = {T},\n\n  Year=2004, )"
    assert {name: (value.text, value.line) for name, value in first.fields.items()} == {
        "title": ("T", 4),
        "year": ("2004", 6),
    }
    assert (second.kind, second.key, second.line, second.fields) == ("misc", "b", 8, {})
    assert text[second.start : second.end] == "@misc{b}"


def test_values_are_in_braces_in_quotes_numbers_or_months():
    (entry,) = read_entries('@a{k, a = {x {"} y}, b = "x {"} y", c = 12, d = Jan, e = sept}')
    assert [value.text for value in entry.fields.values()] == ['x {"} y', 'x {"} y', "12", "Jan", "sept"]


def test_comments_with_braces_are_passed_over():
    assert [entry.key for entry in read_entries("@comment{a {b} c} @a{k} @Comment{@a{l}}")] == ["k"]


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "said"),
    [
        (" \n", "empty", 1, "entry", "there is nothing in it"),
        ("@comment{a\nb", "cut_off", 1, "entry", "a comment begins here and is never closed"),
        ("x\n@a{k,\n t = {", "cut_off", 3, "t", "the entry is cut off in t, which begins here; copy it up to the }"),
        ("@a(k,\n t = 1", "cut_off", 2, "t", "the entry is cut off in t; copy it up to the ) that closes it"),
        ("@a{k,\n t =", "cut_off", 2, "t", "the entry is cut off in t; copy"),
        ("@a{k,\n t", "cut_off", 1, "entry", "the entry is cut off in t; copy"),
        ("@a{k", "cut_off", 1, "entry", "the entry is cut off; copy"),
        ("@a{k, t = {T},\n", "cut_off", 1, "entry", "the last complete field is t, or a brace is missing in it; copy"),
        ("@a{k l}", "key", 1, "entry", "after @a and its brace comes a key and a comma: @a{key,"),
        ("@a{k,\n\n {T}}", "field", 3, "entry", "'{T}}' is no field; a field is written name = {text}, with a comma"),
        ("@a{k,\n t = {T},\n\n t = {U}}", "duplicate_field", 4, "t", "the field stands in line 2 already"),
        ("@a{k, t = tois}", "abbreviation", 1, "t", "'tois' is an abbreviation; write the text itself, in braces"),
        ("@a{k, t = ,}", "value", 1, "t", "has no value; write it in braces"),
        ('@a{k, t = "a" # "b"}', "concatenation", 1, "t", "pieces joined by # are not taken"),
        ("@a{k, t = {a} b}", "comma", 1, "t", "the comma behind the field is missing, or a brace in it"),
        ("\n@STRING{x}", "string", 2, "entry", "@string is not taken; write what it stands for into the entry"),
        ("a\n\x07", "invisible_character", 2, "entry", "contains U+0007, which cannot be seen; delete it"),
        ('@a{k, t = "x\n}"}', "brace", 2, "t", "a brace is closed here that was not opened"),
    ],
)  # fmt: skip
def test_faults_say_where_they_are(text, code, line, column, said):
    found = fault_of(text)
    assert (found.code, found.line, found.column, found.fatal) == (code, line, column, True)
    assert found.message.startswith(said) or said in found.message


def test_as_long_as_may_be_and_a_byte_more():
    refuse_text("ä" * 32_000)
    assert fault_of("ä" * 32_000 + "a").message == "has 64,001 bytes; the most for one paper is 64,000"


def test_as_many_fields_as_may_be(monkeypatch):
    monkeypatch.setattr(bibtex_entries, "_MAX_FIELDS", 2)
    assert len(read_entries("@a{k, a = 1, b = 2}")[0].fields) == 2
    assert fault_of("@a{k, a = 1, b = 2,\n c = 3}").code == "too_many_fields"


def test_of_several_entries_it_is_said_which_is_the_second():
    (found,) = read_bibtex("@a{k, title={T}}\n\n@a{l, title={U}}\n@a{m, title={V}}")
    assert (found.code, found.line) == ("several_entries", 3)
    assert found.message == "there are 3 entries in it, and this is the second; paste the entry of one paper"
    # Neither is one taken from proceedings that it does not refer to, or that have no key.
    assert read_bibtex("@a{k, title={T}, crossref={x}}@b{y, title={U}}")[0].code == "several_entries"
    assert read_bibtex("@a{k, title={T}, crossref={}}@b{, title={U}}")[0].code == "several_entries"
    third = "@a{k, title={T}, crossref={y}}@b{y, title={U}}@b{y, title={U}}"
    assert read_bibtex(third)[0].code == "several_entries"


def test_a_paper_takes_of_its_proceedings_what_it_does_not_say_itself():
    text = "@a{k, title={T}, crossref={Y }, year={2005}}\n@b{y, title={U}, year={2004}, doi={10.1000/1}}"
    found = read_bibtex("\ufeff" + text)
    assert (found.title, found.venue, found.year, found.doi) == ("T", "U", 2005, "10.1000/1")
    assert found.bibtex == text


def test_entries_of_a_file_have_the_lines_of_the_file():
    text = (
        "\ufeffwritten by hand\n@a{k,\n title={T}}\n\n@a{l,\n year={x}\n}\n@proceedings{p, title={P}}\n"
        "@a{m, title={M}, crossref={P}} @a{n,\n title={N\n"
    )
    first, second, third, fourth = read_bibtex_file(text)
    assert (first.line, first.text, first.paper.title, first.rejections) == (2, "@a{k,\n title={T}}", "T", ())
    assert (second.line, second.paper) == (5, None)
    assert [(one.line, one.column, one.fatal) for one in second.rejections] == [(5, "title", False), (6, "year", False)]
    assert (third.line, third.text) == (9, "@a{m, title={M}, crossref={P}}")
    assert third.paper.bibtex == "@a{m, title={M}, crossref={P}}\n\n@proceedings{p, title={P}}"
    assert third.paper.venue == "P"
    assert (fourth.line, fourth.rejections[0].code, fourth.rejections[0].line) == (9, "cut_off", 10)
    assert fourth.text == "@a{n,\n title={N"


@pytest.mark.parametrize(
    ("source", "listed", "has_more"),
    [
        ("", (), False),
        ("and and", (), False),
        ("others", (), True),
        ("Doe", (("Doe", "Doe"),), False),
        ("Jane Mary Doe", (("Jane Mary Doe", "Doe"),), False),
        ("jane doe", (("jane doe", "doe"),), False),
        ("Ludwig van der Berg", (("Ludwig van der Berg", "van der Berg"),), False),
        ("Berg, Ludwig", (("Ludwig Berg", "Berg"),), False),
        ("Berg, Jr, Ludwig", (("Ludwig Berg Jr", "Berg"),), False),
        ("Berg,", (("Berg", "Berg"),), False),
        ("{Barnes and Noble} AND Doe,J.", (("Barnes and Noble", "Barnes and Noble"), ("J. Doe", "Doe")), False),
        ("Jane~Doe and\nothers", (("Jane Doe", "Doe"),), True),
        ("{}", (), False),
    ],
)
def test_names_of_authors_are_told_apart(source, listed, has_more):
    assert read_authors(source) == Authors(tuple(Author(*one) for one in listed), has_more)


def test_authors_are_cited_in_short():
    doe, roe, poe = (Author(f"J. {name}", name) for name in ("Doe", "Roe", "Poe"))
    assert [Authors(some).short for some in ((), (doe,), (doe, roe), (doe, roe, poe))] == [
        "", "Doe", "Doe and Roe", "Doe et al.",
    ]  # fmt: skip
    assert (Authors((doe,), True).short, Authors((), True).short) == ("Doe et al.", "")
    assert (str(Authors((doe, roe), True)), str(Authors((), True))) == ("J. Doe; J. Roe; et al.", "et al.")


def entry(fields: str, key: str = "k") -> PaperDraft:
    found = read_bibtex(f"@a{{{key}, title={{T}}, author={{Doe, J}}, {fields}}}")
    assert isinstance(found, PaperDraft), found
    return found


@pytest.mark.parametrize(
    ("key", "fields", "cite"),
    [
        ("DBLP:conf/sigir/Doe21", "year=2021, series={ECIR '21}", "Doe (SIGIR 2021)"),
        ("DBLP:journals/corr/abs-1904-09171", "year=2019", "Doe (CoRR 2019)"),
        ("k", "year=2005, booktitle={Proc. of CIKM 2005}", "Doe (CIKM 2005)"),
        ("k", "year=2005, booktitle={Proc. of the Conference}", "Doe (2005)"),
        ("k", f"journal={{{'J' * 40}}}", f"Doe ({'J' * 40})"),
        ("k", f"journal={{{'J' * 41}}}", "Doe"),
        ("k", "year={1899}", None),
        ("k", "date={2004-05-06}", "Doe (2004)"),
        ("k", "date={2004-05}, year={}", "Doe (2004)"),
    ],
)
def test_papers_are_cited_by_place_and_year(key, fields, cite):
    if cite is None:
        (found,) = read_bibtex(f"@a{{{key}, title={{T}}, author={{Doe, J}}, {fields}}}")
        assert found.message == "'1899' is not a year; write it as 2004, or leave it out"
    else:
        assert entry(fields, key).cite == cite


def test_without_authors_editors_or_the_title_stand_for_them():
    edited = read_bibtex("@a{k, title={T}, editor={Roe, R}, year=2004}")
    assert (edited.cite, edited.authors) == ("Roe (2004)", "R Roe")
    assert read_bibtex("@a{k, title={T}, year=2004}").cite == "T (2004)"
    assert read_bibtex("@a{k, title={" + "x" * 500 + "}, year=2004}").title == "x" * 500


@pytest.mark.parametrize(
    ("fields", "doi", "arxiv", "dblp"),
    [
        (r"doi={10.1000/a\_b}", "10.1000/a_b", "", ""),
        ("eprint={1904.09171}", "", "1904.09171", ""),
        ("eprint={1904.09171}, archiveprefix={ArXiv}", "", "1904.09171", ""),
        ("eprint={1904.09171}, eprinttype={pubmed}", "", "", ""),
        ("journal={arXiv preprint arXiv:1904.09171}", "", "1904.09171", ""),
        ("journal={CoRR}, volume={abs/1904.09171}", "", "1904.09171", ""),
        ("howpublished={arXiv: cs.IR/0410001}", "", "cs.ir/0410001", ""),
        (r"url={\url{https://arxiv.org/abs/1904.09171}}", "", "1904.09171", ""),
    ],
)
def test_identifiers_are_where_bibliographies_write_them(fields, doi, arxiv, dblp):
    found = entry(fields)
    assert (found.doi, found.arxiv_id.lower(), found.dblp_key) == (doi, arxiv, dblp)


def test_an_address_that_is_none_matters_only_where_there_is_no_other():
    assert entry("doi={10.1000/1}, url={nowhere}").doi == "10.1000/1"
    (found,) = read_bibtex("@a{k, title={T},\n url={nowhere}}")
    assert (found.line, found.column) == (2, "url")


def test_what_rows_and_papers_take_of_a_draft():
    bare = read_identifier("10.1000/1")
    assert bare.cells() == {"paper": "", "paper_url": "https://doi.org/10.1000/1", "year": ""}
    assert bare.description() == {}
    found = entry("doi={10.1000/1}, year=2004")
    assert found.cells() == {"paper": "Doe (2004)", "paper_url": "https://doi.org/10.1000/1", "year": "2004"}
    assert found.description() == {"title": "T", "authors": "J Doe", "doi": "10.1000/1", "bibtex": found.bibtex}
    assert draft_of_addresses([], "") is None
    assert draft_of_addresses([], "Doe (2004)").identity.startswith("cite:")
    several = draft_of_addresses(["https://arxiv.org/abs/1904.09171", "https://doi.org/10.1000/1"], "Doe (2004)")
    assert (several.identity.partition(":")[0], several.doi, several.arxiv_id) == ("doi", "10.1000/1", "1904.09171")


def test_a_paper_is_looked_up_at_the_anthology_before_arxiv_a_doi_and_dblp():
    draft = PaperDraft("x", acl_id="P19-1001", arxiv_id="1904.09171", doi="10.1000/1", dblp_key="conf/a/b")
    assert address_to_ask(draft) == "https://aclanthology.org/P19-1001.bib"
    draft = replace(draft, acl_id="")
    assert address_to_ask(draft) == "https://arxiv.org/bibtex/1904.09171"
    draft = replace(draft, arxiv_id="")
    assert address_to_ask(draft) == "https://doi.org/10.1000/1"
    draft = replace(draft, doi="")
    assert address_to_ask(draft) == "https://dblp.org/rec/conf/a/b.bib"
    assert address_to_ask(replace(draft, dblp_key="")) == ""


def test_what_is_looked_up_stays_the_paper_that_it_was():
    draft = read_identifier("arXiv:1904.09171")
    asked = []

    def fetch(address, kind):
        asked.append((address, kind))
        return "@a{k, title={T}, doi={10.1000/1}, eprint={1904.09171}}"

    found = look_up(draft, fetch)
    assert asked == [("https://arxiv.org/bibtex/1904.09171", "application/x-bibtex")]
    assert (found.identity, found.url, found.title) == (draft.identity, draft.url, "T")
    assert (found.doi, found.arxiv_id) == ("10.1000/1", "1904.09171")
    (other,) = look_up(draft, lambda address, kind: "@a{k, title={T}, eprint={1904.09172}}")
    assert other.message == "https://arxiv.org/bibtex/1904.09171 answered with another paper, 1904.09172"
    upper = replace(draft, doi="10.1000/ABC")
    assert look_up(upper, lambda address, kind: "@a{k, title={T}, doi={10.1000/abc}}").doi == "10.1000/ABC"
    (unread,) = look_up(draft, lambda address, kind: "gone")
    assert unread.message.startswith("the answer of https://arxiv.org/bibtex/1904.09171 cannot be read: there is no")
    assert (unread.code, unread.line, unread.column) == ("no_entry", 1, "paper")


# --- identifiers


def test_identifiers_may_stand_between_blanks():
    assert arxiv_address(" 1904.09171v3 ") == "https://arxiv.org/abs/1904.09171"
    assert doi_address(" doi: 10.1000/1 ") == "https://doi.org/10.1000/1"
    assert dblp_address(" DBLP:conf/sigir/Doe21 ") == "https://dblp.org/rec/conf/sigir/Doe21"
    assert (dblp_address("what/sigir/Doe21"), dblp_address("conf/sigir")) == ("", "")
    assert identifier_address("cs.IR/0410001.,;") == "https://arxiv.org/abs/cs.ir/0410001"
    with pytest.raises(Refused, match="is blank; give a DOI"):
        identifier_address(".;")
    with pytest.raises(Refused, match="is not an arXiv id; write it as"):
        arxiv_address("1904.091")


# --- rows


def test_as_many_results_as_may_be(monkeypatch):
    monkeypatch.setattr(rows, "MAX_RESULTS", 2)
    assert len(rows.as_records([{}, {}])) == 2
    (found,) = rows.as_records([{}, {}, {}])
    assert (found.code, found.line, found.fatal) == ("too_many_rows", 3, True)
    assert found.message == "has 3 results; the most is 2. Send them in parts"
    monkeypatch.setattr(formats, "MAX_RESULTS", 2)
    text = "collection,measure,system,role,value\n" + "a,b,c,proposed,1\n" * 2
    assert len(formats.read_csv(text)) == 2
    (found,) = formats.read_csv(text + "a,b,c,proposed,1\n")
    assert (found.code, found.line, found.message) == (
        "too_many_rows", 4, "has more than 2 rows; send them in parts",
    )  # fmt: skip


def test_as_long_a_csv_as_may_be(monkeypatch):
    text = "collection,measure,system,role,value\nä,b,c,proposed,1\n"
    monkeypatch.setattr(formats, "MAX_CSV_BYTES", len(text) + 1)
    assert len(formats.read_csv(text)) == 1
    monkeypatch.setattr(formats, "MAX_CSV_BYTES", len(text))
    assert formats.read_csv(text)[0].message == f"has {len(text) + 1} bytes; the most is {len(text)}. Send it in parts"


def test_cells_are_as_long_as_may_be_and_text():
    assert isinstance(rows.as_record(1, {"notes": "x" * MAX_CELL_LENGTH}), Record)
    found = rows.as_record(7, {"notes": "x" * (MAX_CELL_LENGTH + 1)})
    assert (found.code, found.line, found.column) == ("too_long", 7, "notes")
    assert rows.as_record(7, {"notes": "a\0"}).message == "contains U+0000, which is no text; delete it"
    assert "system" in rows.as_record(7, {"systme": ""}).message
    assert "; the columns are " in rows.as_record(7, {"qqqqqqq": ""}).message
    assert (rows.shown_name(""), rows.shown_name("ä\n")) == ("(blank)", "\\xe4\\n")


def test_runs_are_grouped_and_one_alone_is_asked_for():
    first, second = {"system": "a", "measure": "m", "value": "1"}, {"system": "b", "measure": "m", "value": "1"}
    third = {"system": "a", "measure": "n", "value": "2", "notes": ""}
    assert rows.runs_of([first, second, third]) == [[first, third], [second]]
    assert rows.only_run([first, third]) == ({"system": "a"}, [("m", "1"), ("n", "2")])
    with pytest.raises(Refused, match="the format holds one run, and these rows are of 2"):
        rows.only_run([first, second])
    with pytest.raises(Refused, match="these rows are of 0"):
        rows.only_run([])


# --- JSON and YAML


def test_json_is_as_deep_and_long_as_may_be(monkeypatch):
    assert read_json("\ufeff" + "[" * 32 + "]" * 32)
    with pytest.raises(Flaw, match="is nested more than 32 deep, or has more than 400,000 parts"):
        read_json("[" * 33 + "]" * 33)
    assert read_json('["[[[[", ' + "[], " * 40 + "{}]")[0] == "[[[["
    monkeypatch.setattr(structured, "MAX_NODES", 3)
    assert read_json("[[], {}]") == [[], {}]
    with pytest.raises(Flaw) as caught:
        read_json("[[], {},\n []]")
    assert caught.value.rejection.line == 2
    monkeypatch.setattr(structured, "MAX_JSON_LENGTH", 4)
    assert read_json("1234") == "1234"
    with pytest.raises(Flaw, match="has 5 characters; the most is 4"):
        read_json("12345")


def test_numbers_of_json_stay_as_written():
    found = read_json('{"a": 0.30, "b": 12, "c": "0.30", "d": null}')
    assert found == {"a": "0.30", "b": "12", "c": "0.30", "d": None}
    assert [isinstance(found[key], Number) for key in "abc"] == [True, True, False]


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ('["NaN",\n NaN]', 2, 2, "NaN is not a number of JSON"),
        ("[1,\n  -Infinity]", 2, 3, "-Infinity is not a number of JSON"),
        ('{"a": 1,\n "a": 2}', 1, 0, "the key 'a' stands twice in one object"),
        ("[1,\n 2", 2, 3, "is not JSON: Expecting ',' delimiter"),
    ],
)
def test_faults_of_json_say_where_they_are(text, line, column, said):
    with pytest.raises(Flaw) as caught:
        read_json(text)
    found = caught.value.rejection
    assert found.line == line
    assert found.message.startswith(said)
    assert found.fatal
    assert not column or found.column == f"column {column}"


def test_yaml_is_as_deep_and_long_as_may_be(monkeypatch):
    assert read_yaml("\ufeff" + "[" * 32 + "]" * 32)
    with pytest.raises(Flaw, match="is nested more than 32 deep"):
        read_yaml("[" * 33 + "]" * 33)
    monkeypatch.setattr(structured, "MAX_NODES", 3)
    assert read_yaml("[a, b]") == ["a", "b"]
    with pytest.raises(Flaw, match="has more than 3 parts"):
        read_yaml("[a, b, c]")
    monkeypatch.setattr(structured, "MAX_YAML_LENGTH", 4)
    assert read_yaml("a: b") == {"a": "b"}
    with pytest.raises(Flaw, match="has 5 characters; the most is 4"):
        read_yaml("a: bc")


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("a: b\nc: &x d", "alias", 2, 4),
        ("a: *x", "alias", 1, 4),
        ("a: !!int 3", "tag", 1, 4),
        ("a: b\n---\nc: d", "several_documents", 2, 1),
        ("a: b\n? [x]\n: c", "key", 2, 3),
        ("a: b\na: c", "duplicate_key", 2, 1),
        ("a: b: c", "yaml", 1, 5),
        ("a: b\nc: \x07", "yaml", 2, 0),
    ],
)
def test_faults_of_yaml_say_where_they_are(text, code, line, column):
    with pytest.raises(Flaw) as caught:
        read_yaml(text)
    found = caught.value.rejection
    assert (found.code, found.line, found.fatal) == (code, line, True)
    assert not column or found.column == f"column {column}"


def test_yaml_is_text_in_its_order_one_line_each():
    assert read_yaml("b: 0.30\na: {x: yes, y: ! 3}\nc: [1, ~]") == {
        "b": "0.30", "a": {"x": "yes", "y": "3"}, "c": ["1", "~"],
    }  # fmt: skip
    assert read_yaml("") is None
    assert write_yaml({"b": "ä", "a": "x\ny", "c": "z" * 300}) == f'b: ä\na: "x\\ny"\nc: {"z" * 300}\n'


# --- run cards, metadata, logs


def test_a_date_of_a_run_card_is_complete_or_none():
    date = run_cards._date
    assert date({"day": "3", "month": "Mar", "year": "2024"}) == "2024-03-03"
    assert date({"day": " 19 ", "month": "november", "year": "2004"}) == "2004-11-19"
    for missing in ("day", "month", "year"):
        assert date({"day": "3", "month": "Mar", "year": "2024", missing: "n/a"}) == ""
    assert date({"day": "3", "month": "13", "year": "2024"}) == ""
    assert date({"day": "٣", "month": "may", "year": "2024"}) == ""
    assert date({"day": "x", "month": "may", "year": "2024"}) == ""
    assert date({"day": "3", "month": "may", "year": "two"}) == ""
    assert date({"day": "3", "month": "may", "year": "٢٠٢٤"}) == ""


def test_scores_of_a_run_card_are_as_printed_where_it_says_so():
    text = (
        "run:\n  name: a\n  team: [{name: T}, {name: none}, {}]\n  results: {MAP: 0.312, P: [1], R: 0.2}\n"
        "plumbline:\n  unit: percent\n  notes: [x]\n  printed: {MAP: '31.20', R: n/a}\n"
    )
    first, second, third = run_cards.read_run_card(text)
    assert (first.cells["value"], first.cells["unit"], first.cells["notes"]) == ("31.20", "percent", "")
    assert (first.cells["system"], first.cells["team"], first.line) == ("a", "T", 1)
    assert (second.code, second.line, second.column) == ("type", 2, "value")
    assert third.cells["value"] == "0.2"


def test_metadata_end_where_they_say():
    text = "# ir_metadata.start\n# tag: a\n# research goal:\n#  evaluation:\n#   reported measures: [MAP]\n"
    (found,) = ir_metadata.read_ir_metadata(text + "# ir_metadata.end\n1 Q0 d 1 2.0 a\n")
    assert (found.cells["system"], found.cells["measure"], found.cells["value"]) == ("a", "MAP", "")
    (found,) = ir_metadata.read_ir_metadata("x\n" + text)
    assert (found.code, found.line) == ("cut_off", 2)
    assert found.message == "the metadata begins here, and ir_metadata.end is missing"
    (found,) = ir_metadata.read_ir_metadata("- a")
    assert (found.code, found.fatal) == ("shape", True)


def test_ids_of_collections_are_taken_out_of_addresses():
    def collection(given):
        return ir_metadata._collection({"ir_datasets": given, "name": "N"})

    assert collection("msmarco-passage/trec-dl-2019") == "msmarco-passage/trec-dl-2019"
    assert collection("https://ir-datasets.com/beir.html#beir%2Ffiqa") == "beir/fiqa"
    assert collection("https://ir-datasets.com/beir.html") == "beir"
    assert collection(" ") == "N"


def test_days_of_logs_are_dates_or_seconds():
    day = every_eval_ever._day
    assert [day(one) for one in ("2024-05-06", "2024-05-06T07:08", "2024-05-06 07", "2024-05-06x")] == [
        "2024-05-06", "2024-05-06", "2024-05-06", "",
    ]  # fmt: skip
    assert (day("1700000000"), day("1700000000.5"), day("17000000"), day("")) == ("2023-11-14", "2023-11-14", "", "")


@pytest.mark.parametrize(
    ("metric", "is_percent"),
    [
        ({"metric_unit": "Percentage"}, True),
        ({"max_score": Number("100")}, True),
        ({"max_score": Number("100"), "min_score": Number("0.0")}, True),
        ({"max_score": Number("100"), "min_score": Number("1")}, False),
        ({"max_score": Number("100"), "min_score": "0"}, False),
        ({"max_score": "100"}, False),
        ({"max_score": Number("1")}, False),
        ({}, False),
    ],
)
def test_a_metric_is_in_percent_where_it_says_so_or_ends_at_100(metric, is_percent):
    assert every_eval_ever._is_percent(metric) is is_percent


def test_a_score_of_a_log_is_as_printed_where_that_is_the_same_number():
    score = every_eval_ever._score
    assert score(Number("0.312"), {"printed": "31.20", "unit": "percent"}, {}) == {"value": "31.20", "unit": "percent"}
    assert score(Number("0.313"), {"printed": "31.20", "unit": "percent"}, {}) == {"value": "0.313", "unit": ""}
    assert score(Number("31.2"), {"printed": "x"}, {"metric_unit": "%"}) == {"value": "31.2", "unit": "percent"}


# --- what programs print


def told(text: str) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in tool_output.read_tool_output(text, Names()).rows]


def test_lines_of_programs_are_a_measure_a_topic_and_a_number():
    line = tool_output._told
    assert line(3, "map all 0.2") == tool_output._Line(3, "map", "all", "0.2")
    assert line(3, "all AP 0.2") == tool_output._Line(3, "AP", "all", "0.2")
    assert line(3, "301 AP 0.2") == tool_output._Line(3, "AP", "301", "0.2")
    assert line(3, "map 301 0.2") == tool_output._Line(3, "map", "301", "0.2")
    assert line(3, "AP: 0.2") == tool_output._Line(3, "AP", "all", "0.2")
    assert line(3, "runid all bm25") == tool_output._Line(3, "runid", "all", "bm25")
    for other in ("AP x", "BM25 0.2", "1 2 0.3", "map all x", "a b c d", "map all 0.2 0.3", ""):
        assert line(3, other) is None, other


def test_what_programs_print_is_told_from_tables():
    is_output = tool_output.is_tool_output
    assert is_output("runid\tall\tbm25\nmap\tall\t0.2\n")
    assert is_output("Some words above\n\nmap\tall\t0.2\nP_5\t301\t0.4\n")
    assert not is_output("map\t301\t0.2\n")
    assert not is_output("map\tall\t0.2\nwords below that are no line\n")
    assert not is_output("Words above\nAP 0.2\n")
    assert not is_output("")


def test_scores_of_several_runs_have_names():
    text = "runid all a\nnum_q all 50\nmap all 0.2\nrunid all b\nmap all 0.3\nP_5 all 0.4\n"
    assert told(text)[1:] == [["a", "map", "0.2", "50"], ["b", "map", "0.3", ""], ["b", "P_5", "0.4", ""]]
    assert told("runid all 12\nmap all 0.2\n")[1:] == [["", "map", "0.2", ""]]
    for text, line in (("map all 0.2\nmap all 0.3\n", 2), ("runid all a\nmap all 0.2\n\nmap all 0.3\n", 4)):
        with pytest.raises(Flaw) as caught:
            tool_output.read_tool_output(text, Names())
        assert (caught.value.rejection.code, caught.value.rejection.line) == ("several_runs", line)


def test_what_is_put_aside_of_what_programs_print():
    text = "hello there you all\nmap all 0.2\nnum_ret all 900\nfoo all 0.3\n" + "".join(
        f"map {topic} 0.1\nP_5 {topic} 0.1\n" for topic in range(301, 308)
    )
    grid = tool_output.read_tool_output(text, Names())
    assert grid.asides == [
        Aside(1, 0, "hello there you all", "no line of scores"),
        Aside(5, 0, "301, 302, 303, 304, 305 and 2 more: 14 lines", "scores of single topics"),
        Aside(3, 0, "num_ret 900, foo 0.3", "counts, and measures that are not known here"),
    ]
    five = "map all 0.2\n" + "".join(f"map {topic} 0.1\n" for topic in range(301, 306))
    assert tool_output.read_tool_output(five, Names()).asides[0].text == "301, 302, 303, 304, 305: 5 lines"
    with pytest.raises(Flaw) as caught:
        tool_output.read_tool_output("\nmap 301 0.2\n", Names())
    assert (caught.value.rejection.code, caught.value.rejection.line) == ("no_means", 2)


# --- files of scores


def rows_of(grid) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in grid.rows]


def test_scores_by_measure_are_rows_and_other_numbers_are_put_aside():
    grid = score_files.read_json_scores('{"NDCG@10": 0.30, "MAP@100": 0.2, "speed": 12}', Names())
    assert rows_of(grid) == [["measure", "value"], ["NDCG@10", "0.30"], ["MAP@100", "0.2"]]
    assert [row.line for row in grid.rows] == [1, 1, 2]
    assert grid.asides == [Aside(1, 0, "speed 12", "names that are no measure known here")]
    grid = score_files.read_json_scores('[{"NDCG@10": 0.30}, {"MAP@100": 0.2}]', Names())
    assert rows_of(grid)[1:] == [["NDCG@10", "0.30"], ["MAP@100", "0.2"]]


@pytest.mark.parametrize("text", ["[]", "{}", '{"speed": 3}', '{"NDCG@10": "0.3"}', '[{"NDCG@10": 0.3}, 3]', "3"])
def test_json_of_another_shape_is_refused(text):
    with pytest.raises(Flaw) as caught:
        score_files.read_json_scores(text, Names())
    assert (caught.value.rejection.code, caught.value.rejection.line) == ("shape", 1)


def test_of_a_task_the_test_split_counts():
    scores = '"ndcg_at_10": 0.3'
    text = f'{{"task_name": "SciFact", "scores": {{"test": [{{{scores}, "hf_subset": "default"}}], "dev": [{{}}]}}}}'
    grid = score_files.read_json_scores(text, Names())
    assert rows_of(grid) == [["collection", "measure", "value"], ["SciFact", "ndcg_at_10", "0.3"]]
    assert grid.asides == [Aside(1, 0, "dev", "another split than test")]
    text = f'{{"mteb_dataset_name": "MIRACL", "dev": {{{scores}, "hf_subset": "de"}}, "train": [3]}}'
    grid = score_files.read_json_scores(text, Names())
    assert rows_of(grid) == [
        ["collection", "measure", "value", "notes"], ["MIRACL de", "ndcg_at_10", "0.3", "split dev"],
    ]  # fmt: skip
    with pytest.raises(Flaw, match="there are no scores in it"):
        score_files.read_json_scores('{"task_name": "SciFact"}', Names())


def test_entries_of_models_are_rows_with_their_lines():
    text = (
        "- dataset:\n    id: BeIR/scifact\n    task_id: test\n  value: 0.740\n  date: 2024-05-06T07:08\n"
        "- dataset: {id: b, task_id: retrieval}\n  value: 0.5\n  notes: n\n  verifyToken: x\n"
        "  source: {name: S, url: U}\n"
    )
    grid = score_files.read_yaml_scores(text, Names())
    assert rows_of(grid)[0] == ["collection", "measure", "value", "date", "source", "notes"]
    assert rows_of(grid)[1][1:] == ["", "0.740", "2024-05-06", "", ""]
    assert rows_of(grid)[2] == ["b", "", "0.5", "", "S, U", "n; task retrieval"]
    assert [row.line for row in grid.rows] == [1, 1, 6]
    assert grid.asides == [Aside(1, 0, "verifyToken of entry 2", "not checked here")]
    with pytest.raises(Flaw, match="entry 1 has no dataset with an id, or no value"):
        score_files.read_yaml_scores("- dataset: {id: b}\n", Names())
    with pytest.raises(Flaw, match="entry 1 has no dataset with an id, or no value"):
        score_files.read_yaml_scores("- dataset: {}\n  value: 1\n", Names())


def test_the_head_of_a_card_is_read_and_what_is_below_put_aside():
    text = (
        "---\nmodel-index:\n- name: m\n  results:\n  - dataset: {name: D, type: d}\n    metrics:\n"
        "    - {type: ndcg_at_10, value: 0.3}\n    - {type: x, name: MAP, value: 0.2}\n    - {type: y, value: 3}\n"
        "---\n\nBelow.\n"
    )
    grid = score_files.read_yaml_scores(text, Names())
    assert rows_of(grid) == [
        ["system", "collection", "measure", "value"], ["m", "D", "ndcg_at_10", "0.3"], ["m", "D", "MAP", "0.2"],
    ]  # fmt: skip
    (aside,) = grid.asides
    assert (aside.text, aside.why) == ("Below.", "below the head of the card; paste its tables by themselves")
    with pytest.raises(Flaw, match="is YAML of another shape"):
        score_files.read_yaml_scores("a: b", Names())


# --- heads that cannot stand together


def test_two_columns_of_the_same_are_told_with_what_they_hold():
    first = Head(1, "System", "system")
    second, third = Head(2, "AP", "value", "", "MAP"), Head(4, "MAP", "value", "", "MAP")
    (found,) = conflicts([first, second, third])
    assert found == (third, "duplicate_column", "this column and column 2 (AP) both hold MAP; keep one of them")
    both = [replace(head, collection="DL19") for head in (second, third)]
    assert conflicts(both)[0][2] == "this column and column 2 (AP) both hold DL19 MAP; keep one of them"
    (found,) = conflicts([first, Head(3, "Run", "system")])
    assert found[2] == "this column and column 1 (System) both hold system; keep one of them"
    assert conflicts([first, second, replace(third, measure="P@5")]) == []
