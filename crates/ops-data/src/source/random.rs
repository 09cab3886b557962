//! RandomDataset: random numbers without end, those TensorFlow has for the same seeds.

use std::sync::Arc;

use downpour_data::{Block, Context, Cursor, Dataset, Length, Names, Stage, State};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Philox, Result, Tensor};

use crate::component::Signature;
use crate::dataset::{GraphDataset, scalar_i64};
use crate::seeds::{self, SeedGenerator};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, argument, first, last) in [
        ("RandomDataset", "", "", "metadata: string = ''"),
        (
            "RandomDatasetV2",
            ", seed_generator: resource",
            "rerandomize_each_iteration: bool = false",
            "metadata: string = ''",
        ),
        ("ExperimentalRandomDataset", "", "", ""),
    ] {
        let signature = format!(
            "{name}(seed: int64, seed2: int64{argument}) -> (handle: variant) @stateful
                {first}
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                {last}"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(make)))?;
    }
    Ok(())
}

fn make(cx: &mut OpContext<'_>) -> Result<()> {
    let (seed, seed2) = (scalar_i64(cx, 0, "seed")?, scalar_i64(cx, 1, "seed2")?);
    let seeds = match cx.node().op_name() {
        "RandomDatasetV2" => {
            let renews = cx.node().bool("rerandomize_each_iteration")?;
            seeds::input_or(cx, 2, || SeedGenerator::new(seed, seed2, renews))?
        }
        _ => Arc::new(SeedGenerator::new(seed, seed2, false)),
    };
    let signature = Signature::scalar(DataType::Int64);
    let made = GraphDataset::with_signature(signature, Dataset::new(Random(seeds)), &[])?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}

struct Random(Arc<SeedGenerator>);

impl Stage for Random {
    fn describe(&self) -> String {
        "random".to_owned()
    }

    fn length(&self) -> Option<Length> {
        Some(Length::Infinite)
    }

    fn shared(&self) -> Vec<State> {
        vec![State::of(self.0.state())]
    }

    fn restore_shared(&self, states: &mut std::slice::Iter<'_, State>) -> Result<()> {
        self.0.restore_shared(states)
    }

    /// The state says the seeds, how many numbers were given, and where the generator of seeds stands.
    fn open(&self, _: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let (seeds, given) = match state {
            Some(state) => {
                let [base, base2, drawn, seed, seed2, given] = state.expect()?;
                self.0.restore([base, base2, drawn]);
                ([seed, seed2], given)
            }
            None => (self.0.draw(), 0),
        };
        let mut numbers = Philox::new(seeds[0], seeds[1]);
        numbers.skip(given);
        let (generator, names) = (self.0.clone(), Names::numbered(1));
        Ok(Box::new(RandomCursor { generator, seeds, numbers, given, names }))
    }
}

struct RandomCursor {
    generator: Arc<SeedGenerator>,
    seeds: [u64; 2],
    numbers: Philox,
    given: u64,
    names: Names,
}

/// Numbers that are made at once.
const BLOCK: usize = 1024;

impl Cursor for RandomCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        let rows = limit.min(BLOCK);
        let column = Tensor::build([rows], |out: &mut [i64]| {
            out.iter_mut().for_each(|number| *number = self.numbers.next_u32().into());
        })?;
        self.given += rows as u64;
        Block::from_columns(self.names.clone(), rows, vec![column]).map(Some)
    }

    fn state(&self) -> State {
        let ([base, base2, drawn], [seed, seed2]) = (self.generator.state(), self.seeds);
        State::of([base, base2, drawn, seed, seed2, self.given])
    }

    fn ready(&self) -> usize {
        BLOCK
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(renews: bool) -> Dataset {
        Dataset::new(Random(Arc::new(SeedGenerator::new(1, 2, renews))))
    }

    fn numbers(dataset: &Dataset, count: usize) -> Vec<i64> {
        let elements = dataset.iterate().unwrap().take(count);
        elements.map(|element| element.unwrap()[0].to_scalar().unwrap()).collect()
    }

    #[test]
    fn iterations_are_the_same_unless_they_are_renewed() {
        let (same, renewed) = (random(false), random(true));
        assert_eq!(numbers(&same, 5), numbers(&same, 5));
        assert_ne!(numbers(&renewed, 5), numbers(&renewed, 5));
    }

    #[test]
    fn a_resumed_iteration_goes_on() {
        let make = || random(true).take(6).repeat_times(2);
        let all = numbers(&make(), 12);
        for stop in 0..=12 {
            let mut iterator = make().iterate().unwrap();
            iterator.by_ref().take(stop).for_each(drop);
            let rest = make().iterate_from(&iterator.position()).unwrap();
            let rest: Vec<i64> = rest.map(|e| e.unwrap()[0].to_scalar().unwrap()).collect();
            assert_eq!(rest, all[stop..]);
        }
    }
}
