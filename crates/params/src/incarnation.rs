//! Which start of a worker a request is of.
//!
//! A worker that is restarted, or joins again, is another *incarnation*: a number that grows with every start, and below it
//! a random token of that start. Servers hand out the numbers; no clock has a part in it. Only the newest incarnation takes
//! part, and whoever does not know its token cannot speak for it.
//!
//! Protocol of joining.
//!
//! 1. The worker joins the first server with its token and no number. The server gives it the number after the last one it
//!    knows of this worker.
//! 2. The worker joins the other servers with that number. One that knows a larger number says so (the first server may
//!    have lost some); then the worker asks the first server for a number above that one, and begins again.
//!
//! A new incarnation ends the one before only if that one has left, was silent for too long, has no connection any more, or
//! is of the same process (the worker names it). Otherwise the new one waits: a stranger's join, or one sent again by an old
//! connection, takes no place from a worker that lives.
//!
//! So a token is a secret between its worker and the servers. Answers tell it to nobody else: where others have to know of a
//! start, to ask for a larger number or to bring servers to the same updates, they get the number alone.

/// The furthest that a number may be beyond what a server knows. Numbers would run out if anyone could ask for the last.
pub(crate) const FURTHEST: u32 = 1 << 16;

/// The incarnation of a number and a token.
pub(crate) fn numbered(number: u32, token: u32) -> u64 {
    u64::from(number) << 32 | u64::from(token)
}

/// The number of an incarnation; 0 if it has none yet.
pub(crate) fn number(incarnation: u64) -> u32 {
    (incarnation >> 32) as u32
}

/// The token of an incarnation.
pub(crate) fn token(incarnation: u64) -> u32 {
    incarnation as u32
}

/// What others may know of an incarnation: its number.
pub(crate) fn without_token(incarnation: u64) -> u64 {
    numbered(number(incarnation), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_starts_are_larger() {
        assert!(numbered(2, 0) > numbered(1, u32::MAX));
        assert_eq!((number(numbered(7, 9)), token(numbered(7, 9))), (7, 9));
        assert_eq!(without_token(numbered(7, 9)), numbered(7, 0));
    }
}
