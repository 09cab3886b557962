//! ChooseFastestDataset: one of several datasets with the same elements, whichever gives them fastest.
//!
//! The first elements are asked of all of them, one dataset after the other, and the time is taken. From then on only
//! the fastest is read. All have the same elements, so those of the first are given until then.

use std::sync::Arc;
use std::time::{Duration, Instant};

use downpour_data::{Block, Context, Cursor, Dataset, Length, Stage, State};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use crate::component::Signature;
use crate::dataset::{self, GraphDataset};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["ChooseFastestDataset", "ExperimentalChooseFastestDataset"] {
        let signature = format!(
            "{name}(input_datasets: N*variant) -> (handle: variant)
                N: int >= 2
                num_experiments: int
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(choose)))?;
    }
    Ok(())
}

fn choose(cx: &mut OpContext<'_>) -> Result<()> {
    let inputs: Vec<&GraphDataset> =
        (0..cx.inputs_len()).map(|i| dataset::input(cx, i)).collect::<Result<_>>()?;
    let signature = Signature::of(cx.node())?;
    for (i, input) in inputs.iter().enumerate() {
        signature.check_compatible(&input.signature).map_err(|error| {
            Status::invalid_argument(format!(
                "All inputs to ChooseFastestDataset must have the same output types and compatible output shapes. \
                 Input {i}: {}",
                error.message()
            ))
        })?;
    }
    let stages: Vec<_> = inputs.iter().map(|input| input.pipeline.stage().clone()).collect();
    let length = common_length(&stages)?;
    let experiments = u64::try_from(cx.node().int("num_experiments")?).unwrap_or(0);
    let chosen = Dataset::new(ChooseFastest { inputs: stages, experiments, length });
    let made = GraphDataset::new(cx.node(), chosen, &inputs)?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}

/// Returns the number of elements of those datasets that know theirs.
fn common_length(stages: &[Arc<dyn Stage>]) -> Result<Option<Length>> {
    let mut known = None;
    for (i, length) in stages.iter().enumerate().filter_map(|(i, s)| Some((i, s.length()?))) {
        if known.is_some_and(|known| known != length) {
            return Err(Status::invalid_argument(format!(
                "All inputs to ChooseFastestDataset must have compatible cardinalities. Input {i} has another \
                 cardinality than those before it."
            )));
        }
        known = Some(length);
    }
    Ok(known)
}

struct ChooseFastest {
    inputs: Vec<Arc<dyn Stage>>,
    /// Elements that are asked of all.
    experiments: u64,
    length: Option<Length>,
}

impl Stage for ChooseFastest {
    fn describe(&self) -> String {
        format!("choose_fastest({})", self.experiments)
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        self.inputs.clone()
    }

    fn length(&self) -> Option<Length> {
        self.length
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let [remaining, chosen] = state.map_or(Ok([self.experiments, 0]), State::expect)?;
        if remaining == 0 {
            let number = chosen as usize % self.inputs.len();
            let state = state.map(|s| s.input(0)).transpose()?;
            let input = self.inputs[number].open(context, state)?;
            return Ok(Box::new(RaceCursor {
                inputs: vec![(input, Duration::ZERO)],
                remaining,
                number,
            }));
        }
        let mut inputs = Vec::with_capacity(self.inputs.len());
        for (i, input) in self.inputs.iter().enumerate() {
            let state = state.map(|s| s.input(i)).transpose()?;
            inputs.push((input.open(context, state)?, Duration::ZERO));
        }
        Ok(Box::new(RaceCursor { inputs, remaining, number: 0 }))
    }
}

struct RaceCursor {
    /// All of them with the time they took, or only the fastest.
    inputs: Vec<(Box<dyn Cursor>, Duration)>,
    remaining: u64,
    /// The number of the fastest, once it is known.
    number: usize,
}

impl RaceCursor {
    /// Takes the next element of all.
    fn race(&mut self) -> Result<Option<Block>> {
        let mut first = None;
        for (input, time) in &mut self.inputs {
            let began = Instant::now();
            let element = input.next(1);
            *time += began.elapsed();
            first.get_or_insert(element);
        }
        self.remaining -= 1;
        if self.remaining == 0 {
            let times = self.inputs.iter().map(|(_, time)| *time).enumerate();
            self.number = times.min_by_key(|(_, time)| *time).map_or(0, |(i, _)| i);
            let fastest = self.inputs.swap_remove(self.number);
            self.inputs = vec![fastest];
        }
        first.unwrap_or(Ok(None))
    }
}

impl Cursor for RaceCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        match self.remaining {
            0 => self.inputs[0].0.next(limit),
            _ => self.race(),
        }
    }

    fn state(&self) -> State {
        let inputs: Vec<State> = self.inputs.iter().map(|(input, _)| input.state()).collect();
        State::of([self.remaining, self.number as u64]).with(inputs)
    }

    fn ready(&self) -> usize {
        if self.remaining == 0 { self.inputs[0].0.ready() } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow(dataset: Dataset) -> Dataset {
        dataset.map(|element| {
            std::thread::sleep(Duration::from_millis(3));
            Ok(element)
        })
    }

    fn racing(inputs: &[Dataset], experiments: u64) -> Dataset {
        let inputs: Vec<_> = inputs.iter().map(|input| input.stage().clone()).collect();
        let length = common_length(&inputs).unwrap();
        Dataset::new(ChooseFastest { inputs, experiments, length })
    }

    fn numbers(iterator: downpour_data::DatasetIterator) -> Vec<i64> {
        iterator.map(|e| e.unwrap()[0].to_scalar().unwrap()).collect()
    }

    #[test]
    fn elements_are_the_same_whoever_wins() {
        for experiments in [0, 1, 3, 100] {
            let dataset = racing(&[slow(Dataset::range(6)), Dataset::range(6)], experiments);
            assert_eq!(numbers(dataset.iterate().unwrap()), [0, 1, 2, 3, 4, 5]);
            assert_eq!(dataset.length(), Some(Length::Finite(6)));
        }
    }

    #[test]
    fn a_resumed_race_goes_on_with_all_or_with_the_winner() {
        let dataset = racing(&[slow(Dataset::range(6)), Dataset::range(6)], 3);
        for stop in 0..=6 {
            let mut iterator = dataset.iterate().unwrap();
            iterator.by_ref().take(stop).for_each(drop);
            let rest = numbers(dataset.iterate_from(&iterator.position()).unwrap());
            assert_eq!(rest, (stop as i64..6).collect::<Vec<_>>());
        }
    }

    #[test]
    fn datasets_of_different_lengths_are_not_the_same() {
        let stages = [Dataset::range(3).stage().clone(), Dataset::range(4).stage().clone()];
        assert!(common_length(&stages).is_err());
    }
}
