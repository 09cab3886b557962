//! Rows of an image on the threads of a kernel.

use downpour_images::RowLoop;
use downpour_runtime::Parallel;

pub(super) struct OnPool<'a>(pub &'a Parallel);

impl RowLoop for OnPool<'_> {
    fn threads(&self) -> usize {
        self.0.limit()
    }

    fn for_rows(
        &self,
        out: &mut [u8],
        row: usize,
        grain: usize,
        body: &(dyn Fn(usize, &mut [u8]) + Sync),
    ) {
        self.0.for_chunks(out, row, grain, body);
    }
}
