//! The handling of text that is not well formed.

use downpour_runtime::KernelBuild;
use downpour_tensor::{Result, Status};

/// The greatest code point.
pub(super) const LAST: i64 = 0x10_ffff;

/// The handling of malformed text, and of control characters that must not stay.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Policy {
    Strict,
    Replace,
    Ignore,
}

/// The attributes about errors.
#[derive(Clone, Copy)]
pub(super) struct Errors {
    pub policy: Policy,
    /// The code point that stands for what is no character.
    pub replacement: u32,
    /// Whether control characters count as errors.
    pub replace_controls: bool,
}

impl Errors {
    /// Reads the attributes; not every operation has `replace_control_characters`.
    pub fn new(build: &KernelBuild<'_>) -> Result<Errors> {
        let policy = match &build.string("errors")?[..] {
            "strict" => Policy::Strict,
            "replace" => Policy::Replace,
            "ignore" => Policy::Ignore,
            _ => {
                return Err(Status::invalid_argument(
                    "errors policy must be one of 'strict', 'replace', or 'ignore'",
                ));
            }
        };
        let replacement = build.int("replacement_char")?;
        let replacement = u32::try_from(replacement).ok().filter(|&c| i64::from(c) <= LAST);
        let replacement = replacement.ok_or_else(|| {
            Status::invalid_argument("replacement_char out of unicode codepoint range")
        })?;
        let controls = "replace_control_characters";
        let replace_controls = build.get(controls).is_some() && build.bool(controls)?;
        Ok(Errors { policy, replacement, replace_controls })
    }

    /// Returns what stands for a character, which may be a malformed one: itself, another or nothing.
    #[inline]
    pub fn handle(&self, character: Option<u32>) -> Option<u32> {
        match character {
            Some(c) if c > 0x1f || !self.replace_controls => Some(c),
            _ if self.policy == Policy::Ignore => None,
            _ => Some(self.replacement),
        }
    }
}

/// Returns the error of a text that is not well formed.
pub(super) fn malformed() -> Status {
    Status::invalid_argument("Invalid formatting on input string")
}
