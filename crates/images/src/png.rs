//! PNG files, with the conversions that libpng does for TensorFlow.

use std::io::{Cursor, Write};

use downpour_tensor::{
    ByteString, Charge, CountedVec, DataType, Result, Status, StringWriter, Tensor,
};
use png::{BitDepth, ColorType, DeflateCompression, Transformations};

use crate::checkpoint::Checkpoint;

/// The memory that the decoder may take beside the image: rows and a few chunks.
const WORKSPACE: usize = 256 << 20;

/// Decodes a file to a tensor of height, width and channels: of uint16 if `wide`, else of uint8. `channels` is 0 for
/// those of the file.
pub fn decode(
    data: &[u8],
    channels: usize,
    wide: bool,
    checkpoint: Checkpoint<'_>,
) -> Result<Tensor> {
    let damaged = |_| Status::invalid_argument(format!("Invalid PNG data, size {}", data.len()));
    let mut decoder =
        png::Decoder::new_with_limits(Cursor::new(data), png::Limits { bytes: WORKSPACE });
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::EXPAND);
    let reader = decoder
        .read_info()
        .map_err(|_| Status::invalid_argument("Invalid PNG. Failed to initialize decoder."))?;
    let info = reader.info();
    let (width, height) = (info.width as usize, info.height as usize);
    let limit = 1 << 27;
    if width >= limit || height >= limit || width * height >= 1 << 29 {
        return Err(Status::invalid_argument(format!(
            "PNG size too large for int: {width} by {height}"
        )));
    }
    // The decoder's own rows: a few, of at most 8 bytes a pixel.
    let _workspace = Charge::new(width.saturating_mul(8 * 4))?;
    let interlaced = info.interlaced;
    let target = if channels > 0 {
        channels
    } else {
        match info.color_type {
            ColorType::Indexed => 3 + usize::from(info.trns.is_some()),
            other => other.samples(),
        }
    };
    let conversion = Conversion::new(info, reader.output_color_type(), target);
    let row_length = width * target;
    let dtype = if wide { DataType::UInt16 } else { DataType::UInt8 };
    let mut output = Tensor::new(dtype, [height, width, target].as_slice())?;
    let shared = || Status::internal("a new tensor is shared");
    let mut rows = Rows { reader, whole: CountedVec::new(), line: 0, next: 0 };
    if interlaced {
        rows.read_whole(height).map_err(|failure| failure.into_status(damaged))?;
    }
    for y in 0..height {
        if y % 64 == 0 {
            checkpoint()?;
        }
        let row = rows.next().map_err(damaged)?;
        if wide {
            let out = output.as_mut_slice::<u16>().ok_or_else(shared)?;
            conversion.wide(row, &mut out[y * row_length..][..row_length]);
        } else {
            let out = output.as_mut_slice::<u8>().ok_or_else(shared)?;
            conversion.narrow(row, &mut out[y * row_length..][..row_length]);
        }
    }
    rows.reader.finish().map_err(damaged)?;
    Ok(output)
}

/// Gives the rows of an image.
struct Rows<'a> {
    reader: png::Reader<Cursor<&'a [u8]>>,
    /// All rows of an interlaced image.
    whole: CountedVec<u8>,
    /// Bytes of a row.
    line: usize,
    next: usize,
}

/// Why an interlaced image was not read.
enum Failure {
    Damaged(png::DecodingError),
    Other(Status),
}

impl Failure {
    fn into_status(self, damaged: impl Fn(png::DecodingError) -> Status) -> Status {
        match self {
            Failure::Damaged(error) => damaged(error),
            Failure::Other(status) => status,
        }
    }
}

impl Rows<'_> {
    fn read_whole(&mut self, height: usize) -> std::result::Result<(), Failure> {
        let size = self.reader.output_buffer_size().ok_or_else(|| {
            Failure::Other(Status::resource_exhausted("the image is too large for this machine"))
        })?;
        self.whole = CountedVec::filled(size, 0).map_err(Failure::Other)?;
        self.line = size / height;
        self.reader.next_frame(&mut self.whole).map_err(Failure::Damaged)?;
        Ok(())
    }

    fn next(&mut self) -> std::result::Result<&[u8], png::DecodingError> {
        if self.line > 0 {
            self.next += 1;
            return Ok(&self.whole[(self.next - 1) * self.line..][..self.line]);
        }
        match self.reader.next_row()? {
            Some(row) => Ok(row.data()),
            None => Ok(&[]),
        }
    }
}

/// How pixels of a file become pixels of a tensor.
struct Conversion {
    /// Samples of a pixel of the file.
    samples: usize,
    /// Its samples have 16 bits.
    deep: bool,
    colored: bool,
    alpha: bool,
    /// The alpha of pixels that have none.
    opaque: u16,
    channels: usize,
}

