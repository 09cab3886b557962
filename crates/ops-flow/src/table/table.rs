//! The table as a resource: shapes and types checked, then handed to its kind of storage.

use downpour_runtime::{InitializableTable, Resource};
use downpour_tensor::{CountedVec, DataType, Result, Shape, Status, Tensor};
use parking_lot::RwLock;

use super::dense::Dense;
use super::hashed::Hashed;
use super::key::{Key, keys};

pub(crate) struct Table {
    pub name: String,
    pub key_dtype: DataType,
    pub value_dtype: DataType,
    pub key_shape: Shape,
    pub value_shape: Shape,
    pub storage: RwLock<Storage>,
}

pub(crate) enum Storage {
    /// Filled once; `false` until then.
    Initialized(Hashed, bool),
    Mutable(Hashed),
    Dense(Box<Dense>),
}

impl Resource for Table {
    fn describe(&self) -> String {
        let (name, keys, values) = (&self.name, self.key_dtype, self.value_dtype);
        format!("table '{name}' from {keys} to {values} with {} entries", self.len())
    }

    fn as_initializable_table(&self) -> Option<&dyn InitializableTable> {
        self.is_initializable().then_some(self)
    }
}

impl InitializableTable for Table {
    fn types(&self) -> (DataType, DataType) {
        (self.key_dtype, self.value_dtype)
    }

    fn is_initialized(&self) -> bool {
        matches!(&*self.storage.read(), Storage::Initialized(_, true))
    }

    fn initialize(&self, keys: &Tensor, values: &Tensor) -> Result<()> {
        self.import(keys, values)
    }
}

fn invalid(message: String) -> Status {
    Status::invalid_argument(message)
}

impl Table {
    pub(crate) fn len(&self) -> usize {
        match &*self.storage.read() {
            Storage::Initialized(_, false) => 0,
            Storage::Initialized(rows, true) | Storage::Mutable(rows) => rows.keys.len(),
            Storage::Dense(dense) => dense.len(),
        }
    }

    // ---- checks ----------------------------------------------------------------------------

    fn check_key_type(&self, keys: &Tensor) -> Result<()> {
        if keys.dtype() == self.key_dtype {
            return Ok(());
        }
        Err(invalid(format!("Key must be type {} but got {}", self.key_dtype, keys.dtype())))
    }

    fn check_types(&self, keys: &Tensor, values: &Tensor) -> Result<()> {
        self.check_key_type(keys)?;
        if values.dtype() != self.value_dtype {
            return Err(invalid(format!(
                "Value must be type {} but got {}",
                self.value_dtype,
                values.dtype()
            )));
        }
        Ok(())
    }

