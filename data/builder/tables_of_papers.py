"""Tables as their authors print them: which rows become results, under which names, and which stand here already.

A number that two sources print for one system is one row, which names the other source; other numbers of one system
are rows beside each other. Systems that a source calls by a name of many (BM25) say where they are from.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from analysis.readers.upstream.platforms import short_revision
from builder import measures
from builder.results import COLUMNS
from builder.tables import Row, join_notes, read_table

#: File of ours -> the gathered files in it, the strongest first: where two print one number, the first one's row stays.
FILES = {
    "anserini_pages.csv": ["anserini_docs"],
    "pyserini_pages.csv": ["pyserini_docs"],
    "longembed.csv": ["longembed"],
    "dl_hard.csv": ["dl_hard"],
    "bm25_benchmarks.csv": ["bm25_benchmarks"],
    "tables_of_papers.csv": [
        "splade",
        "rankgpt",
        "diver",
        "bright_cards",
        "m3_miracl_mldr",
        "flagembedding",
        "beir_2021",
        "sentence_transformers",
        "beir_cellar",
        "mrtydi",
        "openmatch_v1",
        "pylate",
        "robust04_bert",
        "pyterrier",
        "dear",
        "openmatch_models",
        "codec",
        "mmarco",
        "simlm",
        "tevatron",
        "retromae",
        "dpr",
        "trec_tot",
        "doct5query",
        "dpr_scale",
        "splade_v3",
        "retro_star_bright",
        "followir_v1",
        "printed_more",
    ],
    "model_cards.csv": ["card_scores"],
}

#: What makes the names of a file's systems those of one system: the names, and what to call them.
_BM25 = r"(?=BM25$)"
_BRIGHT = r"(?:BM25|BGE|Inst-L|Inst-XL|SBERT|E5|SFR|GritLM|Qwen|Cohere|OpenAI|Voyage|Google|Contriever)"
_CALLED: dict[str, list[tuple[str, str]]] = {
    "diver": [(rf"({_BRIGHT})(| \[.*\])$", r"\1 (BRIGHT)\2")],
    "bright_cards": [(rf"({_BRIGHT})(| \[.*\])$", r"\1 (BRIGHT)\2")],
    "codec": [(r"(.+)$", r"\1 (CODEC)")],
    "dear": [(rf"{_BM25}(.+)$", r"\1 (DeAR)")],
    "followir_v1": [(r"(.+)$", r"\1 (FollowIR paper)")],
    "dl_hard": [(r"(.+) \(README\)$", r"\1 (DL-HARD README)"), (r"(.+)$", r"\1 (DL-HARD)")],
    "doct5query": [(rf"{_BM25}(.+)$", r"\1 (docTTTTTquery README)")],
    "flagembedding": [
        (r"(BM25|Instructor|Contriever|BGE|AAR|LLMRetriever|APIRetriever)$", r"\1 (LLM-Embedder paper)"),
        (r"LLM-Embedder \(ours\)$", "LLM-Embedder"),
        (r"(bge-.+)$", r"BAAI/\1"),
        (r"SFR$", "SFR (BGE-Code-v1 page)"),
        (r"OpenAI\(text-embedding-ada-002\)$", "openai/text-embedding-ada-002"),
    ],
    "m3_miracl_mldr": [
        (r"(BM25|mDPR|mContriever)$", r"\1 (M3-Embedding paper)"),
        (r"mE5-large$", "intfloat/multilingual-e5-large"),
        (r"E5-mistral-7b$", "intfloat/e5-mistral-7b-instruct"),
    ],
    "mrtydi": [(r"(.+)$", r"\1 (Mr. TyDi)")],
    "openmatch_v1": [
        (r"BM25 \(Anserini\)$", "BM25 (Anserini, OpenMatch)"),
        (r"((?:BM25|SDM) > .+)$", r"\1 (OpenMatch)"),
    ],
    "rankgpt": [(r"(.+)$", r"\1 (NovelEval)")],
    "retro_star_bright": [(r"(.+)$", r"\1 (Retro* paper)")],
    "robust04_bert": [(r"([123]S: .+|Paper [12].+|BM25\+RM3.+)$", r"Birch: \1")],
    "sentence_transformers": [
        (r"BM25 \((.+)\)$", r"BM25 (Sentence Transformers, \1)"),
        (r"(Zero-Shot Model|MLM|ICT|SimCSE|CD|CT|TSDAE|GPL|TSDAE \+ GPL)$", r"\1 (GPL paper)"),
    ],
    "trec_tot": [(r"(.+)$", r"\1 (TREC ToT 2024)")],
}
#: What a source adds to a model's name that is not the model's.
_ADDED = re.compile(r" \((?:LongEmbed|PyLate|150M|model card|Cohere page)\)$")
#: Cards with two ends to each line, which were counted as two lines.
_TWO_ENDS = re.compile(r"(.*/(?:dunzhang_stella_en_1\.5B_v5|sergeyzh_rubert-tiny-turbo)\.md#L)(\d+)")
#: Rows of a page that name another language than their heading, whose scores they have.
_OF_FINNISH = re.compile(r"docs/experiments-miracl-v1\.0\.md#L20[79]")
_MISNAMED = "the page names Persian here, under the heading Finnish, and this is the score of Finnish"
#: What a card says of the data that it was evaluated on.
_REVISION = re.compile(r"; dataset revision (\w+)")
_OF_MODELS = "embeddings-benchmark/results"

#: Files whose baselines are systems of others, which the paper compares with and did not make.
OF_OTHERS = frozenset(
    {
        *("beir_2021", "bright_cards", "diver", "dear", "flagembedding", "m3_miracl_mldr", "longembed", "pylate"),
        *("rankgpt", "doct5query", "retro_star_bright", "followir_v1"),
    }
)

#: What the gathered rows leave blank: papers that were found since.
_PAPERS = {"Lan et al. (Retro*, arXiv 2025)": ("Lan et al. (arXiv 2509.24869)", "https://arxiv.org/abs/2509.24869")}
#: Papers whose text was read in a copy, which is none of the places that a row may name.
_STORED = re.compile(r"stored text \d+")

#: Said of tables that no repository at hand holds.
_COPIED = "transcribed by hand from a copy of the table"

#: By machine, a mean may come out so much higher or lower.
MACHINE = Decimal("0.0001")


@dataclass
class Printed:
    """The results by file of ours, what became of the others, and who made no baseline of which paper."""

    files: dict[str, list[Row]] = field(default_factory=dict)
    #: Rows that are left out because their number stands here: gathered file -> how many.
    repeated: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    #: System, team and paper of the baselines that the paper did not make.
    strangers: set[tuple[str, str, str]] = field(default_factory=set)
    #: Systems that stand with several scores on a leaderboard, and that no team holds together.
    contested: set[str] = field(default_factory=set)

    @property
    def rows(self) -> list[Row]:
        """All of them."""
        return [row for rows in self.files.values() for row in rows]


def build_printed(folders: Sequence[Path], recorded: Iterable[Row]) -> Printed:
    """Return the results of the gathered tables in ``folders``; rows of ``recorded`` that they print too say so."""
    recorded = list(recorded)
    standing: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in recorded:
        standing[_place(row)].append(row)
    models = _models(recorded)
    printed = Printed()
    for file, names in FILES.items():
        printed.files[file] = []
        for name in names:
            path = next(path for folder in folders if (path := folder / f"{name}.csv").exists())
            for source_row in read_table(path):
                row = _row(source_row, name, path.parent, models)
                # Pyserini's lexical runs are Anserini's: what both pages print is one number.
                twin = row | {"system": re.sub("^Pyserini ", "Anserini ", row["system"])}
                if _is_here(row, [*standing[_place(row)], *standing[_place(twin)]]):
                    printed.repeated[name] += 1
                    continue
                if standing[_place(row)] and not row["team"]:
                    printed.contested.add(row["system"])
                standing[_place(row)].append(row)
                printed.files[file].append(row)
                if name in OF_OTHERS and row["role"] == "baseline" and row["paper_url"]:
                    printed.strangers.add((row["system"], row["team"], row["paper_url"]))
    return printed


def _row(printed: Row, file: str, folder: Path, models: Mapping[str, tuple[str, str]]) -> Row:
    row = {key: printed.get(key, "") for key in COLUMNS}
    row["measure"] = measures.RENAMED.get(printed["measure"], printed["measure"])
    row["system"] = _called(printed["system"], file)
    if known := models.get(_ADDED.sub("", row["system"]).casefold()):
        row["system"], row["team"] = known
    row["paper_url"] = row["paper_url"].removesuffix("/")
    row["notes"] = _notes(printed["notes"])
    if place := _TWO_ENDS.fullmatch(row["locator"]):
        row["locator"] = f"{place[1]}{int(place[2]) // 2 + 1}"
    if _OF_FINNISH.fullmatch(row["locator"]):
        row |= {"comparability": "doubtful", "notes": _MISNAMED}
    if revision := _REVISION.search(row["notes"]):
        row["dataset_revision"] = short_revision(revision[1])
        row["notes"] = row["notes"].replace(revision[0], "")
    if _STORED.fullmatch(printed["source"]):
        row["paper"], row["paper_url"] = _PAPERS.get(row["paper"], (row["paper"], row["paper_url"]))
        row["source"], row["comparability"] = row["paper"], "standard"
    elif not printed["source"]:
        row |= _of_copy(printed, folder)
    return row


def _called(system: str, file: str) -> str:
    for pattern, name in _CALLED.get(file, []):
        if match := re.match(pattern, system):
            return match.expand(name)
    return system


def _models(recorded: Iterable[Row]) -> dict[str, tuple[str, str]]:
    """Return system and team of the models of MTEB, by name, and by name without the maker where that is unique."""
    systems_by_name: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in recorded:
        if row["source"] == _OF_MODELS:
            for name in (row["system"], row["system"].rpartition("/")[2]):
                systems_by_name[name.casefold()].add((row["system"], row["team"]))
    return {name: next(iter(systems)) for name, systems in systems_by_name.items() if len(systems) == 1}


_DROPPED = re.compile(
    r"read from a copy|text \d+ has the same|GPT-4 REASON|Evaluate [Rr]etriever|BRIGHT table"
    r"|table \d of |split |topics\.|copy of the paper|column order|printed mAP|authors and arXiv id"
)


def _notes(notes: str) -> str:
    parts = [part for part in notes.split("; ") if not _DROPPED.match(part)]
    return join_notes(*(re.sub(r"^second_source: (.+?)(?:, text_snippets.*)?$", r"also in \1", part) for part in parts))


def _of_copy(printed: Row, folder: Path) -> Row:
    """Return source and place of a row that was read from a copy: the paper, its table, and the start of the line."""
    table, _, place = printed["locator"].partition("; text_snippets/")
    name, _, line = place.partition("#L")
    text = (folder / "text_snippets" / name).read_text(encoding="utf-8").splitlines()[int(line) - 1]
    if not re.search(rf"(?<![\d.]){re.escape(printed['value'])}0?(?!\d)", text):
        raise ValueError(f"{printed['value']} does not stand in {place}: {text}")
    first = text.strip("| ").partition("|")[0].replace("*", "").strip()
    return {
        "source": printed["paper"],
        "locator": f"{table}, line of {first}",
        "notes": join_notes(_notes(printed["notes"]), _COPIED),
    }


def _place(row: Row) -> tuple[str, ...]:
    return row["collection"], row["measure"], row["system"].casefold(), row["team"].casefold()


def _is_here(row: Row, others: list[Row]) -> bool:
    """Say whether the number stands for this system; that row then says where it is printed as well."""
    for other in others:
        if may_be_one(row, other):
            where = f"{row['source']} {row['locator']}"
            if f"also in {row['source']}" not in other["notes"]:
                other["notes"] = join_notes(other["notes"], f"also in {where}")
            return True
    return False


def may_be_one(printed: Row, other: Row) -> bool:
    """Say whether two printed numbers differ by no more than rounding, or than what another machine makes of it."""
    (first, unit), (second, other_unit) = (_number(row) for row in (printed, other))
    return abs(first - second) <= max(unit / 2, other_unit / 2, MACHINE) + Decimal("1e-12")


def _number(row: Row) -> tuple[Decimal, Decimal]:
    number = Decimal(row["value"])
    unit = Decimal(1).scaleb(int(number.as_tuple().exponent))
    return (number / 100, unit / 100) if row.get("unit") == "percent" else (number, unit)
