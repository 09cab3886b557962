//! Save and SaveSlices: write tensors, or parts of some, into one checkpoint file of the first format.

use std::path::Path;

use downpour_formats::{SliceSpec, SlicesWriter, parse_shape_and_slice};
use downpour_graph::OpSpec;
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::arguments::{charge_names, file_prefix, text};
use crate::file::stop_if_cancelled;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let save = "Save(filename: string, tensor_names: string, data: T) -> () @stateful
        T: list(type) >= 1";
    registry.add(OpSpec::new(save)?.not_differentiable(), |_| {
        Ok(KernelBox::blocking_function(|cx| compute(cx, None)))
    })?;
    let slices = "SaveSlices(filename: string, tensor_names: string, shapes_and_slices: string, data: T) -> () @stateful
        T: list(type) >= 1";
    registry.add(OpSpec::new(slices)?.not_differentiable(), |_| {
        Ok(KernelBox::blocking_function(|cx| compute(cx, Some(2))))
    })
}

/// Saves the inputs behind the names, and behind the slices if there are some.
fn compute(cx: &mut OpContext<'_>, slices: Option<usize>) -> Result<()> {
    let op = cx.node().op_name();
    let first = slices.map_or(2, |slices| slices + 1);
    let count = cx.inputs_len() - first;
    let [file] = cx.input(0).strings()? else {
        return Err(Status::invalid_argument(format!(
            "{op}: Input 0 (filename) must be a string scalar; got a tensor of {} elements",
            cx.input(0).len()
        )));
    };
    let file = file_prefix(cx, file)?;
    for i in 1..first {
        if cx.input(i).len() != count {
            return Err(Status::invalid_argument(format!(
                "{op}: Input {i} has {} elements for {count} tensors",
                cx.input(i).len()
            )));
        }
    }
    let names = cx.input(1).strings()?;
    let _charge = charge_names(names)?;
    let mut writer = SlicesWriter::new();
    for (i, name) in names.iter().enumerate() {
        stop_if_cancelled(cx)?;
        let (name, tensor) = (text(name)?, cx.input(first + i));
        let slice = match slices {
            Some(slices) => parse_shape_and_slice(&text(&cx.input(slices).strings()?[i])?)
                .map_err(|e| e.context(format!("{op}: tensor {name}")))?,
            None => None,
        };
        let (full, slice) =
            slice.unwrap_or_else(|| (tensor.shape().clone(), SliceSpec::whole(tensor.rank())));
        writer.add(&name, &full, &slice, tensor)?;
    }
    writer.finish(Path::new(&file))
}
