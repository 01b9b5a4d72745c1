# Largest and smallest of N normals, and their Gumbel approximation, by evd; written to extremes_evd.json beside this
# script. Run from the repository: Rscript tests/analysis/reference/extremes_evd.R
# Made with R 4.2.2, evd 2.3-6.1, jsonlite 1.8.4 (versions are written into the JSON).
suppressMessages({library(evd); library(jsonlite)})
p <- c(0.001, 0.05, 0.5, 0.8, 0.95, 0.999)
x <- c(-1, 0.5, 2, 3, 4.5)
of_size <- function(n) {
  location <- qnorm(1 - 1 / n)
  scale <- 1 / (n * dnorm(location))
  list(
    n = n,
    largest_quantiles = qextreme(p, quantfun = qnorm, mlen = n),
    smallest_quantiles = qextreme(p, quantfun = qnorm, mlen = n, largest = FALSE),
    largest_cdf = pextreme(x, distnfun = pnorm, mlen = n),
    largest_pdf = dextreme(x, densfun = dnorm, distnfun = pnorm, mlen = n),
    smallest_cdf = pextreme(x, distnfun = pnorm, mlen = n, largest = FALSE),
    gumbel_quantiles = qgumbel(c(0.8, 0.95, 0.99), location, scale)
  )
}
versions <- sprintf("R %s, evd %s", getRversion(), packageVersion("evd"))
result <- list(p = p, x = x, sizes = lapply(c(2, 10, 103, 1000), of_size), versions = versions)
write(toJSON(result, digits = 15, auto_unbox = TRUE, pretty = TRUE), "tests/analysis/reference/extremes_evd.json")
