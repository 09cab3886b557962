//! A dataset made of every element, and their elements woven together.
//!
//! `cycle` datasets are open at a time; each gives `block` elements in turn; one that has ended makes
//! room for the next. A saved state has for each open dataset the input's state before the element
//! it was made of, from which it is made again, and the dataset's own state.

use std::sync::Arc;

use downpour_tensor::{Result, Status};

use super::map::guarded;
use super::prefetch::PrefetchCursor;
use crate::chunk::Reading;
use crate::context::Context;
use crate::position::{State, malformed};
use crate::stage::{Cursor, Stage, replay};
use crate::tuning::Ahead;
use crate::{Block, Dataset, Element, Selection};

/// How the elements of several datasets are woven together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interleave {
    /// Datasets that are open at a time.
    pub cycle: usize,
    /// Elements each gives before the next has its turn.
    pub block: usize,
    /// How a thread per open dataset reads ahead; without one all is read by the caller.
    pub read_ahead: Option<ReadAhead>,
}

/// How many elements of each open dataset are read ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadAhead {
    /// So many.
    Elements(usize),
    /// Two at first, and more while that helps and half of the memory limit is free.
    Autotuned,
}

impl Interleave {
    /// `cycle` datasets at a time, one element each in turn, read by the caller.
    pub fn new(cycle: usize) -> Interleave {
        Interleave { cycle, block: 1, read_ahead: None }
    }

    /// So many elements of one before the next has its turn.
    pub fn block(self, block: usize) -> Interleave {
        Interleave { block, ..self }
    }

    /// A thread per open dataset reads up to `elements` ahead. The order stays the same.
    pub fn parallel(self, elements: usize) -> Interleave {
        Interleave { read_ahead: Some(ReadAhead::Elements(elements)), ..self }
    }

    /// A thread per open dataset reads ahead, as far as it finds useful. The order stays the same.
    pub fn parallel_autotuned(self) -> Interleave {
        Interleave { read_ahead: Some(ReadAhead::Autotuned), ..self }
    }
}

type Make = Arc<dyn Fn(Element) -> Result<Dataset> + Send + Sync>;

impl Dataset {
    /// The elements of the dataset `make` makes of each element, one dataset after the other.
    pub fn flat_map(
        &self,
        make: impl Fn(Element) -> Result<Dataset> + Send + Sync + 'static,
    ) -> Dataset {
        let how = Interleave::new(1).block(usize::MAX);
        Dataset::new(Weave { input: self.stage().clone(), make: Arc::new(make), how })
    }

    /// The elements of the datasets `make` makes of each element, woven together.
    ///
    /// ```
    /// use downpour_data::{Dataset, Element, Interleave};
    /// let data = Dataset::range(3).interleave(Interleave::new(2).block(2), |e: Element| {
    ///     let n = e[0].to_scalar::<i64>()?;
    ///     Ok(Dataset::range(3).map(move |e: Element| Ok(e.with(vec![downpour_tensor::Tensor::scalar(n)]))))
    /// }).unwrap();
    /// let all: Vec<i64> = data.iterate().unwrap().map(|e| e.unwrap()[0].to_scalar().unwrap()).collect();
    /// assert_eq!(all, [0, 0, 1, 1, 0, 1, 2, 2, 2]);
    /// ```
    pub fn interleave(
        &self,
        how: Interleave,
        make: impl Fn(Element) -> Result<Dataset> + Send + Sync + 'static,
    ) -> Result<Dataset> {
        if how.cycle == 0 || how.block == 0 {
            return Err(Status::invalid_argument(format!(
                "an interleave of {} datasets, {} elements each, would give nothing; both must be at least 1",
                how.cycle, how.block
            )));
        }
        Ok(Dataset::new(Weave { input: self.stage().clone(), make: Arc::new(make), how }))
    }
}

struct Weave {
    input: Arc<dyn Stage>,
    make: Make,
    how: Interleave,
}

