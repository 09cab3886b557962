//! SamplingDataset: each element with a probability.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::Arc;

use downpour_data::{Block, Context, Cursor, Dataset, Stage, State};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Philox, Result, Status};

use crate::dataset::{self, scalar_i64};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SamplingDataset(input_dataset: variant, rate: float, seed: int64, seed2: int64) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(sample)),
    )
}

fn sample(cx: &mut OpContext<'_>) -> Result<()> {
    if cx.input(1).rank() != 0 {
        return Err(Status::invalid_argument("rate must be a scalar"));
    }
    let rate = cx.input(1).to_scalar::<f32>()?;
    let seeds = (scalar_i64(cx, 2, "seed")? as u64, scalar_i64(cx, 3, "seed2")? as u64);
    let input = dataset::input(cx, 0)?.pipeline.stage().clone();
    dataset::finish(cx, Dataset::new(Sampling { input, rate, seeds }))
}

struct Sampling {
    input: Arc<dyn Stage>,
    rate: f32,
    /// Each iteration has other seeds if both are zero.
    seeds: (u64, u64),
}

impl Stage for Sampling {
    fn describe(&self) -> String {
        format!("sample({})", self.rate)
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn is_repeatable(&self) -> bool {
        self.seeds != (0, 0) && self.input.is_repeatable()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let [seed, seed2, drawn] = match (state, self.seeds) {
            (Some(state), _) => state.expect()?,
            (None, (0, 0)) => [RandomState::new().hash_one(0), RandomState::new().hash_one(1), 0],
            (None, (seed, seed2)) => [seed, seed2, 0],
        };
        let mut random = Philox::new(seed, seed2);
        random.skip(drawn);
        let input = self.input.open(context, state.map(|s| s.input(0)).transpose()?)?;
        let (context, rate) = (context.clone(), self.rate);
        Ok(Box::new(Sampled { input, context, rate, seeds: [seed, seed2], random, drawn }))
    }
}

struct Sampled {
    input: Box<dyn Cursor>,
    context: Context,
    rate: f32,
    seeds: [u64; 2],
    random: Philox,
    /// Numbers that were drawn.
    drawn: u64,
}

impl Sampled {
    fn is_hit(&mut self) -> bool {
        self.drawn += 1;
        unit(self.random.next_u32()) < self.rate
    }
}

/// Returns the number of `[0, 1)` that TensorFlow makes of random bits.
fn unit(bits: u32) -> f32 {
    f32::from_bits(0x3f80_0000 | (bits & 0x007f_ffff)) - 1.0
}

impl Cursor for Sampled {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        loop {
            self.context.cancel().check()?;
            let Some(block) = self.input.next(limit)? else { return Ok(None) };
            let kept: Vec<usize> = (0..block.rows()).filter(|_| self.is_hit()).collect();
            if !kept.is_empty() {
                return block.gather(&kept).map(Some);
            }
        }
    }

    fn state(&self) -> State {
        let [seed, seed2] = self.seeds;
        State::of([seed, seed2, self.drawn]).with([self.input.state()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(elements: impl Iterator<Item = Result<downpour_data::Element>>) -> Vec<i64> {
        elements.map(|e| e.unwrap()[0].to_scalar().unwrap()).collect()
    }

    #[test]
    fn about_as_many_are_kept_as_asked_for_and_a_resumed_sample_keeps_the_same() {
        let input = Dataset::range(1000).stage().clone();
        let dataset = Dataset::new(Sampling { input, rate: 0.3, seeds: (1, 2) });
        let kept = numbers(dataset.iterate().unwrap());
        assert!((200..400).contains(&kept.len()), "{}", kept.len());
        for stop in [0, 1, 7, kept.len()] {
            let mut iterator = dataset.iterate().unwrap();
            iterator.by_ref().take(stop).for_each(drop);
            let rest = dataset.iterate_from(&iterator.position()).unwrap();
            assert_eq!(numbers(rest), kept[stop..]);
        }
    }

    #[test]
    fn nothing_and_everything_can_be_kept() {
        let input = Dataset::range(50).stage().clone();
        for (rate, count) in [(0.0, 0), (1.0, 50)] {
            let dataset = Dataset::new(Sampling { input: input.clone(), rate, seeds: (0, 0) });
            assert_eq!(dataset.iterate().unwrap().count(), count);
        }
    }
}
