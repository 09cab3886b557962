//! The markers of a JPEG file, and what stands in their segments.

use super::bits::{END, find_marker};
use super::failure::{Failure, Outcome};
use super::huffman::Description;
use super::tables::{AC_CODES, DC_CODES, NATURAL_ORDER};

/// The largest width and height that libjpeg reads.
const MAX_SIZE: usize = 65_500;

/// One colour of a frame.
#[derive(Clone, Debug)]
pub(super) struct Component {
    pub id: u8,
    /// Samples per unit, across and down.
    pub sampling: [usize; 2],
    /// Which quantization table it uses.
    pub table: usize,
}

/// The contents of a start-of-frame segment.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub width: usize,
    pub height: usize,
    pub progressive: bool,
    pub components: Vec<Component>,
}

impl Frame {
    /// The largest sampling of any component, across and down.
    pub fn largest_sampling(&self) -> [usize; 2] {
        [0, 1].map(|axis| self.components.iter().map(|c| c.sampling[axis]).max().unwrap_or(1))
    }

    /// Number of whole units of `8 * sampling` pixels that cover the image, across and down.
    pub fn units(&self) -> [usize; 2] {
        let [h, v] = self.largest_sampling();
        [self.width.div_ceil(8 * h), self.height.div_ceil(8 * v)]
    }
}

/// The contents of a start-of-scan segment.
#[derive(Debug)]
pub(super) struct Scan {
    /// Index into the frame's components, with the numbers of the DC and AC tables.
    pub components: Vec<(usize, [usize; 2])>,
    /// The first and last coefficient, in the order of files.
    pub band: [usize; 2],
    /// The bit position of the scan before over the same coefficients, or 0, and that of this one.
    pub bits: [u32; 2],
}

/// How the components make a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colors {
    Gray,
    Rgb,
    YCbCr,
    Cmyk,
    Ycck,
    Unknown,
}

/// Everything that markers have set so far.
pub(super) struct Header {
    pub frame: Option<Frame>,
    /// In natural order.
    pub quantization: [Option<[u16; 64]>; 4],
    pub dc: [Option<Description>; 4],
    pub ac: [Option<Description>; 4],
    /// Units between restart markers; 0 if there are none.
    pub restart_interval: usize,
    jfif: bool,
    /// The transform that an Adobe segment names.
    pub adobe: Option<u8>,
}

/// The marker that ended the reading of markers.
pub(super) enum Marker {
    Scan(Scan),
    End,
}

impl Header {
    /// Reads up to the first scan; also returns the position behind its header.
    pub fn read(data: &[u8]) -> Outcome<(Header, Scan, usize)> {
        if !data.starts_with(&[0xFF, 0xD8]) {
            return Err(Failure::Invalid("no start of image"));
        }
        let standard = |codes: &[super::tables::Code; 2]| {
            let [a, b] = [0, 1].map(|i| Some(Description::standard(&codes[i])));
            [a, b, None, None]
        };
        let mut header = Header {
            frame: None,
            quantization: [None; 4],
            dc: standard(&DC_CODES),
            ac: standard(&AC_CODES),
            restart_interval: 0,
            jfif: false,
            adobe: None,
        };
        match header.advance(data, 2, None)? {
            (Marker::Scan(scan), position) => Ok((header, scan, position)),
            (Marker::End, _) => Err(Failure::Invalid("no image")),
        }
    }

    /// Reads markers from `position` on, up to the next scan or the end; `found` is the first marker if it was read.
    pub fn advance(
        &mut self,
        data: &[u8],
        mut position: usize,
        mut found: Option<u8>,
    ) -> Outcome<(Marker, usize)> {
        loop {
            let marker = match found.take() {
                Some(marker) => marker,
                None => {
                    let (marker, behind) = find_marker(data, position).ok_or(Failure::Truncated)?;
                    position = behind;
                    marker
                }
            };
            // These stand alone.
            match marker {
                0x01 | 0xD0..=0xD7 => continue,
                0xD8 => return Err(Failure::Invalid("two starts of image")),
                END => return Ok((Marker::End, position)),
                0xC3 | 0xC5..=0xC8 | 0xCA | 0xCB | 0xCD..=0xCF => {
                    return Err(Failure::Invalid("unsupported kind of JPEG"));
                }
                0xC9 => return Err(Failure::Invalid("arithmetic coding is not supported")),
                0x02..=0xBF | 0xDE | 0xDF | 0xF0..=0xFD => {
                    return Err(Failure::Invalid("unknown marker"));
                }
                _ => {}
            }
            let cut_off = Failure::Invalid("a segment is cut off");
            let rest = data.get(position..).unwrap_or_default();
            let &[high, low, ..] = rest else { return Err(cut_off) };
            let length = u16::from_be_bytes([high, low]) as usize;
            if length < 2 {
                return Err(Failure::Invalid("bad segment length"));
            }
            let segment = match rest.get(2..length) {
                Some(segment) => segment,
                // A segment that is passed over may reach beyond the end.
                None if matches!(marker, 0xDC | 0xE1..=0xED | 0xEF | 0xFE) => {
                    return Err(Failure::Truncated);
                }
                None => return Err(cut_off),
            };
            position += length;
            match marker {
                0xC0..=0xC2 => self.read_frame(segment, marker == 0xC2)?,
                0xC4 => self.read_codes(segment)?,
                0xDA => return Ok((Marker::Scan(self.read_scan(segment)?), position)),
                0xDB => self.read_quantization(segment)?,
                0xDD => match segment {
                    &[high, low] => {
                        self.restart_interval = u16::from_be_bytes([high, low]) as usize;
                    }
                    _ => return Err(Failure::Invalid("bad segment length")),
                },
                0xE0 => self.jfif |= segment.len() >= 12 && segment.starts_with(b"JFIF\0"),
                0xEE if segment.len() >= 12 && segment.starts_with(b"Adobe") => {
                    self.adobe = Some(segment[11]);
                }
                _ => {}
            }
        }
    }

