//! LoadDataset: the elements of a dataset that was saved.

use std::path::PathBuf;
use std::sync::Arc;

use downpour_data::{Context, Cursor, Dataset, Length, Stage, State};
use downpour_formats::snapshot::{SnapshotFormat, read_metadata};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{FunctionHandle, Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::nested::read_run;
use crate::component::Signature;
use crate::dataset::GraphDataset;
use crate::function::Captured;
use crate::source::arguments::path;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "LoadDataset(path: string, reader_func_other_args: Treader_func_args) -> (handle: variant) @stateful
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                compression: string = ''
                reader_func: func
                Treader_func_args: list(type) >= 0",
        )?
        .shape(shapes::scalar),
        |build| Ok(KernelBox::blocking(Load(build.callable("reader_func")?))),
    )
}

struct Load(Arc<FunctionHandle>);

impl Kernel for Load {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let folder = path(cx, 0, "path")?;
        let metadata = read_metadata(folder.as_ref())?
            .ok_or_else(|| Status::not_found(format!("Could not find metadata file [{folder}]")))?;
        let compression = cx.node().bytes("compression")?;
        let signature = Signature::of(cx.node())?;
        let loaded = LoadStage {
            run: PathBuf::from(folder).join(&metadata.run_id),
            format: SnapshotFormat::new(metadata.version, &compression)?,
            length: match metadata.num_elements {
                -1 => Some(Length::Infinite),
                count => u64::try_from(count).ok().map(Length::Finite),
            },
            signature: signature.clone(),
            reader_func: Captured::new(cx, &self.0, "reader_func_other_args")?,
        };
        let made = GraphDataset::with_signature(signature, Dataset::new(loaded), &[])?;
        cx.set_output(0, made.into_tensor()?);
        Ok(())
    }
}

struct LoadStage {
    run: PathBuf,
    format: SnapshotFormat,
    length: Option<Length>,
    signature: Signature,
    reader_func: Arc<Captured>,
}

impl Stage for LoadStage {
    fn describe(&self) -> String {
        "load".to_owned()
    }

    fn length(&self) -> Option<Length> {
        self.length
    }

    fn identify(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.run.as_os_str().as_encoded_bytes());
        self.reader_func.identify(out);
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let reader_func = self.reader_func.open(context);
        let dataset = read_run(&self.run, self.format, &self.signature, &reader_func)?;
        if state.is_some() && !dataset.stage().is_resumable() {
            return Err(Status::failed_precondition(
                "the dataset that reader_func makes of a saved dataset cannot be resumed",
            ));
        }
        dataset.stage().open(context, state)
    }
}
