//! Where received bytes go: into place, or combined with what is there while they are still in the cache.

use crate::reduction::{Order, Reduction};

/// Takes a message of known length piece by piece.
pub trait Sink: Send {
    /// Bytes that are still to come.
    fn remaining(&self) -> usize;

    /// Where the next bytes are written: never empty while bytes remain, never more than remain.
    fn space(&mut self) -> &mut [u8];

    /// So many bytes of `space` were written.
    fn filled(&mut self, count: usize);
}

/// Puts bytes where they belong.
pub struct Store<'a> {
    bytes: &'a mut [u8],
    done: usize,
}

impl<'a> Store<'a> {
    /// Fills these bytes.
    pub fn new(bytes: &'a mut [u8]) -> Store<'a> {
        Store { bytes, done: 0 }
    }
}

impl Sink for Store<'_> {
    fn remaining(&self) -> usize {
        self.bytes.len() - self.done
    }

    fn space(&mut self) -> &mut [u8] {
        &mut self.bytes[self.done..]
    }

    fn filled(&mut self, count: usize) {
        self.done += count;
    }
}

/// Bytes combined at once: what was just received is still in the processor's cache.
const BLOCK: usize = 128 << 10;

/// Memory in which numbers of every type are aligned, for bytes on their way into a [`Combine`].
pub struct Scratch(Vec<u64>);

impl Scratch {
    /// Enough for messages of so many bytes.
    pub fn for_message(bytes: usize) -> Scratch {
        Scratch::whole(bytes.min(BLOCK))
    }

    /// Exactly so many bytes, rounded up.
    pub fn whole(bytes: usize) -> Scratch {
        Scratch(vec![0; bytes.div_ceil(8)])
    }

    /// The memory.
    pub fn bytes(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}

/// Combines bytes with those of a destination.
pub struct Combine<'a> {
    destination: &'a mut [u8],
    done: usize,
    scratch: &'a mut [u8],
    /// Bytes at the beginning of `scratch` that are not a whole element yet.
    held: usize,
    reduction: Reduction,
    order: Order,
}

impl<'a> Combine<'a> {
    /// Combines what comes with `destination`, whose length is a multiple of the element's size.
    pub fn new(
        destination: &'a mut [u8],
        scratch: &'a mut Scratch,
        reduction: Reduction,
        order: Order,
    ) -> Combine<'a> {
        let scratch = scratch.bytes();
        let whole = scratch.len() - scratch.len() % reduction.element_size();
        let scratch = &mut scratch[..whole];
        Combine { destination, done: 0, scratch, held: 0, reduction, order }
    }
}

impl Sink for Combine<'_> {
    fn remaining(&self) -> usize {
        self.destination.len() - self.done - self.held
    }

    fn space(&mut self) -> &mut [u8] {
        let end = self.scratch.len().min(self.destination.len() - self.done);
        &mut self.scratch[self.held..end]
    }

    fn filled(&mut self, count: usize) {
        let held = self.held + count;
        let whole = held - held % self.reduction.element_size();
        let place = &mut self.destination[self.done..self.done + whole];
        self.reduction.combine(place, &self.scratch[..whole], self.order);
        self.scratch.copy_within(whole..held, 0);
        self.done += whole;
        self.held = held - whole;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduction::ReduceOp;
    use downpour_tensor::DataType;

    #[test]
    fn elements_that_arrive_in_pieces_are_combined_whole() {
        let mut destination: Vec<i32> = (0..100).collect();
        let arriving: Vec<u8> = (0..100).flat_map(|v: i32| (v * 1000).to_le_bytes()).collect();
        let reduction = Reduction::new(ReduceOp::Sum, DataType::Int32).unwrap();
        let mut scratch = Scratch::whole(24);
        let bytes = bytemuck::cast_slice_mut(&mut destination);
        let mut sink = Combine::new(bytes, &mut scratch, reduction, Order::DestinationFirst);
        let (mut at, mut piece) = (0, 1);
        while sink.remaining() > 0 {
            assert_eq!(sink.remaining(), 400 - at);
            let space = sink.space();
            let count = space.len().min(piece);
            assert!(count > 0);
            space[..count].copy_from_slice(&arriving[at..at + count]);
            sink.filled(count);
            at += count;
            piece = piece % 7 + 1;
        }
        assert!(destination.iter().enumerate().all(|(i, &v)| v == 1001 * i as i32));
    }
}
