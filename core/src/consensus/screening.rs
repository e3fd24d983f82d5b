//! Random starts of EM on very many distinct rows: tried on a sample of them, so that only the best goes through all
//! (Biernacki, Celeux & Govaert, "Choosing starting values for the EM algorithm", 2003, compare such short runs with full
//! ones). Where there are no more rows than [`Screening::rows`], every start goes through all of them and this changes
//! nothing.

use crate::ensemble::Ensemble;

/// When starts are tried on a sample, and on how large a one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Screening {
    /// Up to this many distinct rows every start goes through all.
    pub(super) rows: usize,
    /// Objects in the sample.
    pub(super) sample: usize,
}

impl Screening {
    /// Above any ensemble of the papers; the sample is small enough that ten starts on it cost less than one on the rows.
    pub(super) const USUAL: Self = Self { rows: 20_000, sample: 5_000 };

    /// Objects taken evenly from all, sorted by their labels: so the sample follows the multiplicities of rows, and the
    /// order of the objects does not matter. `None` where there are few enough rows.
    pub(super) fn sample(self, ensemble: &Ensemble) -> Option<Ensemble> {
        if ensemble.rows() <= self.rows {
            return None;
        }
        let mut object_of = vec![0; ensemble.rows()];
        ensemble.row_of().iter().enumerate().for_each(|(object, &row)| object_of[row as usize] = object);
        let (objects, count) = (ensemble.objects(), self.sample.min(ensemble.objects()));
        let mut row = 0;
        let mut end = ensemble.weights()[0] as usize;
        let chosen: Vec<usize> = (0..count)
            .map(|place| {
                while place * objects / count >= end {
                    row += 1;
                    end += ensemble.weights()[row] as usize;
                }
                object_of[row]
            })
            .collect();
        Some(ensemble.of_objects(&chosen))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ensemble::Labels;

    #[test]
    fn a_sample_follows_multiplicities_and_not_the_order_of_objects() {
        let mut codes: Vec<u32> = (0..60).map(|object| if object < 30 { 0 } else { object - 29 }).collect();
        let ensemble = |codes: &[u32]| Ensemble::from_columns(&[Labels::from_codes(codes.to_vec())]).unwrap();
        let screening = Screening { rows: 10, sample: 20 };
        let sample = screening.sample(&ensemble(&codes)).unwrap();
        assert_eq!((sample.objects(), sample.rows(), sample.weights()[0]), (20, 11, 10));
        codes.reverse();
        let reversed = screening.sample(&ensemble(&codes)).unwrap();
        assert_eq!(
            (0..11).map(|row| reversed.row(row)).collect::<Vec<_>>(),
            (0..11).map(|row| sample.row(row)).collect::<Vec<_>>()
        );
        assert!(Screening { rows: 31, sample: 20 }.sample(&ensemble(&codes)).is_none());
    }
}
