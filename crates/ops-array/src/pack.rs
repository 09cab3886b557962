//! Pack, Unpack and ParallelConcat: tensors of one shape become slices of a larger one and back.

use downpour_graph::{
    Attrs, Endpoint, Gradient, GradientContext, Node, OpSpec, PartialShape, ShapeContext, shapes,
};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};
use smallvec::SmallVec;

use crate::concat::Join;
use crate::movement::{Moves, StridedCopy, move_one, rearrange, rearrange_into};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Pack(values: N * T) -> (output: T)
                N: int >= 1
                T: type
                axis: int = 0",
        )?
        .shape(pack_shape)
        .gradient(pack_gradient),
        |build| Ok(KernelBox::new(Pack { axis: build.int("axis")? })),
    )?;
    registry.add(
        OpSpec::new(
            "Unpack(value: T) -> (output: num * T)
                num: int >= 0
                T: type
                axis: int = 0",
        )?
        .shape(unpack_shape)
        .gradient(unpack_gradient),
        |build| Ok(KernelBox::new(Unpack { axis: build.int("axis")? })),
    )?;
    registry.add(
        OpSpec::new(
            "ParallelConcat(values: N * T) -> (output: T)
                N: int >= 1
                T: type
                shape: shape",
        )?
        .shape(|cx| {
            full_shape(cx.node())?;
            shapes::from_shape_attr(cx)
        }),
        |build| Ok(KernelBox::new(ParallelConcat { shape: full_shape(build)? })),
    )?;
    registry.add(
        OpSpec::new(
            "_ParallelConcatStart() -> (output: dtype) @stateful
                shape: shape
                dtype: type",
        )?
        .shape(shapes::from_shape_attr),
        |build| {
            let shape = full_shape(build)?;
            Ok(KernelBox::new(ParallelStart { shape, dtype: build.dtype("dtype")? }))
        },
    )?;
    registry.add(
        OpSpec::new(
            "_ParallelConcatUpdate(value: T, update: T) -> (output: T)
                T: type
                loc: int",
        )?
        .shape(shapes::unchanged),
        |build| Ok(KernelBox::new(ParallelUpdate { row: build.int("loc")? })),
    )
}

struct Pack {
    axis: i64,
}

impl Kernel for Pack {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let first = cx.input(0);
        let at = new_axis(first.rank(), self.axis)?;
        let (before, after) = first.dims().split_at(at);
        let count = cx.inputs_len();
        let shape: Shape = before.iter().chain(&[count]).chain(after).copied().collect();
        if count == 1 {
            let output = cx.take(0).into_shape(shape)?;
            cx.set_output(0, output);
            return Ok(());
        }
        let mut values: SmallVec<[&Tensor; 8]> = SmallVec::new();
        for i in 0..count {
            let value = cx.input(i);
            if value.shape() != first.shape() {
                return Err(Status::invalid_argument(format!(
                    "Shapes of all inputs must match: values[0].shape = {} != values[{i}].shape = {}",
                    first.shape(),
                    value.shape()
                )));
            }
            values.push(value);
        }
        let width: usize = after.iter().product();
        let job = Join { widths: SmallVec::from_elem(width, count) };
        let output = rearrange(cx.parallel(), first.dtype(), shape, &values, &job)?;
        drop(values);
        cx.set_output(0, output);
        Ok(())
    }
}

/// Where a new axis goes among `rank` existing ones.
fn new_axis(rank: usize, axis: i64) -> Result<usize> {
    let places = rank as i64 + 1;
    let at = if axis < 0 { axis.saturating_add(places) } else { axis };
    if !(0..places).contains(&at) {
        return Err(Status::invalid_argument(format!(
            "axis = {axis} not in [-{places}, {places})"
        )));
    }
    Ok(at as usize)
}

fn pack_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let mut shape = PartialShape::unknown();
    for input in cx.inputs() {
        shape = cx.merge(&shape, input)?;
    }
    let Some(dims) = shape.dims() else { return Ok(()) };
    let at = new_axis(dims.len(), cx.node().int("axis")?)?;
    let (before, after) = dims.split_at(at);
    let count = Some(cx.inputs().len());
    cx.set_output(0, PartialShape::of(before.iter().chain(&[count]).chain(after).copied()));
    Ok(())
}

