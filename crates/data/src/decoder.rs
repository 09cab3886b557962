//! Readers that decode block by block, made into exact cursors.

use downpour_tensor::Result;

use crate::Block;
use crate::chunk::Chunk;
use crate::position::State;
use crate::stage::{Cursor, replay};

/// Decodes a file into blocks of whatever size suits it.
pub(crate) trait Decoder: Send {
    /// The next block, an error in place of one element, or the end.
    fn decode(&mut self) -> Result<Option<Block>>;

    /// From where a new decoder would deliver what `decode` delivers next.
    fn mark(&self) -> State;
}

/// Hands a decoder's blocks on in parts. Its state is a mark of the decoder and the number of items
/// delivered since.
pub(crate) struct DecoderCursor<D> {
    decoder: D,
    chunk: Chunk,
    before: State,
    delivered: u64,
}

impl<D: Decoder + 'static> DecoderCursor<D> {
    /// `open` is given the mark to start from.
    pub fn open(
        state: Option<&State>,
        open: impl FnOnce(Option<&State>) -> Result<D>,
    ) -> Result<Box<dyn Cursor>> {
        let decoder = open(state.map(|s| s.input(0)).transpose()?)?;
        let before = decoder.mark();
        let mut cursor = DecoderCursor { decoder, chunk: Chunk::default(), before, delivered: 0 };
        if let Some(state) = state {
            let [items] = state.expect()?;
            replay(&mut cursor, items)?;
        }
        Ok(Box::new(cursor))
    }
}

impl<D: Decoder> Cursor for DecoderCursor<D> {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        if self.chunk.remaining() == 0 {
            (self.before, self.delivered) = (self.decoder.mark(), 0);
            match self.decoder.decode() {
                Ok(Some(block)) => self.chunk = Chunk::new(block),
                Ok(None) => return Ok(None),
                Err(error) => {
                    self.delivered = 1;
                    return Err(error);
                }
            }
        }
        let block = self.chunk.take(limit)?;
        self.delivered += block.as_ref().map_or(0, |b| b.rows() as u64);
        Ok(block)
    }

    fn state(&self) -> State {
        State::of([self.delivered]).with([self.before.clone()])
    }

    fn ready(&self) -> usize {
        self.chunk.remaining()
    }
}
