//! The file that says which run of a saved dataset counts.

use std::path::Path;

use downpour_tensor::{Result, Status};
use downpour_wire::Message;
use downpour_wire::proto::data::experimental::SnapshotMetadataRecord;

use crate::{AtomicFile, io_error, read_regular};

const NAME: &str = "snapshot.metadata";

/// Writes the metadata of the runs in `folder`, whole or not at all.
pub fn write_metadata(folder: &Path, metadata: &SnapshotMetadataRecord) -> Result<()> {
    let mut file = AtomicFile::create(&folder.join(NAME))?;
    file.write(&metadata.encode_to_vec())?;
    file.commit()
}

/// Reads the metadata of the runs in `folder`, if there is any.
pub fn read_metadata(folder: &Path) -> Result<Option<SnapshotMetadataRecord>> {
    let path = folder.join(NAME);
    match std::fs::metadata(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        found => found.map_err(|e| io_error("read", &path, &e))?,
    };
    let bytes = read_regular(&path, || Ok(()))?;
    let metadata = SnapshotMetadataRecord::decode(bytes.to_bytes());
    let metadata = metadata.map_err(|e| {
        Status::data_loss(format!("{} is not the metadata of a snapshot: {e}", path.display()))
    })?;
    // It names a folder beside the file.
    if metadata.run_id.contains('/') || metadata.run_id == ".." {
        return Err(Status::data_loss(format!(
            "{} names the run {:?}, which is no name of a folder",
            path.display(),
            metadata.run_id
        )));
    }
    Ok(Some(metadata))
}
