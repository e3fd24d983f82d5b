/// Neighbour lists made mutual: a vertex has the neighbours it kept and those that kept it, each once, in ascending
/// order.
#[must_use]
pub fn mutual(kept: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut rows = kept.to_vec();
    for (vertex, others) in (0..).zip(kept) {
        others.iter().for_each(|&other| rows[other as usize].push(vertex));
    }
    for row in &mut rows {
        row.sort_unstable();
        row.dedup();
        row.shrink_to_fit();
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edge_ends_up_in_both_rows_once() {
        assert_eq!(mutual(&[vec![1, 2], vec![0], vec![], vec![1]]), [vec![1, 2], vec![0, 3], vec![0], vec![1]]);
    }
}
