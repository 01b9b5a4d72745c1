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


def in_words(codes: str) -> list[str]:
    """The languages of a list of codes with scripts, ``nor-Latn;eng-Latn``, each once, in order."""
    words = ["Chinese (traditional)" if code == _TRADITIONAL else _WORDS[code.split("-")[0]] for code in _each(codes)]
    return list(dict.fromkeys(words))


def _each(codes: str) -> list[str]:
    return [code for code in codes.split(";") if code]
