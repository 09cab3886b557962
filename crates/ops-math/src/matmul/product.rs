//! The product of two stacks of matrices, which every operation of this family comes down to.

use downpour_gemm::{GemmElement, MatMut, MatRef, gemm};
use downpour_runtime::Parallel;
use downpour_tensor::broadcast::Broadcast;
use downpour_tensor::{Complex64, Complex128, DataType, Result, Shape, Status, Tensor};

use super::dispatch_gemm;

/// What happens to an operand's matrices before they are multiplied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Side {
    pub transpose: bool,
    /// Complex conjugation; nothing for real numbers.
    pub conjugate: bool,
}

impl Side {
    pub fn adjoint(yes: bool) -> Side {
        Side { transpose: yes, conjugate: yes }
    }
}

/// Multiplies the last two axes of tensors of one type; the axes before them broadcast.
pub(crate) fn multiply(
    parallel: &Parallel,
    op: &str,
    x: &Tensor,
    x_side: Side,
    y: &Tensor,
    y_side: Side,
) -> Result<Tensor> {
    for (i, t) in [x, y].into_iter().enumerate() {
        if t.rank() < 2 {
            return Err(Status::invalid_argument(format!(
                "{op}: In[{i}] ndims must be >= 2: {}",
                t.rank()
            )));
        }
    }
    let ((x_batch, x_matrix), (y_batch, y_matrix)) =
        (x.dims().split_at(x.rank() - 2), y.dims().split_at(y.rank() - 2));
    let oriented =
        |m: &[usize], side: Side| if side.transpose { (m[1], m[0]) } else { (m[0], m[1]) };
    let ((m, k), (k2, n)) = (oriented(x_matrix, x_side), oriented(y_matrix, y_side));
    let plan = Broadcast::new([x_batch, y_batch]).map_err(|_| {
        Status::invalid_argument(format!(
            "{op}: In[0] and In[1] must have compatible batch dimensions: {} vs. {}",
            x.shape(),
            y.shape()
        ))
    })?;
    if k != k2 {
        return Err(Status::invalid_argument(format!(
            "{op}: Matrix size-incompatible: In[0]: {}, In[1]: {}",
            x.shape(),
            y.shape()
        )));
    }
    let output: Shape = plan.output.iter().copied().chain([m, n]).collect();
    if x.is_empty() || y.is_empty() {
        return Tensor::zeros(x.dtype(), output);
    }
    let (x, y) = (conjugated(x, x_side)?, conjugated(y, y_side)?);
    dispatch_gemm!(x.dtype(), op, T => {
        let (xs, ys) = (x.as_slice::<T>()?, y.as_slice::<T>()?);
        let sizes = Sizes { m, n, k, x_side, y_side };
        Tensor::build(output, |out| stack::<T>(parallel, sizes, &plan, xs, ys, out))
    })
}

fn conjugated(t: &Tensor, side: Side) -> Result<Tensor> {
    match t.dtype() {
        DataType::Complex64 if side.conjugate => {
            let values = t.as_slice::<Complex64>()?.iter().map(|v| v.conj()).collect();
            Tensor::from_vec(t.shape(), values)
        }
        DataType::Complex128 if side.conjugate => {
            let values = t.as_slice::<Complex128>()?.iter().map(|v| v.conj()).collect();
            Tensor::from_vec(t.shape(), values)
        }
        _ => Ok(t.clone()),
    }
}

#[derive(Clone, Copy)]
struct Sizes {
    m: usize,
    n: usize,
    k: usize,
    x_side: Side,
    y_side: Side,
}

impl Sizes {
    fn one<T: GemmElement>(&self, parallel: &Parallel, x: &[T], y: &[T], out: &mut [T]) {
        let (m, n, k) = (self.m, self.n, self.k);
        let (xm, ym) = (self.x_side.transpose, self.y_side.transpose);
        let x = if xm { MatRef::new(x, k, m).t() } else { MatRef::new(x, m, k) };
        let y = if ym { MatRef::new(y, n, k).t() } else { MatRef::new(y, k, n) };
        gemm(parallel, T::ONE, x, y, T::ZERO, MatMut::new(out, m, n));
    }
}

fn stack<T: GemmElement>(
    parallel: &Parallel,
    sizes: Sizes,
    plan: &Broadcast<2>,
    x: &[T],
    y: &[T],
    out: &mut [T],
) {
    let Sizes { m, n, k, .. } = sizes;
    let (x_size, y_size, size) = (m * k, k * n, m * n);
    let batch = out.len() / size;
    let [x_step, y_step] = plan.inner_strides();
    // One y for many x that lie together: a single taller product.
    if !sizes.x_side.transpose && plan.dims.len() == 1 && (x_step, y_step) == (1, 0) {
        return Sizes { m: m * batch, ..sizes }.one(parallel, x, y, out);
    }
    let one = |parallel: &Parallel, index: usize, out: &mut [T]| {
        let (row, column) = (index / plan.inner(), index % plan.inner());
        plan.for_rows(row..row + 1, |_, [xi, yi]| {
            let (xi, yi) = ((xi + column * x_step) * x_size, (yi + column * y_step) * y_size);
            sizes.one(parallel, &x[xi..xi + x_size], &y[yi..yi + y_size], out);
        });
    };
    if batch >= parallel.limit() {
        let grain = (1 << 18) / (size * k) + 1;
        let serial = Parallel::serial();
        parallel.for_chunks(out, size, grain, |first, run| {
            for (i, out) in run.chunks_exact_mut(size).enumerate() {
                one(&serial, first + i, out);
            }
        });
    } else {
        for (i, out) in out.chunks_exact_mut(size).enumerate() {
            one(parallel, i, out);
        }
    }
}
