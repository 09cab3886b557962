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
        Ok(DiskDecoder::new(reader))
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
        if self.path.exists() {
            return StoredCursor::open(state, |inner| {
                DecoderCursor::open(inner, |mark| {
                    let offset = mark.map(|m| m.expect::<1>()).transpose()?.map(|[offset]| offset);
                    self.reader(offset)
                })
            });
        }
        let mut file = AtomicFile::create(&self.path)?;
        file.write(&record(self.origin().as_bytes())?)?;
        FillingCursor::open(&*self.input, context, state, OneFile(file))
    }
}

/// Where blocks are written.
pub(super) trait Sink: Send {
    /// Adds a record with so many elements.
    fn write(&mut self, record: &[u8], rows: usize) -> Result<()>;

    /// Everything was written.
    fn finish(self) -> Result<()>;
}

struct OneFile(AtomicFile);

impl Sink for OneFile {
    fn write(&mut self, record: &[u8], _: usize) -> Result<()> {
        self.0.write(record)
    }

    fn finish(self) -> Result<()> {
        self.0.commit()
    }
}

pub(super) fn record(contents: &[u8]) -> Result<Vec<u8>> {
    let mut writer = RecordWriter::new(Vec::new(), Default::default());
    writer.write(contents)?;
    writer.finish()
}

/// Returns how many items were delivered, and whether that was while they were written: the state has a second number
/// then, and the state of the input at the beginning.
fn place(state: Option<&State>) -> Result<(u64, bool)> {
    match state {
        Some(state) if state.numbers.len() == 2 => Ok((state.expect::<2>()?[0], true)),
        Some(state) => Ok((state.expect::<1>()?[0], false)),
        None => Ok((0, false)),
    }
}

/// Reads what was written.
pub(super) struct StoredCursor {
    input: Box<dyn Cursor>,
    items: u64,
}

impl StoredCursor {
    /// A position within what was written is used; one from before that is counted out. `open` is given the former.
    pub fn open(
        state: Option<&State>,
        open: impl FnOnce(Option<&State>) -> Result<Box<dyn Cursor>>,
    ) -> Result<Box<dyn Cursor>> {
        let (items, is_filling) = place(state)?;
        let inner = state.and_then(|s| s.inputs.first()).filter(|_| !is_filling);
        let mut input = open(inner)?;
        if inner.is_none() {
            replay(&mut *input, items)?;
        }
        Ok(Box::new(StoredCursor { input, items }))
    }
}

impl Cursor for StoredCursor {
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

pub(super) struct DiskDecoder {
    reader: RecordReader,
    ended: bool,
}

impl DiskDecoder {
    pub fn new(reader: RecordReader) -> DiskDecoder {
        DiskDecoder { reader, ended: false }
    }
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

/// Reads the input and writes what it delivers.
pub(super) struct FillingCursor<S> {
    input: Box<dyn Cursor>,
    /// The state the input had at the beginning.
    origin: State,
    /// None once it is complete, or an error made it useless.
    sink: Option<S>,
    held: Vec<Block>,
    rows: usize,
    items: u64,
}

impl<S: Sink + 'static> FillingCursor<S> {
    /// Reads from the beginning, and passes over what was delivered before.
    pub fn open(
        input: &dyn Stage,
        context: &Context,
        state: Option<&State>,
        sink: S,
    ) -> Result<Box<dyn Cursor>> {
        let (items, is_filling) = place(state)?;
        let begun = state.and_then(|s| s.inputs.first()).filter(|_| is_filling);
        // The kept elements must not depend on which repetition came first.
        let input = input.open(&context.unrepeated(), begun)?;
        let (origin, sink, held) = (input.state(), Some(sink), Vec::new());
        let mut cursor = FillingCursor { input, origin, sink, held, rows: 0, items: 0 };
        replay(&mut cursor, items)?;
        Ok(Box::new(cursor))
    }

    /// Writes what is held. What cannot be written ends the writing, not the elements.
    fn write(&mut self) -> Result<()> {
        let held = std::mem::take(&mut self.held);
        self.rows = 0;
        let Some(mut sink) = self.sink.take() else { return Ok(()) };
        for alike in held.chunk_by(|a, b| a.names() == b.names()) {
            let block = Block::concatenate(alike.to_vec())?;
            sink.write(&record(&codec::encode(&block)?)?, block.rows())?;
        }
        self.sink = Some(sink);
        Ok(())
    }
}

impl<S: Sink + 'static> Cursor for FillingCursor<S> {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        // Before anything is read, so that no element is lost to a full disk.
        if self.rows >= ROWS {
            self.write()?;
        }
        match self.input.next(limit) {
            Ok(Some(block)) => {
                self.items += block.rows() as u64;
                if self.sink.is_some() {
                    self.rows += block.rows();
                    self.held.push(block.clone().stacked().unwrap_or_else(|_| block.clone()));
                }
                Ok(Some(block))
            }
            Ok(None) => {
                self.write()?;
                if let Some(sink) = self.sink.take() {
                    sink.finish()?;
                }
                Ok(None)
            }
            Err(error) => {
                self.items += 1;
                (self.sink, self.held) = (None, Vec::new());
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
