//! SaveDataset and SaveDatasetV2: writes a dataset to files, at once or while it is iterated.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use downpour_data::{Context, Cursor, Dataset, Length, Stage, State};
use downpour_formats::snapshot::SnapshotFormat;
use downpour_graph::{Node, OpSpec, shapes};
use downpour_runtime::{
    AsyncContext, AsyncKernel, FunctionHandle, Kernel, KernelBox, OpContext, Registry,
};
use downpour_tensor::{Result, Status, Tensor};

use super::recorder::{Count, Recorder, ShardedRun};
use super::recording::RecordCursor;
use super::run::{metadata, new_run};
use crate::component::Signature;
use crate::dataset::{self, from_tensor};
use crate::function::{Captured, OpenFunction};
use crate::inspect::waiting::Waiting;
use crate::source::arguments::{local_path, path};

/// The version of the files' format.
const VERSION: i64 = 2;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SaveDataset(input_dataset: variant, path: string, shard_func_other_args: Tshard_func_args) -> () @stateful
                compression: string = ''
                shard_func: func
                use_shard_func: bool = true
                Tshard_func_args: list(type) >= 0",
        )?
        .not_differentiable(),
        |build| Ok(KernelBox::asynchronous(Save(build.callable("shard_func")?))),
    )?;
    registry.add(
        OpSpec::new(
            "SaveDatasetV2(input_dataset: variant, path: string, shard_func_other_args: Tshard_func_args) -> (handle: variant) @stateful
                compression: string = ''
                shard_func: func
                use_shard_func: bool = true
                Tshard_func_args: list(type) >= 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1",
        )?
        .shape(shapes::scalar),
        |build| Ok(KernelBox::new(SaveOnTheWay(build.callable("shard_func")?))),
    )
}

fn format(node: &Node) -> Result<SnapshotFormat> {
    SnapshotFormat::new(VERSION, &node.bytes("compression")?)
}

/// Begins a run of elements of this signature in `folder`.
fn begin(
    folder: &Path,
    run: u64,
    format: SnapshotFormat,
    signature: &Signature,
    shard_func: Option<OpenFunction>,
    count: Count,
) -> Result<ShardedRun> {
    let metadata = metadata(run.to_string(), VERSION, &signature.types);
    ShardedRun::begin(folder.to_path_buf(), format, metadata, shard_func, count)
}

struct Save(Arc<FunctionHandle>);

impl AsyncKernel for Save {
    fn start(&self, cx: AsyncContext) {
        let function = self.0.clone();
        Waiting::start(cx, move |cx| save(cx, &function));
    }
}

fn save(cx: &AsyncContext, function: &Arc<FunctionHandle>) -> Result<Vec<Tensor>> {
    let dataset = from_tensor(cx.input(0))?;
    let folder = match cx.input(1).strings()? {
        [path] if cx.input(1).rank() == 0 => String::from_utf8_lossy(path).into_owned(),
        _ => return Err(Status::invalid_argument("path must be a scalar")),
    };
    let folder = local_path(&folder)?;
    let mut iterator = dataset.pipeline.iterate()?;
    let cancel = iterator.canceller();
    let shard_func = cx.node().bool("use_shard_func")?.then(|| {
        let arguments = cx.node().input_range("shard_func_other_args");
        let arguments = arguments.map(|range| cx.tensors(range))?;
        Ok::<_, Status>(Captured::with(cx.step(), function, arguments).open_with(&cancel))
    });
    let _guard = cx.step().cancellation().on_cancel(move || cancel.cancel());
    let mut run = begin(
        Path::new(folder),
        new_run(),
        format(cx.node())?,
        &dataset.signature,
        shard_func.transpose()?,
        Count::Written(0),
    )?;
    while let Some(element) = iterator.next()? {
        run.write(element.tensors())?;
    }
    run.finish()?;
    Ok(Vec::new())
}

struct SaveOnTheWay(Arc<FunctionHandle>);

impl Kernel for SaveOnTheWay {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = dataset::input(cx, 0)?;
        let saved = SaveStage {
            input: input.pipeline.clone(),
            signature: input.signature.clone(),
            folder: path(cx, 1, "path")?.into(),
            format: format(cx.node())?,
            shard_func: match cx.node().bool("use_shard_func")? {
                true => Some(Captured::new(cx, &self.0, "shard_func_other_args")?),
                false => None,
            },
        };
        dataset::finish(cx, Dataset::new(saved))
    }
}

/// A dataset that is saved while it is iterated.
struct SaveStage {
    input: Dataset,
    signature: Signature,
    folder: PathBuf,
    format: SnapshotFormat,
    shard_func: Option<Arc<Captured>>,
}

impl Stage for SaveStage {
    fn describe(&self) -> String {
        "save".to_owned()
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
        let [_, run, given] = state.map_or_else(|| Ok([0, new_run(), 0]), State::expect)?;
        let shard_func = self.shard_func.as_ref().map(|function| function.open(context));
        let count = Count::Told(match self.input.length() {
            Some(Length::Finite(count)) => i64::try_from(count).unwrap_or(i64::MAX),
            Some(Length::Infinite) => -1,
            None => -2,
        });
        let run_of_elements =
            begin(&self.folder, run, self.format, &self.signature, shard_func, count)?;
        let input = &**self.input.stage();
        RecordCursor::open(input, context, Box::new(run_of_elements), false, [0, run], given)
    }
}
