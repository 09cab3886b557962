//! The tensor map: a value inside a variant tensor that holds tensors by tensor keys.

use std::any::Any;
use std::collections::BTreeMap;

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Charge, DataType, Result, Status, Tensor, Variant, VariantValue};

use crate::elements;
use crate::summarize::summarize;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("EmptyTensorMap() -> (handle: variant)")?
            .shape(shapes::scalar)
            .not_differentiable(),
        |_| Ok(KernelBox::cheap(empty)),
    )?;
    registry.add(
        OpSpec::new("TensorMapSize(input_handle: variant) -> (size: int32)")?
            .shape(shapes::scalar)
            .not_differentiable(),
        |_| Ok(KernelBox::cheap(size)),
    )?;
    registry.add(
        OpSpec::new(
            "TensorMapLookup(input_handle: variant, key: key_dtype) -> (value: value_dtype)
                key_dtype: type
                value_dtype: type",
        )?
        .gradient(lookup_gradient),
        |_| Ok(KernelBox::cheap(lookup)),
    )?;
    registry.add(
        OpSpec::new(
            "TensorMapInsert(input_handle: variant, key: key_dtype, value: value_dtype) \
             -> (output_handle: variant)
                key_dtype: type
                value_dtype: type",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(insert)),
    )?;
    registry.add(
        OpSpec::new(
            "TensorMapErase(input_handle: variant, key: key_dtype) -> (output_handle: variant)
                key_dtype: type
                value_dtype: type",
        )?
        .shape(shapes::scalar)
        .gradient(erase_gradient),
        |_| Ok(KernelBox::cheap(erase)),
    )?;
    registry.add(
        OpSpec::new(
            "TensorMapHasKey(input_handle: variant, key: key_dtype) -> (has_key: bool)
                key_dtype: type",
        )?
        .shape(shapes::scalar)
        .not_differentiable(),
        |_| Ok(KernelBox::cheap(has_key)),
    )?;
    registry.add(
        OpSpec::new(
            "TensorMapStackKeys(input_handle: variant) -> (keys: key_dtype)
                key_dtype: type",
        )?
        .not_differentiable(),
        |build| Ok(KernelBox::new(StackKeys(build.dtype("key_dtype")?))),
    )
}

/// A key's identity: type, shape and contents.
type Key = (DataType, Vec<usize>, Vec<u8>);

/// Ordered, so that the same map always encodes and stacks its keys the same way.
#[derive(Debug, Default)]
pub(crate) struct TensorMap {
    entries: BTreeMap<Key, (Tensor, Tensor)>,
    /// For the keys and the places of the tensors.
    held: Charge,
}

/// Bytes that an entry takes besides the contents of its tensors.
fn entry_bytes(key: &Key) -> usize {
    size_of::<(Key, (Tensor, Tensor))>() + key.1.len() * size_of::<usize>() + key.2.len()
}

impl TensorMap {
    fn insert(&mut self, id: Key, key: Tensor, value: Tensor) -> Result<()> {
        if !self.entries.contains_key(&id) {
            self.held.grow(entry_bytes(&id))?;
        }
        self.entries.insert(id, (key, value));
        Ok(())
    }

    fn remove(&mut self, id: &Key) {
        if self.entries.remove(id).is_some() {
            self.held.release(entry_bytes(id));
        }
    }

    /// A copy, whose entries are counted too.
    fn try_clone(&self) -> Result<TensorMap> {
        let held = Charge::new(self.held.bytes())?;
        Ok(TensorMap { entries: self.entries.clone(), held })
    }
}

fn identity(key: &Tensor) -> Result<Key> {
    let contents = match key.dtype() {
        DataType::String => {
            let mut all = Vec::new();
            for text in key.strings()? {
                all.extend_from_slice(&(text.len() as u64).to_le_bytes());
                all.extend_from_slice(text);
            }
            all
        }
        other => key
            .bytes()
            .ok_or_else(|| {
                Status::invalid_argument(format!("a {other} tensor cannot be the key of a map"))
            })?
            .to_vec(),
    };
    Ok((key.dtype(), key.dims().to_vec(), contents))
}

