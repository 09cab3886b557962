//! Elements kept in a file: a record file whose first record names the pipeline, then a block each.

use std::path::PathBuf;
use std::sync::Arc;

use downpour_formats::AtomicFile;
use downpour_formats::tfrecord::{ReadOptions, RecordReader, RecordWriter};
use downpour_tensor::{Bytes, Result, Status};

use super::codec;
use crate::context::Context;
use crate::decoder::{Decoder, DecoderCursor};
use crate::position::State;
use crate::stage::{Cursor, Length, Schema, Stage, replay};
use crate::{Block, Dataset};

pub(super) struct DiskCache {
    pub input: Arc<dyn Stage>,
    pub path: PathBuf,
}

impl DiskCache {
    /// What the file was made from.
    fn origin(&self) -> String {
        Dataset::from_stage(self.input.clone()).describe()
    }

    /// Opens the file behind its first record, or at a later one.
    fn reader(&self, offset: Option<u64>) -> Result<DiskDecoder> {
        let mut reader = RecordReader::open(&self.path, ReadOptions::default())?;
        let origin = reader.next_record()?.unwrap_or_default();
        if origin != self.origin().as_bytes() {
            return Err(Status::failed_precondition(format!(
                "the cache file {} was made from the dataset {}, not from {}; delete it or use another",
                self.path.display(),
                String::from_utf8_lossy(origin),
                self.origin()
            )));
        }
        if let Some(offset) = offset {
            reader = RecordReader::open_at(&self.path, offset, ReadOptions::default())?;
        }
        Ok(DiskDecoder { reader, ended: false })
    }
}

impl Stage for DiskCache {
    fn describe(&self) -> String {
        "cache_file".to_owned()
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
        // While the file is written the state has a second number, and the state of the input at the beginning.
        let (items, is_filling) = match state {
            Some(state) if state.numbers.len() == 2 => (state.expect::<2>()?[0], true),
            Some(state) => (state.expect::<1>()?[0], false),
            None => (0, false),
        };
        let inner = state.and_then(|s| s.inputs.first());
        if self.path.exists() {
            // A position within the file is used; one from before there was a file is counted out.
            let inner = inner.filter(|_| !is_filling);
            let mut input = DecoderCursor::open(inner, |mark| {
                let offset = mark.map(|m| m.expect::<1>()).transpose()?.map(|[offset]| offset);
                self.reader(offset)
            })?;
            if inner.is_none() {
                replay(&mut *input, items)?;
            }
            return Ok(Box::new(Kept { input, items }));
        }
        let mut file = AtomicFile::create(&self.path)?;
        file.write(&record(self.origin().as_bytes())?)?;
        let input = self.input.open(&context.unrepeated(), inner.filter(|_| is_filling))?;
        let origin = input.state();
        let (file, held) = (Some(file), Vec::new());
        let mut cursor = Filling { input, origin, file, held, rows: 0, items: 0 };
        replay(&mut cursor, items)?;
        Ok(Box::new(cursor))
    }
}

fn record(contents: &[u8]) -> Result<Vec<u8>> {
    let mut writer = RecordWriter::new(Vec::new(), Default::default());
    writer.write(contents)?;
    writer.finish()
}

/// Reads the file.
struct Kept {
    input: Box<dyn Cursor>,
    items: u64,
}

impl Cursor for Kept {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        let item = self.input.next(limit);
        self.items += match &item {
            Ok(Some(block)) => block.rows() as u64,
            Ok(None) => 0,
            Err(_) => 1,
        };
        item
    }

    fn state(&self) -> State {
        State::of([self.items]).with([self.input.state()])
    }

    fn ready(&self) -> usize {
        self.input.ready()
    }
}

struct DiskDecoder {
    reader: RecordReader,
    ended: bool,
}

impl Decoder for DiskDecoder {
    fn decode(&mut self) -> Result<Option<Block>> {
        if self.ended {
            return Ok(None);
        }
        let record = self.reader.next_record().inspect_err(|_| self.ended = true)?;
        record.map(|r| codec::decode(Bytes::copy_from_slice(r))).transpose()
    }

    fn mark(&self) -> State {
        State::of([self.reader.offset()])
    }
}

/// Blocks of so many elements are written.
const ROWS: usize = 1024;

/// Reads the input and writes the file.
struct Filling {
    input: Box<dyn Cursor>,
    /// The state the input had at the beginning.
    origin: State,
    /// None once it is complete, or an error made it useless.
    file: Option<AtomicFile>,
    held: Vec<Block>,
    rows: usize,
    items: u64,
}

impl Filling {
    /// Writes what is held. What cannot be written ends the file, not the elements.
    fn write(&mut self) -> Result<()> {
        let held = std::mem::take(&mut self.held);
        self.rows = 0;
        let Some(mut file) = self.file.take() else { return Ok(()) };
        for alike in held.chunk_by(|a, b| a.names() == b.names()) {
            let block = Block::concatenate(alike.to_vec())?;
            file.write(&record(&codec::encode(&block)?)?)?;
        }
        self.file = Some(file);
        Ok(())
    }
}

impl Cursor for Filling {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        // Before anything is read, so that no element is lost to a full disk.
        if self.rows >= ROWS {
            self.write()?;
        }
        match self.input.next(limit) {
            Ok(Some(block)) => {
                self.items += block.rows() as u64;
                if self.file.is_some() {
                    self.rows += block.rows();
                    self.held.push(block.clone().stacked().unwrap_or_else(|_| block.clone()));
                }
                Ok(Some(block))
            }
            Ok(None) => {
                self.write()?;
                if let Some(file) = self.file.take() {
                    file.commit()?;
                }
                Ok(None)
            }
            Err(error) => {
                self.items += 1;
                (self.file, self.held) = (None, Vec::new());
                Err(error)
            }
        }
    }

    fn state(&self) -> State {
        State::of([self.items, 1]).with([self.origin.clone()])
    }

    fn ready(&self) -> usize {
        self.input.ready()
    }
}
