//! What a process does in a results folder, which says whom its lock excludes.

use std::num::NonZeroU32;

use crate::plan::Shard;

/// What a process does in a results folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// It computes one share and writes that share's journal.
    Shard(Shard),
    /// It writes everything: nobody else may write meanwhile.
    Everything,
    /// It hands shards to a scheduler.
    Submission,
}

impl Purpose {
    pub(super) fn excludes(self, other: Self) -> bool {
        match (self, other) {
            (Self::Shard(one), Self::Shard(other)) => one == other,
            (Self::Shard(_), Self::Submission) | (Self::Submission, Self::Shard(_)) => false,
            _ => true,
        }
    }

    /// The shard that it computes; `None` for any other purpose.
    #[must_use]
    pub fn shard(self) -> Option<Shard> {
        match self {
            Self::Shard(shard) => Some(shard),
            _ => None,
        }
    }

    /// How its files are called.
    pub(in crate::store) fn stem(self) -> String {
        match self {
            Self::Shard(shard) => format!("{}-of-{}", shard.index(), shard.of()),
            Self::Everything => "everything".to_owned(),
            Self::Submission => "submission".to_owned(),
        }
    }

    pub(in crate::store) fn parse(stem: &str) -> Option<Self> {
        match stem {
            "everything" => Some(Self::Everything),
            "submission" => Some(Self::Submission),
            shard => {
                let (index, of) = shard.split_once("-of-")?;
                let of: NonZeroU32 = of.parse().ok()?;
                Some(Self::Shard(Shard::new(index.parse().ok()?, of)?))
            }
        }
    }
}
