//! The prefix, names and slices that saving and restoring share.

use downpour_formats::{SliceSpec, parse_shape_and_slice};
use downpour_runtime::OpContext;
use downpour_tensor::{Result, Shape, Status};

/// One tensor's name and, for a partitioned one, its full shape and the part that is meant.
pub(super) type Item = (String, Option<(Shape, SliceSpec)>);

/// Reads inputs 0 to 2; `expected` is the number of tensors.
pub(super) fn read(cx: &OpContext<'_>, expected: usize) -> Result<(String, Vec<Item>)> {
    let op = cx.node().op_name();
    let prefix = cx.input(0).strings()?;
    let [prefix] = prefix else {
        return Err(Status::invalid_argument(format!(
            "{op}: Input prefix should be a scalar tensor, got {} elements instead.",
            prefix.len()
        )));
    };
    let prefix = file_prefix(cx, prefix)?;
    for (i, name) in [(1, "tensor_names"), (2, "shape_and_slices")] {
        let tensor = cx.input(i);
        if tensor.rank() != 1 || tensor.len() != expected {
            return Err(Status::invalid_argument(format!(
                "{op}: Input {name} should be an 1-D tensor of {expected} elements, got shape {} instead.",
                tensor.shape()
            )));
        }
    }
    let names = cx.input(1).strings()?.iter();
    let slices = cx.input(2).strings()?.iter();
    let items = names
        .zip(slices)
        .map(|(name, slice)| {
            let name = text(name)?;
            let slice = parse_shape_and_slice(&text(slice)?)
                .map_err(|e| e.context(format!("{op}: tensor {name}")))?;
            Ok((name, slice))
        })
        .collect::<Result<_>>()?;
    Ok((prefix, items))
}

/// The prefix of a checkpoint's files. One without the beginning of a file name (empty, `/`, `.`, `folder/`) would put
/// hidden files into a folder, perhaps into the one the server runs in.
pub(super) fn file_prefix(cx: &OpContext<'_>, prefix: &[u8]) -> Result<String> {
    let prefix = text(prefix)?;
    if let "" | "." | ".." = prefix.rsplit('/').next().unwrap_or("") {
        return Err(Status::invalid_argument(format!(
            "{}: the prefix '{prefix}' of a checkpoint has no file name; give the path its files begin with, such as \
             /folder/model.ckpt",
            cx.node().op_name()
        )));
    }
    Ok(prefix)
}

/// File and tensor names are text.
pub(super) fn text(bytes: &[u8]) -> Result<String> {
    String::from_utf8(bytes.to_vec())
        .map_err(|_| Status::invalid_argument("a file or tensor name is not valid UTF-8"))
}
