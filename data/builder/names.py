"""Names: what papers call collections and measures, and what to ask where a name may mean several of them."""

import re
import unicodedata
from collections.abc import Iterable, Mapping

from builder.measures import ANSWER_DEPTHS, DEPTHS
from builder.tables import Row

QUESTION_COLUMNS = ["kind", "names", "question", "choices", "only_with"]

#: Names of whole benchmarks, whose averages have no leaderboard: what to write instead.
_ADVICE = {
    "BEIR": "An average over data sets has no leaderboard; name the data set: BEIR SciFact",
    "BRIGHT": "An average over tasks has no leaderboard; name the task: BRIGHT biology",
    "MIRACL": "An average over languages has no leaderboard; name the language: MIRACL Arabic",
    "Mr. TyDi": "An average over languages has no leaderboard; name language and split: Mr. TyDi Arabic test",
    "MTEB": "An average over tasks has no leaderboard; name the task: BEIR SciFact",
}

#: Names that mean one collection, but for these measures, which are those of BEIR's tables.
_ONLY_WITH = {"Robust04": ["nDCG@10", "R@100", "R@1000"]}

_MMARCO_NOT_HELD = {
    **{"ar": "Arabic", "de": "German", "en": "English", "es": "Spanish", "fr": "French", "hi": "Hindi"},
    **{"id": "Indonesian", "it": "Italian", "ja": "Japanese", "pt": "Portuguese", "ru": "Russian", "vi": "Vietnamese"},
}

#: Corpora that several tracks searched, and names that nobody gathered: names, question, choices.
_CORPORA: list[tuple[list[str], str, list[str]]] = [
    (
        ["WaPo", "Washington Post"],
        "Common Core 2018, or background linking of which year?",
        [
            "trec-2018-core",
            "trec-2018-news-background",
            "trec-2019-news-background",
            "backgroundlinking20",
            "trec-2021-news-background",
        ],
    ),
    (
        ["AQUAINT"],
        "The Robust track of 2005, or the HARD track?",
        ["trec-2005-robust", "trec-2005-hard-final", "trec-2005-hard-baseline"],
    ),
    (["DL-HARD", "TREC DL-HARD"], "Passages or documents?", ["dl-hard-passage", "dl-hard-document"]),
    (["MS MARCO v1", "MS MARCO v1 dev"], "Passages or documents?", ["msmarco-passage-dev", "msmarco-doc-dev"]),
    (
        ["mMARCO", "multilingual MS MARCO"],
        "Which language? Chinese and Dutch are held.",
        ["cmteb-mmarco", "mteb-mmarco-nl"],
    ),
    (
        [
            name
            for code, language in _MMARCO_NOT_HELD.items()
            for name in (f"mMARCO {code}", f"mMARCO {language}", f"mmarco/{code}/dev", f"mmarco/v2/{code}/dev")
        ],
        "Of mMARCO only the Chinese and the Dutch part are held: mMARCO zh, mMARCO-NL",
        [],
    ),
    *(
        (
            [f"TREC {year}"],
            "Deep Learning (passages, documents), CAsT, or background linking?",
            [f"trec-dl-{year}-passage", f"trec-dl-{year}-doc", f"trec-{year}-cast", news],
        )
        for year, news in ((2019, "trec-2019-news-background"), (2020, "backgroundlinking20"))
    ),
]

