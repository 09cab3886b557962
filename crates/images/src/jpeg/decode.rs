//! Decodes JPEG files as libjpeg-turbo does in TensorFlow, to the last bit.
//!
//! This is ours because no crate decodes to half, a quarter or an eighth of the size, offers libjpeg's fast transform,
//! on which TensorFlow's pixels depend, or decodes the part of a file that ends too early.

use downpour_tensor::{Charge, DataType, Status, Tensor};

use super::bits::Bits;
use super::color;
use super::failure::{Failure, Outcome};
use super::header::{Colors, Frame, Header, Marker, Scan};
use super::planes::{Method, Planes};
use super::upsample::{Region, Upsampler};
use super::{progressive, sequential};
use crate::{Checkpoint, RowLoop};

/// The part of an image to cut out, in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub top: i32,
    pub left: i32,
    pub height: i32,
    pub width: i32,
}

/// How to decode a file.
#[derive(Clone, Debug)]
pub struct Options {
    /// 1 or 3; 0 for those of the file.
    pub channels: usize,
    /// The image is made so many times smaller: 1, 2, 4 or 8.
    pub ratio: usize,
    /// Chroma is interpolated instead of repeated.
    pub fancy_upscaling: bool,
    /// Uses the slower, accurate transform.
    pub accurate: bool,
    /// Fills up a file that ends too early.
    pub try_recover_truncated: bool,
    /// The share of rows that must be there.
    pub acceptable_fraction: f32,
    pub window: Option<Window>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            channels: 0,
            ratio: 1,
            fancy_upscaling: true,
            accurate: false,
            try_recover_truncated: false,
            acceptable_fraction: 1.0,
            window: None,
        }
    }
}

/// Decodes a file to a tensor of height, width and channels.
pub fn decode(
    data: &[u8],
    options: &Options,
    rows: &dyn RowLoop,
    checkpoint: Checkpoint<'_>,
) -> Result<Tensor, Status> {
    let message = "jpeg::Uncompress failed. Invalid JPEG data or crop window.";
    Decoder::new(data, options)
        .and_then(|decoder| decoder.run(rows, checkpoint))
        .map_err(|failure| failure.into_status(message))
}

/// Returns the height, width and channels of a file.
pub fn shape(data: &[u8]) -> Result<[usize; 3], Status> {
    let (header, ..) = Header::read(data).map_err(|failure| {
        failure.into_status(&format!("Invalid JPEG data, size {}", data.len()))
    })?;
    let frame = header.frame.as_ref();
    let (width, height, components) =
        frame.map_or((0, 0, 0), |f| (f.width, f.height, f.components.len()));
    Ok([height, width, components])
}

struct Decoder<'a> {
    data: &'a [u8],
    options: &'a Options,
    header: Header,
    frame: Frame,
    /// The first scan, and the position behind its header.
    scan: Scan,
    position: usize,
    channels: usize,
    colors: Colors,
    method: Method,
    /// Width and height of the image after scaling.
    scaled: [usize; 2],
}

