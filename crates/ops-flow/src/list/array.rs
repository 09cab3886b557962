//! The tensor array: a step's write-once array of tensors, whose gradient sums what is written.

use std::sync::Arc;

use downpour_graph::PartialShape;
use downpour_runtime::{OpContext, Resource, STEP_CONTAINER, Value};
use downpour_tensor::{CountedVec, DataType, Result, Shape, Status, Tensor};
use parking_lot::Mutex;

use crate::elements;
use crate::handle::{find, string_pair};

/// What stands before the names of arrays and of their gradients.
pub(crate) const ARRAYS: &str = "_tensor_arrays";
pub(crate) const GRADIENTS: &str = "_tensor_array_grads";

/// A dynamic array may not grow beyond this; an index from outside must not exhaust the memory.
const MAX_SIZE: usize = 1 << 26;

pub(crate) struct TensorArray {
    pub name: String,
    pub dtype: DataType,
    pub identical_shapes: bool,
    clear_after_read: bool,
    is_gradient: bool,
    state: Mutex<State>,
}

struct State {
    closed: bool,
    dynamic_size: bool,
    /// Set once values were summed: their gradient could not be told apart.
    gradients_disallowed: bool,
    /// How many elements a split or unpack wrote, which gradients of concat need.
    marked_size: Option<usize>,
    element_shape: PartialShape,
    items: CountedVec<Item>,
}

/// One place. Written without a tensor means zeros of `shape`.
#[derive(Clone, Default)]
struct Item {
    tensor: Option<Tensor>,
    shape: Shape,
    written: bool,
    read: bool,
    cleared: bool,
}

pub(crate) struct ArrayConfig {
    pub name: String,
    pub dtype: DataType,
    pub size: usize,
    pub element_shape: PartialShape,
    pub identical_shapes: bool,
    pub dynamic_size: bool,
    pub clear_after_read: bool,
}

impl Resource for TensorArray {
    fn describe(&self) -> String {
        format!("TensorArray[{}]", self.state.lock().items.len())
    }
}

fn new_items(size: usize) -> Result<CountedVec<Item>> {
    let mut items = CountedVec::new();
    grow(&mut items, size)?;
    Ok(items)
}

fn grow(items: &mut CountedVec<Item>, size: usize) -> Result<()> {
    if size > MAX_SIZE {
        return Err(Status::resource_exhausted(format!(
            "a TensorArray of {size} elements is too large; at most {MAX_SIZE} are supported"
        )));
    }
    if size > items.len() {
        items.resize(size, Item::default())?;
    }
    Ok(())
}

impl TensorArray {
    pub(crate) fn new(config: ArrayConfig) -> Result<TensorArray> {
        Ok(TensorArray {
            name: config.name,
            dtype: config.dtype,
            identical_shapes: config.identical_shapes,
            clear_after_read: config.clear_after_read,
            is_gradient: false,
            state: Mutex::new(State {
                closed: false,
                dynamic_size: config.dynamic_size,
                gradients_disallowed: false,
                marked_size: None,
                element_shape: config.element_shape,
                items: new_items(config.size)?,
            }),
        })
    }

    /// An array for the gradients of this one: as large, zeros where this one was written. `prefix`
    /// comes before every shape.
    pub(crate) fn gradient(&self, name: String, prefix: Option<&Shape>) -> Result<TensorArray> {
        let mut state = self.open()?;
        // Once gradients are computed, the forward array may no longer grow.
        state.dynamic_size = false;
        if state.gradients_disallowed {
            return Err(Status::invalid_argument(format!(
                "Unable to create a gradients TensorArray for {}.  Perhaps you used the \
                 multiple_writes_aggregate flag on a previous write?  Gradient calculation is \
                 impossible when multiple writes are performed to the same index.",
                self.name
            )));
        }
        let mut items = new_items(state.items.len())?;
        for (item, forward) in items.iter_mut().zip(state.items.iter()).filter(|(_, f)| f.written) {
            let prefix = prefix.map_or(&[][..], |p| p.dims());
            item.shape = prefix.iter().chain(forward.shape.iter()).copied().collect();
            item.written = true;
        }
        let element_shape = match prefix {
            Some(prefix) => PartialShape::from(prefix).concat(&state.element_shape),
            None => state.element_shape.clone(),
        };
        Ok(TensorArray {
            name,
            dtype: self.dtype,
            identical_shapes: self.identical_shapes,
            clear_after_read: true,
            is_gradient: true,
            state: Mutex::new(State {
                closed: false,
                dynamic_size: false,
                gradients_disallowed: false,
                marked_size: state.marked_size,
                element_shape,
                items,
            }),
        })
    }

