//! CTCGreedyDecoder takes the best class of each step, CTCBeamSearchDecoder the best sequences.

use downpour_graph::{Dim, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor, dispatch_over};

use super::Real;
use super::beam_search::BeamSearch;
use super::paths::Check;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "CTCGreedyDecoder(inputs: T, sequence_length: int32) -> (decoded_indices: int64, decoded_values: int64, decoded_shape: int64, log_probability: T)
                merge_repeated: bool = false
                blank_index: int = -1
                T: {float, double} = float",
        )?
        .shape(|cx| shape(cx, Some(1)))
        .not_differentiable(),
        |build| {
            Ok(KernelBox::new(Greedy {
                merge_repeated: build.bool("merge_repeated")?,
                blank: build.int("blank_index")?,
            }))
        },
    )?;
    registry.add(
        OpSpec::new(
            "CTCBeamSearchDecoder(inputs: T, sequence_length: int32) -> (decoded_indices: top_paths * int64, decoded_values: top_paths * int64, decoded_shape: top_paths * int64, log_probability: T)
                beam_width: int >= 1
                top_paths: int >= 1
                merge_repeated: bool = true
                T: {float, double} = float",
        )?
        .shape(|cx| {
            let paths = usize::try_from(cx.node().int("top_paths")?).ok();
            shape(cx, paths)
        })
        .not_differentiable(),
        |build| {
            let positive = |name: &str| {
                let value = build.int(name)?;
                usize::try_from(value).ok().filter(|&v| v > 0).ok_or_else(|| {
                    Status::invalid_argument(format!("{name} must be at least 1, got {value}"))
                })
            };
            Ok(KernelBox::new(Beam {
                width: positive("beam_width")?,
                paths: positive("top_paths")?,
                merge_repeated: build.bool("merge_repeated")?,
            }))
        },
    )
}

/// One decoded sequence of each element of the batch, with the logarithm of its probability.
type Decoded<T> = Vec<(Vec<i64>, T)>;

fn check(cx: &OpContext<'_>) -> Result<(usize, usize, Vec<usize>)> {
    let (inputs, lengths) = (cx.input(0), cx.input(1));
    let &[steps, batch, classes] = inputs.dims() else {
        return Err(Status::invalid_argument("inputs is not a 3-Tensor"));
    };
    if inputs.is_empty() {
        return Err(Status::invalid_argument("inputs must not be empty"));
    }
    if lengths.rank() != 1 {
        return Err(Status::invalid_argument("sequence_length is not a vector"));
    }
    if lengths.len() != batch {
        return Err(Status::failed_precondition(format!(
            "len(sequence_length) != batch_size.  len(sequence_length):  {} batch_size: {batch}",
            lengths.len()
        )));
    }
    let mut checked = Vec::with_capacity(batch);
    for (b, &length) in lengths.as_slice::<i32>()?.iter().enumerate() {
        let length = usize::try_from(length).unwrap_or(0);
        if length > steps {
            return Err(Status::failed_precondition(format!("sequence_length({b}) <= {steps}")));
        }
        checked.push(length);
    }
    Ok((batch, classes, checked))
}

/// Sets the outputs from `paths` decodings of each element of the batch.
fn store<T: Real>(cx: &mut OpContext<'_>, decoded: &[Decoded<T>], paths: usize) -> Result<()> {
    for p in 0..paths {
        let (mut indices, mut values, mut longest) = (Vec::new(), Vec::new(), 0);
        for (b, sequences) in decoded.iter().enumerate() {
            let sequence = &sequences[p].0;
            longest = longest.max(sequence.len());
            values.extend_from_slice(sequence);
            indices.extend((0..sequence.len()).flat_map(|t| [b as i64, t as i64]));
        }
        cx.set_output(p, Tensor::from_slice([values.len(), 2], &indices)?);
        cx.set_output(paths + p, Tensor::vector(&values)?);
        cx.set_output(2 * paths + p, Tensor::vector(&[decoded.len() as i64, longest as i64])?);
    }
    let logs: Vec<T> = decoded.iter().flatten().map(|(_, log)| *log).collect();
    cx.set_output(3 * paths, Tensor::from_vec([decoded.len(), paths], logs)?);
    Ok(())
}

struct Greedy {
    merge_repeated: bool,
    blank: i64,
}

impl Kernel for Greedy {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (batch, classes, lengths) = check(cx)?;
        let count = classes as i64;
        let blank = if self.blank < 0 { self.blank.saturating_add(count) } else { self.blank };
        if !(0..count).contains(&blank) {
            return Err(Status::invalid_argument(format!(
                "blank_index expected to be between {} and {} but was {}",
                -count,
                count - 1,
                self.blank
            )));
        }
        dispatch_over!(cx.input(0).dtype(), "CTCGreedyDecoder", T => {
            let decoded: Vec<Decoded<T>> = {
                let inputs = cx.input(0).as_slice::<T>()?;
                (0..batch)
                    .map(|b| {
                        let rows = (0..lengths[b]).map(|t| &inputs[(t * batch + b) * classes..][..classes]);
                        vec![self.decode(rows, blank as usize)]
                    })
                    .collect()
            };
            store(cx, &decoded, 1)
        }, Float: f32, Double: f64)
    }
}

