//! Removes checkpoints, and what interrupted saves left behind.

use std::path::Path;

use downpour_disk::{Disk, TEMPORARY_MARK, io_error};
use downpour_tensor::Result;

use super::search::files_in;
use super::text_of;
use crate::bundle::{BundleReader, data_file, index_file};

use super::state::STATE_FILE;

/// Whether a bundle of this name is one of ours: `BASE-STEP`, or `BASE.NUMBER-STEP`.
pub fn belongs(name: &str, base: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some((front, step)) = name.strip_prefix(base).and_then(|rest| rest.rsplit_once('-')) else {
        return false;
    };
    number(step) && (front.is_empty() || front.strip_prefix('.').is_some_and(number))
}

/// The folder in which parts of a checkpoint are written.
pub fn parts_folder(base: &str, step: i64) -> String {
    format!("{base}-{step}.parts")
}

/// The bundle a file belongs to, whatever part of it it is.
fn bundle_of(file: &str) -> Option<&str> {
    let file = file.split_once(TEMPORARY_MARK).map_or(file, |(later, _)| later);
    let ends = [".index", ".meta", ".parts"];
    ends.iter()
        .find_map(|end| file.strip_suffix(end))
        .or_else(|| file.rsplit_once(".data-").map(|(bundle, _)| bundle))
}

/// Removes temporary files, data without an index, bundles nobody lists whose data is gone, and parts
/// that were not merged. Only files with our names; never what is listed.
pub fn remove_leftovers(
    disk: &Disk,
    folder: &Path,
    base: &str,
    is_listed: impl Fn(&str) -> bool,
) -> Result<()> {
    for file in files_in(folder)? {
        let path = folder.join(&file);
        let temporary_state =
            file.strip_prefix(STATE_FILE).is_some_and(|rest| rest.starts_with(TEMPORARY_MARK));
        let Some(bundle) = bundle_of(&file).filter(|bundle| belongs(bundle, base)) else {
            if temporary_state {
                disk.remove(&path).map_err(|e| io_error("remove", &path, &e))?;
            }
            continue;
        };
        if file.ends_with(".parts") {
            remove_tree(disk, &path)?;
        } else if file.contains(TEMPORARY_MARK)
            || !(is_listed(bundle) || has_files(folder, bundle)?)
        {
            match disk.remove(&path) {
                // Whoever else cleans up here did it.
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
                other => other.map_err(|e| io_error("remove", &path, &e))?,
            }
        }
    }
    Ok(())
}

/// Whether a bundle has its index and all data files; what is in them is another question.
fn has_files(folder: &Path, bundle: &str) -> Result<bool> {
    let prefix = folder.join(bundle);
    let prefix = text_of(&prefix)?;
    if !index_file(prefix).exists() {
        return Ok(false);
    }
    Ok(match BundleReader::open(prefix) {
        // A damaged index may be worth a rescue by hand; it is no leftover.
        Err(_) => true,
        Ok(reader) => {
            let shards = reader.data_files();
            (0..shards).all(|shard| data_file(prefix, shard, shards).exists())
        }
    })
}

/// Removes a bundle: its index first, durably, so that data never is missing beside one.
pub fn remove_bundle(disk: &Disk, folder: &Path, bundle: &str) -> Result<()> {
    let index = index_file(text_of(&folder.join(bundle))?);
    match disk.remove(&index) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
        other => {
            other.map_err(|e| io_error("remove", &index, &e))?;
            disk.sync_folder_of(&index).map_err(|e| io_error("sync the folder of", &index, &e))?;
        }
    }
    for file in files_in(folder)? {
        if bundle_of(&file) == Some(bundle) && !file.ends_with(".parts") {
            let path = folder.join(&file);
            disk.remove(&path).map_err(|e| io_error("remove", &path, &e))?;
        }
    }
    Ok(())
}

/// Removes a folder of files.
pub fn remove_tree(disk: &Disk, folder: &Path) -> Result<()> {
    for file in files_in(folder)? {
        let path = folder.join(file);
        disk.remove(&path).map_err(|e| io_error("remove", &path, &e))?;
    }
    match disk.remove_folder(folder) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other.map_err(|e| io_error("remove", folder, &e)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_names_are_ours() {
        for name in ["ckpt-0", "ckpt-123", "ckpt.4-123"] {
            assert!(belongs(name, "ckpt"), "{name}");
        }
        for name in
            ["ckpt", "ckpt-", "ckpt-best", "ckpt-1x", "ckpt.-1", "ckpt.x-1", "ckpt2-1", "my-ckpt-1"]
        {
            assert!(!belongs(name, "ckpt"), "{name}");
        }
        assert_eq!(bundle_of("ckpt-1.data-00000-of-00001.tempstate7-0"), Some("ckpt-1"));
        assert_eq!(bundle_of("checkpoint.tempstate7-0"), None);
    }
}
