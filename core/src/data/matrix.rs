use super::MatrixError;

/// Objects × features in one flat array, row after row. All values are finite.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    columns: usize,
    values: Vec<f64>,
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
            None => Ok(Self { columns, values }),
        }
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
        Self { columns: self.columns, values: rows.iter().flat_map(|&row| self.row(row)).copied().collect() }
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
        Self { columns: self.columns, values: self.values.iter().enumerate().map(scale).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
