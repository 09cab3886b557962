//! GlobalShuffleDataset: all elements of a dataset in a random order that is never made, only computed.
//!
//! The element in a place of the order is asked for by its number; nothing is held in a buffer. Three seeds name the
//! order. A dataset that is shuffled anew in each iteration draws four from its generator, of which the last is left out;
//! else all iterations have the two seeds of the program, the first of them twice.

use std::sync::Arc;

use downpour_data::random_access::check_number;
use downpour_data::{Block, Context, Cursor, Dataset, Element, Length, RandomAccess, Stage, State};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Permutation, Result, Status};

use crate::dataset::{self, scalar_i64};
use crate::seeds::{self, SeedGenerator};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "GlobalShuffleDataset(input_dataset: variant, seed: int64, seed2: int64, seed_generator: resource) -> (handle: variant) @stateful
                reshuffle_each_iteration: bool = true
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(global_shuffle)),
    )
}

fn global_shuffle(cx: &mut OpContext<'_>) -> Result<()> {
    let input = dataset::input(cx, 0)?.pipeline.clone();
    input.stage().check_global_shuffle().map_err(|error| {
        Status::failed_precondition(format!(
            "`global_shuffle` requires all upstream transformations be compatible with random access. Got: {error}"
        ))
    })?;
    let count = match input.length() {
        Some(Length::Finite(count @ 1..)) => count,
        length => {
            return Err(Status::invalid_argument(format!(
                "`global_shuffle` requires the input dataset to have a non-empty finite cardinality. Got cardinality \
                 {} for dataset {}",
                crate::inspect::cardinality_of(length),
                input.describe()
            )));
        }
    };
    let (seed, seed2) = (scalar_i64(cx, 1, "seed")?, scalar_i64(cx, 2, "seed2")?);
    let renews = cx.node().bool("reshuffle_each_iteration")?;
    let seeds = seeds::input_or(cx, 3, || SeedGenerator::new(seed, seed2, renews))?;
    let input = input.stage().clone();
    dataset::finish(cx, Dataset::new(GlobalShuffle { input, count, seeds }))
}

/// The seeds of one iteration, and the generator's state behind them.
#[derive(Clone, Copy)]
struct IterationSeeds {
    seeds: [u64; 3],
    generator: [u64; 3],
}

impl IterationSeeds {
    fn new(generator: &SeedGenerator) -> IterationSeeds {
        let ([first, second], [third, _]) = (generator.draw(), generator.draw());
        IterationSeeds { seeds: [first, second, third], generator: generator.state() }
    }

    /// Returns the seeds of a saved state; the next iteration draws those that followed then.
    fn restore(generator: &SeedGenerator, numbers: [u64; 6]) -> IterationSeeds {
        let [first, second, third, seed, seed2, drawn] = numbers;
        generator.restore([seed, seed2, drawn]);
        IterationSeeds { seeds: [first, second, third], generator: [seed, seed2, drawn] }
    }
}

struct GlobalShuffle {
    input: Arc<dyn Stage>,
    count: u64,
    seeds: Arc<SeedGenerator>,
}

impl GlobalShuffle {
    fn open_order(&self, context: &Context, state: Option<&State>) -> Result<Order> {
        let drawn = match state {
            Some(state) => IterationSeeds::restore(&self.seeds, state.expect()?),
            None => IterationSeeds::new(&self.seeds),
        };
        Ok(Order {
            input: self.input.random_access(context, state.map(|s| s.input(0)).transpose()?)?,
            permutation: Permutation::new(
                drawn.seeds.map(|seed| seed as u32),
                self.count - 1,
                ROUNDS,
            ),
            count: self.count,
            drawn,
        })
    }
}

/// Rounds of the network that makes the order.
const ROUNDS: usize = 8;

