//! Snappy: one compressed piece, and streams of pieces as TensorFlow writes them.

use std::io::{Error, ErrorKind, Read, Write};

use downpour_tensor::{ByteString, Result, Status, StringWriter};

/// Three bytes of a piece stand for at most 64 of its contents.
const MOST_EXPANSION: usize = 22;

/// Compresses the parts as one piece.
pub fn compress(parts: &[&[u8]]) -> Result<ByteString> {
    let length = parts.iter().fold(0usize, |sum, part| sum.saturating_add(part.len()));
    if u32::try_from(length).is_err() {
        return Err(Status::out_of_range(format!(
            "{length} bytes cannot be compressed as one piece: Snappy takes less than 4 GB"
        )));
    }
    let mut whole = StringWriter::with_capacity(length)?;
    parts.iter().try_for_each(|part| whole.push(part))?;
    let most = snap::raw::max_compress_len(length);
    let mut compressed = StringWriter::with_capacity(most)?;
    compressed.fill_with(most, |out| {
        snap::raw::Encoder::new()
            .compress(&whole, out)
            .map_err(|e| Status::internal(format!("Failed to compress using snappy: {e}")))
    })?;
    Ok(compressed.finish())
}

/// Returns the contents of a piece. A forged length is refused before memory is taken.
pub fn uncompress(piece: &[u8]) -> Result<ByteString> {
    let damaged =
        |e: snap::Error| Status::data_loss(format!("Failed to perform snappy decompression: {e}"));
    let length = snap::raw::decompress_len(piece).map_err(damaged)?;
    if length > piece.len().saturating_mul(MOST_EXPANSION) {
        return Err(Status::data_loss(format!(
            "Failed to perform snappy decompression: {} bytes cannot hold {length}",
            piece.len()
        )));
    }
    let mut contents = StringWriter::with_capacity(length)?;
    contents.fill_with(length, |out| {
        snap::raw::Decoder::new().decompress(piece, out).map_err(damaged)
    })?;
    Ok(contents.finish())
}

/// Bytes that are compressed together. TensorFlow reads a piece into a buffer of twice this size.
const PIECE: usize = 128 << 10;

/// Writes a stream of pieces, each behind its length.
pub struct SnappyWriter<W: Write> {
    sink: W,
    waiting: Vec<u8>,
}

impl<W: Write> SnappyWriter<W> {
    /// Writes pieces into `sink`.
    pub fn new(sink: W) -> SnappyWriter<W> {
        SnappyWriter { sink, waiting: Vec::with_capacity(PIECE) }
    }

    fn write_piece(&mut self) -> std::io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let piece = snap::raw::Encoder::new().compress_vec(&self.waiting).map_err(Error::other)?;
        self.waiting.clear();
        // Not longer than a piece and a little.
        self.sink.write_all(&(piece.len() as u32).to_be_bytes())?;
        self.sink.write_all(&piece)
    }

    /// Writes what is left and gives the sink back.
    pub fn finish(mut self) -> std::io::Result<W> {
        self.write_piece()?;
        Ok(self.sink)
    }
}

impl<W: Write> Write for SnappyWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let count = bytes.len().min(PIECE - self.waiting.len());
        self.waiting.extend_from_slice(&bytes[..count]);
        if self.waiting.len() == PIECE {
            self.write_piece()?;
        }
        Ok(count)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.write_piece()?;
        self.sink.flush()
    }
}

/// Reads a stream of pieces.
pub struct SnappyReader<R: Read> {
    source: R,
    contents: ByteString,
    at: usize,
}

impl<R: Read> SnappyReader<R> {
    /// Reads pieces from `source`.
    pub fn new(source: R) -> SnappyReader<R> {
        SnappyReader { source, contents: ByteString::new(), at: 0 }
    }

    /// Reads the next piece; false at the end.
    fn read_piece(&mut self) -> std::io::Result<bool> {
        let mut length = [0; 4];
        match self.source.read(&mut length[..1])? {
            0 => return Ok(false),
            _ => self.source.read_exact(&mut length[1..])?,
        }
        let length = u64::from(u32::from_be_bytes(length));
        let mut piece = StringWriter::new();
        let mut rest = self.source.by_ref().take(length);
        let mut read =
            |place: &mut [u8]| rest.read(place).map_err(|e| Status::data_loss(e.to_string()));
        let invalid = |e: Status| Error::new(ErrorKind::InvalidData, e.message().to_owned());
        while piece.read_more(PIECE, &mut read).map_err(invalid)? > 0 {}
        if piece.len() as u64 != length {
            return Err(Error::new(ErrorKind::UnexpectedEof, "a compressed piece is cut off"));
        }
        self.contents = uncompress(&piece).map_err(invalid)?;
        self.at = 0;
        Ok(true)
    }
}

impl<R: Read> Read for SnappyReader<R> {
    fn read(&mut self, place: &mut [u8]) -> std::io::Result<usize> {
        while self.at == self.contents.len() && !place.is_empty() {
            if !self.read_piece()? {
                return Ok(0);
            }
        }
        let count = place.len().min(self.contents.len() - self.at);
        place[..count].copy_from_slice(&self.contents[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_back() {
        for parts in [&[][..], &[&b"abc"[..], b"", b"abcabcabc"]] {
            let piece = compress(parts).unwrap();
            assert_eq!(uncompress(&piece).unwrap(), parts.concat());
        }
        let zeros = vec![0; 1 << 20];
        let piece = compress(&[&zeros]).unwrap();
        assert!(piece.len() < zeros.len() / 20);
        assert_eq!(uncompress(&piece).unwrap(), zeros);
    }

    #[test]
    fn forged_pieces_are_refused() {
        let good = compress(&[b"some words and some words"]).unwrap();
        for end in 0..good.len() {
            assert!(uncompress(&good[..end]).is_err());
        }
        // It says that it holds 4 GB.
        assert!(uncompress(&[0xff, 0xff, 0xff, 0xff, 0x0f, 0]).is_err());
        assert!(uncompress(b"").is_err());
    }

    #[test]
    fn streams_come_back() {
        let contents: Vec<u8> = (0..3 * PIECE as u32 / 4 + 5).flat_map(u32::to_le_bytes).collect();
        let mut writer = SnappyWriter::new(Vec::new());
        contents.chunks(1000).for_each(|chunk| writer.write_all(chunk).unwrap());
        let stream = writer.finish().unwrap();
        let mut read = Vec::new();
        SnappyReader::new(&stream[..]).read_to_end(&mut read).unwrap();
        assert!(read == contents);
        let cut = SnappyReader::new(&stream[..stream.len() - 1]).read_to_end(&mut read);
        assert_eq!(cut.unwrap_err().kind(), ErrorKind::UnexpectedEof);
    }
}
