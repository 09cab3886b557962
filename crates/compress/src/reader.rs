//! Reading a payload that may be forged: every piece is asked for by its length.

use downpour_tensor::{Result, Status};

/// The part of a payload that has not been read yet.
pub(crate) struct Reader<'a> {
    codec: &'static str,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(codec: &'static str, payload: &'a [u8]) -> Reader<'a> {
        Reader { codec, rest: payload }
    }

    /// The next `count` bytes, which hold `what`.
    pub(crate) fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8]> {
        match self.rest.split_at_checked(count) {
            Some((taken, rest)) => {
                self.rest = rest;
                Ok(taken)
            }
            None => Err(self.error(format!(
                "its {what} need {count} bytes, but only {} are left",
                self.rest.len()
            ))),
        }
    }

    /// `count` values of `size` bytes each.
    pub(crate) fn take_values(
        &mut self,
        count: usize,
        size: usize,
        what: &str,
    ) -> Result<&'a [u8]> {
        let bytes = count
            .checked_mul(size)
            .ok_or_else(|| self.error(format!("{count} {what} cannot be counted in bytes")))?;
        self.take(bytes, what)
    }

    pub(crate) fn take_u8(&mut self, what: &str) -> Result<u8> {
        Ok(self.take(1, what)?[0])
    }

    /// A count that must fit this machine.
    pub(crate) fn take_count(&mut self, what: &str) -> Result<usize> {
        let bytes = self.take(8, what)?.first_chunk().copied().unwrap_or_default();
        usize::try_from(u64::from_le_bytes(bytes))
            .map_err(|_| self.error(format!("its {what} is too large")))
    }

    /// Everything that is left.
    pub(crate) fn take_rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    /// Nothing may follow.
    pub(crate) fn finish(self) -> Result<()> {
        if self.rest.is_empty() {
            return Ok(());
        }
        Err(self.error(format!("{} bytes follow its end", self.rest.len())))
    }

    /// The status for a payload that cannot be what it says.
    pub(crate) fn error(&self, why: impl std::fmt::Display) -> Status {
        Status::invalid_argument(format!(
            "a compressed tensor ({}) is broken: {why}; it was cut, or its sender does not speak this version",
            self.codec
        ))
    }
}
