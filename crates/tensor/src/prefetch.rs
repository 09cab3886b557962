//! Asking for memory before it is needed, where the processor cannot guess what comes next.

/// Most bytes asked for at once: after those the processor has seen where it goes.
const MOST: usize = 1024;
/// Bytes that come together.
const LINE: usize = 64;

/// Asks for the beginning of a slice that is going to be read or changed soon. It changes nothing but time.
#[inline(always)]
pub fn prefetch<T>(soon: &[T]) {
    let bytes = std::mem::size_of_val(soon).min(MOST);
    #[cfg(target_arch = "x86_64")]
    for line in (0..bytes).step_by(LINE) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let place = soon.as_ptr().cast::<i8>().wrapping_add(line);
        // SAFETY: every processor of this kind has the instruction, which never faults.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (bytes, LINE);
}