#: Names that nobody gathered, of one collection.
_MORE_NAMES = {
    "beir-webis-touche2020": ["Touché-2020 v2", "webis-touche2020-v2", "beir/webis-touche2020/v2"],
    "beir-scifact": ["scifact/test"],
    "beir-fiqa": ["FIQA18", "fiqa/test"],
    "beir-quora": ["quora/test"],
    "beir-hotpotqa": ["hotpotqa/test"],
    "bright-biology": ["BRIGHT Bio."],
    "bright-earth-science": ["BRIGHT Earth."],
    "bright-economics": ["BRIGHT Econ."],
    "bright-psychology": ["BRIGHT Psy."],
    "bright-robotics": ["BRIGHT Rob."],
    "bright-stackoverflow": ["BRIGHT Stack."],
    "bright-sustainable-living": ["BRIGHT Sus."],
    "bright-leetcode": ["BRIGHT Leet."],
    "bright-theoremqa-questions": ["BRIGHT TheoQ."],
    "bright-theoremqa-theorems": ["BRIGHT TheoT."],
    "mteb-fever-hn": ["FEVER HN"],
    "mteb-climate-fever-hn": ["Climate-FEVER HN"],
    "mteb-dbpedia-hn": ["DBPedia HN"],
    "mteb-hotpotqa-hn": ["HotpotQA HN"],
    "mteb-msmarco-hn": ["MS MARCO HN"],
    "mteb-nq-hn": ["NQ HN"],
    "mteb-quora-hard-negatives": ["Quora HN"],
    "mteb-topiocqa-hard-negatives": ["TopiOCQA HN"],
    "msmarco-passage-dev": [
        "MS MARCO v1 passage dev",
        "MS MARCO v1 passage",
        "MS MARCO passage v1 dev",
        "MS MARCO passage v1",
        "MS MARCO v1 passage dev small",
    ],
    "msmarco-doc-dev": ["MS MARCO v1 doc dev", "MS MARCO v1 doc", "MS MARCO v1 document dev", "MS MARCO v1 document"],
    "cmteb-mmarco": ["mMARCO Chinese"],
    "mteb-mmarco-nl": ["mMARCO Dutch"],
}

#: What else such a name may mean, by one of the names.
_MORE_CHOICES = {
    "MS MARCO Eval": ["mteb-msmarco-test"],
    "CAsT": ["trec-2022-cast-strict", "trec-2022-cast-lenient"],
    "News21": ["followir-news21"],
    "NQ": ["nanoknow-v1-0-nq-supported", "mteb-nano-nq"],
    "TREC-9": [f"trec-2000-{task}" for task in ("xlingual", "sdr-b1", "sdr-cr", "sdr-r1", "sdr-s1", "sdr-s2")],
}

#: Letters that stand above columns of other things: measures, deviations, whether a model was fine-tuned.
_TOO_SHORT = {"AP", "CT", "FT", "SD"}

#: Questions in fewer words.
_REWORDED = {
    "Which Wikipedia segmentation? (or NanoKnow)": "Which Wikipedia segmentation, or NanoKnow?",
    "BEIR's NQ (3,452 queries, nDCG@10) or the question-answering test set (3,610 questions, top-k accuracy or exact "
    "match)?": (
        "BEIR's NQ (3,452 queries, nDCG@10), the question-answering test set (3,610 questions, top-k accuracy or exact "
        "match), or a small version of one of them?"
    ),
    "dev or dev2?": "Development set 1 or 2?",
    "BEIR's 323 test queries, or the original test set (325)?": "BEIR's test queries, or the original test set?",
    "Topics 451-500 (TREC-9), 501-550 (TREC 2001) or all 100?": (
        "Topics 451-500 (TREC-9), 501-550 (TREC 2001), or both years together?"
    ),
    "Which year of the Web track (1-50, 51-100, 101-150, 151-200), or all 200 topics?": (
        "Which year of the Web track? A mean over the topics of all four has no leaderboard here."
    ),
    "One mean over 150 topics, or three?": "Which of the three? One mean over all 150 topics has no leaderboard here.",
    "One mean over both years, or two columns?": "Which year? A mean over the topics of both has no leaderboard here.",
}

#: Names that say which year they are of.
_DATED = {"CAsT-19": "trec-2019-cast", "CAsT-20": "trec-2020-cast"}

_JUDGED_FROM_2 = [*(f"trec-dl-20{year}-passage" for year in (19, 20, 21, 22, 23)), "dl-hard-passage", "trec-2021-cast"]
_ANSWERED = [
    f"{wikipedia}-{questions}-test"
    for wikipedia in ("wikipedia-dpr-100w", "wiki-all-6-3-tamber")
    for questions in ("nq", "triviaqa", "squad", "webquestions", "curatedtrec", "efficientqa-nq")
] + ["wikipedia-dpr-100w-nq-dev", "wikipedia-dpr-100w-triviaqa-dev"]
_GRADE = "Is a document relevant from grade 2 on, as the track counts, or from grade 1 on?"
_SHARE = (
    "The share of the relevant passages that is found, or the share of the questions for which a passage is found? One "
    "with an answer string, or one that was judged relevant?"
)
_FOUND = (
    "The share of the questions for which a passage with an answer string is found, or one that was judged relevant?"
)
_CONDENSED = "Without the documents that nobody judged a score is another one, which has no leaderboard here"


