//! Stand-in for the Biochemical data of topchy (not to be had).
//!
//! Every sub-cluster holds both classes: the central one mostly the second, the outer three about as much of either.
//! Two means cut through the central sub-cluster; four can leave it whole, and putting it against the rest is the best
//! that knowing the sub-cluster allows (37.0 % error) — as in topchy's Table 4 (45 % at k = 2, 37–42 % at k = 4).

use super::draw::DatasetRng;
use super::mixture::{SubCluster, SubClusterMixture};
use super::{Synthetic, SyntheticKind};

pub(super) const BIOCHEMICAL: Synthetic = Synthetic {
    name: "biochemical",
    title: "Biochemical (stand-in)",
    n: 5542,
    d: 7,
    classes: 2,
    kind: SyntheticKind::StandIn,
    description: "Stands in for the Biochemical data of topchy, Table 2, which could not be obtained; it is not the original and \
                  measures nothing about it. Same size, features and class sizes (2138 and 3404): four normal \
                  sub-clusters that hold both classes, a central one with 69 % of the second class and three outer \
                  ones with about half of each, turned at random into 7 dimensions; the places are chosen so that \
                  k-means makes the published mean error of 47.4 %.",
    make: || {
        SubClusterMixture { features: 7, sub_clusters: &SUB_CLUSTERS, background: 0.7 }
            .make(&mut DatasetRng::of(BIOCHEMICAL.name, 1), ["first", "second"])
    },
};

const SUB_CLUSTERS: [SubCluster; 4] = [
    SubCluster { sizes: [1073, 2427], centre: [0.0, 0.0], deviation: 1.0 },
    SubCluster { sizes: [330, 300], centre: [3.5, 0.0], deviation: 1.2 },
    SubCluster { sizes: [340, 290], centre: [0.3, 3.5], deviation: 1.2 },
    SubCluster { sizes: [395, 387], centre: [0.3, -3.5], deviation: 1.2 },
];
