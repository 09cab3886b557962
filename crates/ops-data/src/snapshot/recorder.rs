//! Writes the elements of a run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use downpour_formats::snapshot::{
    SnapshotFormat, SnapshotWriter, elements_file, elements_files, shard_folder, write_metadata,
};
use downpour_formats::{Disk, io_error};
use downpour_tensor::{DataType, Result, Status, Tensor};
use downpour_wire::proto::data::experimental::SnapshotMetadataRecord;

use crate::function::OpenFunction;

/// Takes the elements of a dataset, and makes them last at the end.
pub(super) trait Recorder: Send {
    /// Takes an element.
    fn write(&mut self, element: &[Tensor]) -> Result<()>;

    /// Called at the end, once.
    fn finish(&mut self) -> Result<()>;
}

/// A run with a folder for each shard, its files, and its metadata.
pub(super) struct ShardedRun {
    folder: PathBuf,
    run: PathBuf,
    format: SnapshotFormat,
    metadata: SnapshotMetadataRecord,
    /// Says the shard of an element; without it there is one shard.
    shard_func: Option<OpenFunction>,
    shards: BTreeMap<i64, SnapshotWriter>,
    /// How many elements the metadata says there are.
    count: Count,
}

/// The number of elements in a snapshot's metadata.
pub(super) enum Count {
    /// As many as were written.
    Written(i64),
    /// The number of elements, or TensorFlow's number for "not known" or "endless".
    Told(i64),
}

impl ShardedRun {
    /// Begins a run whose metadata is in `folder`.
    pub fn begin(
        folder: PathBuf,
        format: SnapshotFormat,
        metadata: SnapshotMetadataRecord,
        shard_func: Option<OpenFunction>,
        count: Count,
    ) -> Result<ShardedRun> {
        let run = folder.join(&metadata.run_id);
        // Before the metadata names it.
        let made = Disk::default().create_folder(&run);
        made.map_err(|e| io_error("create folder", &run, &e))?;
        write_metadata(&folder, &metadata)?;
        let shards = BTreeMap::new();
        Ok(ShardedRun { folder, run, format, metadata, shard_func, shards, count })
    }

    fn shard(&self, element: &[Tensor]) -> Result<i64> {
        let Some(function) = &self.shard_func else { return Ok(0) };
        match &function.call(element.to_vec())?[..] {
            [shard] if shard.dtype() == DataType::Int64 && shard.len() == 1 => {
                Ok(shard.as_slice::<i64>()?[0])
            }
            _ => Err(Status::invalid_argument("`shard_func` must return a scalar int64.")),
        }
    }
}

impl Recorder for ShardedRun {
    fn write(&mut self, element: &[Tensor]) -> Result<()> {
        let shard = self.shard(element)?;
        if let Count::Written(count) = &mut self.count {
            *count += 1;
        }
        let writer = match self.shards.entry(shard) {
            std::collections::btree_map::Entry::Occupied(there) => there.into_mut(),
            std::collections::btree_map::Entry::Vacant(place) => {
                let file = elements_file(&shard_folder(&self.run, shard), 0);
                place.insert(SnapshotWriter::create(&file, self.format)?)
            }
        };
        writer.write(element)
    }

    fn finish(&mut self) -> Result<()> {
        let shards = std::mem::take(&mut self.shards);
        shards.into_values().try_for_each(SnapshotWriter::commit)?;
        self.metadata.finalized = true;
        self.metadata.num_elements = match self.count {
            Count::Written(count) | Count::Told(count) => count,
        };
        write_metadata(&self.folder, &self.metadata)
    }
}

/// A run of files without shards, of about equal size.
pub(super) struct FlatRun {
    folder: PathBuf,
    format: SnapshotFormat,
    metadata: SnapshotMetadataRecord,
    /// Bytes after which another file begins.
    file_bytes: u64,
    /// Files that are written in turn.
    files: Vec<Option<(SnapshotWriter, u64)>>,
    /// The number of the next file.
    next_file: u64,
    written: u64,
}

