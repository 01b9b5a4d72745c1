"""Build this folder's tables from a folder of gathered figures.

    python data/build.py --shared DIR [--output data] [--rest FOLDER]

``DIR`` holds ``collections.csv``, ``measures.csv``, ``n_topics_overrides.csv``, ``duplicate_ids.csv`` and the folders
``published/``, ``per_topic/``, ``replicates/``, ``more/``, ``record/`` and ``record4/``. The same input gives the same
bytes. Results keep the lines of files that ``find_lines.py`` found for them, as long as their number is the same.
``--rest`` writes instead what does not ship of MTEB, as a folder that ``manage.py load_shipped_data FOLDER`` loads.
``README.md`` says what the tables hold, ``SOURCES.md`` where they come from, under what terms, and what was left out.
"""

import argparse
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from builder import (
    catalog,
    densities,
    executions,
    families,
    judgements,
    later,
    lineage,
    lines,
    measures,
    models,
    names,
    notes,
    papers,
    refuted,
    results,
    sources,
    suites,
    systems,
    tables_of_papers,
    tasks,
    topic_scores,
    training,
    unfilled,
    variance,
)
from builder import more as mteb_more
from builder.bibliography import COLLECTION_COLUMNS, Gathered
from builder.tables import Row, read_table, write_table

#: The tables that ship, whose lines a rebuild keeps.
SHIPPED = Path(__file__).parent
#: What is gathered outside and does not ship.
GATHERED = (
    "collections.csv", "measures.csv", "n_topics_overrides.csv", "duplicate_ids.csv", "published", "per_topic",
    "replicates", "more", "record", "record4", "more4",
)  # fmt: skip
LEADERBOARD_COLUMNS = ["collection", "measure", "n_topics", "note", "is_doubtful"]