impl Stage for GlobalShuffle {
    fn describe(&self) -> String {
        "global_shuffle".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn length(&self) -> Option<Length> {
        Some(Length::Finite(self.count))
    }

    /// The input is not iterated.
    fn is_ordered(&self) -> bool {
        true
    }

    fn is_resumable(&self) -> bool {
        true
    }

    fn is_repeatable(&self) -> bool {
        !self.seeds.renews() && self.input.is_repeatable()
    }

    fn shared(&self) -> Vec<State> {
        let mut states = self.input.shared();
        states.push(State::of(self.seeds.state()));
        states
    }

    fn restore_shared(&self, states: &mut std::slice::Iter<'_, State>) -> Result<()> {
        self.input.restore_shared(states)?;
        self.seeds.restore_shared(states)
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let [next] = state.map_or(Ok([0]), State::expect)?;
        let order = self.open_order(context, state.map(|s| s.input(0)).transpose()?)?;
        Ok(Box::new(ShuffledCursor { order, next: next.min(self.count) }))
    }

    fn random_access(
        &self,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        Ok(Box::new(self.open_order(context, state)?))
    }

    /// A shuffle of a shuffle is one more order.
    fn check_global_shuffle(&self) -> Result<()> {
        Ok(())
    }
}

/// The elements of an input in one order.
struct Order {
    input: Box<dyn RandomAccess>,
    permutation: Permutation,
    count: u64,
    drawn: IterationSeeds,
}

impl RandomAccess for Order {
    fn element(&mut self, number: u64) -> Result<Element> {
        check_number(number, self.count)?;
        self.input.element(self.permutation.place(number))
    }

    fn state(&self) -> State {
        let IterationSeeds { seeds: [first, second, third], generator: [seed, seed2, drawn] } =
            self.drawn;
        State::of([first, second, third, seed, seed2, drawn]).with([self.input.state()])
    }
}

struct ShuffledCursor {
    order: Order,
    next: u64,
}

impl Cursor for ShuffledCursor {
    fn next(&mut self, _: usize) -> Result<Option<Block>> {
        if self.next == self.order.count {
            return Ok(None);
        }
        self.next += 1;
        self.order.element(self.next - 1).map(|element| Some(Block::from_element(element)))
    }

    fn state(&self) -> State {
        State::of([self.next]).with([self.order.state()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_data::random_access::countable;

    fn shuffled(input: &Dataset, reshuffle: bool) -> Dataset {
        let seeds = SeedGenerator::new(4, 2, reshuffle);
        let (input, seeds) = (input.stage().clone(), Arc::new(seeds));
        let count = countable(&*input).unwrap();
        Dataset::new(GlobalShuffle { input, count, seeds })
    }

    fn numbers(elements: impl Iterator<Item = Result<Element>>) -> Vec<i64> {
        elements.map(|e| e.unwrap()[0].to_scalar().unwrap()).collect()
    }

    #[test]
    fn every_element_comes_once_and_epochs_differ_if_they_are_shuffled_anew() {
        for reshuffle in [true, false] {
            let twice = shuffled(&Dataset::range(40), reshuffle).repeat_times(2);
            let order = numbers(twice.iterate().unwrap());
            let mut first = order[..40].to_vec();
            assert_eq!(first != order[40..], reshuffle);
            assert_ne!(first, (0..40).collect::<Vec<_>>());
            first.sort_unstable();
            assert_eq!(first, (0..40).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_resumed_iteration_goes_on_with_the_seeds_that_follow() {
        let inner = shuffled(&Dataset::range(7), true);
        let mapped = inner.map(|e: Element| Ok(e));
        for dataset in [inner.repeat_times(3), shuffled(&mapped, true).repeat_times(2)] {
            let mut iterator = dataset.iterate().unwrap();
            iterator.next().unwrap().unwrap();
            let expected = numbers(dataset.iterate_from(&iterator.position()).unwrap());
            iterator = dataset.iterate_from(&iterator.position()).unwrap();
            for stop in 0..=expected.len() {
                let position = iterator.position();
                let rest = numbers(dataset.iterate_from(&position).unwrap());
                assert_eq!(rest, expected[stop..], "{} at {stop}", dataset.describe());
                iterator = dataset.iterate_from(&position).unwrap();
                let _ = iterator.next().unwrap();
            }
        }
    }

    #[test]
    fn only_an_order_that_stays_can_be_asked_by_number() {
        let input = Dataset::range(9);
        let same = shuffled(&input, false);
        let mut lookup = same.lookup().unwrap();
        let found = (0..9).map(|n| lookup.element(n));
        assert_eq!(numbers(found), numbers(same.iterate().unwrap()));
        assert!(shuffled(&input, true).prefetch(1).lookup().is_err());
    }
}
