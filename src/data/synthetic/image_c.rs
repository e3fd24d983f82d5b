//! Stand-in for the image-c data of peace (Table 1 and Figure 1b; not to be had).
//!
//! Seven regions of a picture, each the image of the unit square under a map of its own.

use std::f64::consts::PI;

use super::draw::{DatasetRng, Points};
use super::{Synthetic, SyntheticData, SyntheticKind};

pub(super) const IMAGE_C: Synthetic = Synthetic {
    name: "image-c",
    title: "image-c (stand-in)",
    n: 739,
    d: 2,
    classes: 7,
    kind: SyntheticKind::StandIn,
    description: "Stands in for the image-c data of peace, Table 1, which could not be obtained; it is not the original and \
                  measures nothing about it. Same size and number of classes: seven regions of a picture 10 wide and \
                  8 high — a disc in a half ring, a bar, a triangle, a parallelogram, a slanting ellipse and a wave — \
                  with 84 to 140 points each, well apart. The original's class sizes are not printed.",
    make,
};

struct Region {
    name: &'static str,
    points: usize,
    /// From the unit square to the picture.
    place: fn(f64, f64) -> [f64; 2],
}

const REGIONS: [Region; 7] = [
    Region { name: "sun", points: 95, place: |u, v| ellipse([2.0, 6.2], [0.9, 0.9], 0.0, u, v) },
    Region { name: "halo", points: 110, place: halo },
    Region { name: "tower", points: 90, place: |u, v| [5.0 + 0.5 * v, 3.2 + 4.6 * u] },
    Region { name: "roof", points: 105, place: roof },
    Region { name: "field", points: 115, place: |u, v| [6.4 + 2.8 * u + 0.5 * v, 2.6 + 1.6 * v] },
    Region { name: "pond", points: 84, place: |u, v| ellipse([2.5, 3.2], [1.5, 0.55], PI / 9.0, u, v) },
    Region { name: "river", points: 140, place: river },
];

/// Even over an ellipse with these half axes, the first at `tilt` to the horizontal.
fn ellipse([x, y]: [f64; 2], [long, short]: [f64; 2], tilt: f64, u: f64, v: f64) -> [f64; 2] {
    let (sin, cos) = (libm::sin(2.0 * PI * u), libm::cos(2.0 * PI * u));
    let (along, across) = (long * v.sqrt() * cos, short * v.sqrt() * sin);
    [x + along * libm::cos(tilt) - across * libm::sin(tilt), y + along * libm::sin(tilt) + across * libm::cos(tilt)]
}

/// An arc around the sun, from below right to the upper left.
fn halo(u: f64, v: f64) -> [f64; 2] {
    let angle = PI * (-0.35 + 1.2 * u);
    let radius = 1.7 + 0.35 * v;
    [2.0 + radius * libm::cos(angle), 6.2 + radius * libm::sin(angle)]
}

/// A triangle on a base 3 wide, 2.4 high; √ makes the points even from the top down.
fn roof(u: f64, v: f64) -> [f64; 2] {
    let down = v.sqrt();
    [8.1 + 3.0 * down * (u - 0.5), 7.6 - 2.4 * down]
}

/// One and a half waves along the bottom.
fn river(u: f64, v: f64) -> [f64; 2] {
    [0.3 + 9.4 * u, 1.0 + 0.45 * libm::sin(3.0 * PI * u) + 0.4 * (v - 0.5)]
}

fn make() -> SyntheticData {
    let mut draw = DatasetRng::of(IMAGE_C.name, 1);
    let mut points = Points::new(2);
    for (class, region) in REGIONS.iter().enumerate() {
        for u in draw.stratified(region.points) {
            points.push(class, &(region.place)(u, draw.uniform(0.0, 1.0)));
        }
    }
    points.finish(REGIONS.map(|region| region.name))
}
