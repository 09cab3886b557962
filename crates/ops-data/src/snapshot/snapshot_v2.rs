//! SnapshotDatasetV2: the elements of a dataset, saved by the first iteration and read by those that follow.

use std::path::PathBuf;
use std::sync::Arc;

use downpour_data::{Block, Context, Cursor, Dataset, Length, Stage, State};
use downpour_formats::snapshot::{SnapshotFormat, read_metadata};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{FunctionHandle, Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::fingerprint::fingerprint64;
use downpour_tensor::{Result, Status};

use super::nested::read_run;
use super::recorder::{Count, ShardedRun};
use super::recording::RecordCursor;
use super::run::{Mode, joined, metadata, new_run, now};
use crate::component::Signature;
use crate::dataset;
use crate::function::Captured;
use crate::source::arguments::{local_path, path};

/// The version of the files' format.
const VERSION: i64 = 2;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SnapshotDatasetV2(input_dataset: variant, path: string, reader_func_other_args: Treader_func_args, shard_func_other_args: Tshard_func_args) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                compression: string = ''
                reader_prefix: string = ''
                writer_prefix: string = ''
                hash_valid: bool = false
                hash: int = 0
                reader_func: func
                shard_func: func
                Treader_func_args: list(type) >= 0
                Tshard_func_args: list(type) >= 0
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |build| {
            let (reader, shard) = (build.callable("reader_func")?, build.callable("shard_func")?);
            Ok(KernelBox::new(SnapshotV2 { reader, shard }))
        },
    )
}

struct SnapshotV2 {
    reader: Arc<FunctionHandle>,
    shard: Arc<FunctionHandle>,
}

impl Kernel for SnapshotV2 {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let node = cx.node();
        let input = dataset::input(cx, 0)?;
        let path = path(cx, 1, "path")?;
        let compression = node.bytes("compression")?;
        let hash = match node.bool("hash_valid")? {
            true => node.int("hash")? as u64,
            false => {
                let mut identity = compression.to_vec();
                identity.extend_from_slice(format!("{:?}", input.signature).as_bytes());
                input.pipeline.stage().identify(&mut identity);
                fingerprint64(&identity)
            }
        };
        let prefixed = |prefix: &str| {
            let prefix = node.string(prefix)?;
            Ok::<_, Status>(joined(local_path(&prefix)?, &path).join(hash.to_string()))
        };
        let snapshot = Snapshot {
            input: input.pipeline.clone(),
            signature: input.signature.clone(),
            read_folder: prefixed("reader_prefix")?,
            write_folder: prefixed("writer_prefix")?,
            compression: compression.to_vec(),
            hash,
            reader_func: Captured::new(cx, &self.reader, "reader_func_other_args")?,
            shard_func: Captured::new(cx, &self.shard, "shard_func_other_args")?,
        };
        // A dataset that cannot be written is refused before it is iterated.
        SnapshotFormat::new(VERSION, &snapshot.compression)?;
        dataset::finish(cx, Dataset::new(snapshot))
    }
}

struct Snapshot {
    input: Dataset,
    signature: Signature,
    read_folder: PathBuf,
    write_folder: PathBuf,
    compression: Vec<u8>,
    hash: u64,
    reader_func: Arc<Captured>,
    shard_func: Arc<Captured>,
}

impl Snapshot {
    fn mode(&self) -> Result<Mode> {
        Ok(match read_metadata(&self.read_folder)? {
            Some(metadata) if metadata.finalized => Mode::Read,
            // Another clock is ahead of ours.
            Some(metadata) if metadata.creation_timestamp > now() => Mode::PassThrough,
            _ => Mode::Write,
        })
    }

    fn read(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let metadata = read_metadata(&self.read_folder)?.ok_or_else(|| {
            Status::data_loss(format!(
                "Snapshot metadata file in {} does not exist any more.",
                self.read_folder.display()
            ))
        })?;
        let run = self.read_folder.join(&metadata.run_id);
        let format = SnapshotFormat::new(metadata.version, &self.compression)?;
        let reader_func = self.reader_func.open(context);
        let dataset = read_run(&run, format, &self.signature, &reader_func)?;
        if state.is_some() && !dataset.stage().is_resumable() {
            return Err(Status::failed_precondition(
                "the dataset that reader_func makes of a snapshot cannot be resumed",
            ));
        }
        dataset.stage().open(context, state)
    }

    fn write(&self, context: &Context, run: u64, given: u64) -> Result<Box<dyn Cursor>> {
        let mut metadata = metadata(run.to_string(), VERSION, &self.signature.types);
        metadata.graph_hash = self.hash.to_string();
        let recorder = ShardedRun::begin(
            self.write_folder.clone(),
            SnapshotFormat::new(VERSION, &self.compression)?,
            metadata,
            Some(self.shard_func.open(context)),
            Count::Told(0),
        )?;
        let numbers = [Mode::Write.number(), run];
        let input = &**self.input.stage();
        RecordCursor::open(input, context, Box::new(recorder), false, numbers, given)
    }
}

impl Stage for Snapshot {
    fn describe(&self) -> String {
        "snapshot".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.stage().clone()]
    }

    fn length(&self) -> Option<Length> {
        self.input.length()
    }

    fn is_resumable(&self) -> bool {
        self.input.stage().is_ordered() && self.input.stage().is_resumable()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let (mode, inner) = match state {
            None => (self.mode()?, None),
            Some(state) => (Mode::from_number(state.numbers.first().copied().unwrap_or(0))?, {
                state.inputs.first()
            }),
        };
        match mode {
            Mode::Write => {
                let [_, run, given] = state.map_or_else(|| Ok([0, new_run(), 0]), State::expect)?;
                self.write(context, run, given)
            }
            Mode::Read => Ok(ModeCursor::boxed(self.read(context, inner)?, mode)),
            Mode::PassThrough => {
                Ok(ModeCursor::boxed(self.input.stage().open(context, inner)?, mode))
            }
        }
    }
}

/// A cursor whose state says the mode before its own.
pub(super) struct ModeCursor {
    cursor: Box<dyn Cursor>,
    mode: Mode,
}

impl ModeCursor {
    pub fn boxed(cursor: Box<dyn Cursor>, mode: Mode) -> Box<dyn Cursor> {
        Box::new(ModeCursor { cursor, mode })
    }
}

impl Cursor for ModeCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        self.cursor.next(limit)
    }

    fn state(&self) -> State {
        State::of([self.mode.number()]).with([self.cursor.state()])
    }

    fn ready(&self) -> usize {
        self.cursor.ready()
    }
}
