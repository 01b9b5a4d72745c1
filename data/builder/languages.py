"""Languages by their codes (ISO 639), and programming languages as the mteb package writes them, in words."""

_WORDS = {
    "abk": "Abkhaz", "acm": "Mesopotamian Arabic", "afr": "Afrikaans", "als": "Albanian", "amh": "Amharic",
    "apc": "Levantine Arabic", "ara": "Arabic", "arb": "Arabic", "ars": "Najdi Arabic", "ary": "Moroccan Arabic",
    "arz": "Egyptian Arabic", "asm": "Assamese", "ast": "Asturian", "aze": "Azerbaijani", "azj": "Azerbaijani",
    "bak": "Bashkir", "bam": "Bambara", "bas": "Basaa", "bel": "Belarusian", "ben": "Bengali", "bod": "Tibetan",
    "bos": "Bosnian", "bre": "Breton", "bul": "Bulgarian", "cat": "Catalan", "ceb": "Cebuano", "ces": "Czech",
    "chv": "Chuvash", "ckb": "Central Kurdish", "cmn": "Chinese", "cnh": "Hakha Chin", "cym": "Welsh",
    "dan": "Danish", "dav": "Taita", "deu": "German", "div": "Dhivehi", "dyu": "Dyula", "ell": "Greek",
    "eng": "English", "epo": "Esperanto", "est": "Estonian", "eus": "Basque", "fas": "Persian", "fil": "Filipino",
    "fin": "Finnish", "fra": "French", "fro": "Old French", "fry": "Western Frisian", "ful": "Fulah",
    "fuv": "Nigerian Fulfulde", "gaz": "Oromo", "gle": "Irish", "glg": "Galician", "grn": "Guarani",
    "guj": "Gujarati", "hat": "Haitian Creole", "hau": "Hausa", "heb": "Hebrew", "hin": "Hindi", "hrv": "Croatian",
    "hsb": "Upper Sorbian", "hun": "Hungarian", "hye": "Armenian", "ibo": "Igbo", "ilo": "Ilocano",
    "ina": "Interlingua", "ind": "Indonesian", "isl": "Icelandic", "ita": "Italian", "jav": "Javanese",
    "jpn": "Japanese", "kab": "Kabyle", "kac": "Kachin", "kam": "Kamba", "kan": "Kannada", "kat": "Georgian",
    "kaz": "Kazakh", "kea": "Kabuverdianu", "khk": "Mongolian", "khm": "Khmer", "kin": "Kinyarwanda", "kir": "Kyrgyz",
    "kln": "Kalenjin", "kmr": "Northern Kurdish", "kor": "Korean", "lao": "Lao", "lav": "Latvian", "lij": "Ligurian",
    "lin": "Lingala", "lit": "Lithuanian", "ltg": "Latgalian", "ltz": "Luxembourgish", "lug": "Ganda", "luo": "Luo",
    "lvs": "Latvian", "mal": "Malayalam", "mar": "Marathi", "mdf": "Moksha", "mhr": "Eastern Mari",
    "mkd": "Macedonian", "mlt": "Maltese", "mon": "Mongolian", "mri": "Maori", "mrj": "Western Mari", "msa": "Malay",
    "mya": "Burmese", "myv": "Erzya", "nan": "Min Nan Chinese", "nep": "Nepali", "nld": "Dutch", "nno": "Norwegian",
    "nob": "Norwegian", "nor": "Norwegian", "npi": "Nepali", "nso": "Northern Sotho", "nya": "Nyanja",
    "oci": "Occitan", "ori": "Odia", "orm": "Oromo", "ory": "Odia", "oss": "Ossetic", "pan": "Punjabi",
    "pbt": "Pashto", "pes": "Persian", "plt": "Malagasy", "pol": "Polish", "por": "Portuguese", "pus": "Pashto",
    "quz": "Cusco Quechua", "roh": "Romansh", "ron": "Romanian", "rus": "Russian", "sah": "Yakut", "sat": "Santali",
    "shn": "Shan", "sin": "Sinhala", "skr": "Saraiki", "slk": "Slovak", "slv": "Slovenian", "sna": "Shona",
    "snd": "Sindhi", "som": "Somali", "sot": "Southern Sotho", "spa": "Spanish", "sqi": "Albanian",
    "srd": "Sardinian", "srp": "Serbian", "ssw": "Swati", "sun": "Sundanese", "swa": "Swahili", "swe": "Swedish",
    "swh": "Swahili", "tam": "Tamil", "tat": "Tatar", "tel": "Telugu", "tgk": "Tajik", "tgl": "Tagalog",
    "tha": "Thai", "tig": "Tigre", "tir": "Tigrinya", "tok": "Toki Pona", "tsn": "Tswana", "tso": "Tsonga",
    "tur": "Turkish", "uig": "Uyghur", "ukr": "Ukrainian", "umb": "Umbundu", "urd": "Urdu", "uzb": "Uzbek",
    "uzn": "Uzbek", "vie": "Vietnamese", "war": "Waray", "wol": "Wolof", "xho": "Xhosa", "yid": "Yiddish",
    "yor": "Yoruba", "yue": "Cantonese", "zgh": "Moroccan Tamazight", "zho": "Chinese", "zsm": "Malay", "zul": "Zulu",
    "zxx": "no language", "zza": "Zazaki", "c": "C", "c++": "C++", "go": "Go", "java": "Java",
    "javascript": "JavaScript", "php": "PHP", "python": "Python", "ruby": "Ruby", "rust": "Rust", "scala": "Scala",
    "shell": "Shell", "sql": "SQL", "swift": "Swift", "typescript": "TypeScript",
}  # fmt: skip

#: Codes that mean a language only together with their script.
_TRADITIONAL = "zho-Hant"
#: Languages that are written otherwise, where they are written in Latin letters.
_ROMANISED = ("arb-Latn", "ben-Latn", "hin-Latn", "npi-Latn", "sin-Latn", "urd-Latn")

_TASK = "cross-language: "
_DOCUMENTS_BY_LETTERS = {"ef": "English, French", "efgi": "English, French, German, Italian"}
_DOCUMENTS_OF_YEARS = {"1999": "English, French, German, Italian", "2001": "Arabic", "2002": "Arabic"}


def in_words(codes: str) -> list[str]:
    """Return the languages of a list of codes with scripts, ``nor-Latn;eng-Latn``, each once, in order."""
    return list(dict.fromkeys(_word(code) for code in codes.split(";") if code))


def of_task(slug: str, written: str) -> str:
    """Return the languages of a cross-language task of TREC in words; its source names them by codes.

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


def _word(code: str) -> str:
    if code == _TRADITIONAL:
        return "Chinese (traditional)"
    word = _WORDS[code.split("-")[0]]
    return f"{word} (in Latin letters)" if code in _ROMANISED else word
