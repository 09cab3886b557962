//! The kernel of every element-wise operation.
//!
//! Protocol. The output is walked in blocks. For each block every operand becomes a contiguous slice:
//! its own memory where it lies like the output, a block filled with its value where it is a single
//! element, a gathered copy where it is broadcast along some axes. Then the row function runs. When
//! the output takes over the memory of an operand (sole owner, same type and size), that operand's
//! block is copied out before the row function overwrites it: the copy stays in cache, while a second
//! large buffer would not.

use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Parallel};
use downpour_tensor::broadcast::Broadcast;
use downpour_tensor::{DataType, Element, Result, Shape, Status, Tensor};

use super::plan::{Block, Source, block, gather, output_shape};
use super::{BLOCK, Row, computed_type, narrow, widen};

/// How much one element takes; decides when a loop is worth several threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cost {
    /// Arithmetic: bound by memory.
    Cheap,
    /// A transcendental function.
    Moderate,
    /// Series and continued fractions.
    Heavy,
}

impl Cost {
    /// Elements that take about ten microseconds or more.
    fn grain(self) -> usize {
        match self {
            Cost::Cheap => 32 * 1024,
            Cost::Moderate => 4 * 1024,
            Cost::Heavy => 256,
        }
    }
}

/// What shapes the operands may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shapes {
    Broadcast,
    /// Equal element counts; the result has the first operand's shape (gradients of functions).
    SameSize,
    /// The same shape (gradients of activations).
    Same,
}

impl Shapes {
    /// Refuses two operands that do not fit together. Whether shapes broadcast shows when the result's is computed.
    pub(crate) fn check(self, first: &Shape, second: &Shape) -> Result<()> {
        let problem = match self {
            Shapes::SameSize if second.elements() != first.elements() => format!(
                "The two arguments to a cwise op must have same number of elements, got {} and {} \
                 (their shapes are {first} and {second})",
                first.elements(),
                second.elements(),
            ),
            Shapes::Same if second != first => format!(
                "Inputs must have the same size and shape.  Input 0: {first} != input 1: {second}"
            ),
            _ => return Ok(()),
        };
        Err(Status::invalid_argument(problem))
    }
}

/// Refuses values of the last operand (a zero divisor).
pub(crate) type Check<A> = fn(&[A]) -> Result<()>;

/// Copies elements of the output where inputs are of the same type.
type Reread<O, A> = fn(&[O], &mut [A]);

pub(crate) struct Elementwise<A: Element, O: Element, const N: usize> {
    row: Row<A, O, N>,
    /// Copies output elements back as input elements, where the two are one type.
    reread: Option<Reread<O, A>>,
    check: Option<Check<A>>,
    /// A scalar that takes the place of the last operand (an attribute such as `alpha`).
    parameter: Option<Tensor>,
    cost: Cost,
    shapes: Shapes,
    output: DataType,
}

impl<A: Element, const N: usize> Elementwise<A, A, N> {
    /// A kernel whose output has its inputs' type.
    pub(crate) fn same(build: &KernelBuild<'_>, cost: Cost, row: Row<A, A, N>) -> Self {
        Elementwise { output: build.output_dtype(0), ..Elementwise::plain(cost, row) }
    }

    /// Like `same`, for use without a node.
    pub(crate) fn plain(cost: Cost, row: Row<A, A, N>) -> Self {
        Elementwise {
            row,
            reread: Some(|from, to| to.copy_from_slice(from)),
            check: None,
            parameter: None,
            cost,
            shapes: Shapes::Broadcast,
            output: A::DTYPE,
        }
    }
}

impl<A: Element, O: Element, const N: usize> Elementwise<A, O, N> {
    pub(crate) fn new(build: &KernelBuild<'_>, cost: Cost, row: Row<A, O, N>) -> Self {
        Elementwise {
            row,
            reread: None,
            check: None,
            parameter: None,
            cost,
            shapes: Shapes::Broadcast,
            output: build.output_dtype(0),
        }
    }

    pub(crate) fn unsupported(build: &KernelBuild<'_>) -> Status {
        Status::unimplemented(format!(
            "{} has no CPU kernel for {}; cast its inputs to a supported type",
            build.op_name(),
            build.input_dtype(0)
        ))
    }

    pub(crate) fn check(mut self, check: Check<A>) -> Self {
        self.check = Some(check);
        self
    }

    pub(crate) fn parameter(mut self, value: A) -> Self {
        self.parameter = Some(Tensor::scalar(value));
        self
    }

    pub(crate) fn same_size(mut self) -> Self {
        self.shapes = Shapes::SameSize;
        self
    }

    pub(crate) fn same_shape(mut self) -> Self {
        self.shapes = Shapes::Same;
        self
    }

    pub(crate) fn boxed(self) -> KernelBox {
        KernelBox::new(self)
    }

