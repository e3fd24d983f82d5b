# Average link on how often two objects are together: evidence accumulation in base R.
input <- file("stdin", open = "r")
header <- readLines(input, n = 1)
k <- as.integer(sub('.*"k":([0-9]+).*', "\\1", header))
labels <- as.matrix(read.csv(input, header = FALSE))
together <- Reduce(`+`, lapply(seq_len(ncol(labels)), function(j) outer(labels[, j], labels[, j], "==")))
tree <- hclust(as.dist(1 - together / ncol(labels)), method = "average")
cat(cutree(tree, k = k), sep = "\n")
