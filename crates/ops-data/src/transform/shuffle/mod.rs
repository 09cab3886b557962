//! ShuffleDataset: random order within a buffer, the order TensorFlow has for the same seeds.
//!
//! The buffer is a ring. An element is drawn by one random number from those it holds; the oldest takes the place of the
//! one that was drawn, and the place of the oldest is free for the next. While elements come the ring stays full; then it
//! drains. A dataset that is shuffled anew in each iteration draws two new seeds for each from a generator of its own.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::Arc;

use downpour_data::{Block, Context, Cursor, Dataset, Length, Names, RandomAccess, Stage, State};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Charge, DataType, Philox, Result, Status, Tensor};
use parking_lot::Mutex;

use super::shuffled_access;
use crate::dataset::{self, scalar_i64};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ShuffleDataset(input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64) -> (handle: variant)
                reshuffle_each_iteration: bool = true
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(shuffle)),
    )
}

fn shuffle(cx: &mut OpContext<'_>) -> Result<()> {
    let buffer = match scalar_i64(cx, 1, "buffer_size")? {
        -1 => usize::MAX,
        size @ 1.. => usize::try_from(size).unwrap_or(usize::MAX),
        _ => {
            return Err(Status::invalid_argument(
                "buffer_size must be greater than zero or UNKNOWN_CARDINALITY",
            ));
        }
    };
    let seeds = match (scalar_i64(cx, 2, "seed")? as u64, scalar_i64(cx, 3, "seed2")? as u64) {
        (0, 0) => (RandomState::new().hash_one(0), RandomState::new().hash_one(1)),
        seeds => seeds,
    };
    let base = seeds;
    let seeds = match cx.node().bool("reshuffle_each_iteration")? {
        true => Seeds::Anew(Mutex::new(Philox::new(seeds.0, seeds.1))),
        false => Seeds::Same(seeds.0, seeds.1),
    };
    let input = &dataset::input(cx, 0)?.pipeline;
    let shuffled = Shuffle { input: input.stage().clone(), buffer, base, seeds: Arc::new(seeds) };
    dataset::finish(cx, Dataset::new(shuffled))
}

/// Where an iteration's seeds come from.
enum Seeds {
    Same(u64, u64),
    Anew(Mutex<Philox>),
}

impl Seeds {
    fn draw(&self) -> (u64, u64) {
        match self {
            Seeds::Same(seed, seed2) => (*seed, *seed2),
            Seeds::Anew(generator) => {
                let mut generator = generator.lock();
                let seed = generator.next_u32();
                (seed.into(), generator.next_u32().into())
            }
        }
    }
}

struct Shuffle {
    input: Arc<dyn Stage>,
    buffer: usize,
    /// The seeds of the order in which elements are found by number.
    base: (u64, u64),
    seeds: Arc<Seeds>,
}

impl Stage for Shuffle {
    fn describe(&self) -> String {
        format!("shuffle({})", self.buffer)
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn length(&self) -> Option<Length> {
        self.input.length()
    }

    fn is_resumable(&self) -> bool {
        self.input.is_ordered() && self.input.is_resumable()
    }

    /// The state says the seeds and how many elements were given: they are drawn again and passed over.
    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let ([seed, seed2], given) = match state {
            Some(state) => {
                let [seed, seed2, given] = state.expect()?;
                ([seed, seed2], given)
            }
            None => {
                let (seed, seed2) = self.seeds.draw();
                ([seed, seed2], 0)
            }
        };
        let mut cursor = ShuffleCursor {
            input: self.input.open(context, None)?,
            buffer: self.buffer,
            random: Philox::new(seed, seed2),
            seeds: [seed, seed2],
            ring: Vec::new(),
            places: Charge::default(),
            oldest: 0,
            held: 0,
            names: None,
            is_at_end: false,
            given: 0,
        };
        while cursor.given < given {
            if cursor.next(1)?.is_none() {
                break;
            }
        }
        Ok(Box::new(cursor))
    }

    fn random_access(
        &self,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        shuffled_access::open(&*self.input, self.base, context, state)
    }
}

struct ShuffleCursor {
    input: Box<dyn Cursor>,
    buffer: usize,
    random: Philox,
    seeds: [u64; 2],
    /// Grows up to `buffer` places while the first elements come.
    ring: Vec<Option<Vec<Tensor>>>,
    /// Counts the places.
    places: Charge,
    /// The place of the oldest element, and how many there are.
    oldest: usize,
    held: usize,
    names: Option<Names>,
    is_at_end: bool,
    given: u64,
}