    /// Computes from operands of the row's own type.
    pub(crate) fn apply(&self, mut operands: [Tensor; N], parallel: &Parallel) -> Result<Tensor> {
        if operands.iter().all(|t| t.rank() == 0) {
            return self.apply_scalars(operands);
        }
        let shape = match self.shapes {
            Shapes::Broadcast => output_shape(&operands)?,
            shapes => {
                let first = operands[0].shape();
                for other in &operands[1..N - self.parameter.is_some() as usize] {
                    shapes.check(first, other.shape())?;
                }
                first.clone()
            }
        };
        let elements = downpour_tensor::checked_elements(&shape)?;
        if elements == 0 {
            return Tensor::new(O::DTYPE, shape);
        }
        if let Some(check) = self.check {
            check(operands[N - 1].as_slice::<A>()?)?;
        }
        let reuse = match self.reread {
            Some(_) => operands.iter_mut().position(|t| t.len() == elements && t.is_unique()),
            None => None,
        };
        let mut operands = operands.map(Some);
        let mut out = match reuse.and_then(|k| operands[k].take()) {
            Some(operand) => operand.into_shape(shape.clone())?,
            None => Tensor::new(O::DTYPE, shape.clone())?,
        };
        let mut sources: [Source<'_, A>; N] = [Source::Output; N];
        let mut strided = false;
        for (k, operand) in operands.iter().enumerate() {
            // The one that was taken is the output now.
            let Some(operand) = operand else { continue };
            let values = operand.as_slice::<A>()?;
            sources[k] = match values {
                [value] => Source::Scalar(*value),
                _ if values.len() == elements => Source::Full(values),
                _ => Source::Strided(values),
            };
            strided |= matches!(sources[k], Source::Strided(_));
        }
        let values = out
            .as_mut_slice::<O>()
            .ok_or_else(|| Status::internal("an output that should be writable is shared"))?;
        if strided {
            let dims = |k: usize| operands[k].as_ref().map_or(&shape[..], Tensor::dims);
            let plan = Broadcast::<N>::new(std::array::from_fn(dims))?;
            self.fill_strided(&plan, &sources, values, parallel);
        } else {
            self.fill_flat(&sources, values, parallel);
        }
        Ok(out)
    }

    /// Nothing but single numbers: no plan, no buffers, no threads.
    fn apply_scalars(&self, mut operands: [Tensor; N]) -> Result<Tensor> {
        let mut values = [A::default(); N];
        for (value, operand) in values.iter_mut().zip(&operands) {
            *value = operand.to_scalar::<A>()?;
        }
        if let Some(check) = self.check {
            check(&values[N - 1..])?;
        }
        let inputs = values.each_ref().map(std::slice::from_ref);
        for k in 0..N {
            if let Some(out) = operands[k].as_mut_slice::<O>() {
                (self.row)(inputs, out);
                return Ok(operands.into_iter().nth(k).expect("k counts the operands"));
            }
        }
        let mut one = [O::default()];
        (self.row)(inputs, &mut one);
        Ok(Tensor::scalar(one[0]))
    }

    fn fill_flat(&self, sources: &[Source<'_, A>; N], out: &mut [O], parallel: &Parallel) {
        let whole = sources.iter().all(|s| matches!(s, Source::Full(_)));
        parallel.for_chunks(out, 1, self.cost.grain(), |first, run| {
            if whole {
                let inputs = std::array::from_fn(|k| match sources[k] {
                    Source::Full(values) => &values[first..first + run.len()],
                    _ => &[],
                });
                return (self.row)(inputs, run);
            }
            let mut buffers = self.buffers(sources, run.len());
            let mut start = first;
            for piece in run.chunks_mut(BLOCK) {
                self.run_block(sources, &mut buffers, start, piece, [None; N]);
                start += piece.len();
            }
        });
    }

    fn fill_strided(
        &self,
        plan: &Broadcast<N>,
        sources: &[Source<'_, A>; N],
        out: &mut [O],
        parallel: &Parallel,
    ) {
        let inner = plan.inner();
        let grain = self.cost.grain().div_ceil(inner).max(1);
        parallel.for_chunks(out, inner, grain, |row, run| {
            let mut buffers = self.buffers(sources, run.len());
            let base = row * inner;
            let rows = row..row + run.len() / inner;
            gather(plan, sources, rows, |start, len, gathered| {
                let piece = &mut run[start - base..start - base + len];
                self.run_block(sources, &mut buffers, start, piece, gathered);
            });
        });
    }

    /// Buffers for the operands that need one, scalars already filled in.
    fn buffers(&self, sources: &[Source<'_, A>; N], len: usize) -> [Block<A>; N] {
        std::array::from_fn(|k| match sources[k] {
            Source::Scalar(value) => Block::from_elem(value, len.min(BLOCK)),
            Source::Output => block(len),
            _ => Block::new(),
        })
    }

    /// One block of at most `BLOCK` elements, which begins at `start` in the output.
    fn run_block(
        &self,
        sources: &[Source<'_, A>; N],
        buffers: &mut [Block<A>; N],
        start: usize,
        out: &mut [O],
        gathered: [Option<&[A]>; N],
    ) {
        let len = out.len();
        for k in 0..N {
            if let (Source::Output, Some(reread)) = (&sources[k], self.reread) {
                reread(out, &mut buffers[k][..len]);
            }
        }
        let buffers = &*buffers;
        let inputs = std::array::from_fn(|k| match sources[k] {
            Source::Full(values) => &values[start..start + len],
            Source::Strided(_) => gathered[k].unwrap_or(&[]),
            Source::Scalar(_) | Source::Output => &buffers[k][..len],
        });
        (self.row)(inputs, out);
    }
}

impl<A: Element, O: Element, const N: usize> Kernel for Elementwise<A, O, N> {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let inputs = N - self.parameter.is_some() as usize;
        let mut operands: [Tensor; N] = std::array::from_fn(|k| match &self.parameter {
            Some(parameter) if k == inputs => parameter.clone(),
            _ => cx.take(k),
        });
        if A::DTYPE == DataType::Float {
            for operand in &mut operands {
                if computed_type(operand.dtype()) != operand.dtype() {
                    *operand = widen(operand.clone(), cx.parallel())?;
                }
            }
        }
        let mut out = self.apply(operands, cx.parallel())?;
        if out.dtype() != self.output {
            out = narrow(out, self.output, cx.parallel())?;
        }
        cx.set_output(0, out);
        Ok(())
    }
}
