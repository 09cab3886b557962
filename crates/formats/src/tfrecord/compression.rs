//! How a whole TFRecord file is compressed, told by the user or by its first bytes.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use downpour_disk::io_error;
use downpour_tensor::{Result, Status};
use flate2::read::{MultiGzDecoder, ZlibDecoder};

use super::HEADER;
use crate::checksum::masked_crc;

/// TensorFlow's compression types of record files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// As it is.
    #[default]
    None,
    /// A gzip file, of one or several members.
    Gzip,
    /// A zlib stream.
    Zlib,
}

impl Compression {
    /// The compression by the name TensorFlow gives it: `""`, `"GZIP"` or `"ZLIB"`.
    pub fn from_name(name: &str) -> Result<Compression> {
        match name {
            "" | "NONE" => Ok(Compression::None),
            "GZIP" => Ok(Compression::Gzip),
            "ZLIB" => Ok(Compression::Zlib),
            _ => Err(Status::invalid_argument(format!(
                "Unsupported compression_type: {name}; use \"\", \"GZIP\" or \"ZLIB\""
            ))),
        }
    }

    /// Returns the decompressed contents of a file.
    pub fn decompress(self, file: impl Read + Send + 'static) -> Box<dyn Read + Send> {
        // The compressed side deserves large reads too.
        match self {
            Compression::None => Box::new(file),
            Compression::Gzip => Box::new(MultiGzDecoder::new(BufReader::new(file))),
            Compression::Zlib => Box::new(ZlibDecoder::new(BufReader::new(file))),
        }
    }

    /// What the first bytes of a file say. A plain record file has a checksum right there, so that a
    /// length that happens to look like a compressed file's mark is not mistaken for one.
    pub fn detect(start: &[u8]) -> Compression {
        if let Some((length, rest)) = start.split_at_checked(8)
            && rest.get(..4) == Some(&masked_crc(length).to_le_bytes())
        {
            return Compression::None;
        }
        match start {
            [0x1f, 0x8b, ..] => Compression::Gzip,
            [first, second, ..]
                if first & 0x0f == 8 && u16::from_be_bytes([*first, *second]) % 31 == 0 =>
            {
                Compression::Zlib
            }
            _ => Compression::None,
        }
    }

    /// What the first bytes of the file at `path` say.
    pub fn of_file(path: &Path) -> Result<Compression> {
        let file = File::open(path).map_err(|e| io_error("open", path, &e))?;
        let mut start = Vec::with_capacity(HEADER);
        file.take(HEADER as u64).read_to_end(&mut start).map_err(|e| io_error("read", path, &e))?;
        Ok(Compression::detect(&start))
    }
}
