"""Scoring a run of 6,980 topics with 1,000 documents each, the size of MS MARCO's: reading it, ten measures, storing.

The rivals are pytrec_eval, and ranx where that is installed: reading the same file and scoring what they read. Each
in a process of its own. Seconds are of processor time: ours of a worker that is there already, with the whole child
that it starts. Memory is the peak of a process, ours of the worker or the child that scores, whichever is larger.
"""

import gzip
import importlib.util
import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.bench_loading import Database
from tests.benchmarks.table import BenchmarkRow

N_TOPICS, N_DOCUMENTS, N_ALL = 6_980, 1_000, 8_841_823
_MEASURES = "RR@10 nDCG@10 nDCG@100 AP AP@100 R@100 R@1000 P@10 Success@10 Rprec"
_THEIRS = "ndcg_cut_10 ndcg_cut_100 map map_cut_100 recall_100 recall_1000 P_10 success_10 Rprec recip_rank"
_RANX = "mrr@10 ndcg@10 ndcg@100 map map@100 recall@100 recall@1000 precision@10 hit_rate@10 r-precision"

_RECEIVED = f"""
import json, sys, time
from pathlib import Path
import django
django.setup()
from django.contrib.auth import get_user_model
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.runs.services.judging import put_judgements
from registry.runs.services.uploading import hand_in

run, qrels = (Path(name).read_bytes() for name in sys.argv[1:])
collection = Collection.objects.create(slug="bench", name="bench")
for name in {_MEASURES!r}.split():
    measure = Measure.objects.create(name=name, ir_measures=name, low=0, high=1)
    Leaderboard.objects.create(collection=collection, measure=measure)
put_judgements(collection=collection, content=qrels, source="bench")
owner = get_user_model().objects.create_user("bench")
start = time.process_time()
hand_in(owner=owner, name="bench", collection=collection, content=run)
print(json.dumps({{"seconds": time.process_time() - start}}))
"""

_SCORED = """
import json, resource
import django
django.setup()
from django.conf import settings
from registry.runs.models import Work
from registry.runs.services.scoring import save_score, score

def used():
    who = [resource.getrusage(one) for one in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in who), max(one.ru_maxrss for one in who)

# By the clock, which other work on the machine may hold up.
settings.PLUMBLINE_RUN_SECONDS = 1000
start, _ = used()
save_score(score(Work.objects.values_list("pk", flat=True).get()))
work = Work.objects.get()
assert work.state == "done", work.refusal
end, peak = used()
print(json.dumps({"seconds": end - start, "peak": peak / 1024, "stored": len(work.scores)}))
"""

_RIVAL = """
import gzip, json, resource, sys, time
run, qrels = sys.argv[1:]
start = time.process_time()
{read}
read = time.process_time() - start
start = time.process_time()
{score}
seconds = time.process_time() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({{"read": read, "seconds": seconds, "peak": peak}}))
"""
_RIVALS = {
    "pytrec_eval": (
        "import pytrec_eval\n"
        "judged = pytrec_eval.parse_qrel(open(qrels))\n"
        "ranked = pytrec_eval.parse_run(gzip.open(run, 'rt'))",
        f"pytrec_eval.RelevanceEvaluator(judged, set({_THEIRS!r}.split())).evaluate(ranked)",
    ),
    "ranx": (
        "from ranx import Qrels, Run, evaluate\n"
        "judged = Qrels.from_file(qrels, kind='trec')\n"
        "ranked = Run.from_file(run)",
        f"evaluate(judged, ranked, {_RANX!r}.split(), make_comparable=True)",
    ),
}


def rows() -> list[BenchmarkRow]:
    """Return ours against each rival, and what the web server is held by when it is sent."""
    with tempfile.TemporaryDirectory(prefix="plumbline-bench-") as folder:
        files = [str(path) for path in write_run(Path(folder))]
        packed = Path(files[0]).stat().st_size / 1e6
        database = Database(Path(folder) / "runs")
        database.run("migrate", "--create", "-v0")
        received = json.loads(database.call(["-c", _RECEIVED, *files]))
        ours = json.loads(database.call(["-c", _SCORED]))
        rivals = {
            name: json.loads(database.call(["-c", _RIVAL.format(read=read, score=score), *files]))
            for name, (read, score) in _RIVALS.items()
            if importlib.util.find_spec(name)
        }
    size = f"{N_TOPICS:,} x {N_DOCUMENTS:,}, {packed:.0f} MB packed"
    note = f"peak {ours['peak']:,.0f} MiB, {ours['stored'] / 1000:,.0f} kB stored"
    table = [BenchmarkRow("received and kept for a worker", size, received["seconds"])]
    for name, theirs in rivals.items():
        more = f"{note}; {name} {theirs['peak']:,.0f} MiB, {theirs['seconds']:.3g} s of it scoring"
        whole = theirs["read"] + theirs["seconds"]
        table.append(BenchmarkRow("read, scored, stored", size, ours["seconds"], name, whole, more))
    return table


def write_run(folder: Path) -> tuple[Path, Path]:
    """Write a packed run and its judgements: one relevant document a topic, which three in four topics find."""
    run, qrels = folder / "bench.run.gz", folder / "bench.qrels"
    rng = random.Random(2016)
    relevant = {str(1_000_000 + 13 * topic): str(rng.randrange(N_ALL)) for topic in range(N_TOPICS)}
    qrels.write_text("".join(f"{topic} 0 {document} 1\n" for topic, document in relevant.items()), encoding="utf-8")
    with gzip.open(run, "wt", compresslevel=6, encoding="utf-8") as stream:
        for topic, document in relevant.items():
            stream.writelines(_lines(rng, topic, document))
    return run, qrels


def _lines(rng: random.Random, topic: str, relevant: str) -> Iterator[str]:
    documents = dict.fromkeys(
        str(number) for number in rng.sample(range(N_ALL), N_DOCUMENTS) if str(number) != relevant
    )
    ranked = list(documents)
    if rng.random() < 0.75:
        ranked.insert(int(N_DOCUMENTS * rng.random() ** 3), relevant)
    score = 30 + rng.random()
    for rank, document in enumerate(ranked[:N_DOCUMENTS], 1):
        score -= rng.random() / 50
        yield f"{topic} Q0 {document} {rank} {score:.6f} bench\n"
