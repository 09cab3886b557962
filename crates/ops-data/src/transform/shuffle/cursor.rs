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

use downpour_data::{Block, Context, Cursor, Selection, Stage, State, replay};
use downpour_tensor::{Philox, Result, Status};

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
    /// The block that was read last, until all of its elements are in the buffer.
    read: Option<Arc<Block>>,
    /// How many elements of it are in the buffer.
    put: usize,
    /// An error that came when elements had been drawn before it: there was no memory for another.
    failed: Option<Status>,
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
            read: None,
            put: 0,
            failed: None,
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

    /// Returns how many elements fit into the buffer.
    fn room(&self) -> usize {
        let served = self.slices.iter().find(|slice| slice.elements > 0);
        let room = match self.buffer {
            Some(size) => size - self.ring.len(),
            None if served.is_some_and(|slice| slice.is_complete) => self.ring.free(),
            None => AT_ONCE,
        };
        room.clamp(1, AT_ONCE)
    }

    /// Returns how many elements were read and are not in the buffer yet.
    fn waiting(&self) -> usize {
        self.read.as_ref().map_or(0, |block| block.rows() - self.put)
    }

    /// Fills the buffer, as long as there are elements and room.
    fn fill(&mut self) -> Result<()> {
        while self.is_to_be_filled() {
            if self.waiting() == 0 && !self.read()? {
                continue;
            }
            let (Some(block), Some(slice)) = (&self.read, self.slices.back_mut()) else {
                return Ok(());
            };
            self.ring.put(block, self.put)?;
            self.put += 1;
            slice.elements += 1;
        }
        Ok(())
    }

    /// Reads elements of the input: those that the buffer has room for, and more if they are decoded already. False at
    /// the end of an epoch.
    fn read(&mut self) -> Result<bool> {
        self.context.cancel().check()?;
        let room = self.room();
        if self.input.is_none() {
            self.input = Some(self.stage.open(&self.context, None)?);
            self.slices.push_back(Slice::default());
            self.epochs_left = self.epochs_left.map(|left| left - 1);
        }
        let (Some(input), Some(slice)) = (&mut self.input, self.slices.back_mut()) else {
            return Ok(false);
        };
        let limit = input.ready().clamp(room, AT_ONCE);
        self.read = input.next(limit)?.map(Arc::new);
        self.put = 0;
        if self.read.is_some() {
            self.has_produced = true;
            return Ok(true);
        }
        slice.is_complete = true;
        self.input = None;
        // Epochs without an element would never end.
        if !self.has_produced && self.epochs_left.is_none() {
            self.epochs_left = Some(0);
        }
        Ok(false)
    }

    /// Draws an element; false if there are no more.
    fn draw(&mut self, drawn: &mut Selection) -> Result<bool> {
        self.fill()?;
        if self.ring.len() == 0 {
            return Ok(false);
        }
        while self.slices.front().is_some_and(|slice| slice.elements == 0) {
            self.slices.pop_front();
            let [seed, seed2] = self.seeds.draw();
            self.random = Philox::new(seed, seed2);
        }
        let Some(slice) = self.slices.front_mut() else { return Ok(false) };
        let behind = self.random.next_u32() as usize % slice.elements;
        slice.elements -= 1;
        let Some(place) = self.ring.take(behind) else { return Ok(false) };
        drawn.pick(&place.block, place.row..place.row + 1);
        Ok(true)
    }
}

impl Cursor for ShuffleCursor {
    /// Draws until there are `limit` elements, or until it would have to wait for the input.
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        let mut drawn = Selection::default();
        let first = match self.failed.take() {
            Some(error) => Err(error),
            None => self.draw(&mut drawn),
        };
        if !first.inspect_err(|_| self.items += 1)? {
            return Ok(None);
        }
        while drawn.len() < limit && self.ready() > 0 {
            match self.draw(&mut drawn) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            }
        }
        self.items += drawn.len() as u64;
        drawn.into_block().map(Some)
    }

    fn state(&self) -> State {
        let [seed, seed2] = self.origin.seeds;
        let [base, base2, drawn] = self.seeds.state();
        State::of([seed, seed2, self.origin.drawn, base, base2, drawn, self.items])
            .with([self.origin.input.clone()])
    }

    fn ready(&self) -> usize {
        if self.ring.len() == 0 || self.failed.is_some() {
            return 0;
        }
        match (self.is_to_be_filled(), self.buffer) {
            (false, _) => 1,
            // One element more is drawn for each that takes its place.
            (true, Some(size)) if self.input.is_some() => {
                (self.waiting() + 1).saturating_sub(size - self.ring.len())
            }
            (true, _) => 0,
        }
    }
}