fn pack_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let count = cx.inputs_len();
    let attrs = Attrs::new().with("num", count as i64).with("axis", cx.node().int("axis")?);
    let node = cx.node_with("Unpack", &[grad], attrs)?;
    Ok((0..count as u32).map(|port| Gradient::Dense(Endpoint { node, port })).collect())
}

struct Unpack {
    axis: i64,
}

impl Kernel for Unpack {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.take(0);
        let count = cx.node().output_types.len();
        let rank = input.rank();
        let axis = input.shape().axis(self.axis).ok_or_else(|| {
            Status::invalid_argument(format!("axis = {} not in [-{rank}, {rank})", self.axis))
        })?;
        if input.dims()[axis] != count {
            return Err(Status::invalid_argument(format!(
                "Input shape axis {axis} must equal {count}, got shape {}",
                input.shape()
            )));
        }
        let (before, after) = (&input.dims()[..axis], &input.dims()[axis + 1..]);
        let shape: Shape = before.iter().chain(after).copied().collect();
        let outer: usize = before.iter().product();
        let inner: usize = after.iter().product();
        for i in 0..count {
            let output = if outer == 1 {
                // Slices that lie in one piece share the input's memory.
                input.reshaped([count, inner])?.rows(i, i + 1)?.into_shape(shape.clone())?
            } else {
                let axes = [(outer, (count * inner) as isize), (inner, 1)];
                let copy = StridedCopy::gather(axes.into_iter(), i * inner);
                move_one(cx.parallel(), &input, shape.clone(), copy)?
            };
            cx.set_output(i, output);
        }
        Ok(())
    }
}

fn unpack_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let Some(dims) = cx.input(0).dims() else { return Ok(()) };
    let axis = cx.node().int("axis")?;
    let axis = Shape::from(vec![1; dims.len()]).axis(axis).ok_or_else(|| {
        Status::invalid_argument(format!("axis {axis} is out of range for {}", cx.describe()))
    })?;
    cx.merge_dim(dims[axis], Some(cx.outputs_len()))?;
    let rest = PartialShape::of(dims[..axis].iter().chain(&dims[axis + 1..]).copied());
    for i in 0..cx.outputs_len() {
        cx.set_output(i, rest.clone());
    }
    Ok(())
}

fn unpack_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let count = cx.node().output_types.len();
    let grads: Vec<Endpoint> = (0..count).map(|i| cx.grad(i)).collect::<Result<_>>()?;
    let attrs = Attrs::new().with("axis", cx.node().int("axis")?);
    Ok(vec![Gradient::Dense(cx.op_with("Pack", &grads, attrs)?)])
}

/// The attribute `shape`, all of whose dimensions must be known: the output is allocated before the values are there.
fn full_shape(node: &Node) -> Result<Shape> {
    let shape = node.shape("shape")?;
    shape.to_shape().ok_or_else(|| {
        Status::invalid_argument(format!(
            "{}: shape attr must be fully defined, got {shape}",
            node.op_name()
        ))
    })
}

struct ParallelConcat {
    shape: Shape,
}

impl Kernel for ParallelConcat {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let first = cx.input(0);
        if first.dims().first() != Some(&1) {
            return Err(cx.bad_input(
                0,
                format!("must have a first dimension of 1, got shape {}", first.shape()),
            ));
        }
        let count = cx.inputs_len();
        let mut shape = first.shape().clone();
        shape.dims_mut()[0] = count;
        if self.shape != shape {
            return Err(Status::invalid_argument(format!(
                "ParallelConcat: values make the shape {shape}, but shape says {}",
                self.shape
            )));
        }
        let mut values: SmallVec<[&Tensor; 8]> = SmallVec::new();
        for i in 0..count {
            let value = cx.input(i);
            if value.shape() != first.shape() {
                return Err(cx.bad_input(
                    i,
                    format!("have unequal shapes: {} and {}", first.shape(), value.shape()),
                ));
            }
            values.push(value);
        }
        let job = Join { widths: SmallVec::from_elem(first.len(), count) };
        let output = rearrange(cx.parallel(), first.dtype(), shape, &values, &job)?;
        drop(values);
        cx.set_output(0, output);
        Ok(())
    }
}

struct ParallelStart {
    shape: Shape,
    dtype: downpour_tensor::DataType,
}

impl Kernel for ParallelStart {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        cx.set_output(0, Tensor::zeros(self.dtype, &self.shape)?);
        Ok(())
    }
}

