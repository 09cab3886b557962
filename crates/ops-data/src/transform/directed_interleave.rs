//! DirectedInterleaveDataset: elements of several datasets in the order that another dataset gives by their numbers.

use std::sync::Arc;

use downpour_data::{Block, Context, Cursor, Dataset, Length, Stage, State};
use downpour_graph::{OpSpec, PartialShape, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status};

use crate::component::Signature;
use crate::dataset::{self, GraphDataset};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, own) in [
        ("DirectedInterleaveDataset", "stop_on_empty_dataset: bool = false"),
        ("ExperimentalDirectedInterleaveDataset", ""),
    ] {
        let signature = format!(
            "{name}(selector_input_dataset: variant, data_input_datasets: N*variant) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                N: int >= 1
                {own}"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(interleave)))?;
    }
    Ok(())
}

fn interleave(cx: &mut OpContext<'_>) -> Result<()> {
    let selector = dataset::input(cx, 0)?;
    if Signature::scalar(DataType::Int64).check_compatible(&selector.signature).is_err() {
        return Err(Status::invalid_argument(
            "The selector input must be a dataset of scalar int64 elements.",
        ));
    }
    let inputs: Vec<&GraphDataset> =
        (1..cx.inputs_len()).map(|i| dataset::input(cx, i)).collect::<Result<_>>()?;
    for (i, input) in inputs.iter().enumerate() {
        if input.signature.types != inputs[0].signature.types {
            return Err(Status::invalid_argument(format!(
                "All inputs must have the same output_dtypes. First input has types {:?}, and input {i} has types {:?}",
                inputs[0].signature.types, input.signature.types
            )));
        }
    }
    let stops = cx.node().bool("stop_on_empty_dataset").unwrap_or(false);
    let signature = Signature {
        types: inputs[0].signature.types.clone(),
        shapes: common_shapes(&inputs).into(),
    };
    let mut stages = vec![selector.pipeline.stage().clone()];
    stages.extend(inputs.iter().map(|input| input.pipeline.stage().clone()));
    let directed = Dataset::new(DirectedInterleave { inputs: stages, stops });
    let made_of: Vec<&GraphDataset> = inputs.into_iter().chain([selector]).collect();
    let made = GraphDataset::with_signature(signature, directed, &made_of)?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}

/// Returns what the shapes of all datasets have in common.
fn common_shapes(inputs: &[&GraphDataset]) -> Vec<PartialShape> {
    let mut common = inputs[0].signature.shapes.to_vec();
    for input in inputs {
        for (common, shape) in common.iter_mut().zip(input.signature.shapes.iter()) {
            *common = common_shape(common, shape);
        }
    }
    common
}

fn common_shape(one: &PartialShape, other: &PartialShape) -> PartialShape {
    match (one.to_i64(), other.to_i64()) {
        (Some(one), Some(other)) if one.len() == other.len() => {
            let size = |(one, other): (&i64, &i64)| if one == other { *one } else { -1 };
            let sizes: Vec<i64> = one.iter().zip(&other).map(size).collect();
            // Sizes that were known before are sizes, and -1 is one that is not known.
            PartialShape::from_i64(&sizes).unwrap_or_else(|_| PartialShape::unknown())
        }
        _ => PartialShape::unknown(),
    }
}

struct DirectedInterleave {
    /// The dataset of numbers, then those that the numbers stand for.
    inputs: Vec<Arc<dyn Stage>>,
    /// Whether the end of one is the end of all.
    stops: bool,
}

impl Stage for DirectedInterleave {
    fn describe(&self) -> String {
        format!("directed_interleave({})", self.stops)
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        self.inputs.clone()
    }

    /// A dataset without end is assumed to be asked again and again.
    fn length(&self) -> Option<Length> {
        let endless = |input: &Arc<dyn Stage>| input.length() == Some(Length::Infinite);
        self.inputs[1..].iter().any(endless).then_some(Length::Infinite)
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let mut open = vec![1; self.inputs.len()];
        if let Some(state) = state {
            open.iter_mut().zip(&state.numbers).for_each(|(open, &saved)| *open = saved);
        }
        let mut cursors = Vec::with_capacity(self.inputs.len());
        let mut states = 0;
        for (stage, open) in self.inputs.iter().zip(open) {
            if open == 0 {
                cursors.push(None);
                continue;
            }
            let saved = state.map(|s| s.input(states)).transpose()?;
            cursors.push(Some(stage.open(context, saved)?));
            states += 1;
        }
        let data = cursors.split_off(1);
        let selector = cursors.pop().flatten();
        Ok(Box::new(Directed { context: context.clone(), selector, data, stops: self.stops }))
    }
}

