"""Leaderboards that grow: how often the best is left out on some day, beside another study's simulation."""

import pytest

from tools.calibration.__main__ import main
from tools.calibration.worth import left_out_while_growing


@pytest.mark.slow
@pytest.mark.parametrize(("times", "expected"), [(1, (0.053, 0.085)), (2, (0.034, 0.057))])
def test_as_often_as_another_study_found(times, expected):
    assert left_out_while_growing(60.0, times) == pytest.approx(expected, abs=0.007)


def test_the_command_prints_both_constants(capsys):
    assert main(["grow", "--boards", "200"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["1", "2"]
    assert all(0 < float(line.split()[1]) < 0.2 for line in lines[1:])