/// Elements that are taken from the input at once.
const AT_ONCE: usize = 1024;

impl ShuffleCursor {
    /// Fills the places that are free, as long as the input has elements.
    fn fill(&mut self) -> Result<()> {
        while !self.is_at_end && self.held < self.buffer {
            let free = self.buffer - self.held;
            let Some(block) = self.input.next(free.min(AT_ONCE))? else {
                self.is_at_end = true;
                return Ok(());
            };
            self.names.get_or_insert_with(|| block.names().clone());
            for row in 0..block.rows() {
                self.keep(block.element(row)?.into_tensors())?;
            }
        }
        Ok(())
    }

    fn keep(&mut self, mut element: Vec<Tensor>) -> Result<()> {
        // Strings of a file's block would keep the whole block in memory.
        for component in element.iter_mut().filter(|c| c.dtype() == DataType::String) {
            *component = component.deep_copy()?;
        }
        // A ring that is not full has never turned: its next place is at its end.
        if self.ring.len() < self.buffer && self.oldest + self.held == self.ring.len() {
            self.places.grow(size_of::<Option<Vec<Tensor>>>() + size_of_val(&element[..]))?;
            self.ring.push(Some(element));
        } else {
            let place = (self.oldest + self.held) % self.ring.len();
            self.ring[place] = Some(element);
        }
        self.held += 1;
        Ok(())
    }

    fn draw(&mut self) -> Option<Vec<Tensor>> {
        let places = self.ring.len();
        let drawn = (self.oldest + self.random.next_u32() as usize % self.held) % places;
        self.ring.swap(drawn, self.oldest);
        let element = self.ring[self.oldest].take();
        self.oldest = (self.oldest + 1) % places;
        self.held -= 1;
        element
    }
}

impl Cursor for ShuffleCursor {
    fn next(&mut self, _: usize) -> Result<Option<Block>> {
        self.fill()?;
        let Some(names) = self.names.clone().filter(|_| self.held > 0) else { return Ok(None) };
        let Some(element) = self.draw() else { return Ok(None) };
        self.given += 1;
        Ok(Some(Block::from_element(downpour_data::Element::from_parts(names, element)?)))
    }

    fn state(&self) -> State {
        let [seed, seed2] = self.seeds;
        State::of([seed, seed2, self.given])
    }

    fn ready(&self) -> usize {
        usize::from(self.held > 0 && (self.is_at_end || self.held == self.buffer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shuffled(count: u64, buffer: usize, seeds: Seeds) -> Dataset {
        let input = Dataset::range(count).stage().clone();
        Dataset::new(Shuffle { input, buffer, base: (5, 6), seeds: Arc::new(seeds) })
    }

    fn numbers(dataset: &Dataset) -> Vec<i64> {
        let number =
            |element: Result<downpour_data::Element>| element.unwrap()[0].to_scalar().unwrap();
        dataset.iterate().unwrap().map(number).collect()
    }

    #[test]
    fn every_element_comes_once_and_from_no_further_than_the_buffer() {
        for buffer in [1, 3, 9, 10, usize::MAX] {
            let dataset = shuffled(10, buffer, Seeds::Same(3, 4));
            let order = numbers(&dataset);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..10).collect::<Vec<_>>(), "buffer {buffer}: {order:?}");
            let far = |(place, &number): (usize, &i64)| {
                number as usize <= place.saturating_add(buffer - 1)
            };
            assert!(order.iter().enumerate().all(far), "buffer {buffer}: {order:?}");
            assert_eq!(numbers(&dataset), order);
        }
        assert!(numbers(&shuffled(0, 3, Seeds::Same(1, 1))).is_empty());
    }

    #[test]
    fn iterations_differ_if_they_are_shuffled_anew() {
        let dataset = shuffled(20, 20, Seeds::Anew(Mutex::new(Philox::new(1, 2))));
        assert_ne!(numbers(&dataset), numbers(&dataset));
    }

    #[test]
    fn a_resumed_iteration_goes_on_in_the_same_order() {
        let dataset = shuffled(12, 5, Seeds::Same(8, 9));
        let order = numbers(&dataset);
        for stop in 0..=12 {
            let mut iterator = dataset.iterate().unwrap();
            iterator.by_ref().take(stop).for_each(drop);
            let rest = dataset.iterate_from(&iterator.position()).unwrap();
            let rest: Vec<i64> = rest.map(|e| e.unwrap()[0].to_scalar().unwrap()).collect();
            assert_eq!(rest, order[stop..]);
        }
    }
}
