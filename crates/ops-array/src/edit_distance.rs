//! EditDistance: how many edits turn one sequence into another, for sparse batches of sequences.

use std::ops::Range;

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, DataType, Result, Shape, Status, Tensor, dispatch_plain};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "EditDistance(hypothesis_indices: int64, hypothesis_values: T, hypothesis_shape: int64, truth_indices: int64, truth_values: T, truth_shape: int64) -> (output: float)
                normalize: bool = true
                T: type",
        )?
        .shape(infer)
        .not_differentiable(),
        |build| Ok(KernelBox::new(EditDistance { normalize: build.bool("normalize")? })),
    )
}

struct EditDistance {
    normalize: bool,
}

impl Kernel for EditDistance {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let hypothesis = Sequences::new(cx, 0, "hypothesis")?;
        let truth = Sequences::new(cx, 3, "truth")?;
        if truth.shape.rank() < 2 {
            return Err(Status::invalid_argument(format!(
                "Input SparseTensors must have rank at least 2, but truth_shape rank is: {}",
                truth.shape.rank()
            )));
        }
        if truth.shape.rank() != hypothesis.shape.rank() {
            return Err(Status::invalid_argument(format!(
                "Expected truth and hypothesis to have matching ranks, but they are: {} and {}",
                truth.shape.rank(),
                hypothesis.shape.rank()
            )));
        }
        let outer = truth.shape.rank() - 1;
        let dims: Vec<i64> =
            (0..outer).map(|i| truth.shape[i].max(hypothesis.shape[i]) as i64).collect();
        let shape = Shape::from_i64(&dims)?;
        if shape.elements() == 0 {
            return Err(Status::invalid_argument(format!(
                "Got output shape {shape} which has 0 elements"
            )));
        }
        let (hypothesis_values, truth_values) = (cx.input(1), cx.input(4));
        let mut output = Tensor::zeros(DataType::Float, &shape)?;
        let out = output
            .as_mut_slice::<f32>()
            .ok_or_else(|| Status::internal("a new tensor is shared"))?;
        match truth_values.dtype() {
            DataType::String => {
                let (h, t) = (hypothesis_values.strings()?, truth_values.strings()?);
                self.fill(cx, out, &shape, (&hypothesis, h), (&truth, t))?;
            }
            dtype => dispatch_plain!(dtype, "EditDistance", T => {
                let h = hypothesis_values.as_slice::<T>()?;
                let t = truth_values.as_slice::<T>()?;
                self.fill(cx, out, &shape, (&hypothesis, h), (&truth, t))
            })?,
        }
        cx.set_output(0, output);
        Ok(())
    }
}

/// A sparse tensor whose last axis runs along the sequences.
struct Sequences<'a> {
    shape: Shape,
    /// Each sequence's place in the outer axes and its run of values, in the order given.
    groups: CountedVec<(&'a [i64], Range<usize>)>,
}

impl<'a> Sequences<'a> {
    fn new(cx: &'a OpContext<'_>, first: usize, name: &str) -> Result<Sequences<'a>> {
        let (indices, values, shape) = (cx.input(first), cx.input(first + 1), cx.input(first + 2));
        for (tensor, part, rank, word) in [
            (indices, "indices", 2, "matrix"),
            (values, "values", 1, "vector"),
            (shape, "shape", 1, "vector"),
        ] {
            if tensor.rank() != rank {
                return Err(Status::invalid_argument(format!(
                    "{name}_{part} should be a {word}, but got shape: {}",
                    tensor.shape()
                )));
            }
        }
        if values.len() != indices.dims()[0] || shape.len() != indices.dims()[1] {
            return Err(Status::invalid_argument(format!(
                "Expected {name}_values.NumElements == #rows({name}_indices) and \
                 {name}_shape.NumElements == #cols({name}_indices), their shapes are: {}, {} and {}",
                values.shape(),
                shape.shape(),
                indices.shape()
            )));
        }
        let shape = Shape::from_i64(&shape.to_i64_vec()?)?;
        let indices = indices.as_slice::<i64>()?;
        let rank = shape.rank();
        let mut groups: CountedVec<(&[i64], Range<usize>)> = CountedVec::new();
        if rank > 0 {
            for (i, index) in indices.chunks_exact(rank).enumerate() {
                let place = &index[..rank - 1];
                match groups.last_mut() {
                    Some((last, range)) if *last == place => range.end = i + 1,
                    _ => groups.push((place, i..i + 1))?,
                }
            }
        }
        Ok(Sequences { shape, groups })
    }
}