def _questions_about_measures() -> Iterable[tuple[list[str], str, list[str], list[str]]]:
    """Yield names, question, choices, and the collections on which alone it is asked."""
    by_depth = ["RR@10", "RR@100", "RR", "RR(rel=2)@10", "RR(rel=2)@100", "RR(rel=2)"]
    yield (
        ["MRR", "Mean reciprocal rank"],
        "How deep: 10 as on the passages of MS MARCO, 100 as on its documents, or the whole ranking?",
        by_depth,
        [],
    )
    yield (
        ["NDCG"],
        "At which rank? Without one, trec_eval scores the whole ranking.",
        ["nDCG@10", "nDCG@20", "nDCG@5", "nDCG@100", "nDCG"],
        [],
    )
    # Where a measure has siblings from another grade on, the site asks by itself.
    yield ["MAP"], _GRADE, ["AP(rel=2)", "AP(rel=2)@1000", "AP(rel=2)@100", "AP"], _JUDGED_FROM_2
    # At depths that nobody else cuts off at, the name has one meaning.
    for depth in sorted({*ANSWER_DEPTHS} & {*DEPTHS}):
        by_answer = [f"Top-{depth} accuracy (answers)", f"Success@{depth}"]
        yield [f"Recall@{depth}"], _SHARE, [f"R@{depth}", *by_answer], _ANSWERED
        yield [f"Hits@{depth}"], _FOUND, by_answer, _ANSWERED
    for depth in DEPTHS:
        names = [f"M@{depth}", "M@1k"] if depth == 1000 else [f"M@{depth}"]
        yield names, "Average precision or reciprocal rank?", [f"AP@{depth}", f"RR@{depth}"], []
    yield ["ERR-IA"], "At which rank?", ["ERR_IA@10", "ERR_IA@20"], []
    yield ["α-nDCG", "aNDCG"], "At which rank?", ["alpha_nDCG@10", "alpha_nDCG@20"], []
    yield ["RBP"], "For which persistence p?", ["RBP(p=0.5)", "RBP(p=0.8)", "RBP(p=0.95)"], []
    yield ["F1"], "The F-score of a set? What scores answers is not recorded here.", ["F-score"], []
    yield (
        ["Compat", "Compatibility"],
        "With the helpful or with the harmful ranking?",
        ["Compat[graded.helpful-only]", "Compat[graded.harmful-only]"],
        [],
    )
    yield ["EM", "Exact match"], "It scores answers, not a ranking", [], []
    yield ["S-Recall", "Subtopic recall"], "At rank 10?", ["StRecall@10"], []
    yield ["RBO", "RBO(p=0.9)"], "It compares two rankings and says of neither how good it is", [], []
    yield ["MAP@R", "R-AP"], "AP cut off at the number of relevant documents is not recorded here", [], []
    yield ["nDCG'", "nDCG-prime", "nDCG'@10", "AP'", "Bpref'"], _CONDENSED, [], []
    yield (
        ["Judged@10", "Judged@20", "Judged@100", "Unjudged@10", "Hole@10"],
        "It describes the judgements, not the system",
        [],
        [],
    )
    yield ["@5", "@10", "@20", "@100", "@1000"], "It gives the depth; which measure?", [], []


