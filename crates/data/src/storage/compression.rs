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
        Ok(if file.read_up_to(2)? == [0x1f, 0x8b] { Compression::Gzip } else { Compression::None })
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

    /// The unpacked contents from their byte `offset` on.
    pub(crate) fn open_from(self, file: &FileRef, offset: u64) -> Result<Box<dyn Read + Send>> {
        if self == Compression::None {
            return file.open_at(offset);
        }
        let mut input = self.open(file)?;
        let passed = std::io::copy(&mut input.by_ref().take(offset), &mut std::io::sink());
        match passed.map_err(|e| super::read_error(&e))? {
            n if n == offset => Ok(input),
            _ => Err(crate::position::malformed()),
        }
    }
}
