"""The statistics of Plumbline: pure functions on arrays, with frozen results.

Nothing here knows Django, files or global state. What needs scores by topic takes a
:class:`analysis.scores.ScoreMatrix` (systems x topics, labelled, aligned); what needs published means takes arrays.
Results are frozen, and ``to_dict()`` makes them JSON. Randomness comes in as ``rng``. What can't be treated raises
:class:`analysis.errors.ArgumentError`, which names the argument and the value.

Names are imported from their modules, as in ``from analysis.rankings import tie_tiers``. By question:

Getting scores in
    ``scores``: ScoreMatrix. ``instance_scores``: InstanceScores.
    ``formats``: parse_run, parse_judgements, parse_topic_scores, parse_score_table.
    ``granularity``: check_reachable, topic_denominator (can a printed score be right?).

Is the best result really that good?
    ``order_statistics``: maximum_distribution, minimum_distribution, range_probability, effective_n,
    expected_maximum_of_attempts, one_factor_maximum_cdf, covariance_maximum_cdf, scores_maximum_cdf,
    gumbel_approximation.
    ``best_result`` (from published means): analyse_best, analyse_summary, winner_from_means.
    ``winners`` (from scores by topic): estimate_winner, winner_james_stein, bootstrap_optimism, winner_naive.
    ``selective_inference``: winner_conditional, winner_hybrid, winner_projection, selective_quantiles,
    truncated_normal_cdf.

Which others could be the best, and what is a rank worth?
    ``best_result`` (from published means): best_set_from_means, gupta_constant.
    ``rankings``: confidence_set_for_best, comparisons_with_best, model_confidence_set, verified_leader,
    probability_of_best, rank_intervals, tie_tiers, tie_tiers_from_means; kept in ``best_run_sets``,
    ``comparisons_with_best``, ``model_confidence_sets``, ``rank_intervals``.

Is one system better than another, or as good?
    ``mean_intervals`` (of one mean): t_mean_interval, bca_mean_interval.
    ``paired_tests``: compare, paired_t, randomization_test, bootstrap_shift_test, wilcoxon_test, sign_test,
    equivalence_test.
    ``multiple_comparisons``: step_down_max_t, compare_family, tukey_hsd, randomized_tukey_hsd, holm,
    benjamini_hochberg.
    ``equivalence``: equivalence_of_difference, noninferiority_of_difference, interval_against_margin.
    ``meta_analysis``: meta_analysis, between_variance.

What if a system scores differently each time?
    ``mixed_models``: compare_algorithms, compare_instances. ``mixed_models_posterior``: posterior_difference,
    posterior_draws. ``mixed_models_reml``: fit_reml. ``mixed_models_bootstrap``: bootstrap_comparison.
    ``instance_design``: instances_and_topics_needed, design_power.

How much can a collection tell?
    ``variance_components``: two_way_anova, variance_library, summarize_by_measure.
    ``reliability``: swap_rates, pool_swap_rates, reversal_profile, significant_shares, project_error_rate,
    topics_needed, smallest_resolvable_difference, precision_of_means, compare_effort, equal_effort_topics, pool_sizes;
    kept in ``swap_rates``, ``error_projection``, ``topic_set_size``, ``assessor_effort``.

What would other documents change?
    ``average_precision``: average_precision, judge_run, silver_bullet_limit, lead_balloon_limit, unseen_proportion,
    leave_one_out. ``ranked_pairs``: judge_pair, pair_rankings.
    ``document_bootstrap``: bootstrap_average_precision, bootstrap_pair.
    ``precision``: average_precision_interval, average_precision_intervals, map_interval, logit_map_interval.
    ``paired_precision``: paired_difference.
    ``split_collection``: split_run, list_agreement, mean_agreement, agreement_probability, collection_half.

How do scores of different collections and years compare?
    ``standardization``: reference_factors, standardize, standardize_empirical, standardize_means, percentile_among.
    ``standardization_uncertainty``: factor_uncertainty, standardized_mean_uncertainty.
    ``trends``: trend_over_time, frontier_trend, clustered_trend. ``records``: records_test.
    ``baselines``: standing_of_papers, baselines_against_known_best.

Each statistic has its page under ``docs/methods/``, which says what it assumes, how it fails and what it was checked
against.
"""
