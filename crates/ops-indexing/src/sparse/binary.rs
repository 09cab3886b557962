//! SparseAdd and its gradient, SparseSparseMaximum and Minimum: two sparse tensors of one shape,
//! merged by coordinates.

use std::cmp::Ordering;

use downpour_graph::{
    Attrs, Endpoint, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext,
};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{
    Complex64, Complex128, RealNumber, Result, Shape, Status, Tensor, dispatch_real,
};

use super::coo::Coo;
use crate::numbers::{Number, dispatch_number};
use crate::units::{Unit, dispatch_units};

const NUMBERS: &str = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, \
    quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}";
const REALS: &str = "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, \
    uint32, uint64}";
const OPERANDS: &str = "a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, \
    b_values: T, b_shape: int64";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let add = format!(
        "SparseAdd({OPERANDS}, thresh: Treal) \
            -> (sum_indices: int64, sum_values: T, sum_shape: int64)
            {NUMBERS}
            Treal: {REALS}"
    );
    registry.add(OpSpec::new(&add)?.shape(add_shape).gradient(add_gradient), |_| {
        Ok(KernelBox::function(add_kernel))
    })?;
    let grad = format!(
        "SparseAddGrad(backprop_val_grad: T, a_indices: int64, b_indices: int64, \
            sum_indices: int64) -> (a_val_grad: T, b_val_grad: T)
            {NUMBERS}"
    );
    registry.add(OpSpec::new(&grad)?.shape(grad_shape).not_differentiable(), |_| {
        Ok(KernelBox::function(grad_kernel))
    })?;
    let outputs = "(output_indices: int64, output_values: T)";
    let maximum = format!("SparseSparseMaximum({OPERANDS}) -> {outputs}\nT: {REALS}");
    registry.add(OpSpec::new(&maximum)?.shape(extreme_shape), |_| {
        Ok(KernelBox::function(|cx| extreme(cx, true)))
    })?;
    let minimum = format!("SparseSparseMinimum({OPERANDS}) -> {outputs}\n{NUMBERS}");
    registry.add(OpSpec::new(&minimum)?.shape(extreme_shape), |_| {
        Ok(KernelBox::function(|cx| extreme(cx, false)))
    })
}

/// Both operands, whose shapes must be equal.
fn operands<'a>(cx: &'a OpContext<'_>) -> Result<(Coo<'a>, Coo<'a>)> {
    let a = Coo::new(cx.input(0), cx.input(1), cx.input(2))?;
    let b = Coo::new(cx.input(3), cx.input(4), cx.input(5))?;
    if a.rank() != b.rank() {
        return Err(Status::invalid_argument(format!(
            "Operands do not have the same ranks; got shapes: {:?} and {:?}",
            a.shape, b.shape
        )));
    }
    if a.rank() == 0 {
        return Err(Status::invalid_argument("Tensors must not be empty"));
    }
    if let Some(i) = (0..a.rank()).find(|&i| a.shape[i] != b.shape[i]) {
        return Err(Status::invalid_argument(format!(
            "Operands' shapes do not match: got {} and {} for dimension {i}",
            a.shape[i], b.shape[i]
        )));
    }
    Ok((a, b))
}

/// Positions in `a` and in `b` of each coordinate of either; both operands are sorted.
fn merge(a: &Coo<'_>, b: &Coo<'_>) -> Vec<(Option<usize>, Option<usize>)> {
    let mut pairs = Vec::with_capacity(a.len().max(b.len()));
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let order = match (i < a.len(), j < b.len()) {
            (true, true) => a.row(i).cmp(b.row(j)),
            (true, false) => Ordering::Less,
            _ => Ordering::Greater,
        };
        let from_a = order != Ordering::Greater;
        let from_b = order != Ordering::Less;
        pairs.push((from_a.then_some(i), from_b.then_some(j)));
        i += from_a as usize;
        j += from_b as usize;
    }
    pairs
}

fn coordinates(
    a: &Coo<'_>,
    b: &Coo<'_>,
    pairs: &[(Option<usize>, Option<usize>)],
) -> Result<Tensor> {
    let rank = a.rank();
    Tensor::build([pairs.len(), rank], |out: &mut [i64]| {
        for (target, pair) in out.chunks_exact_mut(rank).zip(pairs) {
            match *pair {
                (Some(i), _) => target.copy_from_slice(a.row(i)),
                (None, Some(j)) => target.copy_from_slice(b.row(j)),
                (None, None) => {}
            }
        }
    })
}

/// The size of a number, to be compared with a threshold.
trait Magnitude: Number {
    fn at_least(self, threshold: &Tensor) -> Result<bool>;
}

