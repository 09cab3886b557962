//! A shuffle that runs.
//!
//! The elements of an epoch that are in the buffer are a slice of it. Elements are drawn from the oldest slice only, so
//! that epochs do not mix; elements of later epochs wait behind it. Each slice has seeds of its own. If the buffer holds a
//! whole epoch, the oldest slice is complete before anything is drawn of it.
//!
//! Where a shuffle stands is how many items it has delivered, from which seeds it began and where its input stood then:
//! from there everything is drawn again and passed over.

use std::collections::VecDeque;
use std::sync::Arc;

use downpour_data::{Block, Context, Cursor, Element, Names, Stage, State, replay};
use downpour_tensor::{Philox, Result};

use super::Shuffle;
use super::ring::Ring;
use crate::seeds::SeedGenerator;

/// Elements that are taken from the input at once.
const AT_ONCE: usize = 1024;
/// Epochs that may wait in the buffer behind the one that is drawn from.
const MOST_WAITING: usize = 3;

/// The elements of one epoch in the buffer.
#[derive(Default)]
struct Slice {
    elements: usize,
    /// Whether there are no more in its epoch.
    is_complete: bool,
}

pub(super) struct ShuffleCursor {
    stage: Arc<dyn Stage>,
    context: Context,
    buffer: Option<usize>,
    /// Epochs that are still to begin; `None` if they never end.
    epochs_left: Option<u64>,
    input: Option<Box<dyn Cursor>>,
    slices: VecDeque<Slice>,
    ring: Ring,
    names: Option<Names>,
    has_produced: bool,
    seeds: Arc<SeedGenerator>,
    random: Philox,
    origin: Origin,
    /// Elements and errors that were delivered.
    items: u64,
}

/// Where everything stood at the beginning.
struct Origin {
    seeds: [u64; 2],
    /// Numbers the generator of seeds had drawn, those for the seeds included.
    drawn: u64,
    input: State,
}

impl ShuffleCursor {
    pub fn start(shuffle: &Shuffle, context: &Context) -> Result<ShuffleCursor> {
        let seeds = shuffle.seeds.draw();
        let [.., drawn] = shuffle.seeds.state();
        ShuffleCursor::open(shuffle, context, seeds, drawn, None)
    }

    pub fn resume(shuffle: &Shuffle, context: &Context, state: &State) -> Result<ShuffleCursor> {
        let [seed, seed2, drawn_first, base, base2, drawn, items] = state.expect()?;
        shuffle.seeds.restore([base, base2, drawn_first]);
        let origin = Some(state.input(0)?);
        let mut cursor = ShuffleCursor::open(shuffle, context, [seed, seed2], drawn_first, origin)?;
        replay(&mut cursor, items)?;
        shuffle.seeds.restore([base, base2, drawn]);
        Ok(cursor)
    }

    fn open(
        shuffle: &Shuffle,
        context: &Context,
        seeds: [u64; 2],
        drawn: u64,
        origin: Option<&State>,
    ) -> Result<ShuffleCursor> {
        let input = shuffle.input.open(context, origin)?;
        let origin = origin.cloned().unwrap_or_else(|| input.state());
        Ok(ShuffleCursor {
            stage: shuffle.input.clone(),
            context: context.clone(),
            buffer: shuffle.buffer,
            epochs_left: shuffle.epochs.map_or(Some(0), |epochs| epochs.map(|count| count - 1)),
            input: Some(input),
            slices: VecDeque::from([Slice::default()]),
            ring: Ring::default(),
            names: None,
            has_produced: false,
            random: Philox::new(seeds[0], seeds[1]),
            seeds: shuffle.seeds.clone(),
            origin: Origin { seeds, drawn, input: origin },
            items: 0,
        })
    }

    fn is_to_be_filled(&self) -> bool {
        if self.input.is_none() && self.epochs_left == Some(0) {
            return false;
        }
        if self.slices.len() > MOST_WAITING && self.ring.len() > 0 {
            return false;
        }
        let served = self.slices.iter().find(|slice| slice.elements > 0);
        match self.buffer {
            Some(size) => self.ring.len() < size,
            None => served.is_none_or(|slice| !slice.is_complete) || self.ring.free() > 0,
        }
    }

    /// Returns how many elements may be taken from the input at once.
    fn room(&self) -> usize {
        let served = self.slices.iter().find(|slice| slice.elements > 0);
        let room = match self.buffer {
            Some(size) => size - self.ring.len(),
            None if served.is_some_and(|slice| slice.is_complete) => self.ring.free(),
            None => AT_ONCE,
        };
        room.clamp(1, AT_ONCE)
    }

    /// Fills the buffer, as long as there are elements and room.
    fn fill(&mut self) -> Result<()> {
        while self.is_to_be_filled() {
            self.context.cancel().check()?;
            let room = self.room();
            if self.input.is_none() {
                self.input = Some(self.stage.open(&self.context, None)?);
                self.slices.push_back(Slice::default());
                self.epochs_left = self.epochs_left.map(|left| left - 1);
            }
            let (Some(input), Some(slice)) = (&mut self.input, self.slices.back_mut()) else {
                return Ok(());
            };
            let Some(block) = input.next(room)? else {
                slice.is_complete = true;
                self.input = None;
                // Epochs without an element would never end.
                if !self.has_produced && self.epochs_left.is_none() {
                    self.epochs_left = Some(0);
                }
                continue;
            };
            self.has_produced = true;
            self.names.get_or_insert_with(|| block.names().clone());
            for row in 0..block.rows() {
                self.ring.put(block.element(row)?.into_tensors())?;
                slice.elements += 1;
            }
        }
        Ok(())
    }

    fn draw(&mut self) -> Result<Option<Block>> {
        self.fill()?;
        let Some(names) = self.names.clone().filter(|_| self.ring.len() > 0) else {
            return Ok(None);
        };
        while self.slices.front().is_some_and(|slice| slice.elements == 0) {
            self.slices.pop_front();
            let [seed, seed2] = self.seeds.draw();
            self.random = Philox::new(seed, seed2);
        }
        let Some(slice) = self.slices.front_mut() else { return Ok(None) };
        let drawn = self.random.next_u32() as usize % slice.elements;
        slice.elements -= 1;
        let Some(element) = self.ring.take(drawn) else { return Ok(None) };
        Ok(Some(Block::from_element(Element::from_parts(names, element)?)))
    }
}

impl Cursor for ShuffleCursor {
    fn next(&mut self, _: usize) -> Result<Option<Block>> {
        let item = self.draw();
        self.items += u64::from(!matches!(item, Ok(None)));
        item
    }

    fn state(&self) -> State {
        let [seed, seed2] = self.origin.seeds;
        let [base, base2, drawn] = self.seeds.state();
        State::of([seed, seed2, self.origin.drawn, base, base2, drawn, self.items])
            .with([self.origin.input.clone()])
    }

    fn ready(&self) -> usize {
        usize::from(self.ring.len() > 0 && !self.is_to_be_filled())
    }
}
