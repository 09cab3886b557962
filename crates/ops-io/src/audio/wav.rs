//! The format of WAV files.

use downpour_tensor::{ByteString, Result, Status, StringWriter};

const HEADER: usize = 44;

/// Encodes samples from -1 to 1, channel by channel within each frame.
pub(crate) fn encode(
    samples: &[f32],
    sample_rate: u64,
    channels: usize,
    frames: usize,
) -> Result<ByteString> {
    let invalid = |what: String| Err(Status::invalid_argument(what));
    let Some(rate) = u32::try_from(sample_rate).ok().filter(|&rate| rate > 0) else {
        return invalid(format!("sample_rate must be in (0, 2^32), got: {sample_rate}"));
    };
    let Some(width) = u16::try_from(channels).ok().filter(|&width| width > 0) else {
        return invalid(format!("num_channels must be in (0, 2^16), got: {channels}"));
    };
    let data = frames.checked_mul(channels).and_then(|count| count.checked_mul(2));
    let Some(data) = data.filter(|&data| data <= u32::MAX as usize - HEADER) else {
        return invalid("Provided channels and frames cannot be encoded as a WAV.".into());
    };
    let mut out = StringWriter::with_capacity(HEADER + data)?;
    out.push(b"RIFF")?;
    out.push(&((HEADER + data - 8) as u32).to_le_bytes())?;
    out.push(b"WAVEfmt ")?;
    out.push(&16u32.to_le_bytes())?;
    out.push(&1u16.to_le_bytes())?;
    out.push(&width.to_le_bytes())?;
    out.push(&rate.to_le_bytes())?;
    out.push(&rate.wrapping_mul(2 * width as u32).to_le_bytes())?;
    out.push(&width.wrapping_mul(2).to_le_bytes())?;
    out.push(&16u16.to_le_bytes())?;
    out.push(b"data")?;
    out.push(&(data as u32).to_le_bytes())?;
    for &sample in samples {
        // NaN becomes 0.
        let scaled = (sample * 32_768.0).round() as i16;
        out.push(&scaled.to_le_bytes())?;
    }
    Ok(out.finish())
}

/// The contents of a file.
#[derive(Debug)]
pub(crate) struct Wav<'a> {
    pub channels: usize,
    pub sample_rate: u32,
    /// Two bytes a sample.
    pub data: &'a [u8],
}

impl Wav<'_> {
    /// Returns the number of samples of each channel.
    pub fn frames(&self) -> usize {
        self.data.len() / (2 * self.channels)
    }

    /// Returns one sample, from -1 to 1.
    pub fn sample(&self, frame: usize, channel: usize) -> f32 {
        let at = 2 * (frame * self.channels + channel);
        i16::from_le_bytes([self.data[at], self.data[at + 1]]) as f32 / 32_768.0
    }
}

/// Takes a file apart piece by piece.
struct Pieces<'a>(&'a [u8]);

impl<'a> Pieces<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let Some((piece, rest)) = self.0.split_at_checked(count) else {
            return Err(Status::invalid_argument("Data too short when trying to read string"));
        };
        self.0 = rest;
        Ok(piece)
    }

    fn expect(&mut self, text: &str) -> Result<()> {
        let found = self.take(text.len())?;
        if found == text.as_bytes() {
            return Ok(());
        }
        Err(Status::invalid_argument(format!(
            "Header mismatch: Expected {text} but found {}",
            String::from_utf8_lossy(found)
        )))
    }

    fn u16(&mut self) -> Result<u16> {
        self.take(2).map(|b| u16::from_le_bytes([b[0], b[1]]))
    }

    fn u32(&mut self) -> Result<u32> {
        self.take(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    }
}

/// Chunks that may stand before the format.
const SKIPPED: [&[u8; 4]; 8] =
    [b"JUNK", b"bext", b"iXML", b"qlty", b"mext", b"levl", b"link", b"axml"];