    fn open(&self) -> Result<parking_lot::MutexGuard<'_, State>> {
        let state = self.state.lock();
        if state.closed {
            return Err(Status::invalid_argument(format!(
                "TensorArray {} has already been closed.",
                self.name
            )));
        }
        Ok(state)
    }

    pub(crate) fn size(&self) -> Result<usize> {
        Ok(self.open()?.items.len())
    }

    pub(crate) fn has_dynamic_size(&self) -> bool {
        self.state.lock().dynamic_size
    }

    pub(crate) fn set_marked_size(&self, size: usize) -> Result<()> {
        let mut state = self.open()?;
        if !self.is_gradient {
            state.marked_size = Some(size);
        }
        Ok(())
    }

    /// How many elements pack and concat read.
    pub(crate) fn packed_size(&self) -> Result<usize> {
        let state = self.open()?;
        Ok(if self.is_gradient { state.marked_size.unwrap_or(0) } else { state.items.len() })
    }

    pub(crate) fn merge_element_shape(&self, shape: &PartialShape) -> Result<()> {
        let mut state = self.state.lock();
        state.element_shape = elements::merge_shapes(&state.element_shape, shape)?;
        Ok(())
    }

    pub(crate) fn close(&self) {
        let mut state = self.state.lock();
        state.items.clear();
        state.closed = true;
    }

    /// An operation that reads `dtype` from here.
    pub(crate) fn check_read(&self, dtype: DataType) -> Result<()> {
        if dtype == self.dtype {
            return Ok(());
        }
        Err(Status::invalid_argument(format!(
            "TensorArray dtype is {} but Op requested dtype {dtype}.",
            self.dtype
        )))
    }

    /// An operation that writes `dtype` to here.
    pub(crate) fn check_write(&self, dtype: DataType) -> Result<()> {
        if dtype == self.dtype {
            return Ok(());
        }
        Err(Status::invalid_argument(format!(
            "TensorArray dtype is {} but Op is trying to write dtype {dtype}.",
            self.dtype
        )))
    }

    /// Writes several elements under one lock.
    pub(crate) fn write(&self, values: impl IntoIterator<Item = (i32, Tensor)>) -> Result<()> {
        let mut state = self.open()?;
        values.into_iter().try_for_each(|(index, value)| self.write_one(&mut state, index, value))
    }

    fn write_one(&self, state: &mut State, index: i32, value: Tensor) -> Result<()> {
        let name = &self.name;
        let refuse = |why: String| {
            Err(Status::invalid_argument(format!(
                "TensorArray {name}: Could not write to TensorArray index {index} because {why}"
            )))
        };
        let size = state.items.len();
        let Some(at) = usize::try_from(index).ok().filter(|&i| state.dynamic_size || i < size)
        else {
            return Err(Status::invalid_argument(format!(
                "TensorArray {name}: Tried to write to index {index} but array is not resizeable \
                 and size is: {size}"
            )));
        };
        if value.dtype() != self.dtype {
            return refuse(format!(
                "the value dtype is {} but TensorArray dtype is {}.",
                value.dtype(),
                self.dtype
            ));
        }
        if !state.element_shape.allows(value.dims()) {
            return refuse(format!(
                "the value shape is {} which is incompatible with the TensorArray's inferred \
                 element shape: {} (consider setting infer_shape=False).",
                value.shape(),
                state.element_shape
            ));
        }
        grow(&mut state.items, at + 1)?;
        if self.identical_shapes && !state.element_shape.is_fully_known() {
            state.element_shape = value.shape().into();
        }
        let item = &mut state.items[at];
        if item.read {
            return refuse("it has already been read.".into());
        }
        if !item.written {
            item.shape = value.shape().clone();
            item.tensor = Some(value);
            item.written = true;
            return Ok(());
        }
        if !self.is_gradient {
            return refuse("it has already been written to.".into());
        }
        if *value.shape() != item.shape {
            return Err(Status::invalid_argument(format!(
                "TensorArray {name}: Could not aggregate to TensorArray index {index} because the \
                 existing shape is {} but the new input shape is {}.",
                item.shape,
                value.shape()
            )));
        }
        match item.tensor.take().filter(|t| !t.is_empty()) {
            // What was stored was just a shape, which means zeros.
            None => item.tensor = Some(value),
            Some(sum) => {
                item.tensor = Some(elements::add(sum, &value)?);
                state.gradients_disallowed = true;
            }
        }
        Ok(())
    }

    /// Reads several elements under one lock.
    pub(crate) fn read(&self, indices: impl IntoIterator<Item = i32>) -> Result<Vec<Tensor>> {
        let mut state = self.open()?;
        indices.into_iter().map(|index| self.read_one(&mut state, index)).collect()
    }

    fn read_one(&self, state: &mut State, index: i32) -> Result<Tensor> {
        let size = state.items.len();
        let Some(at) = usize::try_from(index).ok().filter(|&i| self.is_gradient || i < size) else {
            return Err(Status::invalid_argument(format!(
                "Tried to read from index {index} but array size is: {size}"
            )));
        };
        if !state.items.get(at).is_some_and(|item| item.written) {
            // A gradient that was never written (it was stopped) reads as zeros.
            let known = state.items.get(at).map(|i| i.shape.clone());
            let shape = match known.filter(|s| self.is_gradient && s.rank() > 0) {
                Some(shape) => shape,
                None => state.element_shape.to_shape().ok_or_else(|| {
                    Status::invalid_argument(format!(
                        "TensorArray {}: Could not read from TensorArray index {index}.  \
                         Furthermore, the element shape is not fully defined: {}.  It is possible \
                         you are working with a resizeable TensorArray and stop_gradients is not \
                         allowing the gradients to be written.  If you set the full element_shape \
                         property on the forward TensorArray, the proper all-zeros tensor will be \
                         returned instead of incurring this error.",
                        self.name, state.element_shape
                    ))
                })?,
            };
            grow(&mut state.items, at + 1)?;
            for item in &mut state.items[size.min(at)..=at] {
                item.shape = shape.clone();
                item.written = true;
            }
        }
        let item = &mut state.items[at];
        if item.cleared {
            return Err(Status::invalid_argument(format!(
                "TensorArray {}: Could not read index {index} twice because it was cleared after a \
                 previous read (perhaps try setting clear_after_read = false?).",
                self.name
            )));
        }
        item.read = true;
        let value = match item.tensor.take() {
            Some(tensor) => tensor,
            None => Tensor::zeros(self.dtype, &item.shape)?,
        };
        if self.clear_after_read {
            item.cleared = true;
        } else {
            item.tensor = Some(value.clone());
        }
        Ok(value)
    }
}

