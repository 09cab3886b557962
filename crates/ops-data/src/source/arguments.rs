//! Arguments that several sources take.

use downpour_data::Compression;
use downpour_data::storage::FileRef;
use downpour_runtime::OpContext;
use downpour_tensor::{ByteString, Result, Status, excerpt};

/// Returns the files that input 0 names; they are opened when their turn comes.
pub(super) fn files(cx: &OpContext<'_>) -> Result<Vec<FileRef>> {
    let names = cx.input(0);
    if names.rank() > 1 {
        return Err(Status::invalid_argument("`filenames` must be a scalar or a vector."));
    }
    let named = |name: &ByteString| FileRef::named(&String::from_utf8_lossy(name));
    names.strings()?.iter().map(named).collect()
}

/// Returns the compression that input `i` names.
pub(super) fn compression(cx: &OpContext<'_>, i: usize) -> Result<Compression> {
    match &scalar_bytes(cx, i, "compression_type")?[..] {
        b"" => Ok(Compression::None),
        b"GZIP" => Ok(Compression::Gzip),
        b"ZLIB" => Ok(Compression::Zlib),
        other => Err(Status::invalid_argument(format!(
            "Unsupported compression_type: {}.",
            excerpt(other)
        ))),
    }
}

/// Returns the string that is input `i`, which errors call `name`.
pub(crate) fn scalar_bytes<'c>(
    cx: &'c OpContext<'_>,
    i: usize,
    name: &str,
) -> Result<&'c ByteString> {
    match cx.input(i).strings()? {
        [value] if cx.input(i).rank() == 0 => Ok(value),
        _ => Err(Status::invalid_argument(format!("{name} must be a scalar"))),
    }
}

/// Returns the scalar string that is input `i`, the path of a local file or folder.
pub(crate) fn path(cx: &OpContext<'_>, i: usize, name: &str) -> Result<String> {
    let bytes = scalar_bytes(cx, i, name)?;
    let path = String::from_utf8(bytes.to_vec())
        .map_err(|_| Status::invalid_argument(format!("{name} is not valid UTF-8")))?;
    local_path(&path).map(str::to_owned)
}

/// Returns the path of a local file or folder without the `file://` before it; other places are refused.
pub(crate) fn local_path(path: &str) -> Result<&str> {
    let local = path.strip_prefix("file://").unwrap_or(path);
    match local.contains("://") {
        true => Err(Status::unimplemented(format!(
            "datasets are saved on local disks only, not at {path}"
        ))),
        false => Ok(local),
    }
}
