//! Text for a person, of bounded length.
//!
//! What a client prints or asserts can be any number of elements that share one long string, or a list of lists of lists
//! that share one another: short in memory, without end as text. Nobody reads beyond the first pages, so writing ends
//! there.

use std::fmt::{self, Write};

/// The longest text of a line or an error: some hundred pages.
const LONGEST: usize = 1 << 20;

/// A text that takes no more than `LONGEST` bytes and says so.
#[derive(Default)]
pub(crate) struct BoundedText {
    text: String,
    cut: bool,
}

impl BoundedText {
    pub(crate) fn new() -> BoundedText {
        BoundedText::default()
    }

    /// Appends as much as there is room for. False when nothing more will be.
    pub(crate) fn push(&mut self, part: &str) -> bool {
        self.write_str(part).is_ok()
    }

    /// Appends something formatted. Formatting ends where the room does.
    pub(crate) fn push_shown(&mut self, part: fmt::Arguments<'_>) -> bool {
        // An error only says that the text is full, which `cut` keeps.
        let _ = self.write_fmt(part);
        !self.cut
    }

    pub(crate) fn finish(mut self) -> String {
        if self.cut {
            self.text.push_str("... (cut: it is longer than a mebibyte)");
        }
        self.text
    }
}

impl Write for BoundedText {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        if self.cut {
            return Err(fmt::Error);
        }
        let room = LONGEST - self.text.len();
        if part.len() <= room {
            self.text.push_str(part);
            return Ok(());
        }
        let between = (0..=room).rev().find(|&end| part.is_char_boundary(end));
        self.text.push_str(&part[..between.unwrap_or(0)]);
        self.cut = true;
        Err(fmt::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formatting_without_end_ends() {
        struct Endless;
        impl fmt::Display for Endless {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                loop {
                    f.write_str("ä and so on ")?;
                }
            }
        }
        let mut text = BoundedText::new();
        assert!(text.push("it begins: "));
        assert!(!text.push_shown(format_args!("{Endless}")));
        assert!(!text.push("more"));
        let text = text.finish();
        assert!(text.len() < LONGEST + 100 && text.ends_with("mebibyte)"));
    }
}
