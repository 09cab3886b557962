//! Writes a file of elements.

use std::io::Write;
use std::path::{Path, PathBuf};

use downpour_tensor::{Bytes, Charge, DataType, Result, Status, Tensor};
use downpour_wire::proto::data::experimental::{
    SnapshotRecord, SnapshotTensorMetadata, TensorMetadata,
};
use downpour_wire::{encode_string, shape_to_proto, tensor_to_proto};
use flate2::write::GzEncoder;

use super::{SnapshotCompression, SnapshotFormat, SnapshotLayout};
use crate::compressed_element::contents;
use crate::snappy::{SnappyWriter, compress};
use crate::tfrecord::{Compression, RecordWriter};
use crate::{AtomicFile, io_error};

/// Writes elements to a file that is in its place, whole, when it is committed, and not before.
pub struct SnapshotWriter {
    sink: Sink,
    path: PathBuf,
    /// Counts the buffer.
    _charge: Charge,
}

/// Bytes that wait in memory before they go to the file.
const BUFFER: usize = 1 << 20;

enum Sink {
    Records(RecordWriter<AtomicFile>),
    SnappyRecords(RecordWriter<SnappyWriter<AtomicFile>>),
    Messages(AtomicFile),
    GzipMessages(GzEncoder<AtomicFile>),
    Pieces(AtomicFile),
}

impl SnapshotWriter {
    /// Begins the file at `path`.
    pub fn create(path: &Path, format: SnapshotFormat) -> Result<SnapshotWriter> {
        let charge = Charge::new(BUFFER)?;
        let file = AtomicFile::create(path)?;
        let sink = match (format.layout, format.compression) {
            (SnapshotLayout::Records, SnapshotCompression::None) => {
                Sink::Records(RecordWriter::new(file, Compression::None))
            }
            (SnapshotLayout::Records, SnapshotCompression::Gzip) => {
                Sink::Records(RecordWriter::new(file, Compression::Gzip))
            }
            (SnapshotLayout::Records, SnapshotCompression::Zlib) => {
                Sink::Records(RecordWriter::new(file, Compression::Zlib))
            }
            (SnapshotLayout::Records, SnapshotCompression::Snappy) => {
                let pieces = SnappyWriter::new(file);
                Sink::SnappyRecords(RecordWriter::new(pieces, Compression::None))
            }
            (SnapshotLayout::Elements, SnapshotCompression::None) => Sink::Messages(file),
            (SnapshotLayout::Elements, SnapshotCompression::Gzip) => {
                Sink::GzipMessages(GzEncoder::new(file, flate2::Compression::default()))
            }
            (SnapshotLayout::Elements, SnapshotCompression::Snappy) => Sink::Pieces(file),
            _ => {
                return Err(Status::invalid_argument(
                    "snapshots of the first version are read, but no longer written",
                ));
            }
        };
        Ok(SnapshotWriter { sink, path: path.to_path_buf(), _charge: charge })
    }

    /// Appends an element.
    pub fn write(&mut self, element: &[Tensor]) -> Result<()> {
        let done = match &mut self.sink {
            Sink::Records(records) => components(element, |record| records.write(record)),
            Sink::SnappyRecords(records) => components(element, |record| records.write(record)),
            Sink::Messages(file) => part(file, &message(element)?, &self.path),
            Sink::GzipMessages(file) => part(file, &message(element)?, &self.path),
            Sink::Pieces(file) => {
                let (metadata, piece) = piece(element)?;
                part(file, &metadata, &self.path)?;
                part(file, &piece, &self.path)
            }
        };
        done.map_err(|e| e.context(self.path.display()))
    }

    /// Puts the file in its place.
    pub fn commit(self) -> Result<()> {
        let failed = |e: std::io::Error| io_error("write", &self.path, &e);
        match self.sink {
            Sink::Records(records) => records.finish()?,
            Sink::SnappyRecords(records) => records.finish()?.finish().map_err(failed)?,
            Sink::Messages(file) | Sink::Pieces(file) => file,
            Sink::GzipMessages(file) => file.finish().map_err(failed)?,
        }
        .commit()
    }
}

fn components(element: &[Tensor], mut write: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    element.iter().try_for_each(|component| write(&encode_string(&tensor_to_proto(component)?)?))
}

fn message(element: &[Tensor]) -> Result<Bytes> {
    let tensor = element.iter().map(tensor_to_proto).collect::<Result<_>>()?;
    Ok(encode_string(&SnapshotRecord { tensor })?.to_bytes())
}

fn piece(element: &[Tensor]) -> Result<(Bytes, Bytes)> {
    let parts = element.iter().map(|component| match component.dtype() {
        DataType::String => Ok(encode_string(&tensor_to_proto(component)?)?),
        _ => contents(component),
    });
    let parts = parts.collect::<Result<Vec<_>>>()?;
    let metadata = element.iter().zip(&parts).map(|(component, part)| TensorMetadata {
        tensor_shape: Some(shape_to_proto(component.dims())),
        tensor_size_bytes: part.len() as i64,
    });
    let metadata = SnapshotTensorMetadata { tensor_metadata: metadata.collect() };
    let parts: Vec<&[u8]> = parts.iter().map(|part| &part[..]).collect();
    Ok((encode_string(&metadata)?.to_bytes(), compress(&parts)?.to_bytes()))
}

/// Writes bytes behind their length.
fn part(file: &mut impl Write, bytes: &[u8], path: &Path) -> Result<()> {
    let written =
        file.write_all(&(bytes.len() as u64).to_le_bytes()).and_then(|()| file.write_all(bytes));
    written.map_err(|e| io_error("write", path, &e))
}
