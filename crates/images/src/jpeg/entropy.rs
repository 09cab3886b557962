//! Where the symbols and bits of a scan go: they are counted first, to find the best code, or written.

use downpour_tensor::{Result, StringWriter};

use super::codes::Codes;

/// A Huffman table's place: two of DC coefficients, two of AC coefficients.
pub(super) fn table(ac: bool, index: usize) -> usize {
    2 * usize::from(ac) + index
}

pub(super) enum Sink<'a> {
    /// Counts symbols by table.
    Count(Box<[[u32; 256]; 4]>),
    Write {
        codes: &'a [Option<Codes>; 4],
        writer: BitWriter<'a>,
    },
}

impl Sink<'_> {
    pub fn symbol(&mut self, table: usize, symbol: u8) -> Result<()> {
        match self {
            Sink::Count(counts) => {
                let count = &mut counts[table][symbol as usize];
                *count = count.saturating_add(1);
                Ok(())
            }
            Sink::Write { codes, writer } => {
                let (code, length) =
                    codes[table].as_ref().map_or((0, 0), |codes| codes.code(symbol));
                writer.put(code as u32, length as u32)
            }
        }
    }

    /// Takes the `count` lowest bits of a value.
    pub fn bits(&mut self, value: u32, count: u32) -> Result<()> {
        match self {
            Sink::Count(_) => Ok(()),
            Sink::Write { writer, .. } => writer.put(value & ((1 << count) - 1), count),
        }
    }

    /// Ends a scan.
    pub fn finish(&mut self) -> Result<()> {
        match self {
            Sink::Count(_) => Ok(()),
            Sink::Write { writer, .. } => writer.finish(),
        }
    }
}

/// Writes bits behind each other, with a zero behind each byte that looks like a marker.
pub(super) struct BitWriter<'a> {
    out: &'a mut StringWriter,
    /// The bits that do not make a byte yet, at the bottom.
    window: u64,
    count: u32,
    buffer: Vec<u8>,
}

const BUFFER: usize = 4096;

impl<'a> BitWriter<'a> {
    pub fn new(out: &'a mut StringWriter) -> BitWriter<'a> {
        BitWriter { out, window: 0, count: 0, buffer: Vec::with_capacity(BUFFER + 16) }
    }

    fn put(&mut self, value: u32, count: u32) -> Result<()> {
        self.window = self.window << count | value as u64;
        self.count += count;
        while self.count >= 8 {
            self.count -= 8;
            let byte = (self.window >> self.count) as u8;
            self.buffer.push(byte);
            if byte == 0xFF {
                self.buffer.push(0);
            }
        }
        if self.buffer.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        self.out.push(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Fills up the last byte with ones.
    fn finish(&mut self) -> Result<()> {
        self.put(0x7F, 7)?;
        self.count = 0;
        self.window = 0;
        self.flush()
    }
}
