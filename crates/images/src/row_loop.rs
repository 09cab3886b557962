//! Loops over the rows of an image.

/// Runs a function over the rows of an image, on one thread or on several.
pub trait RowLoop {
    /// Returns how many threads a loop uses at most, the caller included.
    fn threads(&self) -> usize;

    /// Calls `body` for runs of whole rows that together cover `out`, with the number of a run's first row. A row has
    /// `row` bytes; a run has `grain` rows or more, but for the last.
    fn for_rows(
        &self,
        out: &mut [u8],
        row: usize,
        grain: usize,
        body: &(dyn Fn(usize, &mut [u8]) + Sync),
    );
}

/// All rows on the thread that calls.
#[derive(Clone, Copy, Debug, Default)]
pub struct Serial;

impl RowLoop for Serial {
    fn threads(&self) -> usize {
        1
    }

    fn for_rows(
        &self,
        out: &mut [u8],
        _: usize,
        _: usize,
        body: &(dyn Fn(usize, &mut [u8]) + Sync),
    ) {
        if !out.is_empty() {
            body(0, out);
        }
    }
}
