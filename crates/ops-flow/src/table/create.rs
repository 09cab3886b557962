//! Operations that make a table, or find the shared one.

use std::sync::{Arc, OnceLock};

use downpour_graph::{OpSpec, PartialShape};
use downpour_runtime::{
    DEFAULT_CONTAINER, Kernel, KernelBox, KernelBuild, OpContext, Registry, ResourceManager,
};
use downpour_tensor::{DataType, Result, Shape, Status};
use parking_lot::RwLock;

use super::dense::{Dense, DenseConfig};
use super::hashed::Hashed;
use super::key::check_type;
use super::table::{Storage, Table};
use crate::handle::{Place, set_handle, unique_number};
use crate::queue::handle_shape;

const NAMED: &str = "container: string = ''
            shared_name: string = ''
            use_node_name_sharing: bool = false
            key_dtype: type
            value_dtype: type";
const TYPES: &str = "key_dtype: type
            value_dtype: type";
const DENSE: &str = "value_shape: shape = {}
            initial_num_buckets: int = 131072
            max_load_factor: float = 0.8";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let shape = "value_shape: shape = {}";
    for (head, attrs) in [
        ("HashTableV2() -> (table_handle: resource)", vec![NAMED]),
        ("HashTable() -> (table_handle: Ref(string))", vec![NAMED]),
        ("AnonymousHashTable() -> (table_handle: resource)", vec![TYPES]),
        ("MutableHashTableV2() -> (table_handle: resource)", vec![NAMED]),
        ("MutableHashTable() -> (table_handle: Ref(string))", vec![NAMED]),
        ("AnonymousMutableHashTable() -> (table_handle: resource)", vec![TYPES]),
        ("MutableHashTableOfTensorsV2() -> (table_handle: resource)", vec![NAMED, shape]),
        ("MutableHashTableOfTensors() -> (table_handle: Ref(string))", vec![NAMED, shape]),
        ("AnonymousMutableHashTableOfTensors() -> (table_handle: resource)", vec![TYPES, shape]),
        (
            "MutableDenseHashTableV2(empty_key: key_dtype, deleted_key: key_dtype) \
             -> (table_handle: resource)",
            vec![NAMED, DENSE],
        ),
        (
            "MutableDenseHashTable(empty_key: key_dtype) -> (table_handle: Ref(string))",
            vec![NAMED, DENSE],
        ),
        (
            "AnonymousMutableDenseHashTable(empty_key: key_dtype, deleted_key: key_dtype) \
             -> (table_handle: resource)",
            vec![TYPES, DENSE],
        ),
    ] {
        let signature = format!("{head} @stateful\n            {}", attrs.join("\n            "));
        let spec = OpSpec::new(&signature)?.shape(handle_shape).not_differentiable();
        registry.add(spec, make)?;
    }
    Ok(())
}

enum Kind {
    Initialized,
    Mutable,
    Tensors,
    Dense { buckets: i64, max_load: f32 },
}

struct Create {
    kind: Kind,
    key_dtype: DataType,
    value_dtype: DataType,
    value_shape: PartialShape,
    /// `None` makes a new table each time.
    place: Option<Place>,
    /// Set for a table nobody else can name: it goes with this kernel.
    private: bool,
    manager: OnceLock<Arc<ResourceManager>>,
}

fn make(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let op = build.op_name();
    let (anonymous, kind) = match op.strip_prefix("Anonymous") {
        Some(rest) => (true, rest),
        None => (false, op.strip_suffix("V2").unwrap_or(op)),
    };
    let kind = match kind {
        "HashTable" => Kind::Initialized,
        "MutableHashTable" => Kind::Mutable,
        "MutableHashTableOfTensors" => Kind::Tensors,
        _ => Kind::Dense {
            buckets: build.int("initial_num_buckets")?,
            max_load: build.float("max_load_factor")?,
        },
    };
    let (mut place, mut private) = (None, false);
    if !anonymous {
        let by_node = build.bool("use_node_name_sharing")?;
        place = Some(Place::new(build.node(), by_node)?);
        private = !by_node && build.string("shared_name")?.is_empty();
    }
    let key_dtype = build.dtype("key_dtype")?;
    let value_dtype = build.dtype("value_dtype")?;
    check_type(key_dtype)?;
    check_pair(op, key_dtype, value_dtype)?;
    Ok(KernelBox::new(Create {
        kind,
        key_dtype,
        value_dtype,
        value_shape: build.shape("value_shape").unwrap_or(PartialShape::scalar()),
        place,
        private,
        manager: OnceLock::new(),
    }))
}

