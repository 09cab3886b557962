//! Compressed files, unpacked while they are read.

use std::io::{BufReader, Read};

use downpour_tensor::Result;
use flate2::read::{MultiGzDecoder, ZlibDecoder};

use super::FileRef;

/// How a file is packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// Gzip if the file begins as such files do, else none.
    #[default]
    Auto,
    /// As it is.
    None,
    /// Gzip, possibly of several members.
    Gzip,
    /// A zlib stream, TensorFlow's `ZLIB`.
    Zlib,
}

const BUFFER: usize = 256 << 10;

impl Compression {
    /// What `Auto` means for this file.
    pub(crate) fn of(self, file: &FileRef) -> Result<Compression> {
        if self != Compression::Auto {
            return Ok(self);
        }
        let mut start = Vec::new();
        let mut input = file.open_at(0)?.take(2);
        input.read_to_end(&mut start).map_err(|e| super::read_error(&e))?;
        Ok(if start == [0x1f, 0x8b] { Compression::Gzip } else { Compression::None })
    }

    /// The unpacked contents. `Auto` must have been resolved by `of`.
    pub(crate) fn open(self, file: &FileRef) -> Result<Box<dyn Read + Send>> {
        let input = file.open_at(0)?;
        Ok(match self {
            Compression::Gzip => {
                Box::new(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, input)))
            }
            Compression::Zlib => {
                Box::new(ZlibDecoder::new(BufReader::with_capacity(BUFFER, input)))
            }
            Compression::Auto | Compression::None => input,
        })
    }
}
