"""What a table claims, in headlines and bars, of gains that are made here."""

import pytest

from analysis.boards import PlannedPair
from registry.tools.review_table.claims import Claim, ClaimInColumn, claim_of, guess_own, is_oracle, says_of
from registry.tools.review_table.drawings import draw_claims


def claimed(says, column, *, collection="", gain=0.0, margin=None):
    return ClaimInColumn(
        column=column, collection=collection or column, rival="BM25", gain=gain, margin=margin, decimals=3, says=says
    )


def headline(*says, against_baselines=True, collections=None):
    names = collections or [f"C{number}" for number in range(1, len(says) + 1)]
    columns = [claimed(one, f"{name}, AP", collection=name) for one, name in zip(says, names, strict=True)]
    found = claim_of("Ours", columns, against_baselines=against_baselines)
    assert (found.system, found.columns) == ("Ours", tuple(columns))
    return found.headline


@pytest.mark.parametrize(
    ("says", "said"),
    [
        (["beats"], "Ours beats the best baseline on C1, AP."),
        (["trails"] * 3, "Ours trails the best baseline in all 3 columns."),
        (["ties", "beats"], "Ours can’t be told from the best baseline on C1 and beats it on C2."),
        (
            ["beats", "ties", "ties", "trails", "ties", "beats"],
            "Ours can’t be told from the best baseline in 3 of 6 columns, beats it in 2 of 6 columns and trails it on"
            " C4.",
        ),
        (
            ["unknown", "unknown", "trails"],
            "Ours trails the best baseline on C3 and can’t be told from luck in 2 of 3 columns, where nothing is known"
            " of it.",
        ),
        (["unknown"], "Ours can’t be told from luck on C1, AP, where nothing is known of it."),
    ],
)
def test_what_holds_in_most_columns_is_said_first_and_what_is_not_known_last(says, said):
    assert headline(*says) == said


def test_without_baselines_the_rival_is_another_row():
    assert headline("beats", "beats", against_baselines=False) == "Ours beats the best other row in all 2 columns."


def test_a_collection_of_several_columns_is_named_with_its_measure():
    assert headline("beats", "ties", "ties", collections=["A", "A", "B"]) == (
        "Ours can’t be told from the best baseline in 2 of 3 columns and beats it on A, AP."
    )
    assert headline("ties", "ties", "beats", collections=["A", "A", "B"]).endswith(" and beats it on B.")


def test_a_gain_is_said_with_its_sign():
    assert claimed("ties", "C", gain=0.0051).in_words == "can’t be told apart, +0.005"
    assert claimed("unknown", "C", gain=-0.02).in_words == "can’t be known, −0.020"
    assert claimed("beats", "C", gain=0.3).in_words == "beats, +0.300"


def test_rows_that_name_their_authors_are_theirs_unless_they_are_oracles():
    systems = ["Ours (large)", "our model", "Proposed", "This  work", "this paper", "Oracle of ours", "Hours", "BM25"]
    assert guess_own(systems) == {"Ours (large)", "our model", "Proposed", "this paper"}
    assert [one for one in ("Oracle", "best oracles", "Oracular") if is_oracle(one)] == ["Oracle", "best oracles"]


def test_what_is_told_apart_beats_or_trails():
    apart = PlannedPair(pvalue=0.01, margin=0.05, is_told_apart=True)
    level = PlannedPair(pvalue=0.3, margin=0.2, is_told_apart=False)
    assert [says_of(0.1, apart), says_of(-0.1, apart), says_of(0.1, level), says_of(0.1, None)] == [
        "beats",
        "trails",
        "ties",
        "unknown",
    ]


def test_bars_of_a_row_are_on_one_scale_from_the_largest_loss_to_the_largest_gain_or_margin():
    columns = (
        claimed("beats", "A", gain=0.2, margin=0.1),
        claimed("trails", "B", gain=-0.1, margin=0.05),
        claimed("unknown", "C", gain=0.0),
    )
    ((claim, bars),) = draw_claims([Claim(system="Ours", headline="", columns=columns)])
    assert claim.system == "Ours"
    kinds = [[shape.kind.split()[1:] for shape in bar.scene.shapes if shape.kind.startswith("dot")] for bar in bars]
    assert kinds == [[["measured", "is-highlighted"]], [["other"]], [["muted"]]]
    assert [bar.claim for bar in bars] == list(columns)
    posts = {shape.path.split()[0] for bar in bars for shape in bar.scene.shapes if shape.kind.startswith("post")}
    assert len(posts) == 1