impl<'a> Decoder<'a> {
    fn new(data: &'a [u8], options: &'a Options) -> Outcome<Decoder<'a>> {
        let (header, scan, position) = Header::read(data)?;
        let Some(frame) = header.frame.clone() else {
            return Err(Failure::Invalid("no frame"));
        };
        let colors = header.colors();
        let channels = match options.channels {
            0 => frame.components.len().min(3),
            channels => channels,
        };
        let possible = match channels {
            1 => matches!(colors, Colors::Gray | Colors::YCbCr | Colors::Rgb),
            3 => colors != Colors::Unknown,
            _ => false,
        };
        if !possible {
            return Err(Failure::Invalid("unsupported colours"));
        }
        let scaled = [frame.width, frame.height].map(|pixels| pixels.div_ceil(options.ratio));
        if scaled[0] * scaled[1] * frame.components.len() >= 1 << 29 {
            return Err(Failure::Invalid("image too large"));
        }
        let method = Method { size: 8 / options.ratio, accurate: options.accurate };
        Ok(Decoder {
            data,
            options,
            header,
            frame,
            scan,
            position,
            channels,
            colors,
            method,
            scaled,
        })
    }

    /// Returns the region to decode, the pixels to leave out at its left, and the rows.
    fn region(&self) -> Outcome<(Region, usize, std::ops::Range<usize>)> {
        let [width, height] = self.scaled;
        let Some(window) = self.options.window else {
            return Ok((Region { left: 0, width, cut: false }, 0, 0..height));
        };
        let [top, left, rows, columns] =
            [window.top, window.left, window.height, window.width].map(i64::from);
        let outside = top < 0
            || left < 0
            || rows <= 0
            || columns <= 0
            || top + rows > height as i64
            || left + columns > width as i64;
        if outside {
            return Err(Failure::Invalid("the crop window is not within the image"));
        }
        let (left, columns, top) = (left as usize, columns as usize, top as usize);
        let unit = if self.frame.components.len() == 1 {
            self.method.size
        } else {
            self.method.size * self.frame.largest_sampling()[0]
        };
        let shift = left % unit;
        let region = Region { left: left - shift, width: columns + shift, cut: true };
        Ok((region, shift, top..top + rows as usize))
    }

    fn run(mut self, row_loop: &dyn RowLoop, checkpoint: Checkpoint<'_>) -> Outcome<Tensor> {
        let (region, shift, rows) = self.region()?;
        let used = match (self.channels, self.colors) {
            (1, Colors::YCbCr) => 1,
            _ => self.frame.components.len(),
        };
        let mut planes = Planes::new(&self.frame, self.method, used)?;
        let units = self.read_scans(&mut planes, checkpoint)?;
        let mut upsamplers = Vec::with_capacity(4);
        for plane in &planes.planes[..used] {
            upsamplers.push(Upsampler::new(
                &self.frame,
                plane,
                self.method.size,
                self.options.fancy_upscaling,
                region,
            )?);
        }
        let known = self.known_rows(units, &upsamplers);
        if known < self.scaled[1] {
            // The rows below the window must be there as well.
            let read = known.saturating_sub(rows.start).min(rows.len());
            let fraction = read as f32 / rows.len() as f32;
            let needed = self.options.acceptable_fraction.min(1.0);
            if read == rows.len() || fraction < needed || fraction.is_nan() {
                return Err(Failure::Truncated);
            }
        }

        let width = region.width - shift;
        let row_length = width * self.channels;
        let mut output =
            Tensor::new(DataType::UInt8, [rows.len(), width, self.channels].as_slice())?;
        let Some(out) = output.as_mut_slice::<u8>() else {
            return Err(Status::internal("a new tensor is shared").into());
        };
        let longest = upsamplers.iter().map(|u| u.width(region)).max().unwrap_or(0);
        let threads = row_loop.threads().max(1);
        let _scratch = Charge::new(longest.saturating_mul(6 * threads))?;
        row_loop.for_rows(out, row_length, ROWS_PER_TASK, &|first, run| {
            let mut scratch = Scratch::new(longest);
            for (i, to) in run.chunks_exact_mut(row_length).enumerate() {
                let y = rows.start + first + i;
                if y < known {
                    self.write_row(&upsamplers, y, shift, &mut scratch, to);
                } else {
                    to.fill(0);
                }
            }
        });
        Ok(output)
    }

    /// Decodes all scans. Returns the number of rows of units that the data had.
    fn read_scans(&mut self, planes: &mut Planes, checkpoint: Checkpoint<'_>) -> Outcome<usize> {
        let whole = self.frame.units()[1];
        let recover = self.options.try_recover_truncated;
        let count = self.frame.components.len();
        let single = !self.frame.progressive && self.scan.components.len() == count;
        loop {
            planes.keep_tables(&self.header, &self.scan, self.method)?;
            let mut bits = Bits::new(self.data, self.position, recover);
            if self.frame.progressive {
                if !progressive::decode(&self.header, &self.scan, planes, &mut bits, checkpoint)? {
                    return Err(Failure::Truncated);
                }
            } else {
                let rows =
                    sequential::decode(&self.header, &self.scan, planes, &mut bits, checkpoint)?;
                if bits.starved() {
                    if !single || bits.ends_with_unit() {
                        return Err(Failure::Truncated);
                    }
                    let rows_per_unit =
                        if count == 1 { self.frame.components[0].sampling[1] } else { 1 };
                    return Ok(rows / rows_per_unit);
                }
            }
            let (position, marker) = bits.end();
            match self.header.advance(self.data, position, marker) {
                Ok((Marker::End, _)) => break,
                Ok((Marker::Scan(_), _)) if single => {
                    return Err(Failure::Invalid("a scan behind the last one"));
                }
                Ok((Marker::Scan(scan), position)) => {
                    (self.scan, self.position) = (scan, position);
                }
                Err(Failure::Truncated) if recover => break,
                Err(failure) => return Err(failure),
            }
        }
        planes.transform(checkpoint)?;
        Ok(whole)
    }

    /// Returns how many rows of pixels follow from so many rows of units.
    fn known_rows(&self, units: usize, upsamplers: &[Upsampler<'_>]) -> usize {
        if units >= self.frame.units()[1] {
            return self.scaled[1];
        }
        // The lowest rows of samples wait for those below them.
        let waiting = usize::from(upsamplers.iter().any(Upsampler::looks_around));
        let groups = (units * self.method.size).saturating_sub(waiting);
        (groups * self.frame.largest_sampling()[1]).min(self.scaled[1])
    }

    fn write_row(
        &self,
        upsamplers: &[Upsampler<'_>],
        y: usize,
        shift: usize,
        scratch: &mut Scratch,
        to: &mut [u8],
    ) {
        let Scratch { sums, rows } = scratch;
        let mut samples: [&[u8]; 4] = [&[]; 4];
        for ((samples, row), upsampler) in samples.iter_mut().zip(rows).zip(upsamplers) {
            *samples = &upsampler.row(y, sums, row)[shift..];
        }
        if self.channels == 1 {
            color::gray(self.colors, samples, to);
        } else {
            color::color(self.colors, samples, self.header.adobe.is_some(), to);
        }
    }
}

/// Rows of pixels worth a task of their own.
const ROWS_PER_TASK: usize = 128;

/// Memory for one row.
struct Scratch {
    sums: Vec<u16>,
    rows: [Vec<u8>; 4],
}

impl Scratch {
    fn new(longest: usize) -> Scratch {
        Scratch { sums: vec![0; longest], rows: std::array::from_fn(|_| vec![0; longest]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Serial;
    use crate::jpeg::{Settings, encode};

    fn file(progressive: bool) -> Vec<u8> {
        let pixels: Vec<u8> = (0..48 * 40 * 3).map(|i| (i * 7 % 251) as u8).collect();
        let settings = Settings { progressive, ..Settings::default() };
        encode(&pixels, [48, 40, 3], &settings, &|| Ok(())).unwrap().to_vec()
    }

    fn run(data: &[u8], options: &Options) -> Result<Tensor, Status> {
        decode(data, options, &Serial, &|| Ok(()))
    }

    #[test]
    fn sizes_and_windows() {
        for progressive in [false, true] {
            let data = file(progressive);
            assert_eq!(shape(&data).unwrap(), [48, 40, 3]);
            for ratio in [1, 2, 4, 8] {
                let out = run(&data, &Options { ratio, ..Options::default() }).unwrap();
                assert_eq!(out.dims(), &[48 / ratio, 40 / ratio, 3]);
            }
            let window = Window { top: 3, left: 17, height: 4, width: 5 };
            let options = Options { window: Some(window), channels: 1, ..Options::default() };
            assert_eq!(run(&data, &options).unwrap().dims(), &[4, 5, 1]);
            let window = Window { width: i32::MAX, ..window };
            assert!(run(&data, &Options { window: Some(window), ..options }).is_err());
        }
    }

    #[test]
    fn a_cut_file_never_panics_and_can_be_recovered() {
        for progressive in [false, true] {
            let data = file(progressive);
            let recovering = Options { try_recover_truncated: true, ..Options::default() };
            for length in 0..data.len() {
                assert!(run(&data[..length], &Options::default()).is_err(), "{length}");
                let _ = run(&data[..length], &recovering);
                let partly = Options { acceptable_fraction: 0.0, ..Options::default() };
                let _ = run(&data[..length], &partly);
            }
            assert!(progressive || run(&data[..data.len() - 100], &recovering).is_ok());
        }
    }

    #[test]
    fn damaged_bytes_never_panic() {
        for progressive in [false, true] {
            let data = file(progressive);
            for at in 0..data.len() {
                for flip in [0x01, 0x80, 0xFF] {
                    let mut data = data.clone();
                    data[at] ^= flip;
                    let _ = run(&data, &Options::default());
                }
            }
        }
    }

    #[test]
    fn a_cancelled_step_is_not_decoded_for() {
        let cancelled = || Err(Status::cancelled("the step"));
        let data = file(false);
        let result = decode(&data, &Options::default(), &Serial, &cancelled);
        assert_eq!(result.unwrap_err().code(), downpour_tensor::Code::Cancelled);
    }
}
