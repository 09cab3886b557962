//! A run of elements cut into one chunk per rank.

use std::ops::Range;

/// Where the chunks of a buffer begin and end, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Chunks {
    elements: usize,
    element_size: usize,
    count: usize,
}

impl Chunks {
    /// Cuts so many bytes of whole elements into `count` chunks that differ by one element at most.
    pub fn new(bytes: usize, element_size: usize, count: usize) -> Chunks {
        Chunks { elements: bytes / element_size.max(1), element_size, count }
    }

    fn begin(&self, chunk: usize) -> usize {
        let (each, more) = (self.elements / self.count, self.elements % self.count);
        (chunk * each + chunk.min(more)) * self.element_size
    }

    /// The bytes of a chunk; numbers go round.
    pub fn bytes(&self, chunk: usize) -> Range<usize> {
        let chunk = chunk % self.count;
        self.begin(chunk)..self.begin(chunk + 1)
    }

    /// The bytes of several chunks in a row.
    pub fn span(&self, chunks: Range<usize>) -> Range<usize> {
        self.begin(chunks.start)..self.begin(chunks.end)
    }

    /// Bytes of the largest chunk.
    pub fn largest(&self) -> usize {
        self.elements.div_ceil(self.count) * self.element_size
    }
}

/// Two ranges of one buffer that do not meet: one to send, one to write.
pub(crate) fn apart(
    buffer: &mut [u8],
    send: Range<usize>,
    write: Range<usize>,
) -> (&[u8], &mut [u8]) {
    if write.is_empty() {
        return (&buffer[send], &mut []);
    }
    if send.is_empty() {
        return (&[], &mut buffer[write]);
    }
    debug_assert!(send.end <= write.start || write.end <= send.start);
    if send.end <= write.start {
        let (low, high) = buffer.split_at_mut(write.start);
        (&low[send], &mut high[..write.end - write.start])
    } else {
        let (low, high) = buffer.split_at_mut(write.end);
        (&high[send.start - write.end..send.end - write.end], &mut low[write])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn chunks_cover_everything_once(elements in 0usize..200, size in 1usize..9, count in 1usize..20) {
            let chunks = Chunks::new(elements * size, size, count);
            let mut at = 0;
            for chunk in 0..count {
                let bytes = chunks.bytes(chunk);
                prop_assert_eq!(bytes.start, at);
                prop_assert!(bytes.len().is_multiple_of(size));
                prop_assert!(bytes.len() <= chunks.largest());
                at = bytes.end;
            }
            prop_assert_eq!(at, elements * size);
            prop_assert_eq!(chunks.span(0..count), 0..at);
        }
    }

    #[test]
    fn ranges_of_one_buffer() {
        let mut buffer = [0, 1, 2, 3, 4, 5];
        let (send, write) = apart(&mut buffer, 4..6, 1..3);
        assert_eq!((send, &*write), (&[4, 5][..], &[1, 2][..]));
        let (send, write) = apart(&mut buffer, 0..2, 3..4);
        assert_eq!((send, &*write), (&[0, 1][..], &[3][..]));
        assert_eq!(apart(&mut buffer, 2..2, 1..3).1, [1, 2]);
        assert_eq!(apart(&mut buffer, 1..4, 2..2).0, [1, 2, 3]);
    }
}
