"""The statistics of Plumbline: pure functions on arrays, with frozen results.

Nothing here knows Django or global state, and no files but three tables of its own: how often verdicts held, the
coefficients that predict a variance, and how far they are off. What needs scores by topic takes a
:class:`analysis.scores.ScoreMatrix` (systems x topics, labelled, aligned); what needs published means takes arrays.
Results (:class:`analysis.results.Result`) are frozen, and ``to_dict()`` makes them JSON. Randomness comes in as
``rng``. What can't be treated raises :class:`analysis.errors.ArgumentError`, which names the argument and the value.

Signed heads of a log are checked by ``heads``. Figures and tables of five papers, as functions of such scores, stand in
``papers``. Runs are read and scored in ``runs``, with the libraries of the extra of that name.

Each question is a package, and names are imported from it, as in ``from analysis.ranks import tie_tiers``; only what
the name needs is loaded. By question, a package importing only those above it:

Getting scores in
    ``scores``: ScoreMatrix, InstanceScores, parse_run, parse_judgements, parse_score_table, parse_score_cells.
    ``scores`` (can a printed score be right?): real_digits, check_reachable.
    ``scores`` (what is a measure?): measure_nature.

Is one system better than another, or as good?
    ``comparisons`` (one mean): mean_interval.
    ``comparisons`` (two systems): compare, ttest_rel, randomization_test, bootstrap_shift_test, wilcoxon_test,
    sign_test, equivalence_test, equivalence_of_difference, noninferiority_of_difference, interval_against_margin.
    ``comparisons`` (many pairs): step_down_max_t, compare_family, tukey_hsd, randomized_tukey_hsd,
    adjust_pvalues.
    ``comparisons`` (several measurements): meta_analysis.

What if a system scores differently each time?
    ``instances``: compare_algorithms, compare_instances, fit_reml, bootstrap_comparison, posterior_difference,
    instances_and_topics_needed, design_power.

How much can a collection tell?
    ``reliability`` (of what a score consists): two_way_anova, family_weighted_variance, near_copies,
    variance_cap, predict_variance.
    ``reliability`` (other topics): swap_rates, significant_shares, project_error_rate, collection_resolution.
    ``reliability`` (how many topics): topics_needed, smallest_resolvable_difference, precision_of_means.
    ``reliability`` (for the work it costs): compare_effort, equal_effort_topics, pool_sizes.

Is the best result really that good, and which others could be the best?
    ``best`` (from published means): analyse_best, analyse_summary, best_set_from_means, best_set_from_errors,
    gupta_constant, corrected_best_from_means, winner_from_means.
    ``best`` (from scores by topic): confidence_set_for_best, corrected_best, model_confidence_set, probability_of_best,
    estimate_winner.
    ``best`` (extremes of N): maximum_distribution, minimum_distribution, range_probability, effective_n,
    effective_n_of_scores, expected_maximum_of_attempts, scores_maximum_cdf, gumbel_approximation.

What is a rank worth?
    ``ranks``: verified_leader, rank_intervals, tie_tiers, comparisons_with_best.

What would other documents change?
    ``documents`` (ranked lists): average_precision, judge_run, judge_pair, pair_rankings, silver_bullet_limit,
    lead_balloon_limit, unseen_proportion.
    ``documents`` (how sure): average_precision_interval, average_precision_intervals, map_interval,
    logit_map_interval, paired_difference, bootstrap_average_precision.
    ``documents`` (are the intervals right?): split_run, list_agreement, mean_agreement, agreement_probability.

How do scores of different collections and years compare?
    ``scales``: reference_factors, standardize, standardize_means, percentile_among,
    factor_uncertainty, standardized_mean_uncertainty.

Do results get better over the years?
    ``trends``: trend_over_time, frontier_trend, clustered_trend, records_test, best_against_luck, standing_of_papers,
    baselines_against_known_best.

What can be said about the best result of one leaderboard, or of a suite of them?
    ``boards`` (the one verdict): study, find_obstacle, describe_evidence.
    ``boards`` (a score that is not on it): check_score.
    ``boards`` (two of its rows, and the ranks that they may have): margin_of_means, error_of_pair, planned_pairs,
    rank_ranges.
    ``boards`` (the mean over a suite): study_suite, suite_places.
    ``boards`` (kept, and computed again): make_snapshot, read_snapshot, snapshot_id, verify_snapshot.
    ``boards`` (do scores stand apart, or contradict others?): screen_gap, screen_elsewhere, check_linked.
    ``boards`` (how often does that hold?): calibration.

What reads published results from text stands beside the questions, in ``readers``; how a chart is described,
in ``figures``.

Below them all stand ``errors`` (ArgumentError, FormatError, DegenerateWarning) and ``results`` (Result, Interval).
Each statistic has its page under ``docs/methods/``, which says what it assumes, how it fails and what it was checked
against.
"""
