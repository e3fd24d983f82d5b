//! What methods of a distance and a link are held against: every pair of objects, merged by the library.

use super::linked::{RowMeasure, labelled_rows};
use super::row_links::Link;
use super::{Consensus, Solution, Task, Watch};
use crate::cluster::{Linkage, PairDistances};
use crate::ensemble::{Ensemble, Partition};
use crate::seed::Id;

pub(super) const LINKS: [Link; 3] = [Link::Single, Link::Average, Link::Complete];

/// A tree of all objects.
pub(super) struct SlowTree {
    heights: Vec<f64>,
    cut: Box<dyn Fn(usize) -> Partition>,
}

/// Merges all objects, one by one.
pub(super) fn slow_tree(ensemble: &Ensemble, link: Link, distance: impl Fn(usize, usize) -> f64) -> SlowTree {
    let linkage = match link {
        Link::Single => Linkage::Single,
        Link::Average => Linkage::Average,
        Link::Complete => Linkage::Complete,
    };
    let tree = PairDistances::from_fn(ensemble.objects(), distance).linkage(linkage);
    let heights = tree.merges().iter().map(|merge| merge.height).collect();
    SlowTree { heights, cut: Box::new(move |clusters| Partition::from_codes(&tree.cut(clusters)).by_first_object()) }
}

impl SlowTree {
    /// Holds a method against this tree, cut into many numbers of clusters. Where heights are equal more than one answer is
    /// right: only cuts are compared around which heights differ and of which several seeds make the same clusters.
    pub(super) fn assert_cuts(&self, method: &dyn Consensus, ensemble: &Ensemble) {
        let counts: Vec<usize> = (1..self.heights.len()).collect();
        let of_seeds: Vec<Vec<Solution>> =
            (0..6).map(|seed: u64| combine_each(method, ensemble, &counts, seed)).collect();
        let mut compared = 0;
        for (place, &clusters) in counts.iter().enumerate() {
            let merges = self.heights.len() + 1 - clusters;
            let next = self.heights.get(merges).copied().unwrap_or(f64::INFINITY);
            let found = of_seeds.iter().map(|solutions| solutions[place].partition.by_first_object());
            let found: Vec<Partition> = found.collect();
            if next - self.heights[merges - 1] > 1e-9 && found.iter().all(|other| *other == found[0]) {
                let height = of_seeds[0][place].objective.as_ref().unwrap().value;
                assert!((height - self.heights[merges - 1]).abs() < 1e-9, "{clusters}: {height}");
                assert_eq!(found[0], (self.cut)(clusters), "{clusters}");
                compared += 1;
            }
        }
        assert!(compared >= 5, "{compared}");
    }
}

/// One tree, cut again and again.
fn combine_each(method: &dyn Consensus, ensemble: &Ensemble, counts: &[usize], seed: u64) -> Vec<Solution> {
    let id = Id::of("test", &[&seed.to_le_bytes()]);
    let task = Task { ensemble, clusters: None, repeat: 0, id, watch: Watch::default() };
    let mut solutions = Vec::new();
    let keep = &mut |solution| {
        solutions.push(solution);
        Ok(())
    };
    method.combine_each(&task, counts, keep).unwrap();
    solutions
}

/// The similarity of two objects by a measure.
pub(super) fn similarities<M: RowMeasure>(measure: &M, ensemble: &Ensemble) -> impl Fn(usize, usize) -> f64 + use<M> {
    let rows = labelled_rows(ensemble);
    let id = Id::of("test", &[]);
    let task = Task { ensemble, clusters: None, repeat: 0, id, watch: Watch::default() };
    let mut distances = measure.distances(&task, &rows).unwrap();
    let table: Vec<Vec<f64>> = (0..rows.len())
        .map(|position| {
            let mut of_row = vec![0.0; rows.len()];
            distances.write(position, &mut of_row);
            of_row
        })
        .collect();
    let place_of: Vec<Option<usize>> =
        ensemble.row_of().iter().map(|&row| rows.iter().position(|&labelled| labelled == row as usize)).collect();
    // Objects without a label have nothing in common with any.
    move |x, y| place_of[x].zip(place_of[y]).map_or(0.0, |(x, y)| 1.0 - table[x][y])
}

/// The objects of each cluster, counted from 1, by first object.
pub(super) fn clusters_of(partition: &Partition) -> Vec<Vec<usize>> {
    let partition = partition.by_first_object();
    let mut clusters = vec![Vec::new(); partition.clusters()];
    partition.labels().iter().enumerate().for_each(|(object, &label)| clusters[label as usize].push(object + 1));
    clusters
}

/// Equal to all printed digits.
pub(super) fn assert_printed(found: &[f64], printed: &[f64], digits: i32) {
    assert_eq!(found.len(), printed.len());
    for (found, printed) in found.iter().zip(printed) {
        assert!((found - printed).abs() <= 0.5 * 10_f64.powi(-digits) + 1e-12, "{found} {printed}");
    }
}