macro_rules! real_magnitudes {
    ($($ty:ty),*) => {$(
        impl Magnitude for $ty {
            fn at_least(self, threshold: &Tensor) -> Result<bool> {
                let threshold = threshold.to_scalar::<$ty>()?;
                let size = if self < <$ty>::default() {
                    <$ty>::default().sub_w(self)
                } else {
                    self
                };
                Ok(threshold <= size)
            }
        }
    )*};
}
real_magnitudes!(
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
    downpour_tensor::f16,
    downpour_tensor::bf16
);

impl Magnitude for Complex64 {
    fn at_least(self, threshold: &Tensor) -> Result<bool> {
        Ok(threshold.to_scalar::<f32>()? <= self.norm())
    }
}

impl Magnitude for Complex128 {
    fn at_least(self, threshold: &Tensor) -> Result<bool> {
        Ok(threshold.to_scalar::<f64>()? <= self.norm())
    }
}

fn add_kernel(cx: &mut OpContext<'_>) -> Result<()> {
    let (a, b) = operands(cx)?;
    let threshold = cx.input(6);
    if threshold.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "The magnitude threshold must be a scalar: got shape {}",
            threshold.shape()
        )));
    }
    let mut pairs = merge(&a, &b);
    let values = dispatch_number!(a.values.dtype(), "SparseAdd", T => {
        sums::<T>(&a, &b, &mut pairs, threshold)
    })?;
    let indices = coordinates(&a, &b, &pairs)?;
    let shape = cx.input(2).clone();
    cx.set_output(0, indices);
    cx.set_output(1, values);
    cx.set_output(2, shape);
    Ok(())
}

/// The sums; pairs whose sum is below the threshold are dropped.
fn sums<T: Magnitude>(
    a: &Coo<'_>,
    b: &Coo<'_>,
    pairs: &mut Vec<(Option<usize>, Option<usize>)>,
    threshold: &Tensor,
) -> Result<Tensor> {
    let (x, y) = (a.values.as_slice::<T>()?, b.values.as_slice::<T>()?);
    let mut out = Vec::with_capacity(pairs.len());
    let mut problem = None;
    pairs.retain(|&(i, j)| match (i, j) {
        (Some(i), Some(j)) => {
            let sum = x[i].plus(y[j]);
            let keep = sum.at_least(threshold).unwrap_or_else(|e| {
                problem = Some(e);
                false
            });
            if keep {
                out.push(sum);
            }
            keep
        }
        (Some(i), None) => {
            out.push(x[i]);
            true
        }
        (None, Some(j)) => {
            out.push(y[j]);
            true
        }
        (None, None) => false,
    });
    match problem {
        Some(problem) => Err(problem),
        None => Tensor::vector(&out),
    }
}

fn grad_kernel(cx: &mut OpContext<'_>) -> Result<()> {
    let grad = cx.input(0);
    let tables = [cx.input(1), cx.input(2), cx.input(3)];
    if tables.iter().any(|t| t.rank() != 2) {
        return Err(Status::invalid_argument(format!(
            "Input indices should be matrices but received shapes: {} and {} and {}",
            tables[0].shape(),
            tables[1].shape(),
            tables[2].shape()
        )));
    }
    if grad.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "Input backprop_val_grad should be a vector but received shape: {}",
            grad.shape()
        )));
    }
    let rank = tables[2].dims()[1];
    if tables.iter().any(|t| t.dims()[1] != rank) {
        return Err(Status::invalid_argument(format!(
            "The densified operands should have the same ndims; for A, B, sum got: {}, {}, {rank}",
            tables[0].dims()[1],
            tables[1].dims()[1]
        )));
    }
    if grad.len() != tables[2].dims()[0] {
        return Err(Status::invalid_argument(format!(
            "# elements of backprop_val_grad and # rows of sum_indices should match (#nnz of sum): \
             got {} and {}",
            grad.len(),
            tables[2].dims()[0]
        )));
    }
    let sum = tables[2].as_slice::<i64>()?;
    let mut outputs = Vec::with_capacity(2);
    for table in &tables[..2] {
        let rows = table.as_slice::<i64>()?;
        let count = table.dims()[0];
        let mut output = Tensor::zeros(grad.dtype(), Shape::from([count]))?;
        dispatch_units!(grad.dtype(), T => {
            let source = T::view(grad)?;
            T::rewrite(&mut output, |out| {
                let mut k = 0;
                for (i, slot) in out.iter_mut().enumerate() {
                    let row = &rows[i * rank..(i + 1) * rank];
                    while k < source.len() && &sum[k * rank..(k + 1) * rank] < row {
                        k += 1;
                    }
                    if k < source.len() && &sum[k * rank..(k + 1) * rank] == row {
                        *slot = source[k].clone();
                    }
                }
                Ok(())
            })
        })?;
        outputs.push(output);
    }
    for (i, output) in outputs.into_iter().enumerate() {
        cx.set_output(i, output);
    }
    Ok(())
}

