//! The lines of text files.

use std::io::{BufRead, BufReader, Read};

use downpour_tensor::{ByteString, Result, Status, Tensor};

use crate::decoder::{Decoder, DecoderCursor};
use crate::position::State;
use crate::source::files::{Files, Format};
use crate::stage::{Cursor, Field, Schema};
use crate::storage::{Compression, FileRef, read_error, resolve};
use crate::{Block, Dataset, Names};

const LINES: usize = 1024;
const CHUNK_BYTES: usize = 256 << 10;
/// A file without line ends is not a text file.
const LONGEST: usize = 256 << 20;

struct Text {
    names: Names,
    compression: Compression,
}

impl Dataset {
    /// The lines of text files (paths, globs or URLs; gzip is unpacked) as strings named `line`,
    /// without their ends (`\n` or `\r\n`).
    pub fn text_lines(files: &str) -> Result<Dataset> {
        Ok(Dataset::lines(resolve(files)?, Compression::Auto))
    }

    /// The lines of these files, one file after the other.
    pub fn lines(files: Vec<FileRef>, compression: Compression) -> Dataset {
        let text = Text { names: Names::new(["line"]), compression };
        Dataset::new(Files::new(text, files))
    }
}

impl Format for Text {
    fn describe(&self) -> String {
        "text_lines".to_owned()
    }

    fn schema(&self) -> Option<Schema> {
        let fields = vec![Field::new("line", downpour_tensor::DataType::String, &[])];
        Some(Schema { fields })
    }

    fn open(&self, file: &FileRef, _: usize, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        DecoderCursor::open(state, |mark| {
            let [offset] = mark.map(|m| m.expect()).transpose()?.unwrap_or([0]);
            let input = self.compression.of(file)?.open_from(file, offset)?;
            let input = BufReader::with_capacity(CHUNK_BYTES, input);
            Ok(TextDecoder { input, names: self.names.clone(), offset, ended: false })
        })
    }
}

struct TextDecoder {
    input: BufReader<Box<dyn Read + Send>>,
    names: Names,
    /// Bytes read, after decompression.
    offset: u64,
    ended: bool,
}

impl Decoder for TextDecoder {
    fn decode(&mut self) -> Result<Option<Block>> {
        // All lines of a block lie in one allocation.
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        while !self.ended && ends.len() < LINES && bytes.len() < CHUNK_BYTES {
            let start = bytes.len();
            let mut limited = self.input.by_ref().take(LONGEST as u64);
            let read = limited.read_until(b'\n', &mut bytes).map_err(|e| {
                self.ended = true;
                read_error(&e)
            })?;
            if read == 0 {
                self.ended = true;
                break;
            }
            if read == LONGEST && bytes.last() != Some(&b'\n') {
                self.ended = true;
                return Err(Status::data_loss(format!(
                    "the line at byte {} is longer than {LONGEST} bytes; is this a text file?",
                    self.offset
                )));
            }
            self.offset += read as u64;
            for end in [b'\n', b'\r'] {
                if bytes.len() > start && bytes.last() == Some(&end) {
                    bytes.pop();
                }
            }
            ends.push(bytes.len());
        }
        if ends.is_empty() {
            return Ok(None);
        }
        let (bytes, rows) = (ByteString::from_vec(bytes)?, ends.len());
        let mut start = 0;
        let lines =
            ends.into_iter().map(|end| bytes.slice(std::mem::replace(&mut start, end)..end));
        let column = Tensor::from_strings([rows], lines.collect())?;
        Block::from_columns(self.names.clone(), rows, vec![column]).map(Some)
    }

    fn mark(&self) -> State {
        State::of([self.offset])
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn ends_of_lines_and_of_files() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.txt"), "one\r\ntwo\n\nfour").unwrap();
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(b"five\nsix\n").unwrap();
        std::fs::write(folder.path().join("b.txt"), gz.finish().unwrap()).unwrap();
        let data = Dataset::text_lines(folder.path().join("*.txt").to_str().unwrap()).unwrap();
        let text = |e: crate::Element| e[0].strings().unwrap()[0].clone();
        let lines: Vec<_> = data.iterate().unwrap().map(|e| text(e.unwrap())).collect();
        assert_eq!(lines, ["one", "two", "", "four", "five", "six"]);
        for stop in 0..=6 {
            let mut iterator = data.iterate().unwrap();
            iterator.by_ref().take(stop).for_each(drop);
            let resumed = data.iterate_from(&iterator.position()).unwrap();
            let rest: Vec<_> = resumed.map(|e| text(e.unwrap())).collect();
            assert_eq!(rest, lines[stop..]);
        }
    }
}