impl FlatRun {
    /// Begins a run whose metadata is in `folder` and that writes so many files in turn. Files of a run of the same name
    /// are removed: there may be more of them than this one will have.
    pub fn begin(
        folder: PathBuf,
        format: SnapshotFormat,
        metadata: SnapshotMetadataRecord,
        file_bytes: u64,
        at_once: usize,
    ) -> Result<FlatRun> {
        write_metadata(&folder, &metadata)?;
        for old in elements_files(&folder.join(&metadata.run_id))? {
            let removed = Disk::default().remove(&old);
            removed.map_err(|e| io_error("remove", &old, &e))?;
        }
        let files = (0..at_once).map(|_| None).collect();
        let mut run =
            FlatRun { folder, format, metadata, file_bytes, files, next_file: 0, written: 0 };
        // They are there even if nothing is written to them.
        (0..at_once).try_for_each(|i| run.begin_file(i))?;
        Ok(run)
    }

    fn begin_file(&mut self, i: usize) -> Result<()> {
        if let Some((full, _)) = self.files[i].take() {
            full.commit()?;
        }
        let run = self.folder.join(&self.metadata.run_id);
        let writer = SnapshotWriter::create(&elements_file(&run, self.next_file), self.format)?;
        self.next_file += 1;
        self.files[i] = Some((writer, 0));
        Ok(())
    }
}

impl Recorder for FlatRun {
    fn write(&mut self, element: &[Tensor]) -> Result<()> {
        let bytes = element.iter().map(|component| component.byte_len() as u64).sum::<u64>();
        let i = (self.written % self.files.len() as u64) as usize;
        self.written += 1;
        if self.files[i].as_ref().is_none_or(|(_, size)| size + bytes > self.file_bytes) {
            self.begin_file(i)?;
        }
        let Some((writer, size)) = &mut self.files[i] else {
            return Err(Status::internal("a snapshot has no file to write to"));
        };
        *size += bytes;
        writer.write(element)
    }

    fn finish(&mut self) -> Result<()> {
        for (writer, _) in std::mem::take(&mut self.files).into_iter().flatten() {
            writer.commit()?;
        }
        self.metadata.finalized = true;
        write_metadata(&self.folder, &self.metadata)
    }
}

#[cfg(test)]
mod tests {
    use downpour_formats::snapshot::{SnapshotReader, read_metadata};

    use super::*;
    use crate::snapshot::run::metadata;

    const TYPES: [DataType; 1] = [DataType::Int64];

    fn numbers(file: &std::path::Path, format: SnapshotFormat) -> Vec<i64> {
        let mut reader = SnapshotReader::open(file, format, &TYPES).unwrap();
        let element = || reader.next().unwrap().map(|element| element[0].to_scalar().unwrap());
        std::iter::from_fn(element).collect()
    }

    #[test]
    fn a_run_counts_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().to_path_buf();
        let format = SnapshotFormat::new(2, b"SNAPPY").unwrap();
        let metadata = metadata("7".into(), 2, &TYPES);
        let mut run =
            ShardedRun::begin(place.clone(), format, metadata, None, Count::Written(0)).unwrap();
        (0..3i64).for_each(|i| run.write(&[Tensor::scalar(i)]).unwrap());
        assert!(!read_metadata(&place).unwrap().unwrap().finalized);
        run.finish().unwrap();
        let found = read_metadata(&place).unwrap().unwrap();
        assert!(found.finalized);
        assert_eq!((found.num_elements, &found.run_id[..]), (3, "7"));
        let file = elements_file(&shard_folder(&place.join("7"), 0), 0);
        assert_eq!(numbers(&file, format), [0, 1, 2]);
    }

    #[test]
    fn files_are_about_as_long_as_they_shall_be() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().to_path_buf();
        let format = SnapshotFormat::new(1, b"").unwrap();
        for count in [10, 3] {
            let metadata = metadata("custom".into(), 1, &TYPES);
            let mut run = FlatRun::begin(place.clone(), format, metadata, 24, 2).unwrap();
            (0..count).for_each(|i| run.write(&[Tensor::scalar(i)]).unwrap());
            run.finish().unwrap();
            let files = elements_files(&place.join("custom")).unwrap();
            let found: Vec<i64> = files.iter().flat_map(|file| numbers(file, format)).collect();
            let mut sorted = found.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..count).collect::<Vec<_>>());
            assert!(files.iter().all(|file| numbers(file, format).len() <= 3), "{found:?}");
        }
    }

    #[test]
    fn what_cannot_be_written_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("file");
        std::fs::write(&place, b"").unwrap();
        let format = SnapshotFormat::new(2, b"").unwrap();
        let metadata = metadata("7".into(), 2, &TYPES);
        let begun = ShardedRun::begin(place, format, metadata, None, Count::Written(0));
        assert!(begun.err().unwrap().message().contains("create folder"));
    }
}
