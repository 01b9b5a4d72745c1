# Reference values for tukey_hsd of analysis/comparisons/, made by R's aov and TukeyHSD with topics as
# blocks; run from the root of the checkout:
#   Rscript tests/analysis/reference/tukey_blocks.R > tests/analysis/reference/tukey_blocks.json
suppressWarnings(library(jsonlite))
table <- read.csv("data/topic_scores/trec-dl-2019-passage__nDCG-at-10.csv", check.names = FALSE)
systems <- names(table)[-1]
# Short labels, because TukeyHSD names a pair "b-a" and labels of systems hold hyphens.
long <- data.frame(
  score = unlist(table[-1]),
  system = factor(rep(sprintf("s%02d", seq_along(systems)), each = nrow(table))),
  topic = factor(rep(table$topic, times = length(systems)))
)
tukey <- TukeyHSD(aov(score ~ topic + system, data = long), "system")$system
ends <- do.call(rbind, strsplit(rownames(tukey), "-"))
number <- function(label) as.integer(substring(label, 2)) - 1
cat(toJSON(list(
  made_with = R.version.string,
  first = number(ends[, 1]), second = number(ends[, 2]),
  estimate = unname(tukey[, "diff"]), low = unname(tukey[, "lwr"]), high = unname(tukey[, "upr"]),
  adjusted = unname(tukey[, "p adj"])
), digits = 17, pretty = FALSE), "\n")
