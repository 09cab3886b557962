//! InTopK and InTopKV2: whether the target is among the k largest predictions of its row.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "InTopK(predictions: float, targets: T) -> (precision: bool)
                k: int
                T: {int32, int64} = int32",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(InTopK { k: Some(build.int("k")?) })),
    )?;
    registry.add(
        OpSpec::new(
            "InTopKV2(predictions: float, targets: T, k: T) -> (precision: bool)
                T: {int32, int64} = int32",
        )?
        .shape(shape)
        .not_differentiable(),
        |_| Ok(KernelBox::new(InTopK { k: None })),
    )
}

struct InTopK {
    /// The attribute; the second version takes k as an input.
    k: Option<i64>,
}

impl Kernel for InTopK {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let k = match self.k {
            Some(k) => k,
            None if cx.input(2).rank() != 0 => {
                return Err(Status::invalid_argument(format!(
                    "k must be 0-D, got shape {}",
                    cx.input(2).shape()
                )));
            }
            None => cx.input(2).to_i64_scalar()?,
        };
        let (predictions, targets) = (cx.input(0), cx.input(1));
        if predictions.rank() != 2 {
            return Err(Status::invalid_argument("predictions must be 2-dimensional"));
        }
        if targets.rank() != 1 {
            return Err(Status::invalid_argument("targets must be 1-dimensional"));
        }
        let (rows, classes) = (predictions.dims()[0], predictions.dims()[1]);
        if rows != targets.len() {
            return Err(Status::invalid_argument(format!(
                "First dimension of predictions {rows} must match length of targets {}",
                targets.len()
            )));
        }
        let (values, targets) = (predictions.as_slice::<f32>()?, targets.to_i64_vec()?);
        let output = Tensor::build([rows], |out: &mut [bool]| {
            cx.parallel().for_chunks(out, 1, (16_384 / classes.max(1)).max(1), |first, run| {
                for (i, o) in run.iter_mut().enumerate() {
                    let row = first + i;
                    *o = among(&values[row * classes..(row + 1) * classes], targets[row], k);
                }
            });
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

/// False when the target is out of range or any prediction examined is not finite.
fn among(row: &[f32], target: i64, k: i64) -> bool {
    let Some(&own) = usize::try_from(target).ok().and_then(|t| row.get(t)) else { return false };
    if !own.is_finite() {
        return false;
    }
    let mut larger = 0i64;
    for &value in row {
        if !value.is_finite() {
            return false;
        }
        if value > own {
            larger += 1;
            if larger > k {
                break;
            }
        }
    }
    larger < k
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let predictions = cx.with_rank(0, 2)?;
    let targets = cx.with_rank(1, 1)?;
    let batch = cx.merge_dim(predictions.dim(0), targets.dim(0))?;
    cx.set_output(0, PartialShape::vector(batch));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn ties_count_as_inside_and_odd_targets_do_not() {
        let x =
            Tensor::from_slice([2, 4], &[0.1f32, 0.3, 0.2, 0.2, 0.1, 0.3, f32::NAN, 0.2]).unwrap();
        let run = |targets: &[i32], k: i32| {
            OpTest::new(register, "InTopKV2")
                .input(x.clone())
                .input(Tensor::vector(targets).unwrap())
                .input(Tensor::scalar(k))
                .run_one()
                .unwrap()
                .as_slice::<bool>()
                .unwrap()
                .to_vec()
        };
        assert_eq!(run(&[3, 1], 2), [true, false]);
        assert_eq!(run(&[0, 1], 2), [false, false]);
        assert_eq!(run(&[-1, 9], 2), [false, false]);
        assert_eq!(run(&[1, 1], 0), [false, false]);
    }
}
