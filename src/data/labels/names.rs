use std::hash::BuildHasher;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

/// The objects' names, all different, one after the other in one text: millions of short ones take little more than their
/// letters.
#[derive(Debug, Clone, Default)]
pub struct ObjectNames {
    text: String,
    ends: Vec<usize>,
    seen: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl ObjectNames {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The name of one object.
    ///
    /// # Panics
    /// When there is no such object.
    #[must_use]
    pub fn get(&self, object: usize) -> &str {
        name(&self.text, &self.ends, object)
    }

    /// All names, in the order of the objects.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|object| self.get(object))
    }

    /// Adds the next object's name.
    ///
    /// # Errors
    /// The object that has this name already.
    pub(super) fn push(&mut self, new: &str) -> Result<(), usize> {
        let Self { text, ends, seen, hasher } = self;
        let of = |object: u32| name(text, ends, object as usize);
        let entry =
            seen.entry(hasher.hash_one(new), |&object| of(object) == new, |&object| hasher.hash_one(of(object)));
        match entry {
            Entry::Occupied(earlier) => Err(*earlier.get() as usize),
            Entry::Vacant(place) => {
                place.insert(u32::try_from(ends.len()).expect("fewer objects than u32 values"));
                self.add(new);
                Ok(())
            }
        }
    }

    /// Adds the next object's name without comparing it with others.
    pub(super) fn add(&mut self, new: &str) {
        self.text.push_str(new);
        self.ends.push(self.text.len());
    }
}

fn name<'a>(text: &'a str, ends: &[usize], object: usize) -> &'a str {
    let start = object.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[object]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_in_order_and_only_once() {
        let mut names = ObjectNames::default();
        let given: Vec<String> = (0..1000).map(|object| format!("é{object}")).collect();
        assert!(given.iter().all(|name| names.push(name).is_ok()));
        assert_eq!(names.push(""), Ok(()));
        assert_eq!(names.push("é17"), Err(17));
        assert_eq!((names.push(""), names.len()), (Err(1000), 1001));
        assert!(names.iter().zip(&given).all(|(kept, name)| kept == name));
    }
}
