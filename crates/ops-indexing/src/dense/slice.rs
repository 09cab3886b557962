//! Slice: a box of a tensor, given by its corner and size.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use super::region::Region;
use crate::units::{Unit, dispatch_units};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Slice(input: T, begin: Index, size: Index) -> (output: T)
                T: type
                Index: {int32, int64}",
        )?
        .shape(shape)
        .gradient(gradient),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let input = cx.input(0);
    let rank = input.rank();
    let (begin, size) = (cx.input(1), cx.input(2));
    if begin.dims() != [rank] || size.dims() != [rank] {
        return Err(Status::invalid_argument(format!(
            "Expected begin and size arguments to be 1-D tensors of size {rank}, but got shapes {} \
             and {} instead.",
            begin.shape(),
            size.shape()
        )));
    }
    let begin = begin.to_i64_vec()?;
    let mut size = size.to_i64_vec()?;
    let mut everything = true;
    for i in 0..rank {
        let dim = input.dims()[i] as i64;
        let b = begin[i];
        if size[i] == -1 {
            size[i] = dim.saturating_sub(b);
        }
        let s = size[i];
        if dim == 0 && (b != 0 || s != 0) {
            return Err(Status::invalid_argument(format!(
                "Expected begin[{i}] == 0 (got {b}) and size[{i}] == 0 (got {s}) when \
                 input.dim_size({i}) == 0"
            )));
        }
        if !(0..=dim).contains(&b) {
            return Err(Status::invalid_argument(format!(
                "Expected begin[{i}] in [0, {dim}], but got {b}"
            )));
        }
        if !(0..=dim - b).contains(&s) {
            return Err(Status::invalid_argument(format!(
                "Expected size[{i}] in [0, {}], but got {s}",
                dim - b
            )));
        }
        everything &= s == dim;
    }
    let output = if everything {
        input.clone()
    } else {
        take_box(input, &begin, &Shape::from_i64(&size)?, cx)?
    };
    cx.set_output(0, output);
    Ok(())
}

/// The box of `counts` elements from `begin` on, which lies inside the input.
fn take_box(input: &Tensor, begin: &[i64], counts: &Shape, cx: &OpContext<'_>) -> Result<Tensor> {
    let first_axis_only = counts[1..] == input.dims()[1..];
    if first_axis_only && !counts.is_empty() {
        let start = begin[0] as usize;
        return input.rows(start, start + counts[0]);
    }
    let steps = vec![1; counts.rank()];
    let region = Region::new(input.dims(), begin, counts, &steps);
    dispatch_units!(input.dtype(), T => {
        T::build(input.dtype(), counts.clone(), |out| {
            region.read(T::view(input)?, out, cx.parallel());
            Ok(())
        })
    })
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let begin = cx.with_rank(1, 1)?;
    let size = cx.with_rank(2, 1)?;
    let rank = cx.merge(&begin, &size)?.dim(0);
    let rank = cx.merge_dim(rank, cx.input(0).rank())?;
    let (Some(rank), Some(sizes)) = (rank, cx.constant_ints(2)) else {
        let shape = rank.map_or(PartialShape::unknown(), PartialShape::of_rank);
        cx.set_output(0, shape);
        return Ok(());
    };
    let begins = cx.constant_ints(1);
    let input = cx.input(0);
    let out = (0..rank.min(sizes.len())).map(|i| match sizes[i] {
        -1 => {
            let begin = begins.as_ref().and_then(|b| b.get(i).copied());
            match (input.dim(i), begin) {
                (Some(d), Some(b)) => usize::try_from(b).ok().and_then(|b| d.checked_sub(b)),
                _ => None,
            }
        }
        s => usize::try_from(s).ok(),
    });
    let out = PartialShape::of(out);
    cx.set_output(0, out);
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    // The gradient is padded with zeros to where the box was: [begin, shape - begin - size of box].
    let grad = cx.grad(0)?;
    let (input, begin) = (cx.input(0), cx.input(1));
    let dtype = cx.dtype(begin);
    let with_type = || Attrs::new().with("out_type", dtype);
    let output = cx.output(0);
    let input_shape = cx.op_with("Shape", &[input], with_type())?;
    let output_shape = cx.op_with("Shape", &[output], with_type())?;
    let behind = cx.op("Sub", &[input_shape, output_shape])?;
    let behind = cx.op("Sub", &[behind, begin])?;
    let pads = cx.op_with("Pack", &[begin, behind], Attrs::new().with("axis", 1i64))?;
    Ok(vec![Gradient::Dense(cx.op("Pad", &[grad, pads])?), Gradient::None, Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::ByteString;

    fn run(input: Tensor, begin: &[i32], size: &[i32]) -> Result<Tensor> {
        OpTest::new(register, "Slice")
            .input(input)
            .input(Tensor::vector(begin)?)
            .input(Tensor::vector(size)?)
            .run_one()
    }

    #[test]
    fn boxes_of_numbers_and_strings() {
        let x = Tensor::from_vec([3, 4], (0..12).collect::<Vec<i32>>()).unwrap();
        let y = run(x.clone(), &[1, 1], &[2, -1]).unwrap();
        assert_eq!(y.dims(), &[2, 3]);
        assert_eq!(y.as_slice::<i32>().unwrap(), &[5, 6, 7, 9, 10, 11]);
        let rows = run(x, &[2, 0], &[1, 4]).unwrap();
        assert_eq!(rows.as_slice::<i32>().unwrap(), &[8, 9, 10, 11]);
        let s = Tensor::from_strings([3], ["a", "b", "c"].map(ByteString::from).to_vec()).unwrap();
        assert_eq!(run(s, &[1], &[1]).unwrap().strings().unwrap(), &[ByteString::from("b")]);
        assert_eq!(run(Tensor::scalar(3f32), &[], &[]).unwrap().dims(), &[] as &[usize]);
    }

    #[test]
    fn boxes_outside_are_refused() {
        let x = Tensor::vector(&[1f32, 2.0]).unwrap();
        for (begin, size) in [(3, 0), (0, 3), (-1, 1), (1, -2), (1, i32::MAX)] {
            assert!(run(x.clone(), &[begin], &[size]).is_err(), "{begin} {size}");
        }
        assert!(run(x, &[0, 0], &[1, 1]).is_err());
    }
}
