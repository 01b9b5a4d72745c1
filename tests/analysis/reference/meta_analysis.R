# Meta-analyses of four data sets by metafor, written to meta_analysis.json beside this script.
# Run from the repository: Rscript tests/analysis/reference/meta_analysis.R
# Made with R 4.2.2, metafor 3.8-1, jsonlite 1.8.4 (versions are written into the JSON).
suppressMessages(library(metafor))
library(jsonlite)

bcg <- escalc(measure = "RR", ai = tpos, bi = tneg, ci = cpos, di = cneg, data = dat.bcg)
sets <- list(
  # Trials of a vaccine against tuberculosis, Colditz et al. (1994), as in metafor's dat.bcg.
  bcg = list(yi = as.numeric(bcg$yi), vi = as.numeric(bcg$vi)),
  # Effects closer together than chance makes them: the moment estimate of tau^2 is negative.
  homogeneous = list(yi = c(0.10, 0.12, 0.09, 0.11, 0.10), vi = c(0.04, 0.02, 0.05, 0.03, 0.01)),
  # Two collections.
  two = list(yi = c(0.30, -0.10), vi = c(0.010, 0.020)),
  # Differences of a few thousandths, as between means of scores.
  small = list(
    yi = c(0.0021, -0.0009, 0.0052, 0.0011, 0.0078, -0.0031, 0.0002),
    vi = c(1.1, 2.4, 0.8, 3.0, 1.6, 0.9, 2.2) * 1e-6
  )
)

fit <- function(data, method, test) {
  rma(data$yi, data$vi, method = method, test = test,
      control = list(threshold = 1e-14, maxiter = 10000, tol = 1e-14))
}

summarise <- function(data, method, test) {
  model <- fit(data, method, test)
  result <- list(
    estimate = as.numeric(model$beta), standard_error = model$se, pvalue = model$pval,
    low = model$ci.lb, high = model$ci.ub, q = model$QE, q_pvalue = model$QEp, i_squared = model$I2 / 100,
    weights = as.numeric(weights(model)) / 100
  )
  if (method != "FE") {
    result$tau_squared <- model$tau2
    if (length(data$yi) > 2) {
      predicted <- predict(model, pi.type = "riley")
      result$prediction_low <- predicted$pi.lb
      result$prediction_high <- predicted$pi.ub
    }
    profile <- suppressWarnings(confint(model, control = list(tol = 1e-13, maxiter = 10000))$random["tau^2", ])
    result$tau_low <- profile[["ci.lb"]]
    result$tau_high <- profile[["ci.ub"]]
  }
  result
}

answers <- list()
for (name in names(sets)) {
  models <- list(fixed = summarise(sets[[name]], "FE", "z"))
  for (method in c("DL", "PM", "REML")) {
    models[[paste0(method, " normal")]] <- summarise(sets[[name]], method, "z")
    models[[paste0(method, " hartung-knapp")]] <- summarise(sets[[name]], method, "adhoc")
  }
  answers[[name]] <- c(sets[[name]], list(models = models))
}
versions <- list(R = R.version.string, metafor = as.character(packageVersion("metafor")))
write(toJSON(list(versions = versions, sets = answers), digits = 15, auto_unbox = TRUE, pretty = TRUE),
      "tests/analysis/reference/meta_analysis.json")
