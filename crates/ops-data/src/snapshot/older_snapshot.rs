//! SnapshotDataset: the elements of a dataset, saved by one iteration and read by others, in the older layout of files.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use downpour_data::{Context, Cursor, Dataset, Length, Stage, State};
use downpour_formats::snapshot::{SnapshotFormat, elements_files, read_metadata};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::fingerprint::fingerprint64;
use downpour_tensor::{Philox, Result, Status};
use downpour_wire::proto::data::experimental::SnapshotMetadataRecord;

use super::elements::{Elements, Place};
use super::recorder::FlatRun;
use super::recording::RecordCursor;
use super::run::{Mode, joined, metadata, new_run, now};
use super::snapshot_v2::ModeCursor;
use crate::component::Signature;
use crate::dataset;
use crate::source::arguments::{local_path, path};

/// The version of the files' format.
const VERSION: i64 = 1;
/// Files that can be written in turn.
const MOST_WRITERS: i64 = 1024;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SnapshotDataset(input_dataset: variant, path: string) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                compression: string = ''
                reader_path_prefix: string = ''
                writer_path_prefix: string = ''
                shard_size_bytes: int = 10737418240
                pending_snapshot_expiry_seconds: int = 86400
                num_reader_threads: int = 1
                reader_buffer_size: int = 1
                num_writer_threads: int = 1
                writer_buffer_size: int = 1
                shuffle_on_read: bool = false
                seed: int = 0
                seed2: int = 0
                mode: string = 'auto'
                snapshot_name: string = ''",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::function(make)),
    )
}

/// Returns the attribute, or `default` where it is -1.
fn or_default(cx: &OpContext<'_>, name: &str, default: i64) -> Result<i64> {
    Ok(match cx.node().int(name)? {
        -1 => default,
        value => value,
    })
}

fn make(cx: &mut OpContext<'_>) -> Result<()> {
    let node = cx.node();
    let compression = node.bytes("compression")?;
    if !matches!(&compression[..], b"" | b"GZIP" | b"SNAPPY") {
        return Err(Status::invalid_argument("compression must be either '', 'GZIP' or 'SNAPPY'."));
    }
    let expiry = or_default(cx, "pending_snapshot_expiry_seconds", 86400)?;
    let expiry = u64::try_from(expiry).ok().filter(|&seconds| seconds >= 1).ok_or_else(|| {
        Status::invalid_argument("pending_snapshot_expiry_seconds must be at least 1 second.")
    })?;
    let mode = match &node.string("mode")?[..] {
        "auto" => None,
        "read" => Some(Mode::Read),
        "write" => Some(Mode::Write),
        "passthrough" => Some(Mode::PassThrough),
        _ => {
            return Err(Status::invalid_argument(
                "mode must be either 'auto', 'read', 'write', or 'passthrough'.",
            ));
        }
    };
    let file_bytes = or_default(cx, "shard_size_bytes", 10 << 30)?;
    let writers = or_default(cx, "num_writer_threads", 1)?;
    if !(1..=MOST_WRITERS).contains(&writers) {
        return Err(Status::invalid_argument(format!(
            "num_writer_threads must be between 1 and {MOST_WRITERS}, but it is {writers}"
        )));
    }
    let path = path(cx, 1, "path")?;
    let (reader_prefix, writer_prefix) =
        (node.string("reader_path_prefix")?, node.string("writer_path_prefix")?);
    let name = node.string("snapshot_name")?;
    if name.contains('/') {
        return Err(Status::invalid_argument(format!(
            "snapshot_name {name:?} must be the name of a folder"
        )));
    }
    let input = dataset::input(cx, 0)?;
    let mut identity =
        format!("{path}\n{reader_prefix}\n{writer_prefix}\n{file_bytes}\n").into_bytes();
    identity.extend_from_slice(&compression);
    identity.extend_from_slice(format!("{:?}", input.signature).as_bytes());
    input.pipeline.stage().identify(&mut identity);
    let hash = format!("{:016x}", fingerprint64(&identity));
    let folder = match &name[..] {
        "" => hash.clone(),
        name => format!("custom-{name}"),
    };
    let snapshot = OlderSnapshot {
        input: input.pipeline.clone(),
        signature: input.signature.clone(),
        read_folder: joined(local_path(&reader_prefix)?, &path).join(&folder),
        write_folder: joined(local_path(&writer_prefix)?, &path).join(&folder),
        hash,
        is_named: !name.is_empty(),
        format: SnapshotFormat::new(VERSION, &compression)?,
        expiry: Duration::from_secs(expiry),
        mode,
        file_bytes: u64::try_from(file_bytes).unwrap_or(0),
        writers: writers as usize,
        seeds: node.bool("shuffle_on_read")?.then_some((node.int("seed")?, node.int("seed2")?)),
    };
    dataset::finish(cx, Dataset::new(snapshot))
}

