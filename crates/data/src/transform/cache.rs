//! Elements kept after they were read once, in memory or in a file.
//!
//! The first pass reads the input and keeps what it delivers; once it reached the end without an
//! error, later passes read what was kept. A pass that was resumed before that fills the cache from
//! the beginning again and passes over what was delivered.

mod codec;
mod disk;
mod snapshot;

use std::sync::Arc;

use downpour_tensor::Result;
use parking_lot::Mutex;

use crate::context::Context;
use crate::position::State;
use crate::stage::{Cursor, Length, Schema, Stage, replay};
use crate::{Block, Dataset};

impl Dataset {
    /// Elements are kept in memory after the first pass; for datasets that fit.
    pub fn cache(&self) -> Dataset {
        Dataset::new(Cache { input: self.stage().clone(), kept: Arc::default() })
    }

    /// Elements are kept in a file, also for later processes. The file appears when the first pass is
    /// complete; one that another pipeline has written is refused.
    pub fn cache_file(&self, path: impl Into<std::path::PathBuf>) -> Dataset {
        Dataset::new(disk::DiskCache { input: self.stage().clone(), path: path.into() })
    }
}

/// The blocks of a complete pass, once there was one.
type Kept = Arc<Mutex<Option<Arc<Vec<Block>>>>>;

struct Cache {
    input: Arc<dyn Stage>,
    kept: Kept,
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
        let source = match self.kept.lock().clone() {
            Some(blocks) => Source::Kept { blocks, block: 0, row: 0 },
            None => Source::Filling {
                // What is kept must not depend on which repetition came first.
                input: self.input.open(&context.unrepeated(), None)?,
                blocks: Vec::new(),
                complete: true,
            },
        };
        let mut cursor = CacheCursor { source, kept: self.kept.clone(), items: 0 };
        replay(&mut cursor, items)?;
        Ok(Box::new(cursor))
    }
}

enum Source {
    Kept { blocks: Arc<Vec<Block>>, block: usize, row: usize },
    Filling { input: Box<dyn Cursor>, blocks: Vec<Block>, complete: bool },
}

struct CacheCursor {
    source: Source,
    kept: Kept,
    items: u64,
}

impl Cursor for CacheCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        match &mut self.source {
            Source::Kept { blocks, block, row } => {
                let Some(current) = blocks.get(*block) else { return Ok(None) };
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
                    blocks.push(block.clone());
                    Ok(Some(block))
                }
                Ok(None) => {
                    if *complete {
                        let blocks = Arc::new(joined(std::mem::take(blocks))?);
                        *complete = false;
                        self.kept.lock().get_or_insert(blocks);
                    }
                    Ok(None)
                }
                Err(error) => {
                    self.items += 1;
                    *complete = false;
                    Err(error)
                }
            },
        }
    }

    fn state(&self) -> State {
        State::of([self.items])
    }

    fn ready(&self) -> usize {
        match &self.source {
            Source::Kept { blocks, block, row } => {
                blocks.get(*block).map_or(0, |b| b.rows() - *row)
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
