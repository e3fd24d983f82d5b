# Areas and their growth by R's ConsensusClusterPlus, and PAC by R's ecdf, on labels of subsamples.
#
#   Rscript stability.R FOLDER: reads 2.csv, 3.csv, … (a column per clustering, empty where an object was not sampled), and
#   prints a line "k area delta pac" for each.
suppressMessages(library(ConsensusClusterPlus))
folder <- commandArgs(trailingOnly = TRUE)[1]
counts <- sort(as.integer(sub(".csv", "", list.files(folder, pattern = "^[0-9]+\\.csv$"))))
consensus <- function(k) {
  labels <- as.matrix(read.csv(file.path(folder, paste0(k, ".csv")), na.strings = ""))
  together <- matrix(0, nrow(labels), nrow(labels))
  both <- together
  for (column in seq_len(ncol(labels))) {
    known <- !is.na(labels[, column])
    both <- both + outer(known, known)
    same <- outer(labels[, column], labels[, column], "==")
    same[is.na(same)] <- FALSE
    together <- together + same
  }
  ifelse(both == 0, 0, together / both)
}
matrices <- lapply(counts, consensus)
# The package draws its areas and keeps them to itself: its function is run here, in an environment that can be looked into.
room <- new.env(parent = asNamespace("ConsensusClusterPlus"))
room$ml <- c(list(NULL), matrices)
room$breaks <- 100
pdf(NULL)
eval(body(ConsensusClusterPlus:::CDF), room)
for (place in seq_along(counts)) {
  share <- ecdf(matrices[[place]][lower.tri(matrices[[place]])])
  # Shares of a hundred are not exact in binary: 9/10 as a sum of tenths may be just above 0.9.
  pac <- share(0.9 + 1e-9) - share(0.1 + 1e-9)
  cat(counts[place], format(c(room$areaK[place], room$deltaK[place], pac), digits = 15), "\n")
}
