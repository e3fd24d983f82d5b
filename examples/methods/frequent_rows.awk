# The k most frequent rows of labels are the clusters; every object joins the one it shares most labels with.
BEGIN { FS = "," }

NR == 1 { match($0, /"k":[0-9]+/); k = substr($0, RSTART + 4, RLENGTH - 4); next }

{
    object[++objects] = $0
    if (count[$0]++ == 0) row[++rows] = $0
}

END {
    for (c = 1; c <= k && c <= rows; c++) {
        best = 0
        for (r = 1; r <= rows; r++)
            if (!(r in taken) && (!best || count[row[r]] > count[row[best]])) best = r
        taken[best]
        centre[++centres] = row[best]
    }
    for (o = 1; o <= objects; o++) {
        columns = split(object[o], label, ",")
        most = -1
        for (c = 1; c <= centres; c++) {
            split(centre[c], other, ",")
            shared = 0
            for (j = 1; j <= columns; j++) shared += (label[j] != "" && label[j] == other[j])
            if (shared > most) { most = shared; nearest = c }
        }
        print nearest
    }
}
