//! The kernel of `_FusedElementwise`.
//!
//! Protocol for one block. Steps run in order; each writes a scratch buffer that no later step still
//! reads (buffers are assigned when the kernel is made), the last one writes the output. When the
//! output takes over an input's memory, that input's values are still there until the last step, which
//! therefore needs a copy of them.

use downpour_graph::{OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Parallel, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};
use smallvec::SmallVec;

use super::rows::{AnyRow, FusedFloat, operand_shapes, row};
use super::steps::{Operand, Step, parse};
use crate::driver::{Cost, Elementwise, Shapes};

/// Elements of a block: a few buffers of them fit in the first-level cache.
const BLOCK: usize = 1024;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "_FusedElementwise(inputs: N * T) -> (output: T)
                N: int >= 1
                T: {float, double}
                program: list(string) >= 1",
        )?
        .shape(shape)
        .tolerance(1e-5),
        |build| match build.input_dtype(0) {
            DataType::Double => Ok(KernelBox::new(Fused::<f64>::new(build)?)),
            _ => Ok(KernelBox::new(Fused::<f32>::new(build)?)),
        },
    )
}

/// The program evaluated on shapes.
fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let steps = parse(&cx.node().strings("program")?, cx.inputs().len())?;
    let mut results: Vec<PartialShape> = Vec::with_capacity(steps.len());
    for step in &steps {
        let mut result = PartialShape::scalar();
        // Those that do not broadcast have the shape of their first operand.
        let operands = match operand_shapes(&step.op) {
            Shapes::Broadcast => &step.operands[..],
            _ => &step.operands[..1],
        };
        for operand in operands {
            let operand = match operand {
                Operand::Input(i) => cx.input(*i),
                Operand::Step(i) => &results[*i],
                Operand::Constant(_) => continue,
            };
            result = shapes::broadcast(&result, operand).map_err(|e| e.context(cx.describe()))?;
        }
        results.push(result);
    }
    if let Some(last) = results.pop() {
        cx.set_output(0, last);
    }
    Ok(())
}

struct CompiledStep<T> {
    row: AnyRow<T>,
    operands: Vec<Operand>,
    /// The values of constant operands, at their places.
    constants: [T; 3],
    /// The scratch buffer this step writes; meaningless for the last one.
    target: usize,
    shapes: Shapes,
}

struct Fused<T> {
    steps: Vec<CompiledStep<T>>,
    /// For each step, the scratch buffer its result lies in.
    homes: Vec<usize>,
    buffers: usize,
    inputs: usize,
}

impl<T: FusedFloat> Fused<T> {
    fn new(build: &KernelBuild<'_>) -> Result<Fused<T>> {
        let inputs = build.input_types.len();
        let steps = parse(&build.strings("program")?, inputs)?;
        let (homes, buffers) = assign_buffers(&steps);
        let compiled = steps.into_iter().enumerate().map(|(i, step)| {
            let row =
                row::<T>(&step.op).ok_or_else(|| Status::internal("a parsed step has no row"))?;
            let mut constants = [T::default(); 3];
            for (value, operand) in constants.iter_mut().zip(&step.operands) {
                if let Operand::Constant(c) = operand {
                    *value = T::constant(*c);
                }
            }
            let (target, shapes) = (homes[i], operand_shapes(&step.op));
            Ok(CompiledStep { row, operands: step.operands, constants, target, shapes })
        });
        Ok(Fused { steps: compiled.collect::<Result<_>>()?, homes, buffers, inputs })
    }

