//! CTCLoss, whose blank is the last class, and CTCLossV2, whose blank is the first.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{CountedVec, Result, Status, Tensor, dispatch_over};

use super::Real;
use super::paths::{Outcome, Paths};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "CTCLoss(inputs: T, labels_indices: int64, labels_values: int32, sequence_length: int32) -> (loss: T, gradient: T)
                preprocess_collapse_repeated: bool = false
                ctc_merge_repeated: bool = true
                ignore_longer_outputs_than_inputs: bool = false
                T: {float, double} = float",
        )?
        .shape(shape)
        .gradient(gradient)
        .tolerance(1e-4),
        |build| kernel(build, false),
    )?;
    registry.add(
        OpSpec::new(
            "CTCLossV2(inputs: float, labels_indices: int64, labels_values: int32, sequence_length: int32) -> (loss: float, gradient: float)
                preprocess_collapse_repeated: bool = false
                ctc_merge_repeated: bool = true
                ignore_longer_outputs_than_inputs: bool = false",
        )?
        .shape(shape)
        .gradient(gradient)
        .tolerance(1e-4),
        |build| kernel(build, true),
    )
}

fn kernel(build: &KernelBuild<'_>, blank_first: bool) -> Result<KernelBox> {
    Ok(KernelBox::new(Loss {
        collapse: build.bool("preprocess_collapse_repeated")?,
        merge_repeated: build.bool("ctc_merge_repeated")?,
        ignore_longer: build.bool("ignore_longer_outputs_than_inputs")?,
        blank_first,
    }))
}

struct Loss {
    collapse: bool,
    merge_repeated: bool,
    ignore_longer: bool,
    blank_first: bool,
}

/// Sizes of the inputs, once they are known to fit.
struct Sizes {
    steps: usize,
    batch: usize,
    classes: usize,
}

impl Kernel for Loss {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let sizes = check(cx)?;
        let labels = group_labels(cx, sizes.batch)?;
        let lengths = lengths(cx, sizes.steps)?;
        let mut extended = Vec::with_capacity(sizes.batch);
        for (b, labels) in labels.iter().enumerate() {
            extended.push(self.extend(b, labels, lengths[b], sizes.classes)?);
        }
        let dtype = cx.input(0).dtype();
        let (loss, gradient) = dispatch_over!(dtype, cx.node().op_name(), T => {
            self.run::<T>(cx, &sizes, &labels, &lengths, &extended)
        }, Float: f32, Double: f64)?;
        cx.set_output(0, loss);
        cx.set_output(1, gradient);
        Ok(())
    }
}

fn invalid(message: impl Into<String>) -> Status {
    Status::invalid_argument(message)
}

fn check(cx: &OpContext<'_>) -> Result<Sizes> {
    let (inputs, indices, values, lengths) = (cx.input(0), cx.input(1), cx.input(2), cx.input(3));
    let &[steps, batch, classes] = inputs.dims() else {
        return Err(invalid("inputs is not a 3-Tensor"));
    };
    if lengths.rank() != 1 {
        return Err(invalid("sequence_length is not a vector"));
    }
    if indices.rank() != 2 {
        return Err(invalid("labels_indices is not a matrix"));
    }
    if indices.dims()[1] != 2 {
        return Err(invalid(format!(
            "labels_indices must have two columns, batch and position. Received {}",
            indices.dims()[1]
        )));
    }
    if values.rank() != 1 {
        return Err(invalid("labels_values is not a vector"));
    }
    if steps == 0 {
        return Err(invalid("Max time or first dimension of input cannot be 0."));
    }
    if batch != lengths.len() {
        return Err(invalid(format!(
            "len(sequence_length) != batch_size.  len(sequence_length):  {} batch_size: {batch}",
            lengths.len()
        )));
    }
    if indices.dims()[0] != values.len() {
        return Err(invalid(format!(
            "labels_indices and labels_values must contain the same number of rows, but saw \
             shapes: {} vs. {}",
            indices.shape(),
            values.shape()
        )));
    }
    if batch == 0 {
        return Err(invalid("batch_size must not be 0"));
    }
    if classes == 0 {
        return Err(invalid("inputs must have at least one class, the blank"));
    }
    Ok(Sizes { steps, batch, classes })
}

/// The labels of each sequence of the batch, from a sparse matrix in row-major order.
fn group_labels(cx: &OpContext<'_>, batch: usize) -> Result<Vec<Vec<i32>>> {
    let (indices, values) = (cx.input(1).as_slice::<i64>()?, cx.input(2).as_slice::<i32>()?);
    let mut labels = vec![Vec::new(); batch];
    let mut last: Option<(i64, i64)> = None;
    for (i, (index, &value)) in indices.chunks_exact(2).zip(values).enumerate() {
        let (row, column) = (index[0], index[1]);
        let bad = |what: &str| {
            invalid(format!(
                "label SparseTensor is not valid: indices[{i}] = [{row},{column}] is {what}"
            ))
        };
        if row < 0 || row as usize >= batch || column < 0 {
            return Err(bad("out of bounds: it must be inside the batch and not negative"));
        }
        match last {
            Some(before) if before == (row, column) => return Err(bad("repeated")),
            Some(before) if before > (row, column) => {
                return Err(bad("out of order. Many sparse ops require sorted indices.\n  Use \
                     `tf.sparse.reorder` to create a correctly ordered copy."));
            }
            _ => {}
        }
        last = Some((row, column));
        labels[row as usize].push(value);
    }
    Ok(labels)
}