struct ParallelUpdate {
    row: i64,
}

impl Kernel for ParallelUpdate {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let value = cx.take(0);
        let update = cx.input(1);
        let same_rows = value.rank() > 0
            && update.rank() == value.rank()
            && update.dims()[0] == 1
            && update.dims()[1..] == value.dims()[1..];
        if !same_rows {
            return Err(cx.bad_input(
                1,
                format!("of shape {} is no row of {}", update.shape(), value.shape()),
            ));
        }
        let rows = value.dims()[0] as i64;
        let row = if self.row < 0 { self.row.saturating_add(rows) } else { self.row };
        if !(0..rows).contains(&row) {
            return Err(Status::invalid_argument(format!(
                "_ParallelConcatUpdate: loc {} is out of range for {rows} rows",
                self.row
            )));
        }
        let width = update.len();
        let copy = StridedCopy::new([(width, 1, 1)], 0, row as usize * width);
        let output = rearrange_into(cx.parallel(), value, &[update], &Moves::one(copy))?;
        cx.set_output(0, output);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::DataType;

    #[test]
    fn values_become_slices() {
        let pack = |axis: i64| {
            OpTest::new(register, "Pack")
                .attr("axis", axis)
                .input(Tensor::vector(&[1i32, 2]).unwrap())
                .input(Tensor::vector(&[3i32, 4]).unwrap())
                .run_one()
        };
        assert_eq!(pack(0).unwrap().as_slice::<i32>().unwrap(), &[1, 2, 3, 4]);
        assert_eq!(pack(-1).unwrap().as_slice::<i32>().unwrap(), &[1, 3, 2, 4]);
        assert!(pack(2).is_err());
        assert!(pack(i64::MIN).is_err());
        let one = OpTest::new(register, "Pack").input(Tensor::scalar(7f32)).run_one().unwrap();
        assert_eq!(one.dims(), &[1]);
        let unequal = OpTest::new(register, "Pack")
            .input(Tensor::scalar(7f32))
            .input(Tensor::vector(&[7f32]).unwrap());
        assert!(unequal.run().is_err());
    }

    #[test]
    fn a_parallel_concat_needs_its_full_shape() {
        let concat = |shape: PartialShape| {
            let row = || Tensor::from_vec([1, 3], vec![1f32; 3]).unwrap();
            let test = OpTest::new(register, "ParallelConcat").attr("N", 2i64).attr("shape", shape);
            test.input(row()).input(row()).run_one()
        };
        let known = PartialShape::from_i64(&[2, 3]).unwrap();
        assert_eq!(concat(known).unwrap().dims(), &[2, 3]);
        for partial in [PartialShape::unknown(), PartialShape::from_i64(&[-1, 3]).unwrap()] {
            let error = concat(partial).unwrap_err();
            assert_eq!(error.code(), downpour_tensor::Code::InvalidArgument);
            assert!(error.message().contains("shape attr must be fully defined"), "{error}");
        }
    }

    #[test]
    fn slices_become_values() {
        let x = Tensor::from_vec([2, 3], vec![1u8, 2, 3, 4, 5, 6]).unwrap();
        let unpack = |axis: i64, num: i64| {
            OpTest::new(register, "Unpack")
                .attr("axis", axis)
                .attr("num", num)
                .input(x.clone())
                .run()
        };
        assert_eq!(unpack(0, 2).unwrap()[1].as_slice::<u8>().unwrap(), &[4, 5, 6]);
        assert_eq!(unpack(1, 3).unwrap()[2].as_slice::<u8>().unwrap(), &[3, 6]);
        assert!(unpack(1, 2).is_err());
        assert!(unpack(2, 2).is_err());
    }

    #[test]
    fn rows_in_parallel() {
        let row = |v: f32| Tensor::from_vec([1, 2], vec![v, v]).unwrap();
        let y = OpTest::new(register, "ParallelConcat")
            .attr("shape", PartialShape::of([Some(2), Some(2)]))
            .input(row(1.0))
            .input(row(2.0))
            .run_one()
            .unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[1.0, 1.0, 2.0, 2.0]);
        let y = OpTest::new(register, "_ParallelConcatUpdate")
            .attr("loc", 1i64)
            .input(Tensor::zeros(DataType::Float, [2, 2]).unwrap())
            .input(row(3.0))
            .run_one()
            .unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[0.0, 0.0, 3.0, 3.0]);
    }
}
