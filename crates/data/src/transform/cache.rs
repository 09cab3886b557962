//! Elements kept after they were read once, in memory or in a file.
//!
//! The first pass reads the input and keeps what it delivers; once it reached the end without an
//! error, later passes read what was kept. A pass that was resumed before that fills the cache from
//! the beginning again and passes over what was delivered.
//!
//! A saved state has the state that the input had when the pass began: an input that is shuffled anew each time gives
//! the same again from there. What is kept of a pass that began elsewhere is not used for it.

mod access;
mod codec;
mod disk;
mod snapshot;

use std::sync::Arc;

use downpour_tensor::Result;
use parking_lot::Mutex;

use crate::context::Context;
use crate::position::State;
use crate::random_access::RandomAccess;
use crate::stage::{Cursor, Length, Schema, Stage, replay};
use crate::{Block, Dataset};

impl Dataset {
    /// Elements are kept in memory after the first pass; for datasets that fit.
    pub fn cache(&self) -> Dataset {
        self.cache_in(&CacheMemory::default())
    }

    /// Elements are kept in a memory that other datasets of the same elements may share.
    pub fn cache_in(&self, memory: &CacheMemory) -> Dataset {
        let (memory, found) = (memory.clone(), access::FoundElements::default());
        Dataset::new(Cache { input: self.stage().clone(), memory, found })
    }

    /// Elements are kept in a file, also for later processes. The file appears when the first pass is
    /// complete; one that another pipeline has written is refused.
    pub fn cache_file(&self, path: impl Into<std::path::PathBuf>) -> Dataset {
        Dataset::new(disk::DiskCache { input: self.stage().clone(), path: path.into() })
    }
}

/// Where a cache keeps its elements: those of a complete pass, once there was one. Clones are the same memory.
#[derive(Clone, Default)]
pub struct CacheMemory(Arc<Mutex<Option<Arc<Pass>>>>);

/// The blocks of a complete pass, and the input's state at its beginning.
struct Pass {
    blocks: Vec<Block>,
    origin: State,
}

impl CacheMemory {
    /// Whether there was a complete pass.
    pub fn is_complete(&self) -> bool {
        self.0.lock().is_some()
    }

    /// Returns the pass from which an iteration that began at `origin` can go on.
    fn pass(&self, origin: Option<&State>) -> Option<Arc<Pass>> {
        let mut kept = self.0.lock();
        kept.take_if(|pass| origin.is_some_and(|origin| *origin != pass.origin));
        kept.clone()
    }
}

struct Cache {
    input: Arc<dyn Stage>,
    memory: CacheMemory,
    /// Elements that were asked for by number.
    found: access::FoundElements,
}

impl Stage for Cache {
    fn describe(&self) -> String {
        "cache".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn is_resumable(&self) -> bool {
        self.input.is_ordered() && self.input.is_resumable()
    }

    fn schema(&self) -> Option<Schema> {
        self.input.schema()
    }

    fn length(&self) -> Option<Length> {
        self.input.length()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let [items] = state.map(|s| s.expect()).transpose()?.unwrap_or([0]);
        let origin = state.and_then(|s| s.inputs.first());
        let (source, origin) = match self.memory.pass(origin) {
            Some(pass) => {
                (Source::Kept { pass: pass.clone(), block: 0, row: 0 }, pass.origin.clone())
            }
            None => {
                // The kept elements must not depend on which repetition came first.
                let input = self.input.open(&context.unrepeated(), origin)?;
                let origin = origin.cloned().unwrap_or_else(|| input.state());
                (Source::Filling { input, blocks: Vec::new(), complete: true }, origin)
            }
        };
        let length = match self.input.length() {
            Some(Length::Finite(length)) => Some(length),
            _ => None,
        };
        let mut cursor =
            CacheCursor { source, memory: self.memory.clone(), origin, length, items: 0 };
        replay(&mut cursor, items)?;
        Ok(Box::new(cursor))
    }

    fn random_access(
        &self,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        self.found.open(&self.input, context, state)
    }

    fn check_global_shuffle(&self) -> Result<()> {
        self.input.check_global_shuffle()
    }
}

enum Source {
    Kept { pass: Arc<Pass>, block: usize, row: usize },
    Filling { input: Box<dyn Cursor>, blocks: Vec<Block>, complete: bool },
}

struct CacheCursor {
    source: Source,
    memory: CacheMemory,
    /// The state the input had when the pass began, and how many elements it has.
    origin: State,
    length: Option<u64>,
    items: u64,
}

impl CacheCursor {
    /// Keeps the elements of a pass that is complete.
    fn complete(&mut self) -> Result<()> {
        if let Source::Filling { blocks, complete, .. } = &mut self.source
            && std::mem::take(complete)
        {
            let blocks = joined(std::mem::take(blocks))?;
            let pass = Arc::new(Pass { blocks, origin: self.origin.clone() });
            self.memory.0.lock().get_or_insert(pass);
        }
        Ok(())
    }
}

impl Cursor for CacheCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        match &mut self.source {
            Source::Kept { pass, block, row } => {
                let Some(current) = pass.blocks.get(*block) else { return Ok(None) };
                let end = current.rows().min(row.saturating_add(limit));
                let part = current.slice(*row, end)?;
                self.items += part.rows() as u64;
                *row = end;
                if end == current.rows() {
                    (*block, *row) = (*block + 1, 0);
                }
                Ok(Some(part))
            }
            Source::Filling { input, blocks, complete } => match input.next(limit) {
                Ok(Some(block)) => {
                    self.items += block.rows() as u64;
                    if *complete {
                        blocks.push(block.clone());
                    }
                    // A reader that takes exactly as many elements as there are never asks for the end.
                    if self.length == Some(self.items) {
                        self.complete()?;
                    }
                    Ok(Some(block))
                }
                Ok(None) => {
                    self.complete()?;
                    Ok(None)
                }
                Err(error) => {
                    self.items += 1;
                    (*complete, *blocks) = (false, Vec::new());
                    Err(error)
                }
            },
        }
    }

    fn state(&self) -> State {
        State::of([self.items]).with([self.origin.clone()])
    }

    fn ready(&self) -> usize {
        match &self.source {
            Source::Kept { pass, block, row } => {
                pass.blocks.get(*block).map_or(0, |b| b.rows() - *row)
            }
            Source::Filling { input, .. } => input.ready(),
        }
    }
}

/// Elements that came one by one are kept in larger blocks.
fn joined(blocks: Vec<Block>) -> Result<Vec<Block>> {
    const ENOUGH: usize = 256;
    let (mut out, mut small) = (Vec::new(), Vec::new());
    let mut rows = 0;
    for block in blocks {
        let fits = |b: &Block| b.names() == block.names();
        if block.rows() >= ENOUGH || rows >= ENOUGH || !small.first().is_none_or(fits) {
            if !small.is_empty() {
                out.push(Block::concatenate(std::mem::take(&mut small))?);
            }
            rows = 0;
        }
        if block.rows() >= ENOUGH {
            out.push(block);
            continue;
        }
        rows += block.rows();
        // Lists are stacked where they can be; where not, they stay lists.
        small.push(block.clone().stacked().unwrap_or(block));
    }
    if !small.is_empty() {
        out.push(Block::concatenate(small)?);
    }
    Ok(out)
}
