"""A process that kept the names of the catalog knows those that another one loads."""

PROGRAM = """
import subprocess, sys
from pathlib import Path
from tempfile import TemporaryDirectory
import django
django.setup()
from registry.catalog.queries import names_of_scores

def load(aliases):
    with TemporaryDirectory() as folder:
        Path(folder, "measures.csv").write_text("name,low,high\\nAP,0,1\\n")
        Path(folder, "collections.csv").write_text(f"slug,name,aliases,n_topics\\nbench,Bench,{aliases},50\\n")
        subprocess.run([sys.executable, "manage.py", "load_catalog", folder, "-v0"], check=True)

def known():
    return [name for name in ("Bench", "Workbench") if names_of_scores().has_collection(name)]

load("")
print(known(), names_of_scores() is names_of_scores())
load("Workbench")
print(known())
"""


def test_an_alias_that_another_process_loads_is_known_at_once(lab):
    assert lab.run("-c", PROGRAM) == "['Bench'] True\n['Bench', 'Workbench']\n"