def name_collections(source: list[Row], collections: list[Row], slugs: Mapping[str, str]) -> list[Row]:
    """Give the collections the names that papers use; what is to be asked where these are shared.

    ``slugs`` lead from the ids of the gathered tables to ours, where these differ.

    A name that is asked about everywhere is nobody's alias, and one that a collection has in other spelling already is
    left out.
    """
    of_corpora = {name for names, _, _ in _CORPORA for name in names}
    shared = [
        row | {"targets": ";".join(slugs.get(target, target) for target in row["targets"].split(";"))}
        for row in source
        if row["kind"] == "collection" and _is_written(row["alias"])
    ]
    shared = [row for row in shared if row["alias"] not in of_corpora]
    dated = [row | {"ambiguous": "no", "targets": _DATED[row["alias"]]} for row in shared if row["alias"] in _DATED]
    shared = [row for row in shared if row["alias"] not in _DATED] + dated
    slugs = {row["slug"] for row in collections}
    questions = _questions([row for row in shared if row["ambiguous"] == "yes"], slugs)
    plain = {name.casefold() for row in questions if not row["only_with"] for name in _names_of(row)}
    owners = {_squeezed(row[key]): row["slug"] for row in collections for key in ("slug", "name", "ir_datasets_id")}
    for row in collections:
        aliases = [alias for alias in row["aliases"].split("|") if alias and alias.casefold() not in plain]
        for alias in {*row["aliases"].split("|")} - {*aliases, ""}:
            key = alias.casefold()
            question = next(candidate for candidate in questions if key in candidate["names"].casefold().split("|"))
            question["names"] = _spelled([*_names_of(question), alias])
        row["aliases"] = "|".join(aliases)
        owners |= {_squeezed(alias): row["slug"] for alias in aliases}
    named = [(row["alias"], row["targets"]) for row in shared if row["ambiguous"] == "no"]
    # Where a question is asked in some places only, its first choice is meant in the others.
    named += [(name, slug) for slug, names in _MORE_NAMES.items() for name in names]
    named += [(name, row["choices"].split("|")[0]) for row in questions if row["only_with"] for name in _names_of(row)]
    by_slug = {row["slug"]: row for row in collections}
    for name, slug in named:
        key = _squeezed(name)
        # To the letter a name may tell what it does not tell in other spellings: TRECCOVID is MTEB's.
        if slug in by_slug and key not in owners and name.casefold() not in plain:
            owners[key] = slug
            by_slug[slug]["aliases"] = "|".join(filter(None, [by_slug[slug]["aliases"], name]))
    return questions


def _is_written(name: str) -> bool:
    """Say whether papers write it like this: a year in two digits stands behind letters, not behind words."""
    return name not in _TOO_SHORT and not re.search(r" .*(?:[a-z]|RL1|task 1)\d\d$", name)


def _names_of(question: Row) -> list[str]:
    return question["names"].split("|")


def _questions(shared: list[Row], slugs: set[str]) -> list[Row]:
    """Return one row for the names that have the same question with the same choices."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for row in shared:
        choices = [slug for slug in row["targets"].split(";") if slug in slugs]
        benchmark = next((name for name in _ADVICE if row["alias"].startswith(name)), "")
        if choices:
            groups.setdefault((row["question"], *choices), []).append(row["alias"])
        elif benchmark and not row["targets"]:
            groups.setdefault((_ADVICE[benchmark],), []).append(row["alias"])
    rows = []
    for (question, *choices), names in groups.items():
        only_with = next((measures for name, measures in _ONLY_WITH.items() if name in names), [])
        choices += next((more for name, more in _MORE_CHOICES.items() if name in names), [])
        rows.append(_question("collection", names, question, choices, only_with))
    return rows + [_question("collection", *parts, []) for parts in _CORPORA]


def measure_questions() -> list[Row]:
    """Return what is to be asked about names of measures."""
    return [_question("measure", *parts) for parts in _questions_about_measures()]


def _question(kind: str, names: list[str], question: str, choices: list[str], only_with: list[str]) -> Row:
    question = _REWORDED.get(question, question)
    return {
        "kind": kind,
        "names": _spelled(names),
        "question": question if question.endswith(("?", ".")) else f"{question}.",
        "choices": "|".join(choices),
        "only_with": "|".join(only_with),
    }


def _spelled(names: Iterable[str]) -> str:
    """Return each spelling once."""
    return "|".join(dict.fromkeys(names))


def _squeezed(name: str) -> str:
    """Return the name without what is no letter and no digit; a blank stays between two digits."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(c))
    spaced = re.sub(r"(?:[^\w&+@%=]|_)+", " ", plain)
    return re.sub(r"(?<!\d) | (?!\d)", "", spaced)