impl VariantValue for TensorMap {
    fn type_name(&self) -> &str {
        "tensorflow::TensorMap"
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn inner_depth(&self) -> usize {
        self.entries.values().map(|(_, value)| value.variant_depth()).max().unwrap_or(0)
    }

    fn encode(&self) -> Result<(Vec<u8>, Vec<Tensor>)> {
        let tensors = self.entries.values().flat_map(|(k, v)| [k.clone(), v.clone()]).collect();
        Ok((Vec::new(), tensors))
    }

    /// A missing key means zeros, so the zeros of any map are the empty map.
    fn zeros_like(&self) -> Result<Variant> {
        Variant::new(TensorMap::default())
    }

    fn add(&self, other: &Variant) -> Result<Variant> {
        let Some(other) = other.get::<TensorMap>() else {
            return Err(Status::invalid_argument("a map can only be added to a map"));
        };
        let mut sum = self.try_clone()?;
        for (id, (key, value)) in &other.entries {
            let added = match self.entries.get(id) {
                Some((_, mine)) => elements::add(mine.clone(), value)?,
                None => value.clone(),
            };
            sum.insert(id.clone(), key.clone(), added)?;
        }
        Variant::new(sum)
    }
}

fn map(tensor: &Tensor) -> Result<&TensorMap> {
    let [variant] = tensor.variants()? else {
        return Err(Status::invalid_argument(format!(
            "Input map must be a scalar. Saw: {}",
            tensor.shape()
        )));
    };
    variant.get().ok_or_else(|| {
        Status::invalid_argument(format!("Input handle is not a map. Saw: '{variant:?}'"))
    })
}

/// The tensor with its map changed: in place if nobody else holds it, else in a copy. The change may add values whose
/// `variant_depth` is at most `added`.
fn changed(
    mut tensor: Tensor,
    added: usize,
    change: impl FnOnce(&mut TensorMap) -> Result<()>,
) -> Result<Tensor> {
    if let Some([variant]) = tensor.variants_mut()
        && let Some(map) = variant.get_mut::<TensorMap>(added)?
    {
        change(map)?;
        return Ok(tensor);
    }
    let mut copy = map(&tensor)?.try_clone()?;
    change(&mut copy)?;
    Ok(Variant::new(copy)?.into_tensor())
}

fn empty(cx: &mut OpContext<'_>) -> Result<()> {
    cx.set_output(0, Variant::new(TensorMap::default())?.into_tensor());
    Ok(())
}

fn size(cx: &mut OpContext<'_>) -> Result<()> {
    let size = map(cx.input(0))?.entries.len();
    cx.set_output(0, Tensor::scalar(size as i32));
    Ok(())
}

fn has_key(cx: &mut OpContext<'_>) -> Result<()> {
    let has = map(cx.input(0))?.entries.contains_key(&identity(cx.input(1))?);
    cx.set_output(0, Tensor::scalar(has));
    Ok(())
}

fn missing(what: &str, key: &Tensor) -> Status {
    Status::invalid_argument(format!("{what} Could not find key \"{}\".", summarize(key, 100)))
}

fn lookup(cx: &mut OpContext<'_>) -> Result<()> {
    let key = cx.input(1);
    let (_, value) = map(cx.input(0))?
        .entries
        .get(&identity(key)?)
        .ok_or_else(|| missing("Trying to lookup non-existent key.", key))?;
    if value.dtype() != cx.node().output_dtype(0) {
        return Err(Status::invalid_argument(format!(
            "the map holds a {} for this key, not a {}",
            value.dtype(),
            cx.node().output_dtype(0)
        )));
    }
    let value = value.clone();
    cx.set_output(0, value);
    Ok(())
}

fn insert(cx: &mut OpContext<'_>) -> Result<()> {
    map(cx.input(0))?;
    let (key, value) = (cx.take(1), cx.take(2));
    let id = identity(&key)?;
    let added = value.variant_depth();
    let output = changed(cx.take(0), added, |map| map.insert(id, key, value))?;
    cx.set_output(0, output);
    Ok(())
}

fn erase(cx: &mut OpContext<'_>) -> Result<()> {
    let key = cx.input(1);
    let id = identity(key)?;
    if !map(cx.input(0))?.entries.contains_key(&id) {
        return Err(missing("Trying to erase non-existent item.", key));
    }
    let output = changed(cx.take(0), 0, |map| {
        map.remove(&id);
        Ok(())
    })?;
    cx.set_output(0, output);
    Ok(())
}

struct StackKeys(DataType);

impl Kernel for StackKeys {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let keys: Vec<Tensor> =
            map(cx.input(0))?.entries.values().map(|(key, _)| key.clone()).collect();
        let Some(first) = keys.first() else {
            return Err(Status::invalid_argument(
                "TensorMapStackKeys cannot be called on empty map.",
            ));
        };
        if keys.iter().any(|k| k.dtype() != self.0) {
            return Err(Status::invalid_argument("Key does not match requested dtype."));
        }
        if keys.iter().any(|k| k.shape() != first.shape()) {
            return Err(Status::invalid_argument("Keys must all have the same shape."));
        }
        let stacked = elements::stack(self.0, first.shape(), &keys)?;
        cx.set_output(0, stacked);
        Ok(())
    }
}

fn lookup_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (key, grad) = (cx.input(1), cx.grad(0)?);
    let empty = cx.op("EmptyTensorMap", &[])?;
    let map = cx.op_with("TensorMapInsert", &[empty, key, grad], Attrs::new())?;
    Ok(vec![Gradient::Dense(map), Gradient::None])
}

fn erase_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    Ok(vec![Gradient::Dense(cx.grad(0)?), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Bench;

    #[test]
    fn values_are_found_by_equal_keys() {
        let bench = Bench::new(register);
        let empty = bench.run("EmptyTensorMap", Attrs::new(), []).unwrap().remove(0);
        let insert = |map: &Tensor, key: &str, value: f32| {
            let inputs = [map.clone(), Tensor::from_string(key).unwrap(), Tensor::scalar(value)];
            bench.run("TensorMapInsert", Attrs::new(), inputs).unwrap().remove(0)
        };
        let one = insert(&empty, "a", 1.0);
        let two = insert(&insert(&one, "b", 2.0), "a", 3.0);
        let lookup = |map: &Tensor, key: &str| {
            let attrs = Attrs::new().with("value_dtype", DataType::Float);
            let inputs = [map.clone(), Tensor::from_string(key).unwrap()];
            bench.run("TensorMapLookup", attrs, inputs).map(|t| t[0].to_scalar::<f32>().unwrap())
        };
        assert_eq!(lookup(&one, "a").unwrap(), 1.0);
        assert_eq!(lookup(&two, "a").unwrap(), 3.0);
        let error = lookup(&one, "b").unwrap_err();
        assert!(
            error.message().contains("Trying to lookup non-existent key. Could not find key \"b\"")
        );
        let keys = bench
            .run(
                "TensorMapStackKeys",
                Attrs::new().with("key_dtype", DataType::String),
                [two.clone()],
            )
            .unwrap();
        assert_eq!(keys[0].dims(), &[2]);
        let attrs = Attrs::new().with("value_dtype", DataType::Float);
        let erased = bench.run("TensorMapErase", attrs, [two, Tensor::string("a")]).unwrap();
        assert!(lookup(&erased[0], "a").is_err());
    }
}
