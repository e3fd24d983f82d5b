//! The two nearest centres of several objects at once.
//!
//! Every squared distance is summed feature after feature, as a plain loop would: the processor works on several
//! centres and objects side by side, never on several features of one sum. So the values, and with them the ties, are
//! the same on every machine.

/// Objects looked at together: enough independent sums to keep the processor's adders busy.
pub(super) const GROUP: usize = 8;

/// Centres side by side in one vector.
const LANES: usize = 2;

/// Centres laid out for [`CentreLanes::nearest`]: groups of [`LANES`] centres, in each group feature after feature.
pub(super) struct CentreLanes {
    features: usize,
    clusters: usize,
    lanes: Vec<[f64; LANES]>,
}

/// What [`CentreLanes::nearest`] finds, one entry an object of the group.
pub(super) struct Nearest {
    /// The number of the nearest centre; of several as near, the lowest.
    pub(super) clusters: [u32; GROUP],
    first: [f64; GROUP],
    second: [f64; GROUP],
}

impl CentreLanes {
    pub(super) fn new(centres: &[f64], features: usize) -> Self {
        let clusters = centres.len() / features;
        // Places beyond the last centre hold one that is infinitely far from everything.
        let at = |cluster: usize, feature: usize| centres.get(cluster * features + feature).copied();
        let lane = |group: usize, feature: usize| {
            std::array::from_fn(|place| at(group * LANES + place, feature).unwrap_or(f64::INFINITY))
        };
        let groups = 0..clusters.div_ceil(LANES);
        let lanes = groups.flat_map(|group| (0..features).map(move |feature| lane(group, feature))).collect();
        Self { features, clusters, lanes }
    }

    /// Finds the nearest and the second nearest centre of every object of a group.
    #[inline]
    pub(super) fn nearest(&self, rows: [&[f64]; GROUP]) -> Nearest {
        let mut found = Nearest { clusters: [0; GROUP], first: [f64::INFINITY; GROUP], second: [f64::INFINITY; GROUP] };
        for (group, lanes) in self.lanes.chunks_exact(self.features).enumerate() {
            let distances = squared_distances(rows, lanes);
            let start = group * LANES;
            for place in 0..LANES.min(self.clusters - start) {
                found.offer((start + place) as u32, distances.map(|lane| lane[place]));
            }
        }
        found
    }
}

#[inline(always)]
fn squared_distances(rows: [&[f64]; GROUP], lanes: &[[f64; LANES]]) -> [[f64; LANES]; GROUP] {
    let mut sums = [[0.0; LANES]; GROUP];
    let rows = rows.map(|row| &row[..lanes.len()]);
    for (feature, centres) in lanes.iter().enumerate() {
        for object in 0..GROUP {
            let value = rows[object][feature];
            for lane in 0..LANES {
                let difference = value - centres[lane];
                sums[object][lane] += difference * difference;
            }
        }
    }
    sums
}

impl Nearest {
    #[inline(always)]
    fn offer(&mut self, cluster: u32, distances: [f64; GROUP]) {
        for (object, distance) in distances.into_iter().enumerate() {
            let nearer = distance < self.first[object];
            let loser = if nearer { self.first[object] } else { distance };
            self.second[object] = if loser < self.second[object] { loser } else { self.second[object] };
            self.first[object] = if nearer { distance } else { self.first[object] };
            self.clusters[object] = if nearer { cluster } else { self.clusters[object] };
        }
    }

    /// How much nearer the first centre is than the second, less what rounding can have done to it: a share `slack` of
    /// the larger distance, and the distance whose square is too small to be represented.
    #[inline]
    pub(super) fn margins(&self, slack: f64) -> [f64; GROUP] {
        const UNDERFLOW: f64 = 1e-150;
        let first = self.first.map(f64::sqrt);
        let second = self.second.map(f64::sqrt);
        std::array::from_fn(|object| (second[object] - first[object]) - (slack * second[object] + UNDERFLOW))
    }
}
