//! The prefix, names and slices that saving and restoring share.

use downpour_formats::{SliceSpec, parse_shape_and_slice};
use downpour_runtime::OpContext;
use downpour_tensor::{ByteString, Charge, Result, Shape, Status, excerpt};

/// One tensor's name and, for a partitioned one, its full shape and the part that is meant.
pub(super) type Item = (String, Option<(Shape, SliceSpec)>);

/// Reads inputs 0 to 2; `expected` is the number of tensors.
pub(super) fn read(cx: &OpContext<'_>, expected: usize) -> Result<(String, Items)> {
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
    let charge = charge_names(cx.input(1).strings()?)?;
    let names = cx.input(1).strings()?.iter();
    let slices = cx.input(2).strings()?.iter();
    let mut list = Vec::with_capacity(expected);
    for (name, slice) in names.zip(slices) {
        if slice.len() > LONGEST_SLICE {
            return Err(Status::invalid_argument(format!(
                "{op}: the slice of tensor {} has {} bytes; no shape is so long",
                excerpt(name),
                slice.len()
            )));
        }
        let slice = parse_shape_and_slice(&text(slice)?)
            .map_err(|e| e.context(format!("{op}: tensor {}", excerpt(name))))?;
        list.push((text(name)?, slice));
    }
    Ok((prefix, Items { list, _charge: charge }))
}

/// The longest shape and slice: 254 dimensions of three numbers.
const LONGEST_SLICE: usize = 254 * 3 * 20;

/// Names of tensors and their slices. Strings of a tensor may share their bytes; here each is a copy, which counts.
pub(super) struct Items {
    list: Vec<Item>,
    _charge: Charge,
}

impl std::ops::Deref for Items {
    type Target = [Item];
    fn deref(&self) -> &[Item] {
        &self.list
    }
}

/// Counts copies of these names, before they are made.
pub(super) fn charge_names(names: &[ByteString]) -> Result<Charge> {
    let bytes = names.iter().fold(0usize, |sum, name| sum.saturating_add(name.len()));
    Charge::new(bytes.saturating_add(names.len().saturating_mul(size_of::<Item>())))
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
