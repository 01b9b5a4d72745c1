"""Signing in through ORCID and GitHub (``service_walk`` has the walks, because which services are on is a setting)."""

import json

from tests.registry.core.lab import Lab


def test_every_walk_goes_well(tmp_path):
    lab = Lab(tmp_path)
    on = {f"PLUMBLINE_{name}": "x" for name in ("ORCID_CLIENT_ID", "ORCID_SECRET", "GITHUB_CLIENT_ID", "GITHUB_SECRET")}
    outcomes = json.loads(lab.run("-m", "tests.registry.accounts.service_walk", **on))
    lab.close()
    assert len(outcomes) > 15
    assert {name: why for name, why in outcomes.items() if why} == {}
