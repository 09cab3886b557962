//! RecordInput: records of many TFRecord files in random order, epoch after epoch.
//!
//! The files of an epoch are shuffled, turned, and dealt out to as many shards as are to be read side by side. Records
//! of all shards in turn fill a buffer, from which one is drawn at random. An epoch begins when the last one's records
//! are all given away. The order is the same for the same seed, whatever threads run.

use std::collections::VecDeque;
use std::path::PathBuf;

use downpour_formats::tfrecord::{Compression, ReadOptions, RecordReader};
use downpour_formats::{io_error, open_regular};
use downpour_graph::{Node, OpSpec, PartialShape};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{ByteString, CountedVec, Philox, Result, Status, Tensor};
use parking_lot::Mutex;

use super::matching::matching_files;
use super::path;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let signature = "RecordInput() -> (records: string) @stateful
        file_pattern: string
        file_random_seed: int = 301
        file_shuffle_shift_ratio: float = 0
        file_buffer_size: int = 10000
        file_parallelism: int = 16
        batch_size: int = 32
        compression_type: string = ''";
    let spec = OpSpec::new(signature)?
        .shape(|cx| {
            let batch = usize::try_from(cx.node().int("batch_size")?).ok();
            cx.set_output(0, PartialShape::vector(batch));
            Ok(())
        })
        .not_differentiable();
    registry.add(spec, |build| Ok(KernelBox::blocking(RecordInput::new(build)?)))
}

struct RecordInput {
    pattern: String,
    seed: u64,
    /// The part of all files that the list is turned by.
    shift: f32,
    shards: usize,
    batch: usize,
    options: ReadOptions,
    state: Mutex<State>,
}

struct State {
    epoch: u64,
    random: Philox,
    /// Records of this epoch that may be drawn.
    buffer: CountedVec<ByteString>,
    most: usize,
    /// The files that are left to read in this epoch.
    shards: VecDeque<Shard>,
    read: usize,
}

/// Files that are read one after the other.
#[derive(Default)]
struct Shard {
    files: VecDeque<PathBuf>,
    open: Option<RecordReader>,
}

impl RecordInput {
    fn new(node: &Node) -> Result<RecordInput> {
        let number = |name: &str| -> Result<usize> {
            let value = node.int(name)?;
            usize::try_from(value).map_err(|_| {
                Status::invalid_argument(format!("{name} must be non-negative but got {value}"))
            })
        };
        let seed = node.int("file_random_seed")? as u64;
        let compression = Compression::from_name(&node.string("compression_type")?)?;
        Ok(RecordInput {
            pattern: node.string("file_pattern")?,
            seed,
            shift: node.float("file_shuffle_shift_ratio")?,
            shards: number("file_parallelism")?.max(1),
            batch: number("batch_size")?,
            options: ReadOptions { compression, ..ReadOptions::default() },
            state: Mutex::new(State {
                epoch: 0,
                random: Philox::new(seed, 0),
                buffer: CountedVec::new(),
                most: number("file_buffer_size")?.max(1),
                shards: VecDeque::new(),
                read: 0,
            }),
        })
    }

    fn begin_epoch(&self, cx: &OpContext<'_>, state: &mut State) -> Result<()> {
        let mut files = Vec::new();
        for pattern in self.pattern.split(',') {
            files.extend(matching_files(cx, &path(pattern.as_bytes())?)?);
        }
        if files.is_empty() {
            return Err(Status::not_found(format!("Found no files at {}", self.pattern)));
        }
        files.sort();
        state.epoch += 1;
        let mut random = Philox::new(self.seed, state.epoch);
        for i in (1..files.len()).rev() {
            files.swap(i, below(&mut random, i + 1));
        }
        if (0.0..1.0).contains(&self.shift) {
            let count = files.len();
            let places = (self.shift * count as f32) as usize;
            files.rotate_left(places.min(count));
        }
        state.shards = (0..self.shards.min(files.len())).map(|_| Shard::default()).collect();
        let shards = state.shards.len();
        for (i, file) in files.into_iter().enumerate() {
            state.shards[i % shards].files.push_back(file);
        }
        state.read = 0;
        Ok(())
    }

