use super::{Ensemble, Labels};

/// The observed labels of every distinct row as positions in one list of all base clusters: label `code` of column `j`
/// has position J_1 + … + J_{j−1} + code. Gaps take no space, so models that ignore missing labels just iterate.
#[derive(Debug, Clone)]
pub struct Observed {
    starts: Vec<usize>,
    positions: Vec<u32>,
    offsets: Vec<usize>,
}

impl Observed {
    /// Lists the observed labels of `ensemble`.
    #[must_use]
    pub fn of(ensemble: &Ensemble) -> Self {
        let mut offsets = vec![0];
        offsets.extend(ensemble.label_ranges().map(|column| column.end));
        let mut starts = vec![0];
        let mut positions = Vec::with_capacity(ensemble.rows() * ensemble.columns());
        for row in 0..ensemble.rows() {
            let observed = ensemble.row(row).iter().zip(&offsets).filter(|(code, _)| **code != Labels::MISSING);
            positions.extend(observed.map(|(code, offset)| {
                u32::try_from(offset + *code as usize).expect("fewer base clusters than u32 values")
            }));
            starts.push(positions.len());
        }
        Self { starts, positions, offsets }
    }

    /// The positions of row `row`'s labels.
    #[must_use]
    pub fn row(&self, row: usize) -> &[u32] {
        &self.positions[self.starts[row]..self.starts[row + 1]]
    }

    /// ΣJ: how many base clusters there are in all.
    #[must_use]
    pub fn labels(&self) -> usize {
        self.offsets[self.offsets.len() - 1]
    }

    /// The positions of each column's labels.
    pub fn columns(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        self.offsets.windows(2).map(|pair| pair[0]..pair[1])
    }
}
