//! Encodes JPEG files, byte for byte as libjpeg-turbo does.
//!
//! This is ours because the decoder has half of it already, and because with it files are equal to TensorFlow's.

use downpour_tensor::{ByteString, Result, Status, StringWriter};

use super::codes::{Codes, optimal};
use super::coefficients::{Component, Picture};
use super::encode_scan::{Plan, encode as encode_scan, progression};
use super::entropy::{BitWriter, Sink};
use super::huffman::Description;
use super::tables::{AC_CODES, DC_CODES, NATURAL_ORDER, QUANTIZATION};
use crate::checkpoint::Checkpoint;

/// How to encode an image.
#[derive(Clone, Debug)]
pub struct Settings {
    /// 0 to 100.
    pub quality: i32,
    pub progressive: bool,
    /// Uses Huffman codes made for the image.
    pub optimize_size: bool,
    /// Halves the resolution of colours.
    pub chroma_downsampling: bool,
    /// 1 for pixels per inch, 2 for pixels per centimetre.
    pub density_unit: u8,
    pub density: [u16; 2],
    pub xmp_metadata: Vec<u8>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            quality: 95,
            progressive: false,
            optimize_size: false,
            chroma_downsampling: true,
            density_unit: 1,
            density: [300; 2],
            xmp_metadata: Vec::new(),
        }
    }
}

/// Encodes an image of height, width and one or three channels.
pub fn encode(
    pixels: &[u8],
    [height, width, channels]: [usize; 3],
    settings: &Settings,
    checkpoint: Checkpoint<'_>,
) -> Result<ByteString> {
    let failed = |why: &str| Err(Status::invalid_argument(format!("JPEG encoding failed ({why})")));
    if width == 0 || height == 0 {
        return failed("the image is empty");
    }
    if width > 65_500 || height > 65_500 || width * height >= 1 << 29 {
        return failed("the image is too large");
    }
    const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
    if XMP.len() + settings.xmp_metadata.len() > 65_533 {
        return failed("the metadata are too long");
    }
    let picture = Picture { pixels, width, height, channels };
    let steps = [0, 1].map(|i| quantization(&QUANTIZATION[i], settings.quality));
    let halved = channels == 3 && settings.chroma_downsampling;
    let largest = 1 + usize::from(halved);
    let mut components = Vec::with_capacity(channels);
    for channel in 0..channels {
        let scale = if channel > 0 { largest } else { 1 };
        let steps = &steps[usize::from(channel > 0)];
        components.push(picture.component(channel, scale, largest, steps, checkpoint)?);
    }

    let mut out = StringWriter::new();
    out.push(&[0xFF, 0xD8])?;
    let mut density = b"JFIF\0\x01\x01".to_vec();
    density.push(settings.density_unit);
    density.extend(settings.density.iter().flat_map(|d| d.to_be_bytes()));
    density.extend([0, 0]);
    segment(&mut out, 0xE0, &[&density])?;
    if !settings.xmp_metadata.is_empty() {
        segment(&mut out, 0xE1, &[XMP, &settings.xmp_metadata])?;
    }
    for (i, steps) in steps.iter().enumerate().take(channels.min(2)) {
        let ordered: Vec<u8> =
            NATURAL_ORDER[..64].iter().map(|&place| steps[place as usize] as u8).collect();
        segment(&mut out, 0xDB, &[&[i as u8], &ordered])?;
    }
    let mut frame = vec![8];
    frame.extend((height as u16).to_be_bytes());
    frame.extend((width as u16).to_be_bytes());
    frame.push(channels as u8);
    for (i, component) in components.iter().enumerate() {
        let [h, v] = component.sampling;
        frame.extend([i as u8 + 1, (h << 4 | v) as u8, component.table as u8]);
    }
    segment(&mut out, if settings.progressive { 0xC2 } else { 0xC0 }, &[&frame])?;

    let plans = if settings.progressive {
        progression(channels)
    } else {
        vec![Plan { components: (0..channels).collect(), band: [0, 63], bits: [0, 0] }]
    };
    for plan in &plans {
        write_scan(&mut out, plan, &components, settings, checkpoint)?;
    }
    out.push(&[0xFF, 0xD9])?;
    Ok(out.finish())
}

/// Returns the standard's table for a quality from 0 to 100.
fn quantization(base: &[u8; 64], quality: i32) -> [u16; 64] {
    let quality = quality.clamp(1, 100) as u32;
    let scale = if quality < 50 { 5000 / quality } else { 200 - 2 * quality };
    base.map(|step| ((step as u32 * scale + 50) / 100).clamp(1, 255) as u16)
}

/// Writes a marker and what belongs to it.
fn segment(out: &mut StringWriter, marker: u8, parts: &[&[u8]]) -> Result<()> {
    let length = 2 + parts.iter().map(|part| part.len()).sum::<usize>();
    let [high, low] = (length as u16).to_be_bytes();
    out.push(&[0xFF, marker, high, low])?;
    parts.iter().try_for_each(|part| out.push(part))
}

fn write_scan(
    out: &mut StringWriter,
    plan: &Plan,
    components: &[Component],
    settings: &Settings,
    checkpoint: Checkpoint<'_>,
) -> Result<()> {
    let tables = plan.tables(components);
    let progressive = settings.progressive;
    let mut descriptions: [Option<Description>; 4] = std::array::from_fn(|_| None);
    if (progressive || settings.optimize_size) && !tables.is_empty() {
        let mut sink = Sink::Count(Box::new([[0; 256]; 4]));
        encode_scan(plan, components, progressive, &mut sink, checkpoint)?;
        if let Sink::Count(counts) = sink {
            for &table in &tables {
                descriptions[table] = Some(optimal(&counts[table]));
            }
        }
    } else {
        for &table in &tables {
            let code = if table < 2 { &DC_CODES[table] } else { &AC_CODES[table - 2] };
            descriptions[table] = Some(Description::standard(code));
        }
    }
    for &table in &tables {
        let Some(description) = &descriptions[table] else { continue };
        let count: usize = description.counts.iter().map(|&c| c as usize).sum();
        let head = (table % 2 + if table < 2 { 0 } else { 0x10 }) as u8;
        let symbols = &description.symbols[..count.min(256)];
        segment(out, 0xC4, &[&[head], &description.counts, symbols])?;
    }
    let mut head = vec![plan.components.len() as u8];
    for &i in &plan.components {
        let index = components[i].table;
        let dc = if plan.band[0] == 0 && plan.bits[0] == 0 { index } else { 0 };
        let ac = if plan.band[1] > 0 { index } else { 0 };
        head.extend([i as u8 + 1, (dc << 4 | ac) as u8]);
    }
    head.extend([plan.band[0] as u8, plan.band[1] as u8]);
    head.push((plan.bits[0] << 4 | plan.bits[1]) as u8);
    segment(out, 0xDA, &[&head])?;
    let codes = descriptions.map(|description| description.as_ref().map(Codes::new));
    let mut sink = Sink::Write { codes: &codes, writer: BitWriter::new(out) };
    encode_scan(plan, components, progressive, &mut sink, checkpoint)
}
