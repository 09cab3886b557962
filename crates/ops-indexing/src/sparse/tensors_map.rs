//! A table of sparse tensors under numbers, so that they can pass through queues of dense tensors.

use std::collections::HashMap;

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry, Resource};
use downpour_tensor::{Charge, CountedVec, DataType, Result, Status, Tensor};
use parking_lot::Mutex;

use super::coo::Coo;
use super::stack::{SparseParts, check, stack, unstack};

const NAMES: &str = "container: string = ''\nshared_name: string = ''";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let inputs = "sparse_indices: int64, sparse_values: T, sparse_shape: int64";
    for (name, output) in [
        ("AddSparseToTensorsMap", "sparse_handle"),
        ("AddManySparseToTensorsMap", "sparse_handles"),
    ] {
        let signature =
            format!("{name}({inputs}) -> ({output}: int64) @stateful\nT: type\n{NAMES}");
        registry.add(OpSpec::new(&signature)?.shape(add_shape).not_differentiable(), |build| {
            let many = build.op_name() == "AddManySparseToTensorsMap";
            Ok(KernelBox::new(Add { many, place: Place::of(build)? }))
        })?;
    }
    let signature = format!(
        "TakeManySparseFromTensorsMap(sparse_handles: int64) -> (sparse_indices: int64, \
         sparse_values: dtype, sparse_shape: int64) @stateful\ndtype: type\n{NAMES}"
    );
    registry.add(OpSpec::new(&signature)?.shape(take_shape).not_differentiable(), |build| {
        Ok(KernelBox::new(Take { dtype: build.dtype("dtype")?, place: Place::of(build)? }))
    })
}

struct TensorsMap {
    name: String,
    stored: Mutex<Stored>,
}

#[derive(Default)]
struct Stored {
    next: i64,
    tensors: HashMap<i64, SparseParts>,
    charge: Charge,
}

/// What a tensor's place in the map takes; half of the table may be empty.
const BYTES_PER_PLACE: usize = 2 * (size_of::<(i64, SparseParts)>() + 1);

impl Resource for TensorsMap {
    fn describe(&self) -> String {
        format!("sparse tensors map '{}' of {}", self.name, self.stored.lock().tensors.len())
    }
}

impl TensorsMap {
    fn add(&self, parts: SparseParts) -> Result<i64> {
        let mut stored = self.stored.lock();
        stored.charge.grow(BYTES_PER_PLACE)?;
        let number = stored.next;
        stored.next += 1;
        stored.tensors.insert(number, parts);
        Ok(number)
    }

    /// Takes the tensors out; a number that is not there loses those taken before it.
    fn take(&self, numbers: &[i64]) -> Result<CountedVec<SparseParts>> {
        let mut stored = self.stored.lock();
        CountedVec::build(numbers.len(), |i| {
            let taken = stored.tensors.remove(&numbers[i]).ok_or_else(|| {
                Status::invalid_argument(format!(
                    "Unable to find SparseTensor: {} in map: {}",
                    numbers[i], self.name
                ))
            })?;
            stored.charge.release(BYTES_PER_PLACE);
            Ok(taken)
        })
    }
}

/// Where the map of a node is found: its shared name, else the node's own.
struct Place {
    container: String,
    name: String,
}

impl Place {
    fn of(build: &KernelBuild<'_>) -> Result<Place> {
        let shared = build.string("shared_name")?;
        let name = if shared.is_empty() { build.name.clone() } else { shared };
        Ok(Place { container: build.string("container")?, name })
    }

    fn map(&self, cx: &OpContext<'_>) -> Result<std::sync::Arc<TensorsMap>> {
        cx.resources().lookup_or_create(&self.container, &self.name, || {
            Ok(TensorsMap { name: self.name.clone(), stored: Mutex::default() })
        })
    }
}

struct Add {
    many: bool,
    place: Place,
}