    fn run(&self, mut tensors: Vec<Tensor>, parallel: &Parallel) -> Result<Tensor> {
        let Some(shape) = common_shape(&tensors) else {
            return self.step_by_step(&tensors, parallel);
        };
        let elements = shape.elements();
        if elements == 0 || !self.reaches(&tensors, &shape) {
            return self.step_by_step(&tensors, parallel);
        }
        if elements == 1 {
            return self.run_single(&tensors, shape);
        }
        let reuse = tensors.iter_mut().position(|t| t.len() == elements && t.is_unique());
        let mut out = match reuse {
            Some(k) => std::mem::replace(&mut tensors[k], Tensor::scalar(T::default()))
                .into_shape(shape)?,
            None => Tensor::new(T::TYPE, shape)?,
        };
        let sources = tensors
            .iter()
            .enumerate()
            .map(|(k, tensor)| match tensor.as_slice::<T>()? {
                _ if reuse == Some(k) => Ok(Source::Output),
                [value] => Ok(Source::Scalar(*value)),
                values => Ok(Source::Full(values)),
            })
            .collect::<Result<Vec<_>>>()?;
        let values = out
            .as_mut_slice::<T>()
            .ok_or_else(|| Status::internal("an output that should be writable is shared"))?;
        let grain = (16 * 1024 / self.steps.len()).max(BLOCK);
        parallel.for_chunks(values, 1, grain, |first, run| self.run_chunk(&sources, first, run));
        Ok(out)
    }

    /// One element: no blocks, no scratch buffers, every step's result at its own place.
    fn run_single(&self, tensors: &[Tensor], shape: Shape) -> Result<Tensor> {
        let inputs = tensors
            .iter()
            .map(|tensor| tensor.as_slice::<T>())
            .collect::<Result<SmallVec<[&[T]; 8]>>>()?;
        let mut results = vec![T::default(); self.steps.len()];
        for (i, step) in self.steps.iter().enumerate() {
            let (earlier, rest) = results.split_at_mut(i);
            let operand = |j: usize| match step.operands.get(j) {
                None => &[],
                Some(Operand::Step(s)) => std::slice::from_ref(&earlier[*s]),
                Some(Operand::Constant(_)) => std::slice::from_ref(&step.constants[j]),
                Some(Operand::Input(k)) => inputs[*k],
            };
            step.row.apply([operand(0), operand(1), operand(2)], &mut rest[..1]);
        }
        Tensor::build(shape, |out: &mut [T]| out.copy_from_slice(&results[results.len() - 1..]))
    }

    /// True when the result has the shape of the full inputs (the last step depends on one of them), and both
    /// operands of every step that does not broadcast have it too.
    fn reaches(&self, tensors: &[Tensor], shape: &Shape) -> bool {
        let mut full = vec![false; self.steps.len()];
        for (i, step) in self.steps.iter().enumerate() {
            let is_full = |operand: &Operand| match operand {
                Operand::Input(k) => tensors[*k].shape() == shape,
                Operand::Step(s) => full[*s],
                Operand::Constant(_) => shape.is_scalar(),
            };
            if step.shapes != Shapes::Broadcast && !step.operands[..2].iter().all(is_full) {
                return false;
            }
            full[i] = step.operands.iter().any(is_full);
        }
        full.last().copied().unwrap_or(false)
    }