fn lengths(cx: &OpContext<'_>, steps: usize) -> Result<Vec<usize>> {
    let lengths = cx.input(3).as_slice::<i32>()?;
    lengths
        .iter()
        .enumerate()
        .map(|(b, &length)| match usize::try_from(length) {
            Err(_) => Err(invalid(format!("seq_len({b}) < 0"))),
            Ok(length) if length > steps => {
                Err(invalid(format!("sequence_length({b}) <= {steps}")))
            }
            Ok(length) => Ok(length),
        })
        .collect()
}

impl Loss {
    fn blank(&self, classes: usize) -> usize {
        if self.blank_first { 0 } else { classes - 1 }
    }

    /// The labels of sequence `b` with blanks around them.
    fn extend(
        &self,
        b: usize,
        labels: &[i32],
        length: usize,
        classes: usize,
    ) -> Result<Vec<usize>> {
        if labels.is_empty() {
            return Err(invalid(format!("Labels length is zero in batch {b}")));
        }
        let joined = || labels.iter().map(i32::to_string).collect::<Vec<_>>().join(",");
        let blank = self.blank(classes);
        let mut extended = vec![blank];
        let mut finished = false;
        for (i, &label) in labels.iter().enumerate() {
            if i > 0 && self.collapse && label == labels[i - 1] {
                continue;
            }
            // Where the blank is the last class, labels from it on pad a sequence at its end.
            if !self.blank_first && i64::from(label) >= blank as i64 {
                finished = true;
                continue;
            }
            if finished {
                return Err(invalid(format!(
                    "Saw a non-null label (index >= num_classes - 1) following a null label, \
                     batch: {b} num_classes: {classes} labels: {}",
                    joined()
                )));
            }
            let class = usize::try_from(label).map_err(|_| {
                invalid(format!(
                    "All labels must be nonnegative integers, batch: {b} labels: {}",
                    joined()
                ))
            })?;
            if class >= classes || class == blank {
                return Err(invalid(format!(
                    "No label may be greater than num_classes or the blank. num_classes: \
                     {classes}, batch: {b} labels: {}",
                    joined()
                )));
            }
            extended.extend([class, blank]);
        }
        if !self.ignore_longer && labels.len() > length {
            return Err(invalid(format!(
                "Not enough time for target transition sequence (required: {}, available: \
                 {length}){b}You can turn this error into a warning by using the flag \
                 ignore_longer_outputs_than_inputs",
                labels.len()
            )));
        }
        Ok(extended)
    }

    fn run<T: Real>(
        &self,
        cx: &OpContext<'_>,
        sizes: &Sizes,
        labels: &[Vec<i32>],
        lengths: &[usize],
        extended: &[Vec<usize>],
    ) -> Result<(Tensor, Tensor)> {
        let inputs = cx.input(0).as_slice::<T>()?;
        let Sizes { steps, batch, classes } = *sizes;
        let mut outcomes: CountedVec<Result<Option<Outcome<T>>>> =
            CountedVec::build(batch, |_| Ok(Ok(None)))?;
        let token = cx.cancellation();
        let check = || token.check();
        cx.parallel().for_chunks(&mut outcomes, 1, 1, |first, run| {
            for (i, outcome) in run.iter_mut().enumerate() {
                let b = first + i;
                // A sequence without steps, or with more labels than steps, has no loss.
                if lengths[b] == 0 || labels[b].len() > lengths[b] {
                    continue;
                }
                let rows = (0..lengths[b]).map(|t| {
                    let at = (t * batch + b) * classes;
                    &inputs[at..at + classes]
                });
                let paths = Paths {
                    extended: &extended[b],
                    blank: self.blank(classes),
                    merge_repeated: self.merge_repeated,
                };
                *outcome = softmax(rows, lengths[b] * classes)
                    .and_then(|rows| paths.evaluate(rows, classes, &check))
                    .map(Some);
            }
        });
        let outcomes = CountedVec::build(batch, |b| std::mem::replace(&mut outcomes[b], Ok(None)))?;
        let loss = Tensor::build([batch], |out: &mut [T]| {
            for (o, outcome) in out.iter_mut().zip(outcomes.iter()) {
                *o = outcome.as_ref().map_or(T::zero(), |outcome| outcome.loss);
            }
        })?;
        let gradient = Tensor::build([steps, batch, classes], |out: &mut [T]| {
            out.fill(T::zero());
            for (b, outcome) in outcomes.iter().enumerate() {
                let Some(outcome) = outcome else { continue };
                for (t, row) in outcome.gradient.chunks_exact(classes).enumerate() {
                    let at = (t * batch + b) * classes;
                    out[at..at + classes].copy_from_slice(row);
                }
            }
        })?;
        Ok((loss, gradient))
    }
}

