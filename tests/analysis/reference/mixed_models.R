# Fits mixed_models_data.csv with lme4 and writes mixed_models.json: difference A - B, standard error, Satterthwaite
# degrees of freedom (lmerTest), variance components and REML criterion.
#
#     Rscript tests/analysis/reference/mixed_models.R tests/analysis/reference

suppressMessages({library(lme4); library(lmerTest)})
folder <- commandArgs(trailingOnly = TRUE)[1]
data <- read.csv(file.path(folder, "mixed_models_data.csv"))
data$run <- paste(data$algorithm, data$instance)
data$cell <- paste(data$algorithm, data$topic)
data$algorithm <- factor(data$algorithm, levels = c("B", "A"))
tight <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhobeg = 0.2, rhoend = 1e-9),
                     check.conv.singular = "ignore")

fit <- function(case, rows, formula) {
  model <- lmer(formula, data = rows, REML = TRUE, control = tight)
  line <- coef(summary(model))["algorithmA", ]
  parts <- as.data.frame(VarCorr(model))
  variance <- setNames(parts$vcov, parts$grp)
  part <- function(name) if (name %in% names(variance)) sprintf("%.10g", variance[[name]]) else "null"
  sprintf('  "%s": {"difference": %.10g, "standard_error": %.10g, "df": %.8g, "pvalue": %.8g, "instance": %s, "topic": %s, "algorithm_topic": %s, "residual": %.10g, "deviance": %.10g}',
          case, line[["Estimate"]], line[["Std. Error"]], line[["df"]], line[["Pr(>|t|)"]], part("run"), part("topic"),
          part("cell"), sigma(model)^2, REMLcrit(model))
}

full <- score ~ algorithm + (1 | run) + (1 | topic) + (1 | cell)
lines <- c()
for (case in c("balanced", "absent", "boundary")) {
  lines <- c(lines, fit(case, data[data$case == case, ], full))
}
rows <- data[data$case == "deterministic", ]
rows$random <- as.numeric(rows$algorithm == "A")
lines <- c(lines, fit("deterministic", rows, score ~ algorithm + (0 + random | run) + (1 | topic) + (1 | cell)))
lines <- c(lines, fit("repeats", data[data$case == "absent", ], score ~ algorithm + (1 | topic) + (1 | cell)))
versions <- sprintf('  "versions": "R %s, lme4 %s, lmerTest %s"', getRversion(), packageVersion("lme4"),
                    packageVersion("lmerTest"))
writeLines(c("{", paste(c(lines, versions), collapse = ",\n"), "}"), file.path(folder, "mixed_models.json"))
