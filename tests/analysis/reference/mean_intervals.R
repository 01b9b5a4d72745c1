# BCa intervals of means over topics by boot, written to mean_intervals.json beside this script.
# Run from the repository: Rscript tests/analysis/reference/mean_intervals.R
# The acceleration is boot's own, from empirical influence values; versions are written into the JSON.
suppressMessages({library(boot); library(jsonlite)})
table <- read.csv("data/topic_scores/trec-dl-2019-passage__nDCG-at-10.csv", check.names = FALSE)
cases <- list(
  bm25 = table[["rank_llm BM25"]],
  difference = round(table[["rank_llm REP_LLAMA"]] - table[["rank_llm BM25"]], 4),
  skewed = round(qexp(ppoints(30))^1.5 / 10, 6)
)
mean_of <- function(x, rows) mean(x[rows])
set.seed(20061148)
result <- lapply(cases, function(x) {
  drawn <- boot(x, mean_of, R = 199999)
  influence <- empinf(drawn, type = "jack")
  ends <- function(level) boot.ci(drawn, conf = level, type = "bca")$bca[4:5]
  list(scores = x, acceleration = sum(influence^3) / (6 * sum(influence^2)^1.5),
       bca_95 = ends(0.95), bca_80 = ends(0.80), t_95 = as.numeric(t.test(x)$conf.int))
})
result$versions <- sprintf("R %s, boot %s", getRversion(), packageVersion("boot"))
write(toJSON(result, digits = 10, auto_unbox = TRUE, pretty = TRUE), "tests/analysis/reference/mean_intervals.json")
