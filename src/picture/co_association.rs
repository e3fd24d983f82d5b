//! The co-association matrix of an ensemble — Lourenço et al., Figures 2 and 4: the share of base clusterings labelling
//! two objects that put both into one cluster, for all pairs, in an order that shows blocks. Large matrices are shown as
//! means of blocks.

use super::vat::vat_order;
use super::{Mark, MarkKind, MatrixOrder, PanelSource};
use crate::consensus::{Halt, Similarity, Watch};
use crate::ensemble::{Ensemble, Partition};

/// Rows and columns that are shown.
pub(super) const MOST_CELLS: usize = 200;

pub(super) fn draw(subject: &PanelSource, order: MatrixOrder, watch: &Watch) -> Result<Vec<Mark>, Halt> {
    let order = match order {
        MatrixOrder::Truth => by_class(subject)?,
        MatrixOrder::Vat => by_vat(subject.ensemble, watch)?,
    };
    let blocks = Blocks::of(subject.ensemble, &order.objects, MOST_CELLS);
    let means = blocks.means(subject.ensemble, watch)?;
    let mut marks = vec![Mark::number(MarkKind::Objects, order.objects.len() as f64)];
    marks.extend(order.classes);
    for row in 0..blocks.count {
        let cells = (row..blocks.count).map(|column| (column, means[row * blocks.count + column]));
        marks.extend(cells.map(|(column, mean)| Mark::over(MarkKind::Cell, [column as f64, row as f64], mean)));
    }
    Ok(marks)
}

/// Objects of which a matrix is shown where there are more: its cells are means anyway.
const MOST_OBJECTS: usize = 2000;

/// A co-association matrix sorted by the clusters of a consensus.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ByCluster {
    pub(crate) side: usize,
    /// `side` × `side` mean shares, row after row.
    pub(crate) cells: Vec<f64>,
    /// Where each cluster begins and ends among all objects.
    pub(crate) ends: Vec<(usize, usize)>,
    /// The objects behind the cells, in the order of the matrix: all of them, or some taken evenly.
    pub(crate) shown: Vec<usize>,
}

/// The co-association matrix with the objects of a cluster side by side, and in a cluster those with like labels.
///
/// # Errors
/// [`Halt`] when the run was cancelled.
pub(crate) fn by_cluster(ensemble: &Ensemble, consensus: &Partition, watch: &Watch) -> Result<ByCluster, Halt> {
    let mut order: Vec<usize> = (0..ensemble.objects()).collect();
    order.sort_by_key(|&object| (consensus.labels()[object], ensemble.row_of()[object]));
    let mut ends = Vec::new();
    for same in order.chunk_by(|&one, &other| consensus.labels()[one] == consensus.labels()[other]) {
        let from = ends.last().map_or(0, |&(_, end)| end);
        ends.push((from, from + same.len()));
    }
    let count = order.len().min(MOST_OBJECTS);
    let shown: Vec<usize> = (0..count).map(|place| order[place * order.len() / count]).collect();
    let part = ensemble.of_objects(&shown);
    let blocks = Blocks::of(&part, &(0..count).collect::<Vec<_>>(), MOST_CELLS);
    Ok(ByCluster { side: blocks.count, cells: blocks.means(&part, watch)?, ends, shown })
}

/// Objects in the order they are shown in.
struct Ordered {
    objects: Vec<usize>,
    classes: Vec<Mark>,
}

fn by_class(subject: &PanelSource) -> Result<Ordered, Halt> {
    let truth = subject.dataset.truth.as_ref();
    let truth = truth.ok_or_else(|| Halt::Failed(format!("{} has no classes", subject.dataset.label)))?;
    let mut objects: Vec<usize> = (0..truth.len()).collect();
    objects.sort_by_key(|&object| truth.labels()[object]);
    let mut classes = Vec::new();
    let mut from = 0;
    for same in objects.chunk_by(|&one, &other| truth.labels()[one] == truth.labels()[other]) {
        let to = from + same.len();
        let name = subject.dataset.class_names.get(truth.labels()[same[0]] as usize).cloned();
        let ends = [from, to].map(|end| Some(end as f64));
        classes.push(Mark { part: MarkKind::Class, x: ends[0], y: ends[1], value: None, note: name });
        from = to;
    }
    Ok(Ordered { objects, classes })
}

/// VAT of distinct rows, each then as often as it occurs: objects with equal labels have distance 0 and stand together
/// in any VAT order.
fn by_vat(ensemble: &Ensemble, watch: &Watch) -> Result<Ordered, Halt> {
    let mut similarity = Similarity::of(ensemble);
    let rows = vat_order(ensemble.rows(), |row, distances| {
        watch.check()?;
        distances.iter_mut().zip(similarity.row(row)).for_each(|(distance, alike)| *distance = 1.0 - alike);
        Ok::<(), Halt>(())
    })?;
    let mut place = vec![0; rows.len()];
    rows.iter().enumerate().for_each(|(position, &row)| place[row] = position);
    let mut objects: Vec<usize> = (0..ensemble.objects()).collect();
    objects.sort_by_key(|&object| place[ensemble.row_of()[object] as usize]);
    Ok(Ordered { objects, classes: Vec::new() })
}

/// Neighbours in an order, put together so that there are no more than some number of blocks.
struct Blocks {
    count: usize,
    /// Distinct row and block of every object, in their order.
    members: Vec<(usize, usize)>,
    sizes: Vec<u32>,
}

impl Blocks {
    fn of(ensemble: &Ensemble, order: &[usize], most: usize) -> Self {
        let count = order.len().min(most);
        let mut sizes = vec![0; count];
        let place = |(position, &object): (usize, &usize)| {
            let block = position * count / order.len();
            sizes[block] += 1;
            (ensemble.row_of()[object] as usize, block)
        };
        let members = order.iter().enumerate().map(place).collect();
        Self { count, members, sizes }
    }

    /// Means of the matrix over pairs of blocks, row after row: the similarities of a distinct row are summed over blocks
    /// once, and count for every block that its objects are in.
    fn means(&self, ensemble: &Ensemble, watch: &Watch) -> Result<Vec<f64>, Halt> {
        let mut blocks_of: Vec<Vec<usize>> = vec![Vec::new(); ensemble.rows()];
        self.members.iter().for_each(|&(row, block)| blocks_of[row].push(block));
        let mut similarity = Similarity::of(ensemble);
        let mut sums = vec![0.0; self.count * self.count];
        let mut with_blocks = vec![0.0; self.count];
        let mut alike = vec![0.0; ensemble.rows()];
        for (row, blocks) in blocks_of.iter().enumerate() {
            watch.check()?;
            alike.iter_mut().zip(similarity.row(row)).for_each(|(kept, alike)| *kept = alike);
            with_blocks.fill(0.0);
            self.members.iter().for_each(|&(row, block)| with_blocks[block] += alike[row]);
            for block in blocks {
                let sums = &mut sums[block * self.count..][..self.count];
                sums.iter_mut().zip(&with_blocks).for_each(|(sum, more)| *sum += more);
            }
        }
        for (cell, sum) in sums.iter_mut().enumerate() {
            let [row, column] = [cell / self.count, cell % self.count].map(|block| f64::from(self.sizes[block]));
            *sum /= row * column;
        }
        Ok(sums)
    }
}

#[cfg(test)]
#[path = "co_association_tests.rs"]
mod tests;
