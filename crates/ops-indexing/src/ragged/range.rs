//! RaggedRange: a row `start, start + delta, ...` below the limit for each triple.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, RealNumber, Result, Status, Tensor, dispatch_over};

use super::splits;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RaggedRange(starts: T, limits: T, deltas: T) \
                -> (rt_nested_splits: Tsplits, rt_dense_values: T)
                T: {bfloat16, float, double, int32, int64} = int32
                Tsplits: {int32, int64} = int64",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(RaggedRange { splits: build.dtype("Tsplits")? })),
    )
}

struct RaggedRange {
    splits: DataType,
}

impl Kernel for RaggedRange {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let mut rows = None;
        for (i, name) in ["starts", "limits", "deltas"].into_iter().enumerate() {
            let input = cx.input(i);
            match (input.dims(), rows) {
                ([], _) => {}
                ([n], None) => rows = Some(*n),
                ([n], Some(rows)) if *n == rows => {}
                ([_], _) => {
                    return Err(Status::invalid_argument(
                        "starts, limits, and deltas must have the same shape",
                    ));
                }
                _ => {
                    return Err(Status::invalid_argument(format!(
                        "{name} must be a scalar or vector"
                    )));
                }
            }
        }
        let most = if self.splits == DataType::Int32 { i32::MAX as i64 } else { i64::MAX };
        let inputs = [cx.input(0), cx.input(1), cx.input(2)];
        let (row_splits, values) = dispatch_over!(inputs[0].dtype(), "RaggedRange",
            T => ranges::<T>(inputs, rows.unwrap_or(1), most),
            Float: f32, Double: f64, BFloat16: downpour_tensor::bf16, Int32: i32, Int64: i64)?;
        cx.set_output(0, splits::tensor(self.splits, &row_splits)?);
        cx.set_output(1, values);
        Ok(())
    }
}

fn ranges<T: RealNumber>(
    inputs: [&Tensor; 3],
    rows: usize,
    most: i64,
) -> Result<(Vec<i64>, Tensor)> {
    let columns =
        [inputs[0].as_slice::<T>()?, inputs[1].as_slice::<T>()?, inputs[2].as_slice::<T>()?];
    let at = |column: usize, row: usize| {
        let values = columns[column];
        if inputs[column].rank() == 0 { values[0] } else { values[row] }
    };
    let mut splits = Vec::with_capacity(rows + 1);
    splits.push(0i64);
    let mut total = 0i64;
    for row in 0..rows {
        let size = length(at(0, row), at(1, row), at(2, row), most)?;
        total = total.checked_add(size).filter(|&t| t <= most).ok_or_else(|| {
            Status::invalid_argument(
                "The total range size overflowed. Consider using int64 instead of int32 for \
                 row_splits_dtype.",
            )
        })?;
        splits.push(total);
    }
    let values = Tensor::build([total as usize], |out: &mut [T]| {
        for row in 0..rows {
            let mut value = at(0, row);
            let delta = at(2, row);
            for slot in &mut out[splits[row] as usize..splits[row + 1] as usize] {
                *slot = value;
                value = value.add_w(delta);
            }
        }
    })?;
    Ok((splits, values))
}

/// The number of elements from `start` up to but not including `limit`.
fn length<T: RealNumber>(start: T, limit: T, delta: T, most: i64) -> Result<i64> {
    let zero = T::zero();
    if delta == zero {
        return Err(Status::invalid_argument("Requires delta != 0"));
    }
    if (delta > zero && limit < start) || (delta < zero && limit > start) {
        return Ok(0);
    }
    let too_long =
        || Status::invalid_argument(format!("Requires ((limit - start) / delta) <= {most}"));
    if T::IS_INTEGER {
        let wide = |v: T| v.to_i128().ok_or_else(|| Status::internal("an integer fits 128 bits"));
        let span = (wide(limit)? - wide(start)?).unsigned_abs();
        let count = span.div_ceil(wide(delta)?.unsigned_abs());
        return i64::try_from(count).ok().filter(|&n| n <= most).ok_or_else(too_long);
    }
    let count = ((limit - start) / delta).to_f64_lossy().abs().ceil();
    // NaN is refused too.
    if count <= most as f64 && count < i64::MAX as f64 { Ok(count as i64) } else { Err(too_long()) }
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let mut rows = None;
    let mut scalars = 0;
    for i in 0..3 {
        match cx.input(i).rank() {
            Some(0) => scalars += 1,
            Some(1) => rows = cx.merge_dim(rows, cx.input(i).dim(0))?,
            Some(rank) => {
                return Err(Status::invalid_argument(format!(
                    "Shape must be at most rank 1 but is rank {rank} for input {i} of {}",
                    cx.describe()
                )));
            }
            None => {}
        }
    }
    let rows = if scalars == 3 { Some(1) } else { rows };
    cx.set_output(0, PartialShape::vector(rows.map(|r| r + 1)));
    cx.set_output(1, PartialShape::vector(None));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(starts: Tensor, limits: Tensor, deltas: Tensor) -> Result<Vec<Tensor>> {
        OpTest::new(register, "RaggedRange").input(starts).input(limits).input(deltas).run()
    }

    #[test]
    fn rows_up_and_down() {
        let out = run(
            Tensor::vector(&[0i32, 5, 8]).unwrap(),
            Tensor::vector(&[8i32, 7, 5]).unwrap(),
            Tensor::vector(&[3i32, 4, -1]).unwrap(),
        )
        .unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 3, 4, 7]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), &[0, 3, 6, 5, 8, 7, 6]);
        let half = run(
            Tensor::scalar(0f32),
            Tensor::vector(&[1f32, 0.0]).unwrap(),
            Tensor::scalar(0.5f32),
        );
        assert_eq!(half.unwrap()[1].as_slice::<f32>().unwrap(), &[0.0, 0.5]);
    }

    #[test]
    fn impossible_ranges_are_refused() {
        let s = Tensor::scalar::<i64>;
        assert!(run(s(0), s(1), s(0)).unwrap_err().message().contains("Requires delta != 0"));
        assert!(run(s(i64::MIN), s(i64::MAX), s(1)).is_err());
        assert!(run(s(0), s(i64::MAX), s(1)).is_err());
        let f = Tensor::scalar::<f64>;
        assert!(run(f(0.0), f(f64::INFINITY), f(1.0)).is_err());
        assert!(run(f(0.0), f(f64::NAN), f(1.0)).is_err());
        let v = |n: usize| Tensor::from_vec([n], vec![1i64; n]).unwrap();
        assert!(run(v(2), v(3), s(1)).is_err());
    }
}
