//! Reads a file of elements.

use std::io::{BufReader, Read};
use std::path::Path;

use downpour_tensor::{ByteString, DataType, Result, Shape, Status, StringWriter, Tensor};
use downpour_wire::proto::data::experimental::{
    SnapshotRecord, SnapshotTensorMetadata, TensorMetadata,
};
use downpour_wire::{decode_counted, tensor_from_proto};
use flate2::read::MultiGzDecoder;

use super::{SnapshotCompression, SnapshotFormat, SnapshotLayout};
use crate::compressed_element::from_contents;
use crate::snappy::{SnappyReader, uncompress};
use crate::tfrecord::{Compression, ReadOptions, RecordReader};
use crate::{io_error, open_regular};

const BUFFER: usize = 256 << 10;

/// Reads the elements of a file one after the other.
pub struct SnapshotReader {
    source: Source,
    types: Vec<DataType>,
}

enum Source {
    /// A record for each component.
    Records(RecordReader),
    /// A message for each element, behind its length.
    Messages(Box<dyn Read + Send>),
    /// Metadata and a compressed piece for each element, each behind its length.
    Pieces(Box<dyn Read + Send>),
}

impl SnapshotReader {
    /// Opens a file of elements with components of these types.
    pub fn open(path: &Path, format: SnapshotFormat, types: &[DataType]) -> Result<SnapshotReader> {
        let file = open_regular(path).map_err(|e| io_error("open", path, &e))?;
        Ok(SnapshotReader::new(file, format, types))
    }

    /// Reads a file from its bytes.
    pub fn new(
        file: impl Read + Send + 'static,
        format: SnapshotFormat,
        types: &[DataType],
    ) -> SnapshotReader {
        type Stream = Box<dyn Read + Send>;
        let file = BufReader::with_capacity(BUFFER, file);
        let records = |input: Stream, compression| {
            let options = ReadOptions { compression, ..ReadOptions::default() };
            Source::Records(RecordReader::decompress(input, "", options))
        };
        let source = match (format.layout, format.compression) {
            (SnapshotLayout::Records, SnapshotCompression::None) => {
                records(Box::new(file), Compression::None)
            }
            (SnapshotLayout::Records, SnapshotCompression::Gzip) => {
                records(Box::new(file), Compression::Gzip)
            }
            (SnapshotLayout::Records, SnapshotCompression::Zlib) => {
                records(Box::new(file), Compression::Zlib)
            }
            (SnapshotLayout::Records, SnapshotCompression::Snappy) => {
                records(Box::new(SnappyReader::new(file)), Compression::None)
            }
            (SnapshotLayout::Streamed, SnapshotCompression::Snappy) => {
                Source::Messages(Box::new(SnappyReader::new(file)))
            }
            (SnapshotLayout::Elements, SnapshotCompression::Snappy) => {
                Source::Pieces(Box::new(file))
            }
            (_, SnapshotCompression::Gzip) => {
                Source::Messages(Box::new(BufReader::new(MultiGzDecoder::new(file))))
            }
            _ => Source::Messages(Box::new(file)),
        };
        SnapshotReader { source, types: types.to_vec() }
    }

    /// Returns the components of the next element; `None` at the end of the file. Behind an error nothing can be read.
    #[allow(
        clippy::should_implement_trait,
        reason = "the end of a file and an error are both plain to see so"
    )]
    pub fn next(&mut self) -> Result<Option<Vec<Tensor>>> {
        let element = match &mut self.source {
            Source::Records(reader) => components(reader, self.types.len())?,
            Source::Messages(input) => message(input)?,
            Source::Pieces(input) => pieces(input, &self.types)?,
        };
        if let Some(element) = &element {
            self.check(element)?;
        }
        Ok(element)
    }

    fn check(&self, element: &[Tensor]) -> Result<()> {
        if element.iter().map(Tensor::dtype).eq(self.types.iter().copied()) {
            return Ok(());
        }
        let found: Vec<String> = element.iter().map(|tensor| tensor.dtype().to_string()).collect();
        let expected: Vec<String> = self.types.iter().map(DataType::to_string).collect();
        Err(Status::invalid_argument(format!(
            "an element of a snapshot has components of the types ({}), but ({}) were expected",
            found.join(", "),
            expected.join(", ")
        )))
    }
}