impl Stage for Weave {
    fn describe(&self) -> String {
        match self.how {
            Interleave { cycle: 1, block: usize::MAX, .. } => "flat_map".to_owned(),
            how => format!("interleave({}, {})", how.cycle, how.block),
        }
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn is_resumable(&self) -> bool {
        self.input.is_ordered() && self.input.is_resumable()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let opener = Opener { make: self.make.clone(), how: self.how, context: context.clone() };
        let slots = (0..self.how.cycle).map(|_| None).collect();
        let Some(state) = state else {
            let input = self.input.open(context, None)?;
            let (turn, given, input_ended) = (0, 0, false);
            return Ok(Box::new(WeaveCursor { input, opener, slots, turn, given, input_ended }));
        };
        let [turn, given, ended, filled @ ..] = state.numbers.as_slice() else {
            return Err(malformed());
        };
        let slots = opener.restore(slots, filled, state, &*self.input)?;
        let turn = usize::try_from(*turn).ok().filter(|&t| t < slots.len());
        Ok(Box::new(WeaveCursor {
            // The newest state of the input comes last.
            input: self.input.open(context, Some(state.input(0)?))?,
            opener,
            turn: turn.ok_or_else(malformed)?,
            slots,
            given: usize::try_from(*given)
                .ok()
                .filter(|&given| given < self.how.block)
                .ok_or_else(malformed)?,
            input_ended: *ended != 0,
        }))
    }
}

/// An open dataset, and the input's state before the element it was made of.
struct Slot {
    before: State,
    reading: Reading,
}

/// Elements that are taken from an open dataset at once, if they are decoded already.
const AT_ONCE: usize = 256;

struct WeaveCursor {
    input: Box<dyn Cursor>,
    opener: Opener,
    slots: Vec<Option<Slot>>,
    /// Whose turn it is, and how many elements it has given in this turn.
    turn: usize,
    given: usize,
    input_ended: bool,
}

/// Opens datasets that are made of elements.
struct Opener {
    make: Make,
    how: Interleave,
    context: Context,
}

impl Opener {
    /// Opens the datasets of a saved state in their slots.
    fn restore(
        &self,
        mut slots: Vec<Option<Slot>>,
        filled: &[u64],
        state: &State,
        input: &dyn Stage,
    ) -> Result<Vec<Option<Slot>>> {
        for (i, slot) in filled.iter().enumerate() {
            let (before, inner) = (state.input(1 + 2 * i)?, state.input(2 + 2 * i)?);
            let element =
                input.open(&self.context, Some(before))?.next(1)?.ok_or_else(malformed)?;
            let reading = self.read(element.element(0)?, Some(inner))?;
            let slot = usize::try_from(*slot).ok().and_then(|s| slots.get_mut(s));
            *slot.ok_or_else(malformed)? = Some(Slot { before: before.clone(), reading });
        }
        Ok(slots)
    }

    fn read(&self, element: Element, state: Option<&State>) -> Result<Reading> {
        Reading::open(state, |state| self.open(element, state))
    }

    fn open(&self, element: Element, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let dataset = guarded("interleave", || (self.make)(element))?;
        let ahead = match self.how.read_ahead {
            Some(ReadAhead::Elements(count)) => Ahead::fixed(count),
            Some(ReadAhead::Autotuned) => Ahead::tuned(),
            None => return dataset.stage().open(&self.context, state),
        };
        let mut cursor =
            dataset.stage().open(&self.context, state.map(|s| s.input(0)).transpose()?)?;
        if let Some(state) = state {
            replay(&mut *cursor, state.expect::<1>()?[0])?;
        }
        Ok(Box::new(PrefetchCursor::start(cursor, ahead, &self.context)?))
    }
}

impl WeaveCursor {
    fn pass_on(&mut self) {
        self.turn = (self.turn + 1) % self.slots.len();
        self.given = 0;
    }

    /// Opens a dataset whose turn it is, or passes the turn on if there is none; false if all have ended.
    fn open_next(&mut self) -> Result<bool> {
        if self.input_ended {
            self.pass_on();
            return Ok(self.slots.iter().any(|slot| slot.is_some()));
        }
        let before = self.input.state();
        match self.input.next(1)? {
            Some(block) => {
                let reading = self.opener.read(block.element(0)?, None)?;
                self.slots[self.turn] = Some(Slot { before, reading });
            }
            None => self.input_ended = true,
        }
        Ok(true)
    }
}

impl Cursor for WeaveCursor {
    /// Goes round the open datasets until there are `limit` elements, or until it would have to wait for another.
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        let mut taken = Selection::default();
        while taken.len() < limit {
            self.opener.context.cancel().check()?;
            let Some(slot) = &mut self.slots[self.turn] else {
                if !taken.is_empty() {
                    break;
                }
                if !self.open_next()? {
                    return Ok(None);
                }
                continue;
            };
            if slot.reading.chunk.remaining() == 0 {
                let ready = slot.reading.input.ready();
                if ready == 0 && !taken.is_empty() {
                    break;
                }
                if !slot.reading.fill(ready.clamp(1, AT_ONCE))? {
                    self.slots[self.turn] = None;
                    self.pass_on();
                    continue;
                }
            }
            let wanted = (limit - taken.len()).min(self.opener.how.block - self.given);
            self.given += slot.reading.chunk.move_to(&mut taken, wanted);
            if self.given >= self.opener.how.block {
                self.pass_on();
            }
        }
        taken.into_block().map(Some)
    }

    fn state(&self) -> State {
        let mut numbers = vec![self.turn as u64, self.given as u64, u64::from(self.input_ended)];
        let mut inputs = vec![self.input.state()];
        for (i, slot) in self.slots.iter().enumerate() {
            if let Some(slot) = slot {
                numbers.push(i as u64);
                inputs.extend([slot.before.clone(), slot.reading.state()]);
            }
        }
        State::of(numbers).with(inputs)
    }

    fn ready(&self) -> usize {
        let slot = self.slots.get(self.turn).and_then(|s| s.as_ref());
        let ready = slot.map_or(0, |s| s.reading.ready());
        ready.min(self.opener.how.block - self.given)
    }
}