    fn read_frame(&mut self, segment: &[u8], progressive: bool) -> Outcome<()> {
        if self.frame.is_some() {
            return Err(Failure::Invalid("two frames"));
        }
        let &[precision, h0, h1, w0, w1, count, ref rest @ ..] = segment else {
            return Err(Failure::Invalid("bad segment length"));
        };
        let (width, height) =
            (u16::from_be_bytes([w0, w1]) as usize, u16::from_be_bytes([h0, h1]) as usize);
        if width == 0 || height == 0 || count == 0 {
            return Err(Failure::Invalid("empty image"));
        }
        if rest.len() != count as usize * 3 {
            return Err(Failure::Invalid("bad segment length"));
        }
        if width > MAX_SIZE || height > MAX_SIZE {
            return Err(Failure::Invalid("image too large"));
        }
        if precision != 8 {
            return Err(Failure::Invalid("unsupported precision"));
        }
        if count > 10 {
            return Err(Failure::Invalid("too many components"));
        }
        let mut components = Vec::with_capacity(count as usize);
        for part in rest.chunks_exact(3) {
            let sampling = [(part[1] >> 4) as usize, (part[1] & 15) as usize];
            if sampling.iter().any(|s| !(1..=4).contains(s)) {
                return Err(Failure::Invalid("bad sampling factors"));
            }
            components.push(Component { id: part[0], sampling, table: part[2] as usize });
        }
        self.frame = Some(Frame { width, height, progressive, components });
        Ok(())
    }

    fn read_codes(&mut self, mut segment: &[u8]) -> Outcome<()> {
        while segment.len() > 16 {
            let (index, counts) = (segment[0], &segment[1..17]);
            let total: usize = counts.iter().map(|&c| c as usize).sum();
            segment = &segment[17..];
            if total > 256 || total > segment.len() {
                return Err(Failure::Invalid("bad Huffman table"));
            }
            let mut description = Description { counts: [0; 16], symbols: [0; 256] };
            description.counts.copy_from_slice(counts);
            description.symbols[..total].copy_from_slice(&segment[..total]);
            segment = &segment[total..];
            let tables = if index & 0x10 == 0 { &mut self.dc } else { &mut self.ac };
            let place = tables.get_mut((index & !0x10) as usize);
            *place.ok_or(Failure::Invalid("bad number of a Huffman table"))? = Some(description);
        }
        if segment.is_empty() { Ok(()) } else { Err(Failure::Invalid("bad segment length")) }
    }

    fn read_quantization(&mut self, mut segment: &[u8]) -> Outcome<()> {
        while let &[head, ref rest @ ..] = segment {
            let wide = head >> 4 != 0;
            let Some(place) = self.quantization.get_mut((head & 15) as usize) else {
                return Err(Failure::Invalid("bad number of a quantization table"));
            };
            let size = if wide { 128 } else { 64 };
            let values = rest.get(..size).ok_or(Failure::Invalid("bad segment length"))?;
            let mut table = [0u16; 64];
            for (i, &natural) in NATURAL_ORDER[..64].iter().enumerate() {
                table[natural as usize] = if wide {
                    u16::from_be_bytes([values[2 * i], values[2 * i + 1]])
                } else {
                    values[i] as u16
                };
            }
            *place = Some(table);
            segment = &rest[size..];
        }
        Ok(())
    }

    fn read_scan(&self, segment: &[u8]) -> Outcome<Scan> {
        let frame = self.frame.as_ref().ok_or(Failure::Invalid("a scan before the frame"))?;
        let &[count, ref rest @ ..] = segment else {
            return Err(Failure::Invalid("bad segment length"));
        };
        let count = count as usize;
        if rest.len() != 2 * count + 3 || !(1..=4).contains(&count) {
            return Err(Failure::Invalid("bad segment length"));
        }
        let mut components: Vec<(usize, [usize; 2])> = Vec::with_capacity(count);
        for part in rest[..2 * count].chunks_exact(2) {
            let used = |i: usize| components.iter().any(|c| c.0 == i);
            let index = (0..frame.components.len())
                .find(|&i| frame.components[i].id == part[0] && !used(i))
                .ok_or(Failure::Invalid("a scan of an unknown component"))?;
            components.push((index, [(part[1] >> 4) as usize, (part[1] & 15) as usize]));
        }
        let blocks = |&(i, _): &(usize, _)| frame.components[i].sampling.iter().product::<usize>();
        if count > 1 && components.iter().map(blocks).sum::<usize>() > 10 {
            return Err(Failure::Invalid("bad sampling factors"));
        }
        let [first, last, bits] = [0, 1, 2].map(|i| rest[2 * count + i]);
        Ok(Scan {
            components,
            band: [first as usize, last as usize],
            bits: [(bits >> 4) as u32, (bits & 15) as u32],
        })
    }

    /// Returns what the components stand for, as libjpeg guesses it.
    pub fn colors(&self) -> Colors {
        let Some(frame) = &self.frame else { return Colors::Unknown };
        let ids: Vec<u8> = frame.components.iter().map(|c| c.id).collect();
        match (ids.len(), self.adobe) {
            (1, _) => Colors::Gray,
            (3, _) if self.jfif => Colors::YCbCr,
            (3, Some(0)) => Colors::Rgb,
            (3, None) if ids == *b"RGB" => Colors::Rgb,
            (3, _) => Colors::YCbCr,
            (4, None | Some(0)) => Colors::Cmyk,
            (4, Some(_)) => Colors::Ycck,
            _ => Colors::Unknown,
        }
    }
}