/// The tensor array that input 0 names.
pub(crate) fn input_array(cx: &mut OpContext<'_>) -> Result<Arc<TensorArray>> {
    let step = cx.step();
    let value = &cx.input_values()[0];
    let pair = match value {
        Value::Ref(variable) => Some(variable.read()?),
        Value::Tensor(tensor) if tensor.dtype() == DataType::String => Some(tensor.clone()),
        _ => None,
    };
    match pair {
        Some(pair) if pair.len() == 2 => {
            let (container, name) = string_pair(&pair)?;
            let key = format!("{container}{name}");
            // TensorFlow makes a step's container with the first array in it.
            step.local().lookup(STEP_CONTAINER, &key).map_err(|_| {
                Status::not_found(format!(
                    "Container {STEP_CONTAINER} does not exist. (Could not find resource: \
                     {STEP_CONTAINER}/{key})"
                ))
            })
        }
        Some(pair) => Err(Status::invalid_argument(format!(
            "Tensor array handle must be 2-element vector, but had shape: {}",
            pair.shape()
        ))),
        None => find(value, step),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Bench;
    use downpour_graph::Attrs;

    fn flow() -> Tensor {
        Tensor::scalar(0f32)
    }

    fn floats(values: &[f32]) -> Tensor {
        Tensor::vector(values).unwrap()
    }

    fn ints(values: &[i32]) -> Tensor {
        Tensor::vector(values).unwrap()
    }

    fn array(bench: &Bench, size: i32, attrs: Attrs) -> Tensor {
        let attrs = attrs.with("dtype", DataType::Float);
        bench.run("TensorArrayV3", attrs, [Tensor::scalar(size)]).unwrap().remove(0)
    }

    fn write(bench: &Bench, array: &Tensor, index: i32, value: Tensor) -> Result<Vec<Tensor>> {
        let inputs = [array.clone(), Tensor::scalar(index), value, flow()];
        bench.run("TensorArrayWriteV3", Attrs::new(), inputs)
    }

    fn read(bench: &Bench, array: &Tensor, index: i32) -> Result<Tensor> {
        let inputs = [array.clone(), Tensor::scalar(index), flow()];
        let attrs = Attrs::new().with("dtype", DataType::Float);
        bench.run("TensorArrayReadV3", attrs, inputs).map(|mut out| out.remove(0))
    }

    fn message<T>(result: Result<T>) -> String {
        result.err().map(|e| e.message().to_string()).unwrap_or_default()
    }

    #[test]
    fn an_element_is_written_once_and_read_once() {
        let bench = Bench::new(crate::list::register);
        let a = array(&bench, 2, Attrs::new());
        write(&bench, &a, 0, floats(&[1.0])).unwrap();
        assert!(message(write(&bench, &a, 0, floats(&[1.0]))).contains("already been written to"));
        assert!(
            message(write(&bench, &a, 2, floats(&[1.0]))).contains("not resizeable and size is: 2")
        );
        assert!(message(write(&bench, &a, 1, ints(&[1]))).contains("trying to write dtype int32"));
        assert_eq!(read(&bench, &a, 0).unwrap().as_slice::<f32>().unwrap(), &[1.0]);
        assert!(message(read(&bench, &a, 0)).contains("twice because it was cleared"));
        assert!(message(read(&bench, &a, 1)).contains("element shape is not fully defined"));
        assert!(message(read(&bench, &a, -1)).contains("Tried to read from index -1"));
        bench.run("TensorArrayCloseV3", Attrs::new(), [a.clone()]).unwrap();
        assert!(message(read(&bench, &a, 1)).contains("has already been closed"));
    }

    #[test]
    fn dynamic_arrays_grow_within_reason() {
        let bench = Bench::new(crate::list::register);
        let a = array(&bench, 0, Attrs::new().with("dynamic_size", true));
        write(&bench, &a, 3, floats(&[1.0])).unwrap();
        let size = bench.run("TensorArraySizeV3", Attrs::new(), [a.clone(), flow()]).unwrap();
        assert_eq!(size[0].to_scalar::<i32>().unwrap(), 4);
        assert!(write(&bench, &a, i32::MAX, floats(&[1.0])).is_err());
        assert!(write(&bench, &a, -1, floats(&[1.0])).is_err());
    }

    #[test]
    fn scatter_then_gather_and_concat() {
        let bench = Bench::new(crate::list::register);
        let a = array(&bench, 3, Attrs::new().with("clear_after_read", false));
        let rows = Tensor::from_vec([3, 2], vec![1f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        let inputs = [a.clone(), ints(&[2, 0, 1]), rows, flow()];
        bench.run("TensorArrayScatterV3", Attrs::new(), inputs).unwrap();
        let attrs = || Attrs::new().with("dtype", DataType::Float);
        let inputs = [a.clone(), ints(&[0, 2]), flow()];
        let out = bench.run("TensorArrayGatherV3", attrs(), inputs).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), &[3.0, 4.0, 1.0, 2.0]);
        let out = bench.run("TensorArrayConcatV3", attrs(), [a.clone(), flow()]).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), &[3.0, 4.0, 5.0, 6.0, 1.0, 2.0]);
        assert_eq!(out[1].as_slice::<i64>().unwrap(), &[2, 2, 2]);
        let inputs = [a, ints(&[]), flow()];
        let none = bench.run("TensorArrayGatherV3", attrs(), inputs);
        assert!(message(none).contains("is not fully defined"));
    }

    #[test]
    fn split_cuts_by_lengths() {
        let bench = Bench::new(crate::list::register);
        let a = array(&bench, 2, Attrs::new());
        let lengths = |l: &[i64]| Tensor::vector(l).unwrap();
        let split = |l: &[i64]| {
            let inputs = [a.clone(), floats(&[1.0, 2.0, 3.0]), lengths(l), flow()];
            bench.run("TensorArraySplitV3", Attrs::new(), inputs)
        };
        assert!(message(split(&[1, 1])).contains("sum of lengths is 2"));
        assert!(message(split(&[-1, 4])).contains("sum of lengths"));
        assert!(message(split(&[1, 1, 1])).contains("(2 vs. 3)"));
        split(&[1, 2]).unwrap();
        assert_eq!(read(&bench, &a, 1).unwrap().as_slice::<f32>().unwrap(), &[2.0, 3.0]);
    }

    #[test]
    fn gradients_sum_and_start_as_zeros() {
        let bench = Bench::new(crate::list::register);
        let a = array(&bench, 2, Attrs::new());
        write(&bench, &a, 0, floats(&[5.0])).unwrap();
        write(&bench, &a, 1, floats(&[6.0])).unwrap();
        let grad = || {
            let attrs = Attrs::new().with("source", "gradients");
            bench.run("TensorArrayGradV3", attrs, [a.clone(), flow()]).unwrap().remove(0)
        };
        let g = grad();
        write(&bench, &g, 0, floats(&[1.0])).unwrap();
        write(&bench, &grad(), 0, floats(&[2.0])).unwrap();
        assert!(
            message(write(&bench, &g, 0, floats(&[2.0, 3.0]))).contains("existing shape is [1]")
        );
        assert_eq!(read(&bench, &g, 0).unwrap().as_slice::<f32>().unwrap(), &[3.0]);
        assert_eq!(read(&bench, &g, 1).unwrap().as_slice::<f32>().unwrap(), &[0.0]);
    }

    #[test]
    fn the_oldest_form_names_arrays_by_strings() {
        let bench = Bench::new(crate::list::register);
        let attrs = Attrs::new().with("dtype", DataType::Float);
        let size = Value::Tensor(Tensor::scalar(1i32));
        let handle = bench.values("TensorArray", attrs, vec![size]).unwrap().remove(0);
        let write = [Tensor::scalar(0i32), floats(&[4.0]), flow()].map(Value::Tensor);
        let inputs = std::iter::once(handle.clone()).chain(write).collect();
        bench.values("TensorArrayWrite", Attrs::new(), inputs).unwrap();
        let attrs = Attrs::new().with("dtype", DataType::Float);
        let packed =
            bench.values("TensorArrayPack", attrs, vec![handle, Value::Tensor(flow())]).unwrap();
        assert_eq!(packed[0].tensor().unwrap().dims(), &[1, 1]);
    }
}
