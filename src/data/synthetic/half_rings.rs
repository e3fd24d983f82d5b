//! Two interlocking half rings of different density (topchy, Table 2 and Figure 5).

use std::f64::consts::PI;

use super::draw::{DatasetRng, Points};
use super::{Synthetic, SyntheticData, SyntheticKind};

pub(super) const HALF_RINGS: Synthetic = Synthetic {
    name: "half-rings",
    title: "Half-rings",
    n: 400,
    d: 2,
    classes: 2,
    kind: SyntheticKind::Synthetic,
    description: "After topchy, Table 2 and Figure 5: an upper half ring of 100 points around (0, 0) and a lower one of \
                  300 around (1, 0.2), both of radius 1 and width 0.2, so that one end of each lies inside the other. \
                  The paper prints no coordinates: the offset is chosen so that k-means makes its mean error of 25.6 %.",
    make,
};

/// Mean radius of both half rings.
const RADIUS: f64 = 1.0;
/// Their width: radii are uniform on `RADIUS ± WIDTH / 2`.
const WIDTH: f64 = 0.2;

struct HalfRing {
    points: usize,
    centre: [f64; 2],
    /// Where the half turn begins, radians.
    from: f64,
}

const UPPER: HalfRing = HalfRing { points: 100, centre: [0.0, 0.0], from: 0.0 };
const LOWER: HalfRing = HalfRing { points: 300, centre: [1.0, 0.2], from: PI };

fn make() -> SyntheticData {
    let mut draw = DatasetRng::of(HALF_RINGS.name, 1);
    let mut points = Points::new(2);
    for (class, ring) in [(0, UPPER), (1, LOWER)] {
        for u in draw.stratified(ring.points) {
            let angle = ring.from + PI * u;
            let radius = RADIUS + WIDTH * draw.uniform(-0.5, 0.5);
            let [x, y] = ring.centre;
            points.push(class, &[x + radius * libm::cos(angle), y + radius * libm::sin(angle)]);
        }
    }
    points.finish(["upper", "lower"])
}