def build(shared: Path, output: Path) -> dict[str, int]:
    """Write every table and return the number of rows of each."""
    overrides = read_table(shared / "n_topics_overrides.csv")
    more = shared / "more"
    published = {file: read_table(shared / "published" / file) for file in results.FILES if file != mteb_more.FILE}
    published[mteb_more.FILE] = mteb_more.as_published(read_table(more / mteb_more.FILE))
    gathered_more = [row for row in read_table(more / "mteb_more_collections.csv") if row["file"] == mteb_more.FILE]
    of_record = shared / "record4"
    mteb_tasks, subsets = read_table(more / "mteb_tasks.csv"), read_table(more / "mteb_task_subsets.csv")
    of_papers = shared / "record" / "tables"
    named_there = {row["slug"] for row in read_table(of_papers / "collections_new.csv")}
    subsets = later.with_collections(subsets, read_table(of_record / "released_collections.csv"), named_there)
    gathered_more += mteb_more.without_results(subsets, mteb_tasks, gathered_more, families.wanted_tasks())
    in_mteb = {row["collection"] for row in published["mteb_retrieval_ndcg10.csv"]}
    collections = catalog.build_catalog(
        read_table(shared / "collections.csv"), read_table(shared / "duplicate_ids.csv"), overrides, in_mteb
    )
    more_slugs = mteb_more.build_slugs(gathered_more)
    collections = collections.with_more(mteb_more.build_collections(gathered_more, mteb_tasks), more_slugs)
    for folder in (of_papers, of_record):
        collections = collections.with_more(read_table(folder / "collections_new.csv"), {})
    collections = collections.with_more(unfilled.build_unfilled({row["slug"] for row in collections.rows}), {})
    questions = names.name_collections(read_table(more / "aliases.csv"), collections.rows, more_slugs)
    counts = {}

    def write(file: str, columns: list[str], rows: list[Row]) -> None:
        write_table(output / file, columns, rows)
        counts[file] = len(rows)

    tables: dict[str, list[Row]] = {}
    for file, target in results.FILES.items():
        rows = results.build_results(file, published[file], collections, results.row_overrides(overrides, file))
        if file == "rankllm.csv":
            rows = executions.mark_executions(executions.repeated_rows(shared) + rows)
        rows = lines.keep_lines(rows, read_table(SHIPPED / "results" / target))
        tables[target] = rows
    tables |= later.build_later(shared)
    recorded = [row for rows in tables.values() for row in rows]
    later.date_reports(recorded, of_record / "mteb_blocks.csv.gz")
    printed = tables_of_papers.build_printed((of_papers, of_record, shared / "more4" / "papers"), recorded)
    matrices = topic_scores.build_topic_scores(shared, output)
    write("topic_scores/manifest.csv", topic_scores.COLUMNS, matrices)
    with_topic_scores = topic_scores.rows_with_scores(matrices, output)
    every_row = chain.from_iterable((tables | printed.files).values())
    write("refuted.csv", refuted.COLUMNS, refuted.refute(every_row, of_record, with_topic_scores))
    for target, rows in (tables | printed.files).items():
        filled = results.without_empty_columns(rows)
        write(f"results/{target}", list(filled[0]), filled)
    print(f"{sum(printed.repeated.values()):,} printed rows stand here already: {dict(printed.repeated)}")
    tasks.add_tasks(collections.rows, recorded, mteb_tasks, subsets, more_slugs)
    density = shared / "record" / "density"
    gathered = read_table(density / "density.csv")
    densities.settle_topics(collections.rows, gathered)
    judgements.add_judges(collections.rows, read_table(of_record / "judged_by.csv"))
    catalog.add_topic_groups(collections.rows)
    write("collections.csv", catalog.COLUMNS, collections.rows)
    of_suite = {row["slug"]: row["suite"] for row in collections.rows}
    write("densities.csv", densities.COLUMNS, densities.build_densities(gathered, of_suite))
    links = densities.build_links(read_table(density / "versions.csv"))
    write("collection_links.csv", densities.LINK_COLUMNS, links)
    every = [*recorded, *printed.rows]
    used = {row["measure"] for row in every}
    write("measures.csv", measures.COLUMNS, measures.build_measures(read_table(shared / "measures.csv"), used))
    write("questions.csv", names.QUESTION_COLUMNS, questions + names.measure_questions())
    boards = results.leaderboard_rows(overrides, collections) + refuted.doubtful_boards()
    write("leaderboards.csv", LEADERBOARD_COLUMNS, boards)
    write("topic_scores/unnamed/manifest.csv", topic_scores.UNNAMED_COLUMNS, topic_scores.build_unnamed(shared, output))
    kept_runs = shared / "record" / "qrels"
    write("judgements/manifest.csv", judgements.COLUMNS, judgements.build_judgements(kept_runs, output))
    write("runs/manifest.csv", judgements.RUN_COLUMNS, judgements.build_runs(kept_runs, output))
    of_suites, members = suites.build_suites(
        recorded,
        collections.rows,
        tasks.places(mteb_tasks, subsets, more_slugs),
        {task["name"]: task["measure"] for task in mteb_tasks},
    )
    write("suites.csv", suites.COLUMNS, of_suites)
    write("suite_members.csv", suites.MEMBER_COLUMNS, members)
    means = suites.build_printed_means(read_table(of_record / "suite_prints.csv"), members)
    write("printed_means.csv", suites.PRINTED_COLUMNS, means)
    slugs = {row["slug"] for row in collections.rows}
    of_training = shared / "record" / "training"
    write("missing.csv", notes.MISSING_COLUMNS, notes.build_missing(slugs, {row["slug"] for row in of_suites}))
    write("splits.csv", notes.SPLIT_COLUMNS, notes.build_splits(read_table(of_training / "splits.csv"), slugs))
    contested = notes.build_contested(read_table(of_training / "contested_scores.csv"), slugs)
    write("contested.csv", notes.CONTESTED_COLUMNS, contested)
    disclosed = notes.build_disclosures(read_table(of_training / "undisclosed.csv"))
    write("disclosures.csv", notes.DISCLOSURE_COLUMNS, disclosed)
    described = read_table(more / "mteb_models.csv")
    known_systems = [*every, *topic_scores.recorded_by_matrices(shared)]
    bibliography = read_table(more / "papers.csv")
    lineages = lineage.build_lineage(known_systems, described, bibliography, printed.strangers, printed.contested)
    write("lineage.csv", lineage.COLUMNS, lineages)

    def makers(source: str, runs: Sequence[str]) -> list[str]:
        named = [f"rank_llm {run}" for run in runs] if source == "castorini/rank_llm" else list(runs)
        return lineage.makers_of(named, recorded, lineages)

    variances = variance.measure_variances(shared / "per_topic", makers)
    library = variance.build_variance_library(variances)
    write("variance_library.csv", variance.COLUMNS, library)
    observations = variance.build_variance_observations(shared / "record")
    write("variance_observations.csv", variance.OBSERVATION_COLUMNS, observations)
    overlap = read_table(more / "training_overlap.csv")
    overlap += mteb_more.build_overlap(
        read_table(more / "training_overlap_more.csv"),
        published[mteb_more.FILE],
        gathered_more,
        described,
        read_table(more / "mteb_similar_tasks.csv"),
    )
    of_tasks = {task["name"]: {slug for slug in task["collection"].split(";") if slug} for task in mteb_tasks}
    for (task, _, _), slug in tasks.places(mteb_tasks, subsets, more_slugs).items():
        of_tasks[task].add(slug)
    main = {row["slug"] for row in collections.rows if row["mteb_task"]}
    ledger = read_table(of_training / "ledger.csv")
    similar = read_table(more / "mteb_similar_tasks.csv")
    statements = training.build_training(recorded, overlap, described, of_tasks, main, ledger, similar, every)
    write("training.csv", training.COLUMNS, statements)
    of_rows = read_table(more / "trec_row_papers.csv")
    gathered = Gathered.read(shared / "record" / "papers")
    known, of_systems, of_collections = papers.build_papers(every, bibliography, of_rows, described, gathered)
    mended = models.mended_facts(read_table(of_record / "models_facts.csv"))
    write("system_names.csv", systems.NAME_COLUMNS, systems.build_system_names(every))
    write("systems.csv", systems.COLUMNS, systems.build_systems(recorded, described, mended))
    write("sources.csv", sources.COLUMNS, sources.build_sources(read_table(of_papers / "sources.csv")))
    write("papers.csv", papers.COLUMNS, known)
    of_models = models.build_models(known_systems, described, known, of_systems, _shipped("models.csv"), mended)
    write("models.csv", models.COLUMNS, of_models)
    write("system_papers.csv", papers.LINK_COLUMNS, of_systems)
    write("collection_papers.csv", COLLECTION_COLUMNS, of_collections)
    return counts


