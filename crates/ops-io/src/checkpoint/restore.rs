//! RestoreV2: reads tensors from a checkpoint.

use downpour_formats::BundleReader;
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::arguments;
use crate::file::stop_if_cancelled;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RestoreV2(prefix: string, tensor_names: string, shape_and_slices: string) -> (tensors: dtypes) @stateful
                dtypes: list(type) >= 1",
        )?
        .shape(shapes::unknown)
        .not_differentiable(),
        |_| Ok(KernelBox::blocking_function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let types = &cx.node().output_types;
    let (prefix, items) = arguments::read(cx, types.len())?;
    let mut reader = BundleReader::open(&prefix)?;
    // All missing names at once: the usual cause is a model that does not fit its checkpoint.
    let missing: Vec<&str> =
        items.iter().map(|(n, _)| n.as_str()).filter(|n| !reader.contains(n)).collect();
    if let Some(first) = missing.first() {
        let others = missing.len() - 1;
        let more = if others > 0 { format!(" (and {others} more)") } else { String::new() };
        return Err(Status::not_found(format!(
            "Key {first} not found in checkpoint{more}: {prefix}"
        )));
    }
    for (i, (name, slice)) in items.iter().enumerate() {
        stop_if_cancelled(cx)?;
        let (dtype, _) = reader.describe(name)?;
        if dtype != types[i].dtype {
            return Err(Status::invalid_argument(format!(
                "RestoreV2: tensor_name = {name}; expected dtype {} does not equal original dtype {dtype}",
                types[i].dtype
            )));
        }
        let tensor = match slice {
            None => reader.read(name)?,
            Some((full, slice)) => reader.read_slice(name, full, slice)?,
        };
        cx.set_output(i, tensor);
    }
    Ok(())
}