/// TensorFlow has no tables from int32 to wider integers, and its clients count on being told so.
fn check_pair(op: &str, key: DataType, value: DataType) -> Result<()> {
    use DataType::{Double, Float, Int32, String};
    if key != Int32 || matches!(value, Double | Float | Int32 | String) {
        return Ok(());
    }
    Err(Status::invalid_argument(format!(
        "No OpKernel was registered to support Op '{op}' with key_dtype={key} and \
         value_dtype={value}; use int64 keys"
    )))
}

impl Create {
    fn table(&self, cx: &OpContext<'_>, name: &str) -> Result<Table> {
        let value_shape = self.value_shape.to_shape().ok_or_else(|| {
            Status::invalid_argument(format!(
                "value_shape must be fully defined, got {}",
                self.value_shape
            ))
        })?;
        let width = value_shape.elements();
        // A row of this size can never be kept, and its bytes may not even be countable.
        if width.checked_mul(self.value_dtype.size().max(1)).is_none_or(|n| n > isize::MAX as usize)
        {
            return Err(Status::invalid_argument(format!(
                "value_shape {value_shape} is too large for values of {}",
                self.value_dtype
            )));
        }
        let hashed = || Hashed::new(self.value_dtype, width);
        let mut key_shape = Shape::scalar();
        let storage = match self.kind {
            Kind::Initialized => Storage::Initialized(hashed(), false),
            Kind::Mutable => Storage::Mutable(hashed()),
            Kind::Tensors if value_shape.rank() != 1 => {
                return Err(Status::invalid_argument(format!(
                    "Default value must be a vector, got shape {value_shape}"
                )));
            }
            Kind::Tensors => Storage::Mutable(hashed()),
            Kind::Dense { .. } if value_shape.rank() > 1 => {
                return Err(Status::invalid_argument(format!(
                    "Empty value must be a scalar or a vector, got shape {value_shape}"
                )));
            }
            Kind::Dense { .. } if cx.inputs_len() < 2 => {
                return Err(Status::invalid_argument(
                    "MutableDenseHashTable has no deleted_key; use MutableDenseHashTableV2",
                ));
            }
            Kind::Dense { buckets, max_load } => {
                key_shape = cx.input(0).shape().clone();
                Storage::Dense(Box::new(Dense::new(DenseConfig {
                    empty_key: cx.input(0),
                    deleted_key: cx.input(1),
                    value_dtype: self.value_dtype,
                    width,
                    max_load,
                    buckets,
                })?))
            }
        };
        Ok(Table {
            name: name.to_string(),
            key_dtype: self.key_dtype,
            value_dtype: self.value_dtype,
            key_shape,
            value_shape,
            storage: RwLock::new(storage),
        })
    }
}

impl Kernel for Create {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let place = self.place.clone().unwrap_or_else(|| Place {
            container: DEFAULT_CONTAINER.into(),
            name: format!("_AnonymousTable_{}", unique_number()),
        });
        let manager = cx.resources();
        let table = manager
            .lookup_or_create(&place.container, &place.name, || self.table(cx, &place.name))?;
        if (table.key_dtype, table.value_dtype) != (self.key_dtype, self.value_dtype) {
            return Err(Status::invalid_argument(format!(
                "Conflicting key/value dtypes {}->{} with {}-{} for table {}",
                self.key_dtype, self.value_dtype, table.key_dtype, table.value_dtype, place.name
            )));
        }
        if self.private {
            self.manager.get_or_init(|| manager.clone());
        }
        set_handle::<Table>(cx, &place)?;
        Ok(())
    }
}

impl Drop for Create {
    fn drop(&mut self) {
        if let (Some(manager), Some(place)) = (self.manager.get(), &self.place) {
            // A session that was reset has dropped it already.
            let _ = manager.delete::<Table>(&place.container, &place.name);
        }
    }
}
