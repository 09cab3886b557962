//! Makes one bundle of several, by renaming data files and writing one index.

use std::collections::BTreeMap;

use downpour_disk::{Disk, io_error};
use downpour_tensor::{Code, Result, Status};
use downpour_wire::proto::BundleEntryProto;

use super::reader::BundleReader;
use super::writer::write_index;
use super::{data_file, index_file};

/// Merges the bundles at `prefixes` into one at `merged`; the parts are gone afterwards. With
/// `allow_missing`, prefixes without files are left out.
pub fn merge_bundles(prefixes: &[String], merged: &str, allow_missing: bool) -> Result<()> {
    merge_bundles_on(&Disk::default(), prefixes, merged, allow_missing)
}

/// The same on a disk that may have faults.
pub(crate) fn merge_bundles_on(
    disk: &Disk,
    prefixes: &[String],
    merged: &str,
    allow_missing: bool,
) -> Result<()> {
    let mut parts = Vec::new();
    for prefix in prefixes {
        match BundleReader::open(prefix) {
            Ok(reader) => parts.push((prefix, reader)),
            Err(e) if e.code() != Code::NotFound => return Err(e),
            Err(_) if allow_missing => {}
            Err(e) => return Err(Status::invalid_argument(e.message())),
        }
    }
    if parts.is_empty() {
        return Err(Status::invalid_argument("there is no checkpoint to merge"));
    }
    let total = parts.iter().try_fold(0i32, |total, (_, reader)| {
        i32::try_from(reader.shards).ok().and_then(|shards| total.checked_add(shards))
    });
    let total = total.ok_or_else(|| {
        Status::data_loss("the merged checkpoints claim more than 2^31 data files")
    })? as u32;
    let mut entries: BTreeMap<Vec<u8>, BundleEntryProto> = BTreeMap::new();
    let mut first = 0;
    let mut moves = Vec::new();
    for (prefix, reader) in &parts {
        for (key, entry) in &reader.entries {
            let mut entry = entry.clone();
            if entry.slices.is_empty() {
                entry.shard_id = u32::try_from(entry.shard_id)
                    .ok()
                    .filter(|shard| *shard < reader.shards)
                    .map(|shard| (first + shard) as i32)
                    .ok_or_else(|| {
                        Status::data_loss(format!(
                            "tensor {} of the checkpoint {prefix} is in a data file that cannot exist",
                            String::from_utf8_lossy(key)
                        ))
                    })?;
            }
            match entries.get_mut(key) {
                None => drop(entries.insert(key.clone(), entry)),
                // Several parts hold slices of the same tensor.
                Some(known) if !known.slices.is_empty() && !entry.slices.is_empty() => {
                    known.slices.extend(entry.slices);
                }
                Some(_) => {
                    return Err(Status::invalid_argument(format!(
                        "tensor {} is in more than one of the merged checkpoints",
                        String::from_utf8_lossy(key)
                    )));
                }
            }
        }
        for shard in 0..reader.shards {
            let from = data_file(prefix, shard, reader.shards);
            // Looked for before anything is moved: a forged number of files ends at the first that is not there.
            std::fs::metadata(&from).map_err(|e| io_error("find", &from, &e))?;
            moves.push((from, data_file(merged, first + shard, total)));
        }
        first += reader.shards;
    }
    if let Some(folder) = index_file(merged).parent().filter(|f| !f.as_os_str().is_empty()) {
        disk.create_folder(folder).map_err(|e| io_error("create folder", folder, &e))?;
    }
    for (from, to) in &moves {
        disk.rename(from, to).map_err(|e| io_error("rename", from, &e))?;
        disk.sync_folder_of(to).map_err(|e| io_error("sync the folder of", to, &e))?;
    }
    write_index(disk, merged, total, &entries)?;
    for (prefix, _) in parts.iter().filter(|(prefix, _)| *prefix != merged) {
        let path = index_file(prefix);
        disk.remove(&path).map_err(|e| io_error("remove", &path, &e))?;
    }
    Ok(())
}