impl Conversion {
    fn new(
        info: &png::Info<'_>,
        (color, depth): (ColorType, BitDepth),
        channels: usize,
    ) -> Conversion {
        Conversion {
            samples: color.samples(),
            deep: depth == BitDepth::Sixteen,
            colored: matches!(color, ColorType::Rgb | ColorType::Rgba),
            alpha: matches!(color, ColorType::GrayscaleAlpha | ColorType::Rgba),
            // libpng is told the largest sample of the file, which in a file of fewer than 8 bits is little.
            opaque: ((1u32 << info.bit_depth as u32) - 1) as u16,
            channels,
        }
    }

    /// Returns colour and alpha of a pixel in the depth of the file.
    #[inline(always)]
    fn pixel(&self, sample: impl Fn(usize) -> u16) -> [u16; 4] {
        let alpha = if self.alpha { sample(self.samples - 1) } else { self.opaque };
        if !self.colored {
            let gray = sample(0);
            return [gray, gray, gray, alpha];
        }
        let [r, g, b] = [0, 1, 2].map(&sample);
        if self.channels >= 3 {
            return [r, g, b, alpha];
        }
        if r == g && r == b {
            return [r, r, r, alpha];
        }
        let sum = 9_797 * r as u32 + 19_234 * g as u32 + 3_737 * b as u32;
        let gray = (sum + if self.deep { 1 << 14 } else { 0 }) >> 15;
        [gray as u16, 0, 0, alpha]
    }

    /// Calls `write` with the channels of every pixel.
    #[inline(always)]
    fn convert<T>(&self, row: &[u8], out: &mut [T], write: impl Fn(u16) -> T) {
        let size = self.samples * if self.deep { 2 } else { 1 };
        for (to, from) in out.chunks_exact_mut(self.channels).zip(row.chunks_exact(size)) {
            let pixel = if self.deep {
                self.pixel(|i| u16::from_be_bytes([from[2 * i], from[2 * i + 1]]))
            } else {
                self.pixel(|i| from[i] as u16)
            };
            for (i, to) in to.iter_mut().enumerate() {
                let last = i + 1 == self.channels && self.channels.is_multiple_of(2);
                *to = write(pixel[if last { 3 } else { i }]);
            }
        }
    }

    fn narrow(&self, row: &[u8], out: &mut [u8]) {
        if self.deep {
            self.convert(row, out, |v| (v >> 8) as u8);
        } else if self.samples == self.channels && row.len() == out.len() {
            out.copy_from_slice(row);
        } else {
            self.convert(row, out, |v| v as u8);
        }
    }

    fn wide(&self, row: &[u8], out: &mut [u16]) {
        if self.deep {
            self.convert(row, out, |v| v);
        } else {
            self.convert(row, out, |v| (v & 255) * 257);
        }
    }
}

/// Encodes an image of height, width and channels, given in bytes: numbers of 16 bits if `wide`, else of 8. `level` is
/// zlib's, from 0 to 9.
pub fn encode(
    pixels: &[u8],
    [height, width, channels]: [usize; 3],
    wide: bool,
    level: u8,
) -> Result<ByteString> {
    let color = match channels {
        1 => ColorType::Grayscale,
        2 => ColorType::GrayscaleAlpha,
        3 => ColorType::Rgb,
        _ => ColorType::Rgba,
    };
    let (Ok(width), Ok(height)) = (u32::try_from(width), u32::try_from(height)) else {
        return Err(Status::internal("PNG encoding failed: the image is too large"));
    };
    let mut out = Output { file: StringWriter::new(), failure: None };
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(color);
    encoder.set_depth(if wide { BitDepth::Sixteen } else { BitDepth::Eight });
    encoder.set_deflate_compression(match level {
        0 => DeflateCompression::NoCompression,
        level => DeflateCompression::Level(level),
    });
    encoder.set_filter(png::Filter::Adaptive);
    let bytes;
    let pixels = if wide && cfg!(target_endian = "little") {
        let swapped = |i: usize| pixels[i ^ 1];
        bytes = CountedVec::build(pixels.len(), |i| Ok(swapped(i)))?;
        &bytes[..]
    } else {
        pixels
    };
    // The compressed rows stand beside the file for a while.
    let _workspace = Charge::new(pixels.len())?;
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(pixels)?;
        writer.finish()
    });
    match (out.failure, written) {
        (Some(status), _) => Err(status),
        (None, Err(e)) => Err(Status::internal(format!("PNG encoding failed: {e}"))),
        (None, Ok(())) => Ok(out.file.finish()),
    }
}

/// A file in memory that is counted as it grows.
struct Output {
    file: StringWriter,
    /// Why it cannot grow.
    failure: Option<Status>,
}

impl Write for &mut Output {
    fn write(&mut self, part: &[u8]) -> std::io::Result<usize> {
        self.file.push(part).map_err(|status| {
            let error = std::io::Error::other(status.message().to_string());
            self.failure = Some(status);
            error
        })?;
        Ok(part.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
