# The bootstrap over documents with boot, written to precision.json beside this script.
# Run from the repository: Rscript tests/analysis/reference/precision.R
# Made with R 4.2.2, boot 1.3-28.1 (versions are written into the JSON). Half a minute.
#
# A collection of 4,000 documents is resampled as a whole, with replacement: no Poisson counts, no compression of the
# list. Copies of a document stand together in the ranking.
library(boot)
library(jsonlite)

n_documents <- 4000
depth <- 40
ranks <- c(1, 2, 5, 9, 17, 30, 38)
n_relevant <- 12
epsilon <- 1e-5

relevant <- seq_len(depth) %in% ranks
# Documents: 1 to 40 retrieved, in rank order; 41 to 45 relevant and not retrieved; the others neither.
average_precision <- function(copies) {
  total <- sum(copies[ranks]) + sum(copies[depth + seq_len(n_relevant - length(ranks))])
  list_relevant <- rep(relevant, copies[seq_len(depth)])
  sum((cumsum(list_relevant) / seq_along(list_relevant))[list_relevant]) / total
}
statistic <- function(data, indices) average_precision(tabulate(indices, n_documents))
clipped_logit <- function(x) qlogis(pmin(pmax(x, epsilon), 1 - epsilon))

set.seed(2006)
found <- boot(seq_len(n_documents), statistic, R = 40000, simple = TRUE)
jackknife <- sapply(seq_len(n_documents), function(left_out) {
  copies <- rep(1, n_documents)
  copies[left_out] <- 0
  average_precision(copies)
})
influence <- (n_documents - 1) * (mean(jackknife) - jackknife)
interval <- function(level) boot.ci(found, conf = level, type = "bca", L = influence)$bca[4:5]

result <- list(
  versions = list(R = R.version.string, boot = as.character(packageVersion("boot"))),
  ranks = ranks, n_relevant = n_relevant, depth = depth, epsilon = epsilon,
  average_precision = found$t0,
  mean = mean(found$t), standard_error = sd(found$t), logit_standard_error = sd(clipped_logit(found$t)),
  quantiles = as.numeric(quantile(found$t, c(0.025, 0.5, 0.975))),
  acceleration = sum(influence^3) / (6 * sum(influence^2)^1.5),
  bca_95 = interval(0.95), bca_80 = interval(0.80),
  values_without_one_document = sort(unique(round(jackknife, 14)))
)
write(toJSON(result, digits = 15, auto_unbox = TRUE), "tests/analysis/reference/precision.json")
