//! Which format an encoded image has.

/// A format of encoded images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Jpeg,
    Png,
    Gif,
    Bmp,
    WebP,
}

impl Format {
    /// Returns the format whose first bytes these are.
    pub fn of(data: &[u8]) -> Option<Format> {
        match data {
            [0xFF, 0xD8, 0xFF, ..] => Some(Format::Jpeg),
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some(Format::Png),
            [b'G', b'I', b'F', b'8', ..] => Some(Format::Gif),
            [b'B', b'M', ..] => Some(Format::Bmp),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', _, ..] => {
                Some(Format::WebP)
            }
            _ => None,
        }
    }
}
