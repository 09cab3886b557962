//! BroadcastArgs and BroadcastGradientArgs: broadcasting worked out on shapes held in tensors.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor};
use smallvec::SmallVec;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "BroadcastArgs(s0: T, s1: T) -> (r0: T)
                T: {int32, int64} = int32",
        )?
        .shape(infer_args)
        .not_differentiable(),
        |_| Ok(KernelBox::cheap(args)),
    )?;
    registry.add(
        OpSpec::new(
            "BroadcastGradientArgs(s0: T, s1: T) -> (r0: T, r1: T)
                T: {int32, int64} = int32",
        )?
        .shape(infer_gradient_args)
        .not_differentiable(),
        |_| Ok(KernelBox::cheap(gradient_args)),
    )
}

type Dims = SmallVec<[i64; 8]>;

fn shapes(cx: &OpContext<'_>) -> Result<[Dims; 2]> {
    let mut shapes = [Dims::new(), Dims::new()];
    for (i, shape) in shapes.iter_mut().enumerate() {
        let input = cx.input(i);
        if input.rank() != 1 {
            return Err(Status::invalid_argument(format!(
                "In[{i}] must be a vector.{}",
                input.shape()
            )));
        }
        match input.dtype() {
            DataType::Int32 => shape.extend(input.as_slice::<i32>()?.iter().map(|&d| d as i64)),
            _ => shape.extend_from_slice(input.as_slice::<i64>()?),
        }
    }
    Ok(shapes)
}

fn joined(dims: &[i64]) -> String {
    let words: Vec<String> = dims.iter().map(i64::to_string).collect();
    words.join(",")
}

/// Both sizes at each position of the longer shape, the shorter one extended by ones.
fn aligned(a: &[i64], b: &[i64]) -> impl Iterator<Item = (i64, i64)> {
    let rank = a.len().max(b.len());
    let at = move |dims: &[i64], i: usize| {
        let missing = rank - dims.len();
        if i < missing { 1 } else { dims[i - missing] }
    };
    let pairs: SmallVec<[(i64, i64); 8]> = (0..rank).map(|i| (at(a, i), at(b, i))).collect();
    pairs.into_iter()
}

fn check(a: &[i64], b: &[i64]) -> Result<()> {
    if aligned(a, b).any(|(x, y)| x != y && x != 1 && y != 1) {
        return Err(Status::invalid_argument(format!(
            "Incompatible shapes: [{}] vs. [{}]",
            joined(a),
            joined(b)
        )));
    }
    Ok(())
}

fn vector(dtype: DataType, values: &[i64]) -> Result<Tensor> {
    if dtype == DataType::Int64 {
        return Tensor::vector(values);
    }
    Tensor::build([values.len()], |out: &mut [i32]| {
        out.iter_mut().zip(values).for_each(|(o, &v)| *o = v as i32);
    })
}

fn args(cx: &mut OpContext<'_>) -> Result<()> {
    let [a, b] = shapes(cx)?;
    check(&a, &b)?;
    let output: Dims = aligned(&a, &b).map(|(x, y)| if x == 1 { y } else { x }).collect();
    let output = vector(cx.input(0).dtype(), &output)?;
    cx.set_output(0, output);
    Ok(())
}

fn gradient_args(cx: &mut OpContext<'_>) -> Result<()> {
    let [a, b] = shapes(cx)?;
    check(&a, &b)?;
    let mut reduce = [Dims::new(), Dims::new()];
    // Equal shapes need no reduction, not even over axes of one.
    if a != b {
        for (i, (x, y)) in aligned(&a, &b).enumerate() {
            if x == 1 {
                reduce[0].push(i as i64);
            }
            if y == 1 {
                reduce[1].push(i as i64);
            }
        }
    }
    let dtype = cx.input(0).dtype();
    for (i, axes) in reduce.iter().enumerate() {
        cx.set_output(i, vector(dtype, axes)?);
    }
    Ok(())
}

fn infer_args(cx: &mut ShapeContext<'_>) -> Result<()> {
    let ranks = (cx.with_rank(0, 1)?.dim(0), cx.with_rank(1, 1)?.dim(0));
    let rank = ranks.0.zip(ranks.1).map(|(a, b)| a.max(b));
    cx.set_output(0, PartialShape::vector(rank));
    Ok(())
}

fn infer_gradient_args(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 1)?;
    cx.with_rank(1, 1)?;
    cx.set_output(0, PartialShape::vector(None));
    cx.set_output(1, PartialShape::vector(None));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(op: &str, a: &[i32], b: &[i32]) -> Result<Vec<Tensor>> {
        OpTest::new(register, op)
            .input(Tensor::vector(a).unwrap())
            .input(Tensor::vector(b).unwrap())
            .run()
    }

    #[test]
    fn broadcast_shapes() {
        let y = run("BroadcastArgs", &[2, 1], &[3, 1, 5]).unwrap();
        assert_eq!(y[0].as_slice::<i32>().unwrap(), &[3, 2, 5]);
        let status = run("BroadcastArgs", &[2], &[3]).unwrap_err();
        assert!(status.message().contains("Incompatible shapes: [2] vs. [3]"));
    }

    #[test]
    fn reduction_axes() {
        let axes = |a: &[i32], b: &[i32]| {
            let y = run("BroadcastGradientArgs", a, b).unwrap();
            [y[0].as_slice::<i32>().unwrap().to_vec(), y[1].as_slice::<i32>().unwrap().to_vec()]
        };
        assert_eq!(axes(&[2, 3, 5], &[1]), [vec![], vec![0, 1, 2]]);
        assert_eq!(axes(&[2, 1], &[2, 1]), [vec![], vec![]]);
        assert_eq!(axes(&[3, 1], &[1]), [vec![1], vec![0, 1]]);
    }
}