struct Directed {
    context: Context,
    /// None at the end.
    selector: Option<Box<dyn Cursor>>,
    /// The datasets that have not ended.
    data: Vec<Option<Box<dyn Cursor>>>,
    stops: bool,
}

impl Directed {
    fn end(&mut self) -> Result<Option<Block>> {
        self.selector = None;
        self.data.iter_mut().for_each(|data| *data = None);
        Ok(None)
    }
}

impl Cursor for Directed {
    fn next(&mut self, _: usize) -> Result<Option<Block>> {
        loop {
            // The selector may name datasets that have ended without end.
            self.context.cancel().check()?;
            let Some(selector) = &mut self.selector else { return Ok(None) };
            let Some(block) = selector.next(1)? else { return self.end() };
            let number: i64 = block.element(0)?[0].to_scalar()?;
            let count = self.data.len();
            let chosen = usize::try_from(number).ok().and_then(|i| self.data.get_mut(i));
            let chosen = chosen.ok_or_else(|| {
                Status::invalid_argument(format!(
                    "Selector index out of range: {number} >= {count}"
                ))
            })?;
            let Some(data) = chosen else { continue };
            if let Some(block) = data.next(1)? {
                return Ok(Some(block));
            }
            *chosen = None;
            if self.stops || self.data.iter().all(Option::is_none) {
                return self.end();
            }
        }
    }

    fn state(&self) -> State {
        let cursors = || std::iter::once(&self.selector).chain(&self.data);
        let open: Vec<u64> = cursors().map(|cursor| u64::from(cursor.is_some())).collect();
        State::of(open).with(cursors().flatten().map(|c| c.state()).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_tensor::Tensor;

    fn directed(order: &[i64], counts: &[u64], stops: bool) -> Dataset {
        let order = Dataset::from_tensors([("0", Tensor::vector(order).unwrap())]).unwrap();
        let mut inputs = vec![order.stage().clone()];
        inputs.extend(counts.iter().map(|&count| Dataset::range(count).stage().clone()));
        Dataset::new(DirectedInterleave { inputs, stops })
    }

    fn numbers(iterator: downpour_data::DatasetIterator) -> Vec<i64> {
        iterator.map(|e| e.unwrap()[0].to_scalar().unwrap()).collect()
    }

    #[test]
    fn a_dataset_that_has_ended_is_passed_over_or_ends_all() {
        let order = [0, 1, 1, 0, 1, 1, 0];
        let of = |stops| numbers(directed(&order, &[5, 2], stops).iterate().unwrap());
        assert_eq!(of(false), [0, 0, 1, 1, 2]);
        assert_eq!(of(true), [0, 0, 1, 1]);
        assert!(numbers(directed(&[], &[3], false).iterate().unwrap()).is_empty());
    }

    #[test]
    fn a_number_that_is_none_of_them_is_an_error() {
        for wrong in [-1, 2] {
            let mut iterator = directed(&[wrong, 1], &[5, 2], false).iterate().unwrap();
            let error = iterator.next().unwrap_err();
            assert!(error.message().contains("Selector index out of range"), "{error}");
            assert!(iterator.next().unwrap().is_some());
        }
    }

    #[test]
    fn a_resumed_iteration_remembers_which_have_ended() {
        let dataset = directed(&[1, 0, 1, 1, 0, 0, 1, 0], &[4, 2], false);
        let all = numbers(dataset.iterate().unwrap());
        for stop in 0..=all.len() {
            let mut iterator = dataset.iterate().unwrap();
            iterator.by_ref().take(stop).for_each(drop);
            assert_eq!(numbers(dataset.iterate_from(&iterator.position()).unwrap()), all[stop..]);
        }
    }

    #[test]
    fn shapes_are_what_all_have_in_common() {
        let shape = |sizes: &[i64]| PartialShape::from_i64(sizes).unwrap();
        assert_eq!(common_shape(&shape(&[2, 3]), &shape(&[2, 4])), shape(&[2, -1]));
        assert_eq!(common_shape(&shape(&[2]), &shape(&[2, 4])), PartialShape::unknown());
    }
}
