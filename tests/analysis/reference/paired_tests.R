# Reference values for the paired tests of analysis/comparisons/, made by R's own tests; run from the root of the checkout:
#   Rscript tests/analysis/reference/paired_tests.R > tests/analysis/reference/paired_tests.json
# Scores: data/topic_scores/trec-dl-2019-passage__*.csv. exact = TRUE or FALSE is R's choice (exact below 50 topics
# without ties and zeros). Differences are rounded to 4 decimals, the precision of the scores, so that R sees the ties.
suppressWarnings(library(jsonlite))
scores <- function(measure) {
  read.csv(paste0("data/topic_scores/trec-dl-2019-passage__", measure, ".csv"), check.names = FALSE)
}
pairs <- list(
  list(measure = "nDCG-at-10", first = "rank_llm BM25", second = "rank_llm D_BERT_KD_TASB"),
  list(measure = "nDCG-at-10", first = "rank_llm BM25", second = "rank_llm BM25_RM3"),
  list(measure = "nDCG-at-10", first = "rank_llm REP_LLAMA", second = "rank_llm OPEN_AI_ADA2"),
  list(measure = "P-rel-2-at-10", first = "rank_llm REP_LLAMA", second = "rank_llm BM25"),
  list(measure = "R-rel-2-at-100", first = "rank_llm OPEN_AI_ADA2", second = "rank_llm BM25_RM3")
)
one <- function(pair) {
  table <- scores(pair$measure)
  d <- round(table[[pair$first]] - table[[pair$second]], 4)
  wins <- sum(d > 0); untied <- sum(d != 0)
  sides <- c("two.sided", "less", "greater")
  p <- function(test) setNames(lapply(sides, function(side) suppressWarnings(test(side))$p.value), c("two-sided", "less", "greater"))
  t <- t.test(d)
  c(pair, list(
    t = unname(t$statistic), t_low = t$conf.int[1], t_high = t$conf.int[2],
    t_p = p(function(side) t.test(d, alternative = side)),
    n_untied = untied,
    wilcoxon_statistic = unname(suppressWarnings(wilcox.test(d))$statistic),
    wilcoxon_corrected_p = p(function(side) wilcox.test(d, alternative = side)),
    wilcoxon_normal_corrected_p = p(function(side) wilcox.test(d, alternative = side, exact = FALSE)),
    wilcoxon_normal_p = p(function(side) wilcox.test(d, alternative = side, exact = FALSE, correct = FALSE)),
    sign_p = p(function(side) binom.test(wins, untied, alternative = side)),
    sign_low = binom.test(wins, untied)$conf.int[1], sign_high = binom.test(wins, untied)$conf.int[2]
  ))
}
# An untied sample small enough for the exact distribution, with the exact interval of the pseudo-median.
depression <- c(0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01)
w <- wilcox.test(depression, conf.int = TRUE, conf.level = 0.95)
result <- list(
  made_with = R.version.string,
  pairs = lapply(pairs, one),
  depression = list(differences = depression, p = w$p.value, estimate = unname(w$estimate),
                    low = w$conf.int[1], high = w$conf.int[2])
)
cat(toJSON(result, auto_unbox = TRUE, digits = 17, pretty = TRUE), "\n")
