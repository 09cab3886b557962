//! Rows found by a hash map, in the order they were inserted.

use std::collections::HashMap;

use downpour_tensor::{Charge, DataType, Result, Tensor};

use super::column::Column;
use super::key::Key;

#[derive(Debug)]
pub(crate) struct Hashed {
    rows: HashMap<Key, usize>,
    pub keys: Vec<Key>,
    pub values: Column,
    /// For the keys and their places in the map; values count themselves.
    held: Charge,
}

impl Hashed {
    pub(crate) fn new(value_dtype: DataType, width: usize) -> Hashed {
        Hashed {
            rows: HashMap::new(),
            keys: Vec::new(),
            values: Column::new(value_dtype, width),
            held: Charge::default(),
        }
    }

    pub(crate) fn find(&self, key: &Key) -> Option<usize> {
        self.rows.get(key).copied()
    }

    /// Inserts or overwrites.
    pub(crate) fn insert(&mut self, key: Key, values: &Tensor, from: usize) -> Result<()> {
        let row = match self.rows.get(&key) {
            Some(&row) => row,
            None => {
                let row = self.keys.len();
                let place = Charge::new(key.place_bytes())?;
                self.values.resize(row + 1)?;
                self.held.join(place);
                self.keys.push(key.clone());
                self.rows.insert(key, row);
                row
            }
        };
        self.values.set(row, values, from)
    }

    pub(crate) fn remove(&mut self, key: &Key) {
        let Some(row) = self.rows.remove(key) else { return };
        self.held.release(key.place_bytes());
        self.keys.swap_remove(row);
        self.values.swap_remove(row);
        if let Some(moved) = self.keys.get(row) {
            self.rows.insert(moved.clone(), row);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.rows = HashMap::new();
        self.keys = Vec::new();
        self.values.clear();
        self.held = Charge::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removal_keeps_the_others_findable() {
        let mut table = Hashed::new(DataType::Int32, 1);
        let values = Tensor::vector(&[10i32, 20, 30]).unwrap();
        for i in 0..3 {
            table.insert(Key::Number(i as i64), &values, i).unwrap();
        }
        table.remove(&Key::Number(0));
        table.remove(&Key::Number(7));
        assert_eq!(table.find(&Key::Number(0)), None);
        let row = table.find(&Key::Number(2)).unwrap();
        assert!(table.values.equals(row, &values, 2));
        assert_eq!(table.keys.len(), 2);
    }
}
