//! How heavy the links between objects are, and how often they join objects of one class — Huang, Lai & Wang 2016, Table 1.
//!
//! Two objects are linked where some base clustering puts both into one cluster; the weight is the share of base clusterings
//! labelling both that do. Weights are put together in tenths: (0, 0.1], (0.1, 0.2] and so on, which are the weights
//! themselves with ten base clusterings.

use super::{Mark, MarkKind, PanelSource};
use crate::consensus::{Halt, Similarity, Watch};

/// Groups of weights.
const TENTHS: usize = 10;

pub(super) fn draw(subject: &PanelSource, watch: &Watch) -> Result<Vec<Mark>, Halt> {
    let links = links(subject, watch)?;
    let all: f64 = links.iter().map(|(links, _)| links).sum();
    if all == 0.0 {
        return Err(Halt::Failed("no base clustering puts two objects into one cluster".to_owned()));
    }
    let mut marks = vec![Mark::number(MarkKind::Objects, subject.ensemble.objects() as f64)];
    for (tenth, (links, right)) in (1..).zip(links).filter(|(_, (links, _))| *links > 0.0) {
        let weight = f64::from(tenth) / TENTHS as f64;
        marks.push(Mark::at(MarkKind::LinkShare, weight, links / all));
        marks.push(Mark::at(MarkKind::LinkRight, weight, right / links));
    }
    Ok(marks)
}

/// Pairs of objects in every tenth of weights, and how many of them are of one class.
fn links(subject: &PanelSource, watch: &Watch) -> Result<[(f64, f64); TENTHS], Halt> {
    let ensemble = subject.ensemble;
    let truth = subject.dataset.truth.as_ref().ok_or_else(|| Halt::Failed("there are no classes".to_owned()))?;
    let classes = truth.clusters();
    // Objects of each class by distinct row.
    let mut members = vec![0.0_f64; ensemble.rows() * classes];
    for (&row, &class) in ensemble.row_of().iter().zip(truth.labels()) {
        members[row as usize * classes + class as usize] += 1.0;
    }
    let members: Vec<&[f64]> = members.chunks_exact(classes).collect();
    let mut similarity = Similarity::of(ensemble);
    let mut found = [(0.0, 0.0); TENTHS];
    for row in 0..ensemble.rows() {
        watch.check()?;
        let (agreeing, shared) = similarity.counts(row);
        for other in (row..ensemble.rows()).filter(|&other| agreeing[other] > 0) {
            // Rounded up in whole numbers: 3 of 10 is 0.3 and not a bit more.
            let tenth = (agreeing[other] as usize * TENTHS).div_ceil(shared[other] as usize);
            let (links, right) = &mut found[tenth - 1];
            let [one, two] = [row, other].map(|row| f64::from(ensemble.weights()[row]));
            let same: f64 = members[row].iter().zip(members[other]).map(|(one, two)| one * two).sum();
            if row == other {
                *links += one * (one - 1.0) / 2.0;
                *right += (same - one) / 2.0;
            } else {
                *links += one * two;
                *right += same;
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Catalog, DatasetChoice};
    use crate::ensemble::{Ensemble, Labels};
    use crate::seed::Id;

    /// Every pair of objects by itself.
    fn slow(columns: &[Vec<Option<u32>>], classes: &[u32]) -> [(f64, f64); TENTHS] {
        let mut found = [(0.0, 0.0); TENTHS];
        for one in 0..classes.len() {
            for other in 0..one {
                let both = columns.iter().filter(|column| column[one].is_some() && column[other].is_some());
                let shared = both.clone().count();
                let agreeing = both.filter(|column| column[one] == column[other]).count();
                let tenth = (1..=TENTHS).find(|tenth| agreeing * TENTHS <= tenth * shared);
                if let (Some(tenth), true) = (tenth, agreeing > 0) {
                    found[tenth - 1].0 += 1.0;
                    found[tenth - 1].1 += f64::from(u8::from(classes[one] == classes[other]));
                }
            }
        }
        found
    }

    #[test]
    fn links_are_those_of_all_pairs_of_objects() {
        let dataset = Catalog::locate(None).load(&DatasetChoice::named("iris"), 1).unwrap();
        let classes = dataset.truth.as_ref().unwrap().labels().to_vec();
        // A few different columns with repeated rows; with gaps and without.
        for gap in [1000, 7] {
            let label = |object: usize, column: usize| {
                let known = (object * 31 + column * 17) % gap != gap - 1;
                known.then(|| ((object / 10 + column * (object / 40)) % 4) as u32)
            };
            let columns: Vec<Vec<Option<u32>>> =
                (0..10).map(|column| (0..150).map(|object| label(object, column)).collect()).collect();
            let coded = |column: &Vec<Option<u32>>| {
                Labels::from_codes(column.iter().map(|code| code.unwrap_or(Labels::MISSING)).collect())
            };
            let ensemble = Ensemble::from_columns(&columns.iter().map(coded).collect::<Vec<_>>()).unwrap();
            let subject = PanelSource { dataset: &dataset, ensemble: &ensemble, planes: None, id: Id::of("test", &[]) };
            let found = links(&subject, &Watch::default()).unwrap();
            assert_eq!(found, slow(&columns, &classes), "gap {gap}");
            let marks = draw(&subject, &Watch::default()).unwrap();
            let shares: f64 =
                marks.iter().filter(|mark| mark.part == MarkKind::LinkShare).filter_map(|mark| mark.value).sum();
            assert!((shares - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn without_a_link_there_is_no_picture() {
        let dataset = Catalog::locate(None).load(&DatasetChoice::named("iris"), 1).unwrap();
        let ensemble = Ensemble::from_columns(&[Labels::from_codes((0..150).collect())]).unwrap();
        let subject = PanelSource { dataset: &dataset, ensemble: &ensemble, planes: None, id: Id::of("test", &[]) };
        assert!(draw(&subject, &Watch::default()).is_err());
    }
}
