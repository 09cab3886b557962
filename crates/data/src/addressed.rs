//! Examples by number: any range of an epoch's positions, without reading what is before it.
//!
//! Reading ahead of use goes through everything once. Data that fits into memory is kept, and an epoch is one
//! permutation of all of it. Of larger data the states at the beginnings of blocks are kept: an epoch is a permutation
//! of the blocks, and one within each block. The last block, which may be shorter, stays the last. Which example
//! stands at a position so depends on the data, the seed and the epoch only: not on who asks, nor in which order.

mod permutation;
mod range;

use std::sync::Arc;

use downpour_tensor::{Result, Status};

use crate::context::{Cancel, Context};
use crate::position::State;
use crate::random::mix;
use crate::stage::{Cursor, Length, Schema, Stage};
use crate::{Block, Dataset};
use permutation::Permutation;
use range::Range;

/// Examples by number. Clones share what was read.
///
/// ```
/// use downpour_data::{Addressed, Dataset};
///
/// let numbers = Addressed::read(&Dataset::range(100), 10, 1 << 20)?;
/// let epoch = |start, end| -> Vec<i64> {
///     let range = numbers.range(Some(7), 3, start, end).unwrap();
///     range.iterate().unwrap().map(|n| n.unwrap()[0].to_scalar::<i64>().unwrap()).collect()
/// };
/// // A part is the same whoever reads it.
/// assert_eq!(epoch(0, 100)[40..60], epoch(40, 60));
/// # Ok::<(), downpour_tensor::Status>(())
/// ```
#[derive(Clone)]
pub struct Addressed(Arc<Inner>);

struct Inner {
    input: Arc<dyn Stage>,
    examples: u64,
    block: usize,
    kept: Kept,
}

enum Kept {
    /// Everything.
    Data(Block),
    /// The input's state at the beginning of each block.
    States(Vec<State>),
}

impl Addressed {
    /// Goes through a dataset once, in blocks of `block` examples. If it takes no more than about `memory` bytes it is
    /// kept. It must end and be the same each time; else FAILED_PRECONDITION says why it cannot be addressed.
    pub fn read(examples: &Dataset, block: usize, memory: usize) -> Result<Addressed> {
        let input = examples.stage().clone();
        let refused = |why: &str| {
            Status::failed_precondition(format!(
                "the examples of {} cannot be asked for by position: {why}",
                examples.describe()
            ))
        };
        if input.length() == Some(Length::Infinite) {
            return Err(refused("they never end; leave out `repeat`"));
        }
        if !input.is_ordered() || !input.is_resumable() {
            return Err(refused(
                "they come in another order each time; make parallel stages ordered",
            ));
        }
        let mut cursor = input.open(&Context::new(Cancel::default(), 0), None)?;
        let (mut states, mut blocks, mut bytes, mut count) = (Vec::new(), Vec::new(), 0usize, 0u64);
        loop {
            let state = cursor.state();
            let Some(read) = read_block(&mut *cursor, block.max(1))? else { break };
            count += read.rows() as u64;
            bytes = bytes.saturating_add(size(&read));
            states.push(state);
            if bytes <= memory {
                blocks.push(read);
            } else {
                blocks.clear();
            }
        }
        if count == 0 {
            return Err(refused("there are none"));
        }
        let kept = match bytes <= memory {
            true => Kept::Data(Block::concatenate(blocks)?),
            false => Kept::States(states),
        };
        Ok(Addressed(Arc::new(Inner { input, examples: count, block: block.max(1), kept })))
    }

    /// How many examples there are.
    pub fn examples(&self) -> u64 {
        self.0.examples
    }

    /// Whether all of it is kept in memory.
    pub fn is_in_memory(&self) -> bool {
        matches!(self.0.kept, Kept::Data(_))
    }

    /// The examples at the positions from `start` to `end` (not included) of an epoch; in the order of the data if
    /// there is no seed.
    pub fn range(&self, seed: Option<u64>, epoch: u64, start: u64, end: u64) -> Result<Dataset> {
        if start > end || end > self.0.examples {
            return Err(Status::out_of_range(format!(
                "positions {start} to {end} of {} examples",
                self.0.examples
            )));
        }
        let key = seed.map(|seed| mix(mix(seed, 0xadd5), epoch));
        Ok(Dataset::new(Range { of: self.clone(), key, start, end }))
    }

    fn schema(&self) -> Option<Schema> {
        self.0.input.schema()
    }
}

impl Inner {
    /// Full blocks: those that are in another order in each epoch.
    fn whole_blocks(&self) -> u64 {
        self.examples / self.block as u64
    }

    /// The examples in a block's place of an epoch, in their order of that epoch.
    fn slot(
        &self,
        states: &[State],
        key: Option<u64>,
        slot: u64,
        cancel: &Cancel,
    ) -> Result<Block> {
        let number = match key {
            Some(key) if slot < self.whole_blocks() => {
                Permutation::new(key, self.whole_blocks()).of(slot)
            }
            _ => slot,
        };
        let missing = || Status::internal(format!("there is no block {number} of the data"));
        let state = states.get(number as usize).ok_or_else(missing)?;
        let context = Context::new(cancel.clone(), 0);
        let mut cursor = self.input.open(&context, Some(state))?;
        let block = read_block(&mut *cursor, self.block)?.ok_or_else(|| {
            Status::data_loss(format!(
                "{} examples were there, and block {number} of them is not any more: the data has changed",
                self.examples
            ))
        })?;
        let Some(key) = key else { return Ok(block) };
        let order = Permutation::new(mix(key, number), block.rows() as u64);
        let picked: Vec<usize> =
            (0..block.rows() as u64).map(|row| order.of(row) as usize).collect();
        block.gather(&picked)
    }
}

/// The next `rows` elements as one block, or fewer at the end.
fn read_block(cursor: &mut dyn Cursor, rows: usize) -> Result<Option<Block>> {
    let (mut parts, mut have) = (Vec::new(), 0);
    while have < rows
        && let Some(part) = cursor.next(rows - have)?
    {
        have += part.rows();
        parts.push(part.clone().stacked().unwrap_or(part));
    }
    if parts.is_empty() { Ok(None) } else { Block::concatenate(parts).map(Some) }
}

/// About how much memory a block takes.
fn size(block: &Block) -> usize {
    match block.columns() {
        Some(columns) => columns.iter().map(|column| column.byte_len()).sum(),
        None => (0..block.rows())
            .filter_map(|row| block.element(row).ok())
            .map(|element| element.tensors().iter().map(|t| t.byte_len() + 64).sum::<usize>())
            .sum(),
    }
}

#[cfg(test)]
mod tests;
