//! How parts of judgements are written down and read back, where serde does not do it by itself.

/// Lists that several judgements share: written once for each of them.
pub(super) mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in crate::claim) fn serialize<T: Serialize, S: Serializer>(list: &Arc<[T]>, to: S) -> Result<S::Ok, S::Error> {
        list.as_ref().serialize(to)
    }

    pub(in crate::claim) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Arc<[T]>, D::Error> {
        Vec::<T>::deserialize(from).map(Arc::from)
    }
}

/// Ends of intervals, as texts: they may be infinite, for which JSON has no number.
pub(super) mod ends {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in crate::claim) fn serialize<S: Serializer>(ends: &Option<[f64; 2]>, to: S) -> Result<S::Ok, S::Error> {
        ends.map(|ends| ends.map(|end| end.to_string())).serialize(to)
    }

    pub(in crate::claim) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<[f64; 2]>, D::Error> {
        let Some([low, high]) = Option::<[String; 2]>::deserialize(from)? else { return Ok(None) };
        let number = |text: &str| text.parse::<f64>().map_err(D::Error::custom);
        Ok(Some([number(&low)?, number(&high)?]))
    }
}

#[cfg(test)]
mod tests {
    use crate::claim::{Evidence, Verdict};

    #[test]
    fn an_interval_without_an_end_is_read_back() {
        for interval in [None, Some([0.1 + 0.2, 1e-300]), Some([f64::NEG_INFINITY, f64::INFINITY])] {
            let place = Evidence { interval, ..Evidence::at(String::new(), Verdict::Impossible, String::new()) };
            let text = serde_json::to_string(&place).unwrap();
            assert_eq!(serde_json::from_str::<Evidence>(&text).unwrap(), place, "{text}");
        }
    }
}
