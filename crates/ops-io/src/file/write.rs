//! WriteFile: a string as a file, which appears whole or not at all.

use downpour_formats::AtomicFile;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::Result;

use super::destination::destination;
use super::{path, stop_if_cancelled};

/// Bytes written between two looks at whether to go on.
const CHUNK: usize = 4 << 20;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("WriteFile(filename: string, contents: string) -> () @stateful")?
            .shape(shapes::unknown)
            .not_differentiable(),
        |_| Ok(KernelBox::blocking_function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let path = path(&cx.scalar_input(0)?.strings()?[0])?;
    let contents = &cx.scalar_input(1)?.strings()?[0];
    let mut file = AtomicFile::create(&destination(&path)?)?;
    for chunk in contents.chunks(CHUNK) {
        stop_if_cancelled(cx)?;
        file.write(chunk)?;
    }
    file.commit()
}
