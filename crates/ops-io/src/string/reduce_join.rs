//! ReduceJoin: strings joined along some axes, in the order the axes are given.

use bytes::Bytes;
use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{ByteString, DataType, Result, Shape, Status, Tensor};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ReduceJoin(inputs: string, reduction_indices: int32) -> (output: string)
                keep_dims: bool = false
                separator: string = ''",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| {
            let separator = build.bytes("separator")?;
            Ok(KernelBox::new(ReduceJoin { keep_dims: build.bool("keep_dims")?, separator }))
        },
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let keep_dims = cx.node().bool("keep_dims")?;
    let out = match (cx.input(0).dims(), cx.constant_ints(1)) {
        (Some(dims), Some(axes)) => {
            let rank = dims.len() as i64;
            let reduced = |i: usize| axes.iter().any(|&a| a == i as i64 || a == i as i64 - rank);
            if let Some(axis) = axes.iter().find(|&&a| a < -rank || a >= rank) {
                return Err(Status::invalid_argument(format!(
                    "Invalid reduction dimension {axis} for input with {rank} dimensions."
                )));
            }
            PartialShape::of(dims.iter().enumerate().filter_map(|(i, &dim)| match reduced(i) {
                false => Some(dim),
                true => keep_dims.then_some(Some(1)),
            }))
        }
        (Some(dims), None) if keep_dims => PartialShape::of_rank(dims.len()),
        _ => PartialShape::unknown(),
    };
    cx.set_output(0, out);
    Ok(())
}

struct ReduceJoin {
    keep_dims: bool,
    separator: Bytes,
}

impl Kernel for ReduceJoin {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.input(0);
        let rank = input.rank();
        let mut axes = Vec::new();
        for &axis in cx.input(1).as_slice::<i32>()? {
            let resolved = input.shape().axis(axis as i64).ok_or_else(|| {
                Status::out_of_range(format!(
                    "Invalid reduction dimension {axis} for input with {rank} dimension(s)"
                ))
            })?;
            if axes.contains(&resolved) {
                return Err(Status::invalid_argument(format!(
                    "Duplicate reduction dimension {axis}"
                )));
            }
            axes.push(resolved);
        }
        let kept: Vec<usize> = (0..rank).filter(|i| !axes.contains(i)).collect();
        let out_shape: Shape = (0..rank)
            .filter_map(|i| match axes.contains(&i) {
                false => Some(input.dims()[i]),
                true => self.keep_dims.then_some(1),
            })
            .collect();
        if input.is_empty() {
            // However many they are, the results are empty.
            cx.set_output(0, Tensor::new(DataType::String, out_shape)?);
            return Ok(());
        }
        // The first axis named varies fastest.
        axes.reverse();
        let starts = offsets(input.shape(), &kept);
        let steps = offsets(input.shape(), &axes);
        let texts = input.strings()?;
        let out = Tensor::build_strings(out_shape, |i| {
            let parts = steps.iter().map(|step| &texts[starts[i] + step][..]);
            ByteString::joined(parts, &self.separator)
        })?;
        cx.set_output(0, out);
        Ok(())
    }
}

/// The offsets of all combinations of positions along `axes`, the last of which varies fastest.
fn offsets(shape: &Shape, axes: &[usize]) -> Vec<usize> {
    let strides = shape.strides();
    axes.iter().fold(vec![0], |so_far, &axis| {
        let along = |start: &usize| {
            let start = *start;
            let stride = strides[axis];
            (0..shape[axis]).map(move |i| start + i * stride)
        };
        so_far.iter().flat_map(along).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn join(axes: &[i32], keep_dims: bool) -> Result<Tensor> {
        let letters = ["a", "b", "c", "d"].map(ByteString::from).to_vec();
        OpTest::new(register, "ReduceJoin")
            .attr("separator", "-")
            .attr("keep_dims", keep_dims)
            .input(Tensor::from_strings([2, 2], letters).unwrap())
            .input(Tensor::vector(axes).unwrap())
            .run_one()
    }

    #[test]
    fn axes_are_joined_in_their_order() {
        assert_eq!(join(&[0, 1], false).unwrap().strings().unwrap(), &["a-c-b-d"]);
        assert_eq!(join(&[1, 0], false).unwrap().strings().unwrap(), &["a-b-c-d"]);
        let rows = join(&[-1], true).unwrap();
        assert_eq!(rows.dims(), &[2, 1]);
        assert_eq!(rows.strings().unwrap(), &["a-b", "c-d"]);
        assert_eq!(join(&[], false).unwrap().dims(), &[2, 2]);
    }

    #[test]
    fn empty_axes_give_empty_strings_and_bad_ones_are_refused() {
        let out = OpTest::new(register, "ReduceJoin")
            .input(Tensor::from_strings([0, 2], vec![]).unwrap())
            .input(Tensor::scalar(0i32))
            .run_one()
            .unwrap();
        assert_eq!(out.strings().unwrap(), &["", ""]);
        assert!(join(&[2], false).unwrap_err().message().contains("Invalid reduction dimension"));
        assert!(join(&[0, -2], false).unwrap_err().message().contains("Duplicate"));
    }
}