    fn run_chunk(&self, sources: &[Source<'_, T>], first: usize, run: &mut [T]) {
        let block = run.len().min(BLOCK);
        let mut scratch: Vec<Vec<T>> = vec![vec![T::default(); block]; self.buffers];
        // Inputs of one element, repeated.
        let scalars: Vec<Vec<T>> = sources
            .iter()
            .map(|source| match source {
                Source::Scalar(value) => vec![*value; block],
                _ => Vec::new(),
            })
            .collect();
        let constants: Vec<Vec<Vec<T>>> = self
            .steps
            .iter()
            .map(|step| step.operands.iter().map(|o| repeated(o, block)).collect())
            .collect();
        let keeps_input = sources.iter().any(|s| matches!(s, Source::Output));
        let mut own = vec![T::default(); if keeps_input { block } else { 0 }];
        let mut start = first;
        let last = self.steps.len() - 1;
        for piece in run.chunks_mut(BLOCK) {
            let n = piece.len();
            if keeps_input {
                own[..n].copy_from_slice(piece);
            }
            for (i, step) in self.steps.iter().enumerate() {
                let mut target = match i == last {
                    true => Vec::new(),
                    false => std::mem::take(&mut scratch[step.target]),
                };
                let operand = |j: usize| -> &[T] {
                    match step.operands.get(j) {
                        None => &[],
                        Some(Operand::Step(s)) => &scratch[self.homes[*s]][..n],
                        Some(Operand::Constant(_)) => &constants[i][j][..n],
                        Some(Operand::Input(k)) => match &sources[*k] {
                            Source::Full(values) => &values[start..start + n],
                            Source::Scalar(_) => &scalars[*k][..n],
                            Source::Output => &own[..n],
                        },
                    }
                };
                let inputs = [operand(0), operand(1), operand(2)];
                if i == last {
                    step.row.apply(inputs, piece);
                } else {
                    step.row.apply(inputs, &mut target[..n]);
                    scratch[step.target] = target;
                }
            }
            start += n;
        }
    }

    /// One operation after the other, with all of broadcasting.
    fn step_by_step(&self, tensors: &[Tensor], parallel: &Parallel) -> Result<Tensor> {
        let mut results: Vec<Tensor> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let operand = |j: usize| match step.operands[j] {
                Operand::Input(k) => tensors[k].clone(),
                Operand::Step(s) => results[s].clone(),
                Operand::Constant(c) => Tensor::scalar(T::constant(c)),
            };
            let second = match step.shapes {
                Shapes::Broadcast => None,
                shapes => {
                    let (first, second) = (operand(0), operand(1));
                    shapes.check(first.shape(), second.shape())?;
                    Some(second.into_shape(first.shape())?)
                }
            };
            let second = || second.clone().unwrap_or_else(|| operand(1));
            let cost = Cost::Cheap;
            let result = match step.row {
                AnyRow::One(row) => Elementwise::plain(cost, row).apply([operand(0)], parallel),
                AnyRow::Two(row) => {
                    Elementwise::plain(cost, row).apply([operand(0), second()], parallel)
                }
                AnyRow::Three(row) => Elementwise::plain(cost, row)
                    .apply([operand(0), second(), operand(2)], parallel),
            };
            results.push(result?);
        }
        results.pop().ok_or_else(|| Status::internal("a program has at least one step"))
    }
}

fn repeated<T: FusedFloat>(operand: &Operand, block: usize) -> Vec<T> {
    match operand {
        Operand::Constant(c) => vec![T::constant(*c); block],
        _ => Vec::new(),
    }
}

enum Source<'a, T> {
    Full(&'a [T]),
    Scalar(T),
    /// The output's memory held this input.
    Output,
}

/// The shape all tensors have but for single elements of no higher rank; `None` where they differ.
fn common_shape(tensors: &[Tensor]) -> Option<Shape> {
    let largest = tensors.iter().max_by_key(|t| (t.len() != 1, t.rank()))?;
    let fits =
        |t: &Tensor| t.shape() == largest.shape() || (t.len() == 1 && t.rank() <= largest.rank());
    tensors.iter().all(fits).then(|| largest.shape().clone())
}

/// Assigns each step a scratch buffer that is free from its definition to its last use.
fn assign_buffers(steps: &[Step]) -> (Vec<usize>, usize) {
    let mut last_use = vec![0; steps.len()];
    for (i, step) in steps.iter().enumerate() {
        for operand in &step.operands {
            if let Operand::Step(s) = operand {
                last_use[*s] = i;
            }
        }
    }
    let mut homes = vec![0; steps.len()];
    // For each buffer, the step until which (inclusive) it is taken.
    let mut taken_until: Vec<usize> = Vec::new();
    for i in 0..steps.len() {
        let until = last_use[i].max(i);
        match taken_until.iter().position(|&end| end < i) {
            Some(free) => {
                taken_until[free] = until;
                homes[i] = free;
            }
            None => {
                homes[i] = taken_until.len();
                taken_until.push(until);
            }
        }
    }
    (homes, taken_until.len())
}

impl<T: FusedFloat> Kernel for Fused<T> {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let tensors = (0..self.inputs).map(|i| cx.take(i)).collect();
        let out = self.run(tensors, cx.parallel())?;
        cx.set_output(0, out);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