fn extreme(cx: &mut OpContext<'_>, largest: bool) -> Result<()> {
    let (a, b) = operands(cx)?;
    a.check_bounds()?;
    b.check_bounds()?;
    let pairs = merge(&a, &b);
    let op = if largest { "SparseSparseMaximum" } else { "SparseSparseMinimum" };
    let values = dispatch_real!(a.values.dtype(), op, T => {
        extremes::<T>(&a, &b, &pairs, largest)
    })?;
    let indices = coordinates(&a, &b, &pairs)?;
    cx.set_output(0, indices);
    cx.set_output(1, values);
    Ok(())
}

fn extremes<T: RealNumber>(
    a: &Coo<'_>,
    b: &Coo<'_>,
    pairs: &[(Option<usize>, Option<usize>)],
    largest: bool,
) -> Result<Tensor> {
    let (x, y) = (a.values.as_slice::<T>()?, b.values.as_slice::<T>()?);
    Tensor::build([pairs.len()], |out: &mut [T]| {
        for (slot, &(i, j)) in out.iter_mut().zip(pairs) {
            // A value missing on one side is zero there.
            let p = i.map_or(T::default(), |i| x[i]);
            let q = j.map_or(T::default(), |j| y[j]);
            *slot = if largest == (p < q) { q } else { p };
        }
    })
}

fn add_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = cx.with_rank(2, 1)?;
    cx.set_output(0, PartialShape::matrix(None, shape.dim(0)));
    cx.set_output(1, PartialShape::vector(None));
    cx.set_output(2, shape);
    Ok(())
}

fn grad_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (a, b) = (cx.with_rank(1, 2)?, cx.with_rank(2, 2)?);
    cx.set_output(0, PartialShape::vector(a.dim(0)));
    cx.set_output(1, PartialShape::vector(b.dim(0)));
    Ok(())
}

fn extreme_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    for (i, rank) in [2, 1, 1, 2, 1, 1].into_iter().enumerate() {
        cx.with_rank(i, rank)?;
    }
    cx.set_output(0, PartialShape::of_rank(2));
    cx.set_output(1, PartialShape::vector(None));
    Ok(())
}

fn add_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(1)?;
    let inputs = [grad, cx.input(0), cx.input(3), cx.output(0)];
    let node = cx.node_with("SparseAddGrad", &inputs, Attrs::new())?;
    let mut out = vec![Gradient::None; 7];
    out[1] = Gradient::Dense(Endpoint { node, port: 0 });
    out[4] = Gradient::Dense(Endpoint { node, port: 1 });
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn operands(op: &str, b_shape: i64) -> OpTest {
        OpTest::new(register, op)
            .input(Tensor::from_vec([2, 1], vec![0i64, 2]).unwrap())
            .input(Tensor::vector(&[1f32, -2.0]).unwrap())
            .input(Tensor::vector(&[4i64]).unwrap())
            .input(Tensor::from_vec([2, 1], vec![2i64, 3]).unwrap())
            .input(Tensor::vector(&[2.5f32, -4.0]).unwrap())
            .input(Tensor::vector(&[b_shape]).unwrap())
    }

    #[test]
    fn sums_below_the_threshold_vanish() {
        let out = operands("SparseAdd", 4).input(Tensor::scalar(0f32)).run().unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 2, 3]);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), &[1.0, 0.5, -4.0]);
        let out = operands("SparseAdd", 4).input(Tensor::scalar(1f32)).run().unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[0, 3]);
        assert!(operands("SparseAdd", 5).input(Tensor::scalar(0f32)).run().is_err());
    }

    #[test]
    fn missing_values_are_zero_for_extremes() {
        let out = operands("SparseSparseMaximum", 4).run().unwrap();
        assert_eq!(out[1].as_slice::<f32>().unwrap(), &[1.0, 2.5, 0.0]);
        let out = operands("SparseSparseMinimum", 4).run().unwrap();
        assert_eq!(out[1].as_slice::<f32>().unwrap(), &[0.0, -2.0, -4.0]);
        assert!(operands("SparseSparseMaximum", 3).run().is_err());
    }

    #[test]
    fn gradients_go_where_values_came_from() {
        let out = OpTest::new(register, "SparseAddGrad")
            .input(Tensor::vector(&[10f32, 20.0]).unwrap())
            .input(Tensor::from_vec([2, 1], vec![0i64, 2]).unwrap())
            .input(Tensor::from_vec([1, 1], vec![3i64]).unwrap())
            .input(Tensor::from_vec([2, 1], vec![0i64, 3]).unwrap())
            .run()
            .unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), &[10.0, 0.0]);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), &[20.0]);
    }
}
