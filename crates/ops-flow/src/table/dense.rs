//! Buckets with quadratic probing, laid out as TensorFlow lays them out, because export shows them.

use downpour_tensor::{CountedVec, DataType, Result, Shape, Status, Tensor};

use super::column::Column;
use super::key::{self, Key};

/// More buckets than this are refused; a size from outside must not exhaust the memory.
const MAX_BUCKETS: usize = 1 << 26;

#[derive(Debug)]
pub(crate) struct Dense {
    pub empty: Key,
    pub deleted: Key,
    key_dtype: DataType,
    value_dtype: DataType,
    key_size: usize,
    width: usize,
    max_load: f64,
    entries: usize,
    keys: CountedVec<Key>,
    values: Column,
}

pub(crate) struct DenseConfig<'t> {
    pub empty_key: &'t Tensor,
    pub deleted_key: &'t Tensor,
    pub value_dtype: DataType,
    pub width: usize,
    pub max_load: f32,
    pub buckets: i64,
}

impl Dense {
    pub(crate) fn new(config: DenseConfig<'_>) -> Result<Dense> {
        let DenseConfig { empty_key, deleted_key, value_dtype, width, max_load, buckets } = config;
        if !(max_load > 0.0 && max_load < 1.0) {
            return Err(Status::invalid_argument(format!(
                "max_load_factor must be between 0 and 1, got: {max_load}"
            )));
        }
        if empty_key.rank() > 1 {
            return Err(Status::invalid_argument(format!(
                "Empty key must be a scalar or a vector, got shape {}",
                empty_key.shape()
            )));
        }
        if empty_key.shape() != deleted_key.shape() {
            return Err(Status::invalid_argument(format!(
                "Empty and deleted keys must have same shape, got shapes: {} and {}",
                empty_key.shape(),
                deleted_key.shape()
            )));
        }
        let key_size = empty_key.len();
        let one = |tensor: &Tensor| {
            key::keys(tensor, key_size)?
                .pop()
                .ok_or_else(|| Status::invalid_argument("Empty key must not be an empty tensor"))
        };
        let (empty, deleted) = (one(empty_key)?, one(deleted_key)?);
        if empty == deleted {
            return Err(Status::invalid_argument("Empty and deleted keys cannot be equal"));
        }
        let mut table = Dense {
            empty,
            deleted,
            key_dtype: empty_key.dtype(),
            value_dtype,
            key_size,
            width,
            max_load: max_load as f64,
            entries: 0,
            keys: CountedVec::new(),
            values: Column::new(value_dtype, width),
        };
        table.allocate(buckets)?;
        Ok(table)
    }

    /// Begins anew with empty buckets and returns those that were there.
    fn allocate(&mut self, buckets: i64) -> Result<(CountedVec<Key>, Column)> {
        let count = usize::try_from(buckets).ok().filter(|b| *b >= 4 && b.is_power_of_two());
        let count = count.ok_or_else(|| {
            Status::invalid_argument(format!(
                "Number of buckets must be at least 4 and a power of 2, got: {buckets}"
            ))
        })?;
        if count > MAX_BUCKETS {
            return Err(Status::resource_exhausted(format!(
                "{count} buckets or more are too many for a table; at most {MAX_BUCKETS} are supported: insert fewer \
                 keys or raise max_load_factor, which is {}",
                self.max_load
            )));
        }
        let keys = CountedVec::filled(count, self.empty.clone())?;
        let mut values = Column::new(self.value_dtype, self.width);
        values.resize(count)?;
        self.entries = 0;
        Ok((std::mem::replace(&mut self.keys, keys), std::mem::replace(&mut self.values, values)))
    }

    pub(crate) fn len(&self) -> usize {
        self.entries
    }

    pub(crate) fn values(&self) -> &Column {
        &self.values
    }

    /// Refuses the two keys that mark buckets.
    pub(crate) fn check_key(&self, key: &Key) -> Result<()> {
        if *key == self.empty {
            return Err(Status::invalid_argument(
                "Using the empty_key as a table key is not allowed",
            ));
        }
        if *key == self.deleted {
            return Err(Status::invalid_argument(
                "Using the deleted_key as a table key is not allowed",
            ));
        }
        Ok(())
    }

    /// The buckets where a key may be, in the order they are tried.
    fn probes(&self, key: &Key) -> impl Iterator<Item = usize> + use<> {
        let mask = self.keys.len() - 1;
        let start = key.hash64() as usize & mask;
        (0..self.keys.len()).scan(start, move |at, step| {
            *at = (*at + step) & mask;
            Some(*at)
        })
    }

