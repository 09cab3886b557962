//! Diag, DiagPart and MatrixBandPart: the remaining operations on diagonals.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{KernelBox, OpContext, Parallel, Registry};
use downpour_tensor::{Result, Shape, Status, checked_elements};

use crate::movement::{
    GRAIN, Moves, Rearrange, StridedCopy, Unit, move_one, rearrange, rearrange_into, zero_scalar,
};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let types = "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}";
    registry.add(
        OpSpec::new(&format!("Diag(diagonal: T) -> (output: T)\n {types}"))?
            .shape(diag_shape)
            .gradient(|cx| other(cx, "DiagPart")),
        |_| Ok(KernelBox::function(diag)),
    )?;
    registry.add(
        OpSpec::new(&format!("DiagPart(input: T) -> (diagonal: T)\n {types}"))?
            .shape(diag_part_shape)
            .gradient(|cx| other(cx, "Diag")),
        |_| Ok(KernelBox::function(diag_part)),
    )?;
    registry.add(
        OpSpec::new(
            "MatrixBandPart(input: T, num_lower: Tindex, num_upper: Tindex) -> (band: T)
                T: type
                Tindex: {int32, int64} = int64",
        )?
        .shape(shapes::unchanged)
        .gradient(band_gradient),
        |_| Ok(KernelBox::function(band_part)),
    )?;
    registry.add(
        OpSpec::new(
            "BatchMatrixBandPart(input: T, num_lower: int64, num_upper: int64) -> (band: T)
                T: type",
        )?
        .shape(shapes::unchanged)
        .gradient(band_gradient),
        |_| Ok(KernelBox::function(band_part)),
    )
}

fn diag(cx: &mut OpContext<'_>) -> Result<()> {
    let diagonal = cx.take(0);
    if diagonal.rank() == 0 {
        return Err(Status::invalid_argument("Input must be at least rank 1, got 0"));
    }
    let shape: Shape = diagonal.dims().iter().chain(diagonal.dims()).copied().collect();
    checked_elements(&shape)?;
    let n = diagonal.len();
    let mut moves = Moves { fill: true, ..Moves::default() };
    moves.push(0, StridedCopy::new([(n, 1, n as isize + 1)], 0, 0));
    let zero = zero_scalar(diagonal.dtype())?;
    let output = rearrange(cx.parallel(), diagonal.dtype(), shape, &[&diagonal, &zero], &moves)?;
    cx.set_output(0, output);
    Ok(())
}

/// The first half of a shape whose halves are equal.
fn half(dims: &[usize]) -> Result<&[usize]> {
    let (first, second) = dims.split_at(dims.len() / 2);
    if !dims.len().is_multiple_of(2) || dims.is_empty() {
        return Err(Status::invalid_argument(format!(
            "The rank of the tensor should be even and positive, got shape {}",
            Shape::new(dims)
        )));
    }
    if let Some(i) = (0..first.len()).find(|&i| first[i] != second[i]) {
        return Err(Status::invalid_argument(format!(
            "Invalid shape {}: dimensions {i} and {} do not match.",
            Shape::new(dims),
            i + first.len()
        )));
    }
    Ok(first)
}

fn diag_part(cx: &mut OpContext<'_>) -> Result<()> {
    let input = cx.take(0);
    let shape = Shape::new(half(input.dims())?);
    let n = shape.elements();
    let copy = StridedCopy::gather([(n, n as isize + 1)].into_iter(), 0);
    let output = move_one(cx.parallel(), &input, shape, copy)?;
    cx.set_output(0, output);
    Ok(())
}

fn diag_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let input = cx.with_rank_at_least(0, 1)?;
    cx.set_output(0, input.concat(input));
    Ok(())
}

fn diag_part_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let Some(dims) = cx.input(0).dims() else { return Ok(()) };
    if dims.is_empty() || dims.len() % 2 != 0 {
        return Err(Status::invalid_argument(format!(
            "Input must have even and non-zero rank, input rank is {} for {}",
            dims.len(),
            cx.describe()
        )));
    }
    let middle = dims.len() / 2;
    let first = PartialShape::of(dims[..middle].iter().copied());
    let second = PartialShape::of(dims[middle..].iter().copied());
    let merged = cx.merge(&first, &second)?;
    cx.set_output(0, merged);
    Ok(())
}