    /// The shape of a tensor of keys without what belongs to each key.
    fn batch_shape<'t>(&self, keys: &'t Tensor) -> Result<&'t [usize]> {
        keys.dims().strip_suffix(self.key_shape.dims()).ok_or_else(|| {
            invalid(format!(
                "Input key shape {} must end with the table's key shape {}",
                keys.shape(),
                self.key_shape
            ))
        })
    }

    /// The shape of the values for these keys.
    pub(crate) fn values_shape(&self, keys: &Tensor) -> Result<Shape> {
        let batch = self.batch_shape(keys)?;
        Ok(batch.iter().chain(self.value_shape.iter()).copied().collect())
    }

    fn check_pair(&self, keys: &Tensor, values: &Tensor) -> Result<()> {
        self.check_types(keys, values)?;
        let expected = self.values_shape(keys)?;
        if *values.shape() != expected {
            return Err(invalid(format!(
                "Expected shape {expected} for value, got {}",
                values.shape()
            )));
        }
        Ok(())
    }

    /// The keys in a tensor. A dense table takes one axis of them at most.
    fn keys(&self, tensor: &Tensor) -> Result<CountedVec<Key>> {
        let size = self.key_shape.elements();
        if matches!(&*self.storage.read(), Storage::Dense(_)) {
            let count = tensor.dims().first().copied().unwrap_or(1);
            if tensor.len() != count * size {
                let expected: Shape =
                    std::iter::once(count).chain(self.key_shape.iter().copied()).collect();
                return Err(invalid(format!(
                    "Expected key shape {expected} got {}",
                    tensor.shape()
                )));
            }
        }
        keys(tensor, size)
    }

    // ---- reading ---------------------------------------------------------------------------

    pub(crate) fn find(&self, keys: &Tensor, default: &Tensor) -> Result<Tensor> {
        self.check_types(keys, default)?;
        let shape = self.values_shape(keys)?;
        if *default.shape() != self.value_shape && *default.shape() != shape {
            return Err(invalid(format!(
                "Expected shape {} or {shape} for default value, got {}",
                self.value_shape,
                default.shape()
            )));
        }
        let keys = self.keys(keys)?;
        match &*self.storage.read() {
            Storage::Initialized(_, false) => {
                Err(Status::failed_precondition("Table not initialized."))
            }
            Storage::Initialized(rows, true) | Storage::Mutable(rows) => {
                let found = CountedVec::build(keys.len(), |i| Ok(rows.find(&keys[i])))?;
                rows.values.select(&found, default, shape)
            }
            Storage::Dense(dense) => {
                keys.iter().try_for_each(|key| dense.check_key(key))?;
                let found = CountedVec::build(keys.len(), |i| Ok(dense.find(&keys[i])))?;
                dense.values().select(&found, default, shape)
            }
        }
    }

    pub(crate) fn export(&self) -> Result<(Tensor, Tensor)> {
        match &*self.storage.read() {
            Storage::Initialized(_, false) => Err(Status::aborted("HashTable is not initialized.")),
            Storage::Initialized(rows, true) | Storage::Mutable(rows) => {
                let count = rows.keys.len();
                let keys = super::key::tensor(self.key_dtype, [count].into(), rows.keys.iter())?;
                let shape = std::iter::once(count).chain(self.value_shape.iter().copied());
                Ok((keys, rows.values.to_tensor(shape.collect())?))
            }
            Storage::Dense(dense) => dense.export(),
        }
    }

    // ---- writing ---------------------------------------------------------------------------

    pub(crate) fn insert(&self, keys: &Tensor, values: &Tensor) -> Result<()> {
        self.check_pair(keys, values)?;
        let keys = self.keys(keys)?;
        match &mut *self.storage.write() {
            Storage::Initialized(..) => Err(Status::unimplemented(
                "Insert not supported by InitializableLookupTable implementations",
            )),
            Storage::Mutable(rows) => {
                keys.into_iter().enumerate().try_for_each(|(i, key)| rows.insert(key, values, i))
            }
            Storage::Dense(dense) => dense.insert(keys, values),
        }
    }

    pub(crate) fn remove(&self, keys: &Tensor) -> Result<()> {
        self.check_key_type(keys)?;
        self.batch_shape(keys)?;
        let keys = self.keys(keys)?;
        match &mut *self.storage.write() {
            Storage::Initialized(..) => Err(Status::unimplemented(
                "Remove not supported by InitializableLookupTable implementations",
            )),
            Storage::Mutable(rows) => {
                keys.iter().for_each(|key| rows.remove(key));
                Ok(())
            }
            Storage::Dense(dense) => dense.remove(keys),
        }
    }

    /// Replaces everything; a table that is filled once is initialised.
    pub(crate) fn import(&self, keys: &Tensor, values: &Tensor) -> Result<()> {
        self.check_types(keys, values)?;
        if let Storage::Dense(dense) = &mut *self.storage.write() {
            return dense.import(keys, values);
        }
        self.check_pair(keys, values)?;
        let listed = self.keys(keys)?;
        match &mut *self.storage.write() {
            Storage::Initialized(rows, ready) => {
                if keys.is_empty() {
                    return Err(invalid("keys and values cannot be empty tensors.".into()));
                }
                initialize(rows, ready, listed, values)
            }
            Storage::Mutable(rows) => {
                rows.clear();
                listed.into_iter().enumerate().try_for_each(|(i, key)| rows.insert(key, values, i))
            }
            Storage::Dense(_) => Err(Status::internal("a table changed its kind")),
        }
    }

    pub(crate) fn is_initializable(&self) -> bool {
        matches!(&*self.storage.read(), Storage::Initialized(..))
    }
}

/// Fills a table; filling it again with as many entries changes nothing.
fn initialize(
    rows: &mut Hashed,
    ready: &mut bool,
    keys: CountedVec<Key>,
    values: &Tensor,
) -> Result<()> {
    if *ready {
        if keys.len() == rows.keys.len() {
            return Ok(());
        }
        return Err(Status::failed_precondition(
            "Table was already initialized with different data.",
        ));
    }
    for (i, key) in keys.into_iter().enumerate() {
        match rows.find(&key) {
            Some(row) if !rows.values.equals(row, values, i) => {
                let message = format!(
                    "HashTable has different value for same key. Key {key:?} has another value \
                     than the one to add, at index {i}"
                );
                rows.clear();
                return Err(Status::failed_precondition(message));
            }
            Some(_) => {}
            None => rows.insert(key, values, i)?,
        }
    }
    *ready = true;
    Ok(())
}