    /// Fills the buffer as far as the epoch has records.
    fn fill(&self, cx: &OpContext<'_>, state: &mut State) -> Result<()> {
        while state.buffer.len() < state.most {
            cx.check_cancelled()?;
            let Some(mut shard) = state.shards.pop_front() else { return Ok(()) };
            let record = shard.next(&self.options);
            if matches!(record, Ok(None)) {
                continue;
            }
            // One that cannot be read is an error each time.
            state.shards.push_back(shard);
            if let Some(record) = record? {
                state.read += 1;
                state.buffer.push(record)?;
            }
        }
        Ok(())
    }

    fn draw(&self, cx: &OpContext<'_>, state: &mut State) -> Result<ByteString> {
        self.fill(cx, state)?;
        if state.buffer.is_empty() {
            self.begin_epoch(cx, state)?;
            self.fill(cx, state)?;
        }
        let last = state.buffer.len().checked_sub(1).ok_or_else(|| {
            Status::out_of_range(format!("The files at {} have no records", self.pattern))
        })?;
        let drawn = below(&mut state.random, last + 1);
        state.buffer.swap(drawn, last);
        Ok(state.buffer.pop().unwrap_or_default())
    }
}

impl Kernel for RecordInput {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let mut state = self.state.lock();
        let mut records = CountedVec::with_capacity(self.batch)?;
        for _ in 0..self.batch {
            records.push(self.draw(cx, &mut state)?)?;
        }
        drop(state);
        cx.set_output(0, Tensor::from_counted([self.batch], records)?);
        Ok(())
    }
}

impl Shard {
    fn next(&mut self, options: &ReadOptions) -> Result<Option<ByteString>> {
        loop {
            if let Some(open) = &mut self.open {
                if let Some(record) = open.next_record()? {
                    return ByteString::copy_from(record).map(Some);
                }
                self.open = None;
            }
            let Some(path) = self.files.front() else { return Ok(None) };
            let file = open_regular(path).map_err(|e| io_error("open", path, &e))?;
            let name = path.display().to_string();
            self.open = Some(RecordReader::decompress(file, name, options.clone()));
            self.files.pop_front();
        }
    }
}

/// Returns a number below `limit`.
fn below(random: &mut Philox, limit: usize) -> usize {
    let number = u64::from(random.next_u32()) << 32 | u64::from(random.next_u32());
    (number % limit.max(1) as u64) as usize
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::path::Path;

    use super::*;
    use downpour_formats::tfrecord::RecordWriter;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Code;

    fn write(folder: &Path, files: usize, records: usize) -> String {
        for file in 0..files {
            let path = folder.join(format!("r{file}"));
            let mut writer = RecordWriter::create(&path, Compression::None).unwrap();
            for record in 0..records {
                writer.write(format!("{file}/{record}").as_bytes()).unwrap();
            }
            writer.finish().unwrap();
        }
        folder.join("r*").to_str().unwrap().to_owned()
    }

    fn input(pattern: &str, batch: i64) -> OpTest {
        OpTest::new(register, "RecordInput")
            .attr("file_pattern", pattern.to_owned())
            .attr("batch_size", batch)
            .attr("file_parallelism", 3i64)
            .attr("file_shuffle_shift_ratio", 0.4f32)
            .attr("file_buffer_size", 5i64)
    }

    #[test]
    fn an_epoch_has_every_record_once_and_the_order_is_the_seeds() {
        let folder = tempfile::tempdir().unwrap();
        let pattern = write(folder.path(), 4, 6);
        let read = || input(&pattern, 48).run_one().unwrap().strings().unwrap().to_vec();
        let records = read();
        for epoch in records.chunks(24) {
            assert_eq!(epoch.iter().collect::<HashSet<_>>().len(), 24);
        }
        assert_ne!(records[..24], records[24..]);
        assert_eq!(records, read());
    }

    #[test]
    fn what_has_no_records_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let empty = write(folder.path(), 2, 0);
        assert_eq!(input(&empty, 1).run_one().unwrap_err().code(), Code::OutOfRange);
        let none = input("/nowhere/x", 1).run_one().unwrap_err();
        assert_eq!(none.code(), Code::NotFound);
        assert!(input(&empty, -1).run().is_err());
        let several = write(folder.path(), 1, 3);
        assert_eq!(input(&several, 3).cancelled().run().unwrap_err().code(), Code::Cancelled);
    }
}
