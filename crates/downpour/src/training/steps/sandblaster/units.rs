//! The data of units: read and decoded once, kept in memory as far as there is room.
//!
//! A unit is a range of the source's positions if it has them, else one of its shares. Positions of data that fits into
//! memory are there already. Of any other source every unit that was read is kept until [`MEMORY`] is full, and the
//! units that were too many are read again each time. None is ever dropped for another: they are needed one after the
//! other and over again, and who drops the oldest would drop each just before it is needed.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use downpour_data::{Dataset, DatasetIterator, Length};
use downpour_params::sandblaster::Work;
use downpour_tensor::{ByteString, DataType, Result, Status, Tensor};
use parking_lot::Mutex;

use crate::training::evaluator::columns;
use crate::training::positions::{MEMORY, Positions};
use crate::training::source::{Share, Source};

/// What a step is fed with.
type Feeds = Vec<Tensor>;

/// The units of one source.
pub(crate) struct Units {
    source: Source,
    positions: Option<Positions>,
    /// The columns that are fed.
    names: Vec<String>,
    room: usize,
    kept: Mutex<Kept>,
    /// Nanoseconds it took to read.
    reading: AtomicU64,
}

#[derive(Default)]
struct Kept {
    units: HashMap<u64, Arc<Vec<Feeds>>>,
    bytes: usize,
}

impl Units {
    /// The data cut into `count` units.
    pub fn open(source: &Source, names: &[String], count: u64) -> Result<Units> {
        Units::with_room(source, names, count, MEMORY)
    }

    fn with_room(source: &Source, names: &[String], count: u64, room: usize) -> Result<Units> {
        let positions = source.numbered().transpose()?;
        let endless = || {
            let share = source.open(Share { index: 0, count: count as usize })?;
            Ok(share.length() == Some(Length::Infinite))
        };
        if positions.is_none() && endless()? {
            return Err(Status::invalid_argument(
                "Sandblaster goes over all of the data in every step, so the data must end: leave `repeat` out",
            ));
        }
        Ok(Units {
            source: source.clone(),
            positions,
            names: names.to_vec(),
            room,
            kept: Mutex::default(),
            reading: AtomicU64::new(0),
        })
    }

    /// A unit's batches, one after the other.
    pub fn each(&self, unit: &Work, mut with: impl FnMut(Feeds) -> Result<()>) -> Result<()> {
        let kept = self.kept.lock().units.get(&unit.unit).cloned();
        if let Some(batches) = kept {
            return batches.iter().try_for_each(|batch| with(batch.clone()));
        }
        let mut keeping = self.is_to_be_kept().then(|| (Vec::new(), 0));
        let mut batches: Option<DatasetIterator> = None;
        loop {
            let begun = Instant::now();
            let batch = match &mut batches {
                Some(batches) => batches.next()?,
                None => batches.insert(self.data(unit)?.iterate()?).next()?,
            };
            let batch = batch.map(|batch| columns(&batch, &self.names)).transpose()?;
            if let (Some(batch), Some((batches, bytes))) = (&batch, &mut keeping) {
                *bytes += batch.iter().map(Tensor::byte_len).sum::<usize>();
                if self.kept.lock().bytes + *bytes > self.room {
                    keeping = None;
                } else {
                    batches.push(batch.iter().map(own).collect::<Result<Feeds>>()?);
                }
            }
            self.reading.fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
            match batch {
                Some(batch) => with(batch)?,
                None => break,
            }
        }
        if let Some((batches, bytes)) = keeping {
            self.keep(unit.unit, batches, bytes);
        }
        Ok(())
    }

    fn keep(&self, unit: u64, batches: Vec<Feeds>, bytes: usize) {
        let mut kept = self.kept.lock();
        if kept.bytes + bytes <= self.room && !kept.units.contains_key(&unit) {
            kept.bytes += bytes;
            kept.units.insert(unit, Arc::new(batches));
        }
    }

    /// Positions in memory need not be there twice.
    fn is_to_be_kept(&self) -> bool {
        !self.positions.as_ref().is_some_and(Positions::is_in_memory)
    }

    fn data(&self, unit: &Work) -> Result<Dataset> {
        match &self.positions {
            Some(positions) => {
                let examples = unit.examples(positions.examples());
                positions.open(0, examples.start, examples.end)
            }
            None => {
                self.source.open(Share { index: unit.unit as usize, count: unit.units as usize })
            }
        }
    }

    /// How long reading has taken.
    pub fn reading(&self) -> Duration {
        Duration::from_nanos(self.reading.load(Ordering::Relaxed))
    }

    /// How many units are kept here, and their bytes.
    pub fn kept(&self) -> (usize, usize) {
        let kept = self.kept.lock();
        (kept.units.len(), kept.bytes)
    }
}

/// A copy that keeps nothing else alive: a batch may be a part of a block that is a hundred times as large.
fn own(tensor: &Tensor) -> Result<Tensor> {
    if tensor.dtype() != DataType::String {
        return tensor.deep_copy();
    }
    let strings = tensor.strings()?;
    let all = ByteString::joined(strings.iter().map(|string| &string[..]), b"")?;
    let mut from = 0;
    Tensor::build_strings(tensor.shape().clone(), |i| {
        from += strings[i].len();
        Ok(all.slice(from - strings[i].len()..from))
    })
}

#[cfg(test)]
mod tests;
