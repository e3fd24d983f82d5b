# average_link.R with `stream = true`: one process, one task after another.
input <- file("stdin", open = "r")
number <- function(header, name) as.integer(sub(paste0('.*"', name, '":([0-9]+).*'), "\\1", header))
while (length(header <- readLines(input, n = 1)) > 0) {
  lines <- readLines(input, n = number(header, "rows"))
  labels <- as.matrix(read.csv(text = lines, header = FALSE))
  together <- Reduce(`+`, lapply(seq_len(ncol(labels)), function(j) outer(labels[, j], labels[, j], "==")))
  tree <- hclust(as.dist(1 - together / ncol(labels)), method = "average")
  cat(cutree(tree, k = number(header, "k")), sep = "\n")
  cat("\nend ", number(header, "seed"), "\n", sep = "")  # the line that ends this answer
  flush(stdout())
}