struct OlderSnapshot {
    input: Dataset,
    signature: Signature,
    read_folder: PathBuf,
    write_folder: PathBuf,
    hash: String,
    /// A snapshot with a name has one run, called `custom`.
    is_named: bool,
    format: SnapshotFormat,
    /// A run that was begun so long ago and is not complete never will be.
    expiry: Duration,
    mode: Option<Mode>,
    file_bytes: u64,
    writers: usize,
    /// The files are read in random order.
    seeds: Option<(i64, i64)>,
}

impl OlderSnapshot {
    fn mode(&self) -> Result<Mode> {
        if let Some(mode) = self.mode {
            return Ok(mode);
        }
        Ok(match read_metadata(&self.read_folder)? {
            None => Mode::Write,
            Some(metadata) if metadata.finalized => Mode::Read,
            Some(metadata) => {
                let expiry = i64::try_from(self.expiry.as_micros()).unwrap_or(i64::MAX);
                match metadata.creation_timestamp >= now().saturating_sub(expiry) {
                    true => Mode::PassThrough,
                    false => Mode::Write,
                }
            }
        })
    }

    fn check(&self, metadata: &SnapshotMetadataRecord) -> Result<()> {
        let expected = self.signature.types.iter().map(|&dtype| dtype as i32);
        if metadata.dtype.iter().copied().eq(expected) {
            return Ok(());
        }
        Err(Status::internal(format!(
            "Expected number of dtypes: {} but number in snapshot: {}, or a type doesn't match",
            self.signature.types.len(),
            metadata.dtype.len()
        )))
    }

    /// `drawn` are the seeds of the order of the files.
    fn read(
        &self,
        context: &Context,
        drawn: [u64; 2],
        state: Option<&State>,
    ) -> Result<Box<dyn Cursor>> {
        let metadata = read_metadata(&self.read_folder)?
            .ok_or_else(|| Status::not_found("Metadata file does not exist."))?;
        self.check(&metadata)?;
        let run = match (self.is_named, &metadata.run_id[..]) {
            (true, _) => "custom",
            (false, "") => {
                return Err(Status::not_found("Could not find a valid snapshot to read."));
            }
            (false, run) => run,
        };
        let run = self.read_folder.join(run);
        let mut files = elements_files(&run)?;
        if files.is_empty() {
            return Err(Status::not_found(format!(
                "Could not find any files in dir: {}",
                run.display()
            )));
        }
        if self.seeds.is_some() {
            let mut random = Philox::new(drawn[0], drawn[1]);
            for i in (1..files.len()).rev() {
                files.swap(i, random.next_u32() as usize % (i + 1));
            }
        }
        let elements = Elements {
            place: Place::Files(files),
            format: SnapshotFormat { ..self.format_of(metadata.version)? },
            signature: self.signature.clone(),
            start: 0,
        };
        elements.open(context, state)
    }

    fn format_of(&self, version: i64) -> Result<SnapshotFormat> {
        let layout = SnapshotFormat::new(version, b"")?.layout;
        Ok(SnapshotFormat { layout, ..self.format })
    }

    fn write(&self, context: &Context, run: u64, given: u64) -> Result<Box<dyn Cursor>> {
        let run_id = match self.is_named {
            true => "custom".to_owned(),
            false => format!("{run:04x}"),
        };
        let mut metadata = metadata(run_id, VERSION, &self.signature.types);
        metadata.graph_hash = self.hash.clone();
        let recorder = FlatRun::begin(
            self.write_folder.clone(),
            self.format,
            metadata,
            self.file_bytes,
            self.writers,
        )?;
        let numbers = [Mode::Write.number(), run];
        let input = &**self.input.stage();
        RecordCursor::open(input, context, Box::new(recorder), true, numbers, given)
    }

    fn draw(&self) -> [u64; 2] {
        match self.seeds {
            None | Some((0, 0)) => [new_run(), new_run()],
            Some((seed, seed2)) => [seed as u64, seed2 as u64],
        }
    }
}

impl Stage for OlderSnapshot {
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
        // An order that is drawn anew is not in the state.
        self.input.stage().is_ordered()
            && self.input.stage().is_resumable()
            && self.seeds != Some((0, 0))
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let mode = match state {
            None => self.mode()?,
            Some(state) => Mode::from_number(state.numbers.first().copied().unwrap_or(0))?,
        };
        let inner = state.and_then(|state| state.inputs.first());
        match mode {
            Mode::Write => {
                let [_, run, given] = state.map_or_else(|| Ok([0, new_run(), 0]), State::expect)?;
                self.write(context, run, given)
            }
            Mode::Read => Ok(ModeCursor::boxed(self.read(context, self.draw(), inner)?, mode)),
            Mode::PassThrough => {
                Ok(ModeCursor::boxed(self.input.stage().open(context, inner)?, mode))
            }
        }
    }
}