impl Kernel for Add {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (indices, values, shape) = (cx.input(0), cx.input(1), cx.input(2));
        let coo = Coo::new(indices, values, shape)?;
        coo.dense_shape()?;
        let map = self.place.map(cx)?;
        let output = if self.many {
            coo.check_order()?;
            let parts = unstack(&coo)?;
            let mut numbers = CountedVec::with_capacity(parts.len())?;
            for part in parts {
                numbers.push(map.add(part)?)?;
            }
            Tensor::vector(&numbers)?
        } else {
            let (indices, values, shape) = (indices.clone(), values.clone(), shape.clone());
            Tensor::scalar(map.add(SparseParts { indices, values, shape })?)
        };
        cx.set_output(0, output);
        Ok(())
    }
}

struct Take {
    dtype: DataType,
    place: Place,
}

impl Kernel for Take {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let numbers = cx.input(0);
        if numbers.rank() != 1 {
            return Err(Status::invalid_argument(format!(
                "sparse_handles should be a vector but received shape {}",
                numbers.shape()
            )));
        }
        if numbers.is_empty() {
            return Err(Status::invalid_argument(
                "Must have at least 1 serialized SparseTensor, but input matrix has 0 rows",
            ));
        }
        let parts = self.place.map(cx)?.take(numbers.as_slice::<i64>()?)?;
        for (i, part) in parts.iter().enumerate() {
            check(part, i, self.dtype, "sparse_handles")?;
        }
        let output = stack(&[parts.len()], &parts, self.dtype)?;
        cx.set_output(0, output.indices);
        cx.set_output(1, output.values);
        cx.set_output(2, output.shape);
        Ok(())
    }
}

fn add_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    for (i, rank) in [(0, 2), (1, 1), (2, 1)] {
        cx.with_rank(i, rank)?;
    }
    let many = cx.node().op_name() == "AddManySparseToTensorsMap";
    cx.set_output(0, if many { PartialShape::vector(None) } else { PartialShape::scalar() });
    Ok(())
}

fn take_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 1)?;
    cx.set_output(0, PartialShape::of_rank(2));
    cx.set_output(1, PartialShape::vector(None));
    cx.set_output(2, PartialShape::vector(None));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::ResourceManager;
    use downpour_runtime::testing::OpTest;
    use std::sync::Arc;

    #[test]
    fn entries_count_while_they_are_in_the_map() {
        let map = TensorsMap { name: "map".into(), stored: Mutex::default() };
        let parts = SparseParts {
            indices: Tensor::new(DataType::Int64, [0, 1]).unwrap(),
            values: Tensor::new(DataType::Float, [0]).unwrap(),
            shape: Tensor::vector(&[1i64]).unwrap(),
        };
        let numbers: Vec<i64> = (0..3).map(|_| map.add(parts.clone()).unwrap()).collect();
        assert_eq!(map.stored.lock().charge.bytes(), 3 * BYTES_PER_PLACE);
        map.take(&numbers).unwrap();
        assert_eq!(map.stored.lock().charge.bytes(), 0);
    }

    #[test]
    fn what_is_added_can_be_taken_once() {
        let resources = Arc::new(ResourceManager::new());
        let add = |shape: &[i64]| {
            OpTest::new(register, "AddManySparseToTensorsMap")
                .resources(&resources)
                .attr("shared_name", "map")
                .input(Tensor::from_vec([2, 2], vec![0i64, 1, 2, 0]).unwrap())
                .input(Tensor::vector(&[5f32, 6.0]).unwrap())
                .input(Tensor::vector(shape).unwrap())
                .run_one()
        };
        let take = |numbers: Tensor, dtype: DataType| {
            OpTest::new(register, "TakeManySparseFromTensorsMap")
                .resources(&resources)
                .attr("shared_name", "map")
                .attr("dtype", dtype)
                .input(numbers)
                .run()
        };
        let numbers = add(&[3, 4]).unwrap();
        let out = take(numbers.clone(), DataType::Float).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 1, 2, 0]);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), &[5.0, 6.0]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), &[3, 4]);
        assert!(take(numbers, DataType::Float).is_err());
        assert!(take(add(&[3, 4]).unwrap(), DataType::Int32).is_err());
        assert!(add(&[2, 4]).is_err());
        assert!(add(&[i64::MAX, 2]).is_err());
    }
}