/// The rows, of `count` numbers together, as distributions.
fn softmax<'a, T: Real>(
    rows: impl Iterator<Item = &'a [T]>,
    count: usize,
) -> Result<CountedVec<T>> {
    let mut out = CountedVec::filled(count, T::zero())?;
    let mut start = 0;
    for row in rows {
        let out = &mut out[start..start + row.len()];
        let max = row.iter().copied().fold(T::neg_infinity(), T::max);
        out.iter_mut().zip(row).for_each(|(out, &v)| *out = (v - max).exp());
        let sum = out.iter().fold(T::zero(), |sum, &v| sum + v);
        out.iter_mut().for_each(|v| *v = *v / sum);
        start += row.len();
    }
    Ok(out)
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let inputs = cx.with_rank(0, 3)?;
    let indices = cx.with_rank(1, 2)?;
    let values = cx.with_rank(2, 1)?;
    let lengths = cx.with_rank(3, 1)?;
    cx.merge_dim(indices.dim(0), values.dim(0))?;
    let batch = cx.merge_dim(inputs.dim(1), lengths.dim(0))?;
    cx.set_output(0, PartialShape::vector(batch));
    cx.set_output(1, PartialShape::of([inputs.dim(0), batch, inputs.dim(2)]));
    Ok(())
}

/// The second output times the gradient of each sequence's loss; there is no second derivative.
fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    const MESSAGE: &str = "Currently there is no way to take the second derivative of ctc_loss due to the fused \
         implementation's interaction with tf.gradients()";
    let grad = cx.grad(0)?;
    let attrs = Attrs::new().with("message", MESSAGE);
    let fixed = cx.op_with("PreventGradient", &[cx.output(1)], attrs)?;
    let axis = cx.scalar(-1i32)?;
    let column = cx.op("ExpandDims", &[grad, axis])?;
    let product = cx.op("Mul", &[column, fixed])?;
    Ok(vec![Gradient::Dense(product), Gradient::None, Gradient::None, Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(
        op: &str,
        classes: &[f32],
        labels: &[(i64, i64, i32)],
        lengths: &[i32],
    ) -> Result<Vec<Tensor>> {
        let batch = lengths.len();
        let indices: Vec<i64> = labels.iter().flat_map(|l| [l.0, l.1]).collect();
        let values: Vec<i32> = labels.iter().map(|l| l.2).collect();
        let steps = classes.len() / (batch * 2);
        OpTest::new(register, op)
            .input(Tensor::from_slice([steps, batch, 2], classes).unwrap())
            .input(Tensor::from_slice([labels.len(), 2], &indices).unwrap())
            .input(Tensor::vector(&values).unwrap())
            .input(Tensor::vector(lengths).unwrap())
            .run()
    }

    #[test]
    fn the_blank_is_last_or_first() {
        let logits = [0.3f32.ln(), 0.7f32.ln(), 0.4f32.ln(), 0.6f32.ln()];
        let last = run("CTCLoss", &logits, &[(0, 0, 0)], &[2]).unwrap();
        assert!((last[0].as_slice::<f32>().unwrap()[0] + 0.58f32.ln()).abs() < 1e-5);
        let swapped = [logits[1], logits[0], logits[3], logits[2]];
        let first = run("CTCLossV2", &swapped, &[(0, 0, 1)], &[2]).unwrap();
        assert!((first[0].as_slice::<f32>().unwrap()[0] + 0.58f32.ln()).abs() < 1e-5);
    }

    #[test]
    fn inconsistent_arguments_are_refused() {
        let logits = [0.0f32; 4];
        let error = |labels: &[(i64, i64, i32)], lengths: &[i32]| {
            run("CTCLoss", &logits, labels, lengths).unwrap_err().message().to_string()
        };
        assert!(error(&[], &[2]).contains("Labels length is zero"));
        assert!(error(&[(1, 0, 0)], &[2]).contains("not valid"));
        assert!(error(&[(0, 0, -1)], &[2]).contains("nonnegative"));
        assert!(error(&[(0, 0, 0)], &[3]).contains("sequence_length(0) <= 2"));
        assert!(error(&[(0, 0, 0), (0, 1, 0)], &[1]).contains("Not enough time"));
        assert!(error(&[(0, 1, 0), (0, 0, 0)], &[2]).contains("out of order"));
    }

    #[test]
    fn labels_that_are_all_blank_have_a_path() {
        let out = run("CTCLoss", &[0.0f32; 4], &[(0, 0, 1)], &[2]).unwrap();
        assert!((out[0].as_slice::<f32>().unwrap()[0] - 4f32.ln()).abs() < 1e-5);
    }
}