    pub(crate) fn find(&self, key: &Key) -> Option<usize> {
        for bucket in self.probes(key) {
            if self.keys[bucket] == *key {
                return Some(bucket);
            }
            if self.keys[bucket] == self.empty {
                return None;
            }
        }
        None
    }

    pub(crate) fn insert(&mut self, keys: CountedVec<Key>, values: &Tensor) -> Result<()> {
        keys.iter().try_for_each(|key| self.check_key(key))?;
        let wanted = (self.entries + keys.len()) as f64;
        let mut buckets = self.keys.len();
        // Beyond the most buckets `allocate` refuses: a tiny load factor asks for any number of them.
        while buckets <= MAX_BUCKETS && wanted > buckets as f64 * self.max_load {
            buckets *= 2;
        }
        if buckets > self.keys.len() {
            self.rebucket(buckets)?;
        }
        for (row, key) in keys.into_iter().enumerate() {
            let bucket = self.place(key)?;
            self.values.set(bucket, values, row)?;
        }
        Ok(())
    }

    /// The bucket of a key, which is made its own if it has none.
    fn place(&mut self, key: Key) -> Result<usize> {
        let bucket = self.probes(&key).find(|&bucket| {
            let there = &self.keys[bucket];
            *there == key || *there == self.empty || *there == self.deleted
        });
        let bucket = bucket
            .ok_or_else(|| Status::internal("Internal error in MutableDenseHashTable insert"))?;
        if self.keys[bucket] != key {
            self.entries += 1;
            self.keys[bucket] = key;
        }
        Ok(bucket)
    }

    fn rebucket(&mut self, buckets: usize) -> Result<()> {
        let (old_keys, old_values) = self.allocate(buckets as i64)?;
        for (row, key) in old_keys.iter().enumerate() {
            if *key != self.empty && *key != self.deleted {
                let bucket = self.place(key.clone())?;
                self.values.set_from(bucket, &old_values, row);
            }
        }
        Ok(())
    }

    pub(crate) fn remove(&mut self, keys: CountedVec<Key>) -> Result<()> {
        for key in keys {
            self.check_key(&key)?;
            if let Some(bucket) = self.find(&key) {
                self.keys[bucket] = self.deleted.clone();
                self.entries -= 1;
            }
        }
        Ok(())
    }

    /// All buckets, the unused ones too.
    pub(crate) fn export(&self) -> Result<(Tensor, Tensor)> {
        let buckets = self.keys.len();
        let keys = key::tensor(self.key_dtype, [buckets, self.key_size].into(), self.keys.iter())?;
        Ok((keys, self.values.to_tensor([buckets, self.width].into())?))
    }

    /// Takes over exported buckets.
    pub(crate) fn import(&mut self, keys: &Tensor, values: &Tensor) -> Result<()> {
        let imported = key::keys(keys, self.key_size)?;
        let mut column = Column::new(self.value_dtype, self.width);
        column.resize(imported.len())?;
        // Refuse before anything is replaced, lest a bad import leave half a table.
        let expected: Shape = [imported.len(), self.width].into();
        if *values.shape() != expected || !imported.len().is_power_of_two() {
            return Err(Status::invalid_argument(format!(
                "an imported table needs a power of two buckets and values of shape {expected}, \
                 got {} buckets and {}",
                imported.len(),
                values.shape()
            )));
        }
        for row in 0..imported.len() {
            column.set(row, values, row)?;
        }
        let used = |key: &&Key| **key != self.empty && **key != self.deleted;
        self.entries = imported.iter().filter(used).count();
        self.keys = imported;
        self.values = column;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tiny_load_factor_is_refused_instead_of_doubling_the_buckets_without_end() {
        let (empty_key, deleted_key) = (&Tensor::scalar(0i64), &Tensor::scalar(-1i64));
        let with = |max_load| {
            let value_dtype = DataType::Int64;
            let (width, buckets) = (1, 4);
            Dense::new(DenseConfig {
                empty_key,
                deleted_key,
                value_dtype,
                width,
                max_load,
                buckets,
            })
        };
        let insert = |table: &mut Dense| {
            let one = Tensor::vector(&[1i64]).unwrap();
            table.insert(key::keys(&one, 1).unwrap(), &one)
        };
        let refused = insert(&mut with(1e-30).unwrap()).unwrap_err();
        assert_eq!(refused.code(), downpour_tensor::Code::ResourceExhausted);
        assert!(refused.message().contains("raise max_load_factor"), "{refused}");
        assert!(insert(&mut with(0.1).unwrap()).is_ok());
    }
}