def build_rest(shared: Path, output: Path) -> dict[str, int]:
    """Write the collections and results of MTEB that do not ship, and return the number of rows of each table.

    Neither their training nor the day of their report was looked up.
    """
    more = shared / "more"
    gathered = [row for row in read_table(more / "mteb_more_collections.csv") if row["file"] == mteb_more.REST]
    places = catalog.Catalog([], mteb_more.build_slugs(gathered))
    here = {row["slug"] for row in _shipped("collections.csv")}
    collections = mteb_more.build_collections(gathered, read_table(more / "mteb_tasks.csv"))
    collections = [row for row in collections if row["slug"] not in here]
    published = mteb_more.as_published(later.read_packed(more / mteb_more.REST))
    rows = results.build_results(mteb_more.FILE, published, places, [])
    for row in rows:
        row |= {"date": "", "year": "", "dataset_revision": row["dataset_revision"][:10]}
    target = output / "results" / "mteb_rest.csv"
    rows = results.without_empty_columns(lines.keep_lines(rows, read_table(target) if target.exists() else []))
    write_table(target, list(rows[0]), rows)
    write_table(output / "collections.csv", list(collections[0]), collections)
    return {"collections.csv": len(collections), "results/mteb_rest.csv": len(rows)}


def _shipped(file: str) -> list[Row]:
    """Return a table as it ships; empty before the first time."""
    return read_table(SHIPPED / file) if (SHIPPED / file).exists() else []


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Build the published results that ship with the product.")
    parser.add_argument("--shared", type=Path, required=True, help="folder of the gathered figures")
    parser.add_argument("--output", type=Path, default=SHIPPED, help="folder to write to")
    parser.add_argument("--rest", type=Path, metavar="FOLDER", help="write there what does not ship, and nothing else")
    options = parser.parse_args(arguments)
    if lacking := [name for name in GATHERED if not (options.shared / name).exists()]:
        parser.error(
            f"{options.shared} lacks {', '.join(lacking)}; nothing was written. What repositories have published since "
            "is taken in without it: manage.py import_upstream"
        )
    counts = build_rest(options.shared, options.rest) if options.rest else build(options.shared, options.output)
    for file, count in sorted(counts.items()):
        print(f"{count:7,} {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