pub(crate) fn decode(file: &[u8]) -> Result<Wav<'_>> {
    let invalid = |what: String| Err(Status::invalid_argument(what));
    let mut pieces = Pieces(file);
    pieces.expect("RIFF")?;
    pieces.u32()?;
    pieces.expect("WAVE")?;
    loop {
        let name = pieces.take(4)?;
        if name == b"fmt " {
            break;
        }
        if !SKIPPED.iter().any(|skipped| name == *skipped) {
            return invalid(format!("Unexpected field {}", String::from_utf8_lossy(name)));
        }
        let size = pieces.u32()?;
        pieces.take(size as usize)?;
    }
    let format_size = pieces.u32()?;
    if format_size != 16 && format_size != 18 {
        return invalid(format!(
            "Bad format chunk size for WAV: Expected 16 or 18, but got{format_size}"
        ));
    }
    let format = pieces.u16()?;
    if format != 1 {
        return invalid(format!("Bad audio format for WAV: Expected 1 (PCM), but got{format}"));
    }
    let channels = pieces.u16()?;
    if channels < 1 {
        return invalid(format!(
            "Bad number of channels for WAV: Expected at least 1, but got {channels}"
        ));
    }
    let sample_rate = pieces.u32()?;
    let bytes_per_second = pieces.u32()?;
    let bytes_per_frame = pieces.u16()?;
    let bits = pieces.u16()?;
    if bits != 16 {
        return invalid(format!("Can only read 16-bit WAV files, but received {bits}"));
    }
    let expected = 2 * channels as u32;
    if bytes_per_frame as u32 != expected {
        return invalid(format!(
            "Bad bytes per sample in WAV header: Expected {expected} but got {bytes_per_frame}"
        ));
    }
    let expected = bytes_per_frame as u64 * sample_rate as u64;
    if bytes_per_second as u64 != expected {
        return invalid(format!(
            "Bad bytes per second in WAV header: Expected {expected} but got {bytes_per_second} \
             (sample_rate={sample_rate}, bytes_per_sample={bytes_per_frame})"
        ));
    }
    if format_size == 18 {
        let skipped = pieces.0.len().min(2);
        pieces.take(skipped)?;
    }
    let mut data = None;
    while !pieces.0.is_empty() {
        let name = pieces.take(4)?;
        let size = pieces.u32()?;
        if size > i32::MAX as u32 {
            return invalid(format!(
                "WAV data chunk '{}' is too large: {size} bytes, but the limit is {}",
                String::from_utf8_lossy(name),
                i32::MAX
            ));
        }
        if name == b"data" {
            if data.is_some() {
                return invalid("More than one data chunk found in WAV".into());
            }
            // The rest of a frame is taken for the next chunk.
            let frame = bytes_per_frame as usize;
            data = Some(pieces.take(size as usize / frame * frame)?);
        } else {
            let skipped = pieces.0.len().min(size as usize);
            pieces.take(skipped)?;
        }
    }
    match data {
        Some(data) => Ok(Wav { channels: channels as usize, sample_rate, data }),
        None => invalid("No data chunk found in WAV".into()),
    }
}

/// Reads a file to its last sample; fails if it is damaged.
pub fn check(file: &[u8]) -> Result<()> {
    let wav = decode(file)?;
    if let Some(last) = wav.frames().checked_sub(1) {
        wav.sample(last, wav.channels - 1);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_was_encoded_can_be_decoded() {
        let samples = [0.0, 0.5, -0.5, 1.0, -1.0, 2.0, f32::NAN, -2.0];
        let file = encode(&samples, 44_100, 2, 4).unwrap();
        let wav = decode(&file).unwrap();
        assert_eq!((wav.channels, wav.sample_rate, wav.frames()), (2, 44_100, 4));
        assert_eq!(wav.sample(0, 1), 0.5);
        assert_eq!(wav.sample(1, 0), -0.5);
        assert_eq!(wav.sample(1, 1), 32_767.0 / 32_768.0);
        assert_eq!(wav.sample(2, 0), -1.0);
        assert_eq!(wav.sample(3, 0), 0.0);
        assert!(decode(&file[..file.len() - 1]).is_err());
        assert!(encode(&[], 0, 1, 0).is_err());
        assert!(encode(&[], 1, 0, 0).is_err());
        assert!(encode(&[], 1, 1, usize::MAX).is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_return(at in 0usize..60, byte: u8, length in 0usize..60) {
            let mut file = encode(&[0.25; 8], 8000, 2, 4).unwrap().to_vec();
            file[at] = byte;
            file.truncate(length);
            if let Ok(wav) = decode(&file) {
                prop_assert!(wav.frames() * wav.channels * 2 <= file.len());
            }
        }
    }
}
