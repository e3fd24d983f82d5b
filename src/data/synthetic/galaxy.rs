//! Stand-in for the Galaxy data of topchy (faint objects, stars or galaxies; not to be had).
//!
//! One compact class beside one broad class of three sub-clusters around it. Two means cut through the outer
//! sub-clusters; three or four leave the compact class alone and split the broad one now here, now there, so that a
//! consensus can put it together again — as topchy's Table 3 has it (error 19 % at k = 2, 11–12 % at k = 3 and 4).

use super::draw::DatasetRng;
use super::mixture::{SubCluster, SubClusterMixture};
use super::{Synthetic, SyntheticKind};

pub(super) const GALAXY: Synthetic = Synthetic {
    name: "galaxy",
    title: "Galaxy (stand-in)",
    n: 4192,
    d: 14,
    classes: 2,
    kind: SyntheticKind::StandIn,
    description: "Stands in for the Galaxy data of topchy, Table 2, which could not be obtained; it is not the original and \
                  measures nothing about it. Same size, features and class sizes (2082 and 2110): a compact normal \
                  class, and a broad one of three normal sub-clusters beside it, turned at random into 14 dimensions; \
                  the places are chosen so that k-means makes the published mean error of 21.1 %.",
    make: || {
        SubClusterMixture { features: 14, sub_clusters: &SUB_CLUSTERS, background: 0.5 }
            .make(&mut DatasetRng::of(GALAXY.name, 1), ["star", "galaxy"])
    },
};

const SUB_CLUSTERS: [SubCluster; 4] = [
    SubCluster { sizes: [2082, 0], centre: [0.0, 0.0], deviation: 0.75 },
    SubCluster { sizes: [0, 704], centre: [4.0, 0.0], deviation: 1.4 },
    SubCluster { sizes: [0, 703], centre: [2.5, 3.2], deviation: 1.4 },
    SubCluster { sizes: [0, 703], centre: [2.5, -3.2], deviation: 1.4 },
];
