//! The beginning of a string, for errors.

/// Bytes of a string that an error quotes: enough to recognise it. The string can be hundreds of megabytes, and an
/// error is copied from layer to layer.
const QUOTED: usize = 256;

/// Returns the beginning of these bytes as text, and how many there are if that is not all.
pub fn excerpt(bytes: &[u8]) -> String {
    if bytes.len() <= QUOTED {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    // A character that is cut in the middle is left out.
    let cut = (QUOTED - 3..=QUOTED).rev().find(|&end| std::str::from_utf8(&bytes[..end]).is_ok());
    let beginning = String::from_utf8_lossy(&bytes[..cut.unwrap_or(QUOTED)]);
    format!("{beginning}... ({} bytes)", bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_strings_are_cut_between_characters() {
        assert_eq!(excerpt("naïve".as_bytes()), "naïve");
        let text = excerpt("aä".repeat(1000).as_bytes());
        assert!(text.ends_with("... (3000 bytes)") && !text.contains('\u{fffd}'), "{text}");
        assert!(excerpt(&[0xff; 1 << 20]).len() < 1000);
    }
}
