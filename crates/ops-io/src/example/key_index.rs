//! Finds features by their keys.

/// The place of each key in a list, by its hash.
pub(super) struct KeyIndex<'a> {
    keys: Vec<&'a [u8]>,
    /// One more than a key's place, or 0; a key stands at its hash or, if that is taken, behind it.
    table: Vec<usize>,
}

impl<'a> KeyIndex<'a> {
    /// Returns the index of these keys, or the place of one that occurs twice.
    pub fn new(keys: Vec<&'a [u8]>) -> Result<KeyIndex<'a>, usize> {
        let size = (keys.len() * 2).next_power_of_two();
        let mut index = KeyIndex { keys, table: vec![0; size] };
        for place in 0..index.keys.len() {
            let (slot, found) = index.search(index.keys[place]);
            if found.is_some() {
                return Err(place);
            }
            index.table[slot] = place + 1;
        }
        Ok(index)
    }

    /// Returns the key at a place.
    pub fn key(&self, place: usize) -> &'a [u8] {
        self.keys[place]
    }

    /// Returns the place of a key.
    #[inline]
    pub fn place(&self, key: &[u8]) -> Option<usize> {
        self.search(key).1
    }

    /// Returns the slot where a key stands or would stand, and its place if it is there.
    #[inline]
    fn search(&self, key: &[u8]) -> (usize, Option<usize>) {
        let mask = self.table.len() - 1;
        let mut slot = hash(key) as usize & mask;
        loop {
            // At least half of the slots are free, so the search ends.
            match self.table[slot] {
                0 => return (slot, None),
                place if self.keys[place - 1] == key => return (slot, Some(place - 1)),
                _ => slot = (slot + 1) & mask,
            }
        }
    }
}

/// Returns a hash for keys that the graph chooses: quick, and no defence against whoever wants collisions.
#[inline]
fn hash(key: &[u8]) -> u64 {
    let (words, rest) = key.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().chain(std::iter::once(&last));
    let hash = words.fold(key.len() as u64, |hash, &word| {
        (hash.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(0x517c_c1b7_2722_0a95)
    });
    hash >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_and_others_are_not() {
        let names: Vec<String> = (0..1000).map(|i| format!("category_{i:06}_encoded")).collect();
        let index = KeyIndex::new(names.iter().map(|n| n.as_bytes()).collect()).unwrap();
        for (i, name) in names.iter().enumerate() {
            assert_eq!(index.place(name.as_bytes()), Some(i));
        }
        assert_eq!(index.place(b"category_001000_encoded"), None);
        assert_eq!(index.place(b""), None);
        assert_eq!(KeyIndex::new(vec![]).unwrap().place(b""), None);
        assert_eq!(KeyIndex::new(vec![b""]).unwrap().place(b""), Some(0));
        assert_eq!(KeyIndex::new(vec![b"a", b"b", b"a"]).err(), Some(2));
    }
}
