use super::MatrixError;

/// Objects × features in one flat array, row after row. All values are finite.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    columns: usize,
    values: Vec<f64>,
    /// The first value that is no whole number.
    fraction: Option<usize>,
}

impl Matrix {
    /// Takes values row after row.
    ///
    /// # Errors
    /// No columns, a last row that is too short, or a value that is not finite.
    pub fn new(columns: usize, values: Vec<f64>) -> Result<Self, MatrixError> {
        if columns == 0 {
            return Err(MatrixError::NoFeatures);
        }
        if !values.len().is_multiple_of(columns) {
            return Err(MatrixError::Ragged { values: values.len(), columns });
        }
        match values.iter().position(|value| !value.is_finite()) {
            Some(place) => Err(MatrixError::NotFinite { row: place / columns + 1, feature: place % columns + 1 }),
            None => Ok(Self::of_finite(columns, values)),
        }
    }

    fn of_finite(columns: usize, values: Vec<f64>) -> Self {
        Self { columns, fraction: values.iter().position(|value| !is_whole(*value)), values }
    }

    /// Where the first value stands that is no whole number, if there is one: object and feature.
    #[must_use]
    pub fn first_fraction(&self) -> Option<(usize, usize)> {
        self.fraction.map(|place| (place / self.columns, place % self.columns))
    }

    /// Number of objects.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.values.len() / self.columns
    }

    /// Number of features.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The features of one object.
    #[must_use]
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.columns..][..self.columns]
    }

    /// All values, row after row.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The rows at these positions.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        Self::of_finite(self.columns, rows.iter().flat_map(|&row| self.row(row)).copied().collect())
    }

    /// Every feature shifted to mean 0 and scaled to standard deviation 1 (divisor N); a constant feature becomes 0.
    #[must_use]
    pub fn standardized(&self) -> Self {
        let rows = self.rows() as f64;
        let column = |index: usize| self.values.iter().skip(index).step_by(self.columns).copied();
        let scales: Vec<(f64, f64)> = (0..self.columns)
            .map(|index| {
                let mean = column(index).sum::<f64>() / rows;
                let variance = column(index).map(|value| (value - mean).powi(2)).sum::<f64>() / rows;
                (mean, if variance > 0.0 { variance.sqrt() } else { 1.0 })
            })
            .collect();
        let scale = |(position, value): (usize, &f64)| {
            let (mean, deviation) = scales[position % self.columns];
            (value - mean) / deviation
        };
        Self::of_finite(self.columns, self.values.iter().enumerate().map(scale).collect())
    }
}

/// Whether a finite number has no digits after the point. Beyond 2⁵³ none has.
fn is_whole(value: f64) -> bool {
    const ALL_WHOLE: f64 = 9_007_199_254_740_992.0;
    (value as i64) as f64 == value || value.abs() >= ALL_WHOLE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_value_that_is_no_whole_number_is_known() {
        let with = |last: f64| Matrix::new(2, vec![1.0, -3.0, 1e300, last]).unwrap();
        assert_eq!(with(7.0).first_fraction(), None);
        assert_eq!(with(-0.0).first_fraction(), None);
        assert_eq!(with(7.5).first_fraction(), Some((1, 1)));
        assert_eq!(with(7.5).select(&[0, 0]).first_fraction(), None);
        assert_eq!(with(1e-300).first_fraction(), Some((1, 1)));
        assert_eq!(with(9e15 + 1.0).first_fraction(), None);
    }

    #[test]
    fn standardizing_gives_mean_zero_and_deviation_one_and_keeps_constants_harmless() {
        let data = Matrix::new(2, vec![1.0, 5.0, 2.0, 5.0, 3.0, 5.0]).unwrap().standardized();
        let side = 1.5_f64.sqrt();
        let expected = [-side, 0.0, 0.0, 0.0, side, 0.0];
        assert!(data.values().iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{data:?}");
    }

    #[test]
    fn ragged_and_infinite_values_are_refused() {
        assert!(Matrix::new(2, vec![1.0; 3]).is_err());
        assert_eq!(Matrix::new(2, vec![1.0, 2.0, 3.0, f64::NAN]), Err(MatrixError::NotFinite { row: 2, feature: 2 }));
    }
}
