"""What a leaderboard is in suites."""

import pytest

from registry.curation.suites.queries import membership_in_suites
from tests.registry.curation.suites.world import add_member, make_boards, make_suite


@pytest.fixture
def boards():
    return make_boards("beir-cqadupstack", "beir-cqadupstack-tex", "beir-fiqa", "msmarco-passage-dev")


def test_training_is_remarked_on_where_a_suite_is_meant_zero_shot(boards):
    cqadupstack, tex, fiqa, msmarco = boards
    make_suite("beir", [cqadupstack, fiqa], position=0)
    make_suite("mteb", [cqadupstack, fiqa, msmarco], position=1, trained=[msmarco], is_screen=False)
    make_suite("miracl", [tex], position=2, is_zero_shot=False, is_screen=False)
    memberships = [membership_in_suites(board) for board in boards]
    assert [member.is_zero_shot for member in memberships] == [True, False, True, False]
    assert [member.screen and member.screen.suite.slug for member in memberships] == ["beir", None, "beir", None]


def test_a_suite_of_which_it_is_a_member_screens_before_one_that_has_it_as_a_part(boards):
    cqadupstack, tex, *others = boards
    first = make_suite("beir", [cqadupstack, *others], position=0)
    add_member(first, tex, 9, part_of=first.members.get(collection=cqadupstack.collection))
    make_suite("mteb", [tex, *others], position=1)
    assert membership_in_suites(tex).screen.suite.slug == "mteb"
    assert membership_in_suites(cqadupstack).screen.suite.slug == "beir"
