"""Forms and bodies that people send: what they are answered, and what stands there then, is approved like pages are."""

from typing import Any

ROW = {"collection": "news", "measure": "AP", "system": "Later", "value": "0.3312", "role": "proposed"}
ROW |= {"paper": "Later (SIGIR 2025)", "locator": "Table 3", "year": "2025"}
ASKED = {"kind": "correct"}
CSV = "System,News AP\nBase,0.2300\nrun1,0.3330\nOurs,0.3350\n"
MARKDOWN = "| System | W19 nDCG@10 | News P@10 |\n|---|---|---|\n| A | **0.61** | 0.4x |\n| B | .582 | 46,1 |\n"
LATEX = r"\begin{tabular}{lrr} Model & Quill Law & Quill Health \\ \hline ours$^\dagger$ & 61.2 & 58.4 \\ \end{tabular}"

#: What happens, who does it, where, and what is sent. JSON is sent to the API, forms to all other addresses.
STORIES: list[tuple[str, str, str, dict[str, Any]]] = [
    ("withdraw-without-reason", "grace", "/results/{best}/withdraw/", {"reason": " "}),
    ("withdraw", "grace", "/results/{best}/withdraw/", {"reason": "printed twice"}),
    ("withdraw-again", "grace", "/results/{withdrawn}/withdraw/", {"reason": "printed twice"}),
    ("supersede-by-no-number", "grace", "/results/{best}/supersede/", {"printed": "abc", "role": "", "reason": "?"}),
    (
        "supersede",
        "grace",
        "/results/{best}/supersede/",
        {"printed": "0.3444", "unit": "", "year": "2018", "role": "proposed", "run_type": "", "locator": "Table 4"}
        | {"comparability": "standard", "reason": "erratum", "notes": ""},
    ),
    (
        "ask-to-correct",
        "ada",
        "/results/{best}/correct/",
        {"kind": "correct", "proposed_printed": "0.35", "reason": "p. 4"},
    ),
    (
        "ask-for-nothing",
        "ada",
        "/results/{best}/correct/",
        {"kind": "correct", "proposed_printed": "1.35", "reason": ""},
    ),
    ("dispute", "ada", "/results/{best}/correct/", {"kind": "dispute", "reason": "trained on the topics"}),
    ("transcribe-another", "ada", "/results/{best}/transcribe/", {"printed": "0.1", "unit": ""}),
    (
        "accept",
        "grace",
        "/corrections/{request}/",
        {"decision": "correct", "printed": "0.33", "unit": "", "reason": "yes"},
    ),
    ("decline", "grace", "/corrections/{request}/", {"decision": "decline", "printed": "", "unit": "", "reason": "no"}),
    (
        "accept-and-withdraw",
        "grace",
        "/corrections/{request}/",
        {"decision": "withdraw", "printed": "", "reason": "gone"},
    ),
    ("merge", "grace", "/systems/bm25/merge/", {"target": "run1--aster", "reason": "the same"}),
    ("merge-into-nothing", "grace", "/systems/bm25/merge/", {"target": "no such system", "reason": "the same"}),
    ("rename", "grace", "/systems/bm25/rename/", {"name": "Okapi BM25", "team": "", "reason": "in full"}),
    ("rename-to-a-number", "grace", "/systems/bm25/rename/", {"name": "12", "team": "", "reason": "in full"}),
    ("say-the-model", "grace", "/systems/run1--aster/model/", {"model": "BM25", "reason": "its paper says so"}),
    (
        "correct-a-paper",
        "grace",
        "/papers/{paper}/correct/",
        {"cite": "Ada (SIGIR 2025)", "title": "Ranking", "retraction": "retracted in 2024.", "reason": "ACM"},
    ),
    ("merge-papers", "grace", "/papers/{paper}/merge/", {"target": "10.1145-2000000.2000000", "reason": "one paper"}),
    ("undo-a-merge", "grace", "/log/{merged}/undo/", {"reason": "they are two"}),
    ("undo-a-load", "curt", "/log/{loaded}/undo/", {"reason": "a wrong file"}),
    ("publish", "grace", "/moderation/{review}/", {"decision": "publish", "version": "3", "reason": ""}),
    ("return-without-reason", "grace", "/moderation/{review}/", {"decision": "return", "version": "3", "reason": ""}),
    ("refuse", "grace", "/moderation/{review}/", {"decision": "refuse", "version": "3", "reason": "no paper"}),
    ("decide-too-late", "grace", "/moderation/{review}/", {"decision": "refuse", "version": "1", "reason": "no paper"}),
    ("start-the-review", "grace", "/moderation/{waits}/start/", {"version": "2"}),
    ("review-as-contributor", "ada", "/moderation/{waits}/start/", {"version": "2"}),
    ("comment", "ada", "/submissions/{waits}/comment/", {"text": "Table 2 is right."}),
    ("submit-refused-rows", "ada", "/submissions/{draft}/submit/", {"version": "1"}),
    ("submit-without-them", "ada", "/submissions/{draft}/submit/", {"version": "1", "drop_refused": "on"}),
    ("remove-refused", "ada", "/submissions/{draft}/rows/remove/", {"version": "1", "all_refused": "on"}),
    ("remove-a-row", "ada", "/submissions/{draft}/rows/remove/", {"version": "1", "lines": ["1", "2"]}),
    ("delete-a-draft", "ada", "/submissions/{draft}/delete/", {"version": "1"}),
    ("take-back", "ada", "/submissions/{waits}/take-back/", {"version": "2"}),
    ("correct-a-row", "ada", "/submissions/{draft}/rows/4/", ROW | {"version": "1", "value": "0.3", "unit": ""}),
    ("worsen-a-row", "ada", "/submissions/{draft}/rows/1/", ROW | {"version": "1", "value": "33.1", "measure": "APP"}),
    ("add-a-row", "ada", "/submissions/{draft}/rows/add/", ROW | {"version": "1", "system": "One more"}),
    ("submit-one", "ada", "/submit/", ROW | {"step": "preview", "unit": "", "comparability": "standard"}),
    ("submit-nothing", "ada", "/submit/", {"step": "submit", "collection": "W19", "measure": "MRR", "value": "61,2"}),
    ("review-csv", "anybody", "/review-table/", {"text": CSV, "step": "read", "unit": "", "form": ""}),
    ("review-markdown", "anybody", "/review-table/", {"text": MARKDOWN, "step": "read", "unit": "", "form": ""}),
    ("review-latex", "anybody", "/review-table/", {"text": LATEX, "step": "read", "unit": "", "measure": "nDCG@10"}),
    ("paste-no-scores", "anybody", "/leaderboards/alpha/AP/pairs/1/3/", {"scores": "301 .31 .33\n302 .20"}),
    (
        "api-compare-topics",
        "anybody",
        "/api/v1/compare/topics/",
        {"first": [0.31, 0.2, 0.5, 0.44], "second": [0.25, 0.22, 0.41, 0.3], "topics": [*"abcd"], "margin": 0.1},
    ),
    ("make-a-token", "ada", "/accounts/tokens/", {"name": "cron", "scopes": ["read", "submit"], "days": "10"}),
    ("make-no-token", "ada", "/accounts/tokens/", {"name": "", "scopes": [], "days": "100000"}),
    ("make-an-editor", "curt", "/accounts/people/ada/", {"role": "editor", "is_active": "on", "reason": "she helps"}),
    ("appoint", "grace", "/collections/quill-law/curators/", {"username": "curt", "reason": "knows it"}),
    ("appoint-nobody", "grace", "/collections/quill-law/curators/", {"username": "nobody", "reason": ""}),
    ("begin-own", "ada", "/runs/own/", {"name": "mine", "measures": "AP\nnDCG@10", "seen": "private", "topics": ""}),
    ("api-review-table", "anybody", "/api/v1/review-table/", {"text": CSV, "baselines": ["Base"]}),
    (
        "api-check-rows",
        "ada",
        "/api/v1/submissions/?dry_run=true",
        {"results": [ROW, ROW | {"value": "1.5", "unit": "x"}]},
    ),
    ("api-submit", "ada", "/api/v1/submissions/", {"results": [ROW], "note": "by a program"}),
    ("api-refused", "ada", "/api/v1/submissions/", {"results": [], "colour": "red"}),
    ("api-decline", "ada", "/api/v1/submissions/{waits}/take-back/", {"version": 2}),
]