fn components(reader: &mut RecordReader, count: usize) -> Result<Option<Vec<Tensor>>> {
    let mut components = Vec::with_capacity(count);
    while components.len() < count {
        let Some(record) = reader.next_record()? else {
            return match components.is_empty() {
                true => Ok(None),
                false => Err(cut_off()),
            };
        };
        let record = ByteString::copy_from(record)?;
        let what = "Unable to parse tensor from stored proto";
        let (proto, _charge) =
            decode_counted::<downpour_wire::proto::TensorProto>(record.to_bytes(), what)?;
        components.push(tensor_from_proto(&proto)?);
    }
    Ok((count > 0).then_some(components))
}

fn message(input: &mut impl Read) -> Result<Option<Vec<Tensor>>> {
    let Some(bytes) = part(input)? else { return Ok(None) };
    let what = "Unable to parse tensor from proto.";
    let (record, _charge) = decode_counted::<SnapshotRecord>(bytes.to_bytes(), what)?;
    record.tensor.iter().map(tensor_from_proto).collect::<Result<_>>().map(Some)
}

fn pieces(input: &mut impl Read, types: &[DataType]) -> Result<Option<Vec<Tensor>>> {
    let Some(bytes) = part(input)? else { return Ok(None) };
    let what = "Could not parse SnapshotTensorMetadata";
    let (metadata, _charge) = decode_counted::<SnapshotTensorMetadata>(bytes.to_bytes(), what)?;
    let metadata = metadata.tensor_metadata;
    let contents = uncompress(&part(input)?.ok_or_else(cut_off)?)?;
    if metadata.len() != types.len() {
        return Err(Status::data_loss(format!(
            "an element of a snapshot has {} components, but {} were expected",
            metadata.len(),
            types.len()
        )));
    }
    let mut at = 0usize;
    let mut component = |dtype: DataType, metadata: &TensorMetadata| {
        let end = usize::try_from(metadata.tensor_size_bytes).ok();
        let end = end.and_then(|size| at.checked_add(size)).filter(|&end| end <= contents.len());
        let end = end.ok_or_else(|| mismatch(contents.len()))?;
        let bytes = contents.slice(std::mem::replace(&mut at, end)..end);
        let dims = metadata.tensor_shape.iter().flat_map(|shape| &shape.dim);
        let shape = Shape::from_i64(&dims.map(|dim| dim.size).collect::<Vec<_>>())?;
        from_contents(dtype, shape, bytes)
    };
    let pairs = types.iter().zip(&metadata);
    let element = pairs.map(|(&dtype, metadata)| component(dtype, metadata));
    let element = element.collect::<Result<Vec<_>>>()?;
    match at == contents.len() {
        true => Ok(Some(element)),
        false => Err(mismatch(contents.len())),
    }
}

fn mismatch(length: usize) -> Status {
    Status::internal(format!(
        "Uncompressed size mismatch. Snappy expects {length}, which is not what the tensor metadata suggests"
    ))
}

/// Reads a length and so many bytes; `None` at the end of the file.
fn part(input: &mut impl Read) -> Result<Option<ByteString>> {
    let failed = |e: std::io::Error| Status::data_loss(format!("cannot read a snapshot: {e}"));
    let mut length = [0; 8];
    match input.read(&mut length[..1]).map_err(failed)? {
        0 => return Ok(None),
        _ => input.read_exact(&mut length[1..]).map_err(failed)?,
    }
    let length = u64::from_le_bytes(length);
    let mut bytes = StringWriter::new();
    let mut rest = input.take(length);
    // A forged length costs nothing: memory grows with the bytes that are there.
    while bytes.read_more(BUFFER, &mut |place| rest.read(place).map_err(failed))? > 0 {}
    match bytes.len() as u64 == length {
        true => Ok(Some(bytes.finish())),
        false => Err(cut_off()),
    }
}

fn cut_off() -> Status {
    Status::data_loss("a file of a snapshot ends within an element")
}