fn other(cx: &mut GradientContext<'_, '_>, op: &str) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    Ok(vec![Gradient::Dense(cx.op(op, &[grad])?)])
}

fn band_part(cx: &mut OpContext<'_>) -> Result<()> {
    let [.., rows, columns] = *cx.input(0).dims() else {
        return Err(Status::invalid_argument(format!(
            "input must be at least 2-dim, received shape: {}",
            cx.input(0).shape()
        )));
    };
    let mut limits = [0i64; 2];
    let names = [("num_lower", "rows", rows), ("num_upper", "columns", columns)];
    for (i, (name, what, size)) in names.into_iter().enumerate() {
        let tensor = cx.input(i + 1);
        if tensor.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "{name} must be scalar, got shape {}",
                tensor.shape()
            )));
        }
        limits[i] = tensor.to_i64_scalar()?;
        if limits[i] > size as i64 {
            return Err(Status::invalid_argument(format!(
                "{name} must be negative or less or equal to number of {what} ({size}) got: {}",
                limits[i]
            )));
        }
    }
    let input = cx.take(0);
    let keep = |limit: i64| usize::try_from(limit).ok();
    let job = Outside { rows, columns, lower: keep(limits[0]), upper: keep(limits[1]) };
    if job.lower.is_none() && job.upper.is_none() {
        cx.set_output(0, input);
        return Ok(());
    }
    let zero = zero_scalar(input.dtype())?;
    let output = rearrange_into(cx.parallel(), input, &[&zero], &job)?;
    cx.set_output(0, output);
    Ok(())
}

/// Overwrites what lies outside the band with the value of the only input.
struct Outside {
    rows: usize,
    columns: usize,
    lower: Option<usize>,
    upper: Option<usize>,
}

impl Rearrange for Outside {
    fn run<T: Unit>(&self, parallel: &Parallel, inputs: &[&[T]], output: &mut [T]) {
        let zero = &inputs[0][0];
        let columns = self.columns;
        parallel.for_chunks(output, columns, GRAIN.div_ceil(columns), |first, run| {
            for (i, row) in run.chunks_exact_mut(columns).enumerate() {
                let r = (first + i) % self.rows;
                let start = self.lower.map_or(0, |n| r.saturating_sub(n)).min(columns);
                row[..start].fill(zero.clone());
                let end = self.upper.map_or(columns, |n| r + n + 1).min(columns);
                row[end..].fill(zero.clone());
            }
        });
    }
}

fn band_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let band = cx.op("MatrixBandPart", &[grad, cx.input(1), cx.input(2)])?;
    Ok(vec![Gradient::Dense(band), Gradient::None, Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn diagonals_there_and_back() {
        let x = Tensor::from_vec([2], vec![3f32, 4.0]).unwrap();
        let y = OpTest::new(register, "Diag").input(x).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[3.0, 0.0, 0.0, 4.0]);
        let z = OpTest::new(register, "DiagPart").input(y).run_one().unwrap();
        assert_eq!(z.as_slice::<f32>().unwrap(), &[3.0, 4.0]);
        assert!(OpTest::new(register, "Diag").input(Tensor::scalar(1f32)).run().is_err());
        let odd = Tensor::from_vec([2, 3], vec![0f32; 6]).unwrap();
        assert!(OpTest::new(register, "DiagPart").input(odd).run().is_err());
    }

    #[test]
    fn bands_are_kept() {
        let run = |lower: i64, upper: i64| {
            OpTest::new(register, "MatrixBandPart")
                .input(Tensor::from_vec([3, 3], (1..10).collect::<Vec<i32>>()).unwrap())
                .input(Tensor::scalar(lower))
                .input(Tensor::scalar(upper))
                .run_one()
        };
        let values = |t: Tensor| t.as_slice::<i32>().unwrap().to_vec();
        assert_eq!(values(run(0, -1).unwrap()), [1, 2, 3, 0, 5, 6, 0, 0, 9]);
        assert_eq!(values(run(1, 0).unwrap()), [1, 0, 0, 4, 5, 0, 0, 8, 9]);
        assert_eq!(values(run(-1, -1).unwrap()).len(), 9);
        assert!(run(4, 0).is_err());
        assert!(run(0, i64::MAX).is_err());
    }
}
