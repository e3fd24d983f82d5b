//! Matrices as colours.

/// Symmetric matrices of shares, as colours.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// Names its files and its place on the page.
    pub id: String,
    /// Its heading on the page.
    pub title: String,
    /// One or two sentences under the figure.
    pub caption: String,
    /// What the colours are.
    pub scale: String,
    /// What rows and columns are.
    pub axis: String,
    /// One matrix each.
    pub panels: Vec<HeatPanel>,
}

/// One matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatPanel {
    /// Heading of the panel; empty when there is one.
    pub name: String,
    /// Rows and columns that are shown; 0 when there is no matrix.
    pub side: usize,
    /// `side` × `side` shares from 0 to 1, row after row.
    pub cells: Vec<f64>,
    /// How many objects stand along each axis.
    pub objects: usize,
    /// Classes: name, first position, end; empty when objects are not sorted by class.
    pub classes: Vec<(String, usize, usize)>,
}
