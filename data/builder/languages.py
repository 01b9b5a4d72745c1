"""Languages by their codes (ISO 639), and programming languages as the mteb package writes them, in words."""

_WORDS = {
    "ara": "Arabic", "arb": "Arabic", "asm": "Assamese", "aze": "Azerbaijani", "ben": "Bengali", "bul": "Bulgarian",
    "cat": "Catalan", "ces": "Czech", "cmn": "Chinese", "dan": "Danish", "deu": "German", "ell": "Greek",
    "eng": "English", "est": "Estonian", "fas": "Persian", "fin": "Finnish", "fra": "French", "guj": "Gujarati",
    "heb": "Hebrew", "hin": "Hindi", "hrv": "Croatian", "hun": "Hungarian", "ind": "Indonesian", "isl": "Icelandic",
    "ita": "Italian", "jpn": "Japanese", "kan": "Kannada", "kat": "Georgian", "kaz": "Kazakh", "khm": "Khmer",
    "kor": "Korean", "lav": "Latvian", "lit": "Lithuanian", "mal": "Malayalam", "mar": "Marathi", "msa": "Malay",
    "mya": "Burmese", "nld": "Dutch", "nno": "Norwegian", "nob": "Norwegian", "nor": "Norwegian", "ory": "Odia",
    "pan": "Punjabi", "pol": "Polish", "por": "Portuguese", "ron": "Romanian", "rus": "Russian", "slk": "Slovak",
    "slv": "Slovenian", "spa": "Spanish", "sqi": "Albanian", "srp": "Serbian", "swa": "Swahili", "swe": "Swedish",
    "tam": "Tamil", "tel": "Telugu", "tgl": "Tagalog", "tha": "Thai", "tur": "Turkish", "ukr": "Ukrainian",
    "urd": "Urdu", "uzb": "Uzbek", "vie": "Vietnamese", "yor": "Yoruba", "zho": "Chinese",
    "c": "C", "c++": "C++", "go": "Go", "java": "Java", "javascript": "JavaScript", "php": "PHP", "python": "Python",
    "ruby": "Ruby", "rust": "Rust", "scala": "Scala", "shell": "Shell", "sql": "SQL", "swift": "Swift",
    "typescript": "TypeScript",
}  # fmt: skip

#: Codes that mean a language only together with their script.
_TRADITIONAL = "zho-Hant"

_TASK = "cross-language: "
_DOCUMENTS_BY_LETTERS = {"ef": "English, French", "efgi": "English, French, German, Italian"}
_DOCUMENTS_OF_YEARS = {"1999": "English, French, German, Italian", "2001": "Arabic", "2002": "Arabic"}


def in_words(codes: str) -> list[str]:
    """The languages of a list of codes with scripts, ``nor-Latn;eng-Latn``, each once, in order."""
    words = ["Chinese (traditional)" if code == _TRADITIONAL else _WORDS[code.split("-")[0]] for code in _each(codes)]
    return list(dict.fromkeys(words))


def of_task(slug: str, written: str) -> str:
    """The languages of a cross-language task of TREC, whose source names it by codes, as other collections have them.

    In 1997 a task is named by its queries and its documents, in 1998 by its documents, and then by its queries.
    """
    if not written.startswith(_TASK):
        return written
    task = written.removeprefix(_TASK)
    if task in _DOCUMENTS_BY_LETTERS:
        return _DOCUMENTS_BY_LETTERS[task]
    queries, *others = task.removesuffix(" trans").title().split()
    documents = others[0] if others else _DOCUMENTS_OF_YEARS[slug.split("-")[1]]
    return queries if queries == documents else f"{queries} queries, {documents} documents"


def _each(codes: str) -> list[str]:
    return [code for code in codes.split(";") if code]