impl Greedy {
    fn decode<'a, T: Real>(
        &self,
        rows: impl Iterator<Item = &'a [T]>,
        blank: usize,
    ) -> (Vec<i64>, T) {
        let mut labels = Vec::new();
        let mut log = T::zero();
        let mut last = None;
        for row in rows {
            let mut best = 0;
            for (i, v) in row.iter().enumerate() {
                if *v > row[best] {
                    best = i;
                }
            }
            log = log - row[best];
            if best != blank && !(self.merge_repeated && last == Some(best)) {
                labels.push(best as i64);
            }
            last = Some(best);
        }
        (labels, log)
    }
}

struct Beam {
    width: usize,
    paths: usize,
    merge_repeated: bool,
}

impl Kernel for Beam {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (batch, classes, lengths) = check(cx)?;
        if self.paths > self.width {
            return Err(Status::invalid_argument("requested more paths than the beam width."));
        }
        dispatch_over!(cx.input(0).dtype(), "CTCBeamSearchDecoder", T => {
            let mut decoded: Vec<Result<Option<Decoded<T>>>> = (0..batch).map(|_| Ok(None)).collect();
            let token = cx.cancellation();
            let check = || token.check();
            let inputs = cx.input(0).as_slice::<T>()?;
            cx.parallel().for_chunks(&mut decoded, 1, 1, |first, run| {
                for (i, decoded) in run.iter_mut().enumerate() {
                    let b = first + i;
                    let rows = (0..lengths[b]).map(|t| &inputs[(t * batch + b) * classes..][..classes]);
                    *decoded = self.search(rows, classes, &check);
                }
            });
            let decoded = decoded.into_iter().collect::<Result<Option<Vec<Decoded<T>>>>>()?;
            let decoded = decoded.ok_or_else(|| {
                Status::invalid_argument("Less leaves in the beam search than requested.")
            })?;
            store(cx, &decoded, self.paths)
        }, Float: f32, Double: f64)
    }
}

impl Beam {
    /// The best sequences of one element of the batch, or None where there are fewer.
    fn search<'a, T: Real>(
        &self,
        rows: impl Iterator<Item = &'a [T]>,
        classes: usize,
        check: Check<'_>,
    ) -> Result<Option<Decoded<T>>> {
        let mut search = BeamSearch::<T>::new(classes, self.width)?;
        for row in rows {
            search.step(row, check)?;
        }
        search.top_paths(self.paths, self.merge_repeated)
    }
}

fn shape(cx: &mut ShapeContext<'_>, paths: Dim) -> Result<()> {
    let inputs = cx.with_rank(0, 3)?;
    let lengths = cx.with_rank(1, 1)?;
    let batch = cx.merge_dim(inputs.dim(1), lengths.dim(0))?;
    let count = paths.unwrap_or(0).min(cx.outputs_len());
    for p in 0..count {
        cx.set_output(p, PartialShape::matrix(None, Some(2)));
        cx.set_output(count + p, PartialShape::vector(None));
        cx.set_output(2 * count + p, PartialShape::vector(Some(2)));
    }
    cx.set_output(3 * count, PartialShape::matrix(batch, paths));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn inputs() -> Tensor {
        let values = [0.9f32, 0.1, 0.0, 0.8, 0.2, 0.0, 0.0, 0.1, 0.9, 0.7, 0.2, 0.1];
        Tensor::from_slice([4, 1, 3], &values).unwrap()
    }

    #[test]
    fn greedy_with_and_without_merging() {
        let run = |merge: bool| {
            OpTest::new(register, "CTCGreedyDecoder")
                .attr("merge_repeated", merge)
                .input(inputs())
                .input(Tensor::vector(&[4i32]).unwrap())
                .run()
                .unwrap()
        };
        assert_eq!(run(true)[1].as_slice::<i64>().unwrap(), [0, 0]);
        assert_eq!(run(false)[1].as_slice::<i64>().unwrap(), [0, 0, 0]);
        assert_eq!(run(false)[2].as_slice::<i64>().unwrap(), [1, 3]);
        assert!((run(true)[3].as_slice::<f32>().unwrap()[0] + 3.3).abs() < 1e-6);
    }

    #[test]
    fn bad_arguments() {
        let beam = |width: i64, paths: i64, length: i32| {
            OpTest::new(register, "CTCBeamSearchDecoder")
                .attr("beam_width", width)
                .attr("top_paths", paths)
                .input(inputs())
                .input(Tensor::vector(&[length]).unwrap())
                .run()
        };
        assert!(beam(2, 2, 4).is_ok());
        let error = beam(1, 2, 4).unwrap_err();
        assert!(error.message().contains("requested more paths than the beam width"));
        assert!(beam(2, 2, 5).is_err());
        assert!(beam(2, 2, 0).unwrap_err().message().contains("Less leaves"));
    }
}