impl EditDistance {
    fn fill<T: PartialEq>(
        &self,
        cx: &OpContext<'_>,
        out: &mut [f32],
        shape: &Shape,
        (hypothesis, hypothesis_values): (&Sequences<'_>, &[T]),
        (truth, truth_values): (&Sequences<'_>, &[T]),
    ) -> Result<()> {
        let (mut hypotheses, mut truths) =
            (hypothesis.groups.iter().peekable(), truth.groups.iter().peekable());
        loop {
            let order = match (hypotheses.peek(), truths.peek()) {
                (None, None) => return Ok(()),
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some(h), Some(t)) => h.0.cmp(t.0),
            };
            let h = if order.is_le() { hypotheses.next() } else { None };
            let t = if order.is_ge() { truths.next() } else { None };
            let Some((place, _)) = h.or(t) else { return Ok(()) };
            let place = locate(place, shape)?;
            let length = |group: Option<&(&[i64], Range<usize>)>| group.map_or(0, |g| g.1.len());
            out[place] = match (h, t) {
                (Some(h), Some(t)) => {
                    let (a, b) = (&truth_values[t.1.clone()], &hypothesis_values[h.1.clone()]);
                    let edits = distance(a, b, || cx.check_cancelled())? as f32;
                    if self.normalize { edits / t.1.len() as f32 } else { edits }
                }
                // Everything of a hypothesis without truth is wrong, beyond any proportion.
                (Some(_), None) if self.normalize => f32::INFINITY,
                (Some(_), None) => length(h) as f32,
                _ if self.normalize => 1.0,
                _ => length(t) as f32,
            };
        }
    }
}

/// The flat position of a sequence in the output.
fn locate(place: &[i64], shape: &Shape) -> Result<usize> {
    let outside = place.iter().zip(shape.iter()).any(|(&i, &size)| i < 0 || i >= size as i64);
    let position = place
        .iter()
        .zip(shape.iter())
        .fold(0i64, |at, (&i, &size)| at.wrapping_mul(size as i64).wrapping_add(i));
    if outside {
        return Err(Status::invalid_argument(format!(
            "Got an inner product {position} which would require writing to outside of the buffer \
             for the output tensor (max elements {})",
            shape.elements()
        )));
    }
    Ok(position as usize)
}

/// Levenshtein's distance: insertions, deletions and replacements. It takes time with the product of the lengths, so
/// `check` is asked for each element of `a` whether anybody still waits.
fn distance<T: PartialEq>(a: &[T], b: &[T], check: impl Fn() -> Result<()>) -> Result<usize> {
    let mut costs = CountedVec::build(b.len() + 1, Ok)?;
    for (i, x) in a.iter().enumerate() {
        check()?;
        let mut diagonal = costs[0];
        costs[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + (x != y) as usize;
            diagonal = costs[j + 1];
            costs[j + 1] = replaced.min(diagonal + 1).min(costs[j] + 1);
        }
    }
    Ok(costs[b.len()])
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (Some(h), Some(t)) = (cx.constant_ints(2), cx.constant_ints(5)) else { return Ok(()) };
    if h.len() != t.len() || h.is_empty() {
        return Ok(());
    }
    let dims: Vec<i64> = h.iter().zip(&t).map(|(&a, &b)| a.max(b)).collect();
    cx.set_output(0, PartialShape::from_i64(&dims[..dims.len() - 1])?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    type Sparse<'a> = (&'a [[i64; 2]], &'a [&'static str], [i64; 2]);

    fn run(hypothesis: Sparse<'_>, truth: Sparse<'_>, normalize: bool) -> Result<Tensor> {
        test(hypothesis, truth, normalize).run_one()
    }

    fn test(hypothesis: Sparse<'_>, truth: Sparse<'_>, normalize: bool) -> OpTest {
        let mut test = OpTest::new(register, "EditDistance").attr("normalize", normalize);
        for (indices, values, shape) in [hypothesis, truth] {
            let flat: Vec<i64> = indices.concat();
            let strings = values.iter().map(|&v| v.into()).collect();
            test = test
                .input(Tensor::from_vec([indices.len(), 2], flat).unwrap())
                .input(Tensor::from_strings([values.len()], strings).unwrap())
                .input(Tensor::vector(&shape).unwrap());
        }
        test
    }

    #[test]
    fn a_cancelled_step_is_not_worked_for() {
        let sequence: Sparse<'_> = (&[[0, 0]], &["a"], [1, 1]);
        let status = test(sequence, sequence, false).cancelled().run_one().unwrap_err();
        assert_eq!(status.code(), downpour_tensor::Code::Cancelled);
    }

    #[test]
    fn distances_per_sequence() {
        let hypothesis: Sparse<'_> = (&[[0, 0], [1, 0], [1, 1]], &["a", "b", "c"], [2, 2]);
        let truth: Sparse<'_> = (&[[0, 0], [0, 1], [2, 0]], &["a", "x", "y"], [3, 2]);
        let y = run(hypothesis, truth, false).unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[1.0, 2.0, 1.0]);
        let y = run(hypothesis, truth, true).unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[0.5, f32::INFINITY, 1.0]);
    }

    #[test]
    fn forged_sparse_tensors_are_refused() {
        let good: Sparse<'_> = (&[[0, 0]], &["a"], [1, 1]);
        let outside = run((&[[5, 0]], &["a"], [1, 1]), good, true);
        assert_eq!(outside.unwrap_err().code(), downpour_tensor::Code::InvalidArgument);
        assert!(run((&[[-1, 0]], &["a"], [1, 1]), good, true).is_err());
        assert!(run((&[[0, 0]], &["a", "b"], [1, 1]), good, true).is_err());
        assert!(run((&[], &[], [0, 1]), (&[], &[], [0, 1]), true).is_err());
    }

    #[test]
    fn edits() {
        assert_eq!(distance(b"kitten", b"sitting", || Ok(())).unwrap(), 3);
        assert_eq!(distance(b"", b"abc", || Ok(())).unwrap(), 3);
        assert_eq!(distance(b"abc", b"abc", || Ok(())).unwrap(), 0);
    }
}
