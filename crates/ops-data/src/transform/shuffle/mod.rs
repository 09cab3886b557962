//! ShuffleDataset and ShuffleAndRepeatDataset: random order within a buffer, the order TensorFlow has for the same seeds.

mod cursor;
mod ring;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use downpour_data::{Context, Cursor, Dataset, Length, RandomAccess, Stage, State};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::shuffled_access;
use crate::dataset::{self, scalar_i64};
use crate::seeds::{self, SeedGenerator};
use cursor::ShuffleCursor;

/// The operations, and what each takes besides the dataset and the size of the buffer.
const OPERATIONS: [(&str, &str); 5] = [
    ("ShuffleDataset", ", seed: int64, seed2: int64"),
    ("ShuffleDatasetV2", ", seed_generator: resource"),
    ("ShuffleDatasetV3", ", seed: int64, seed2: int64, seed_generator: resource"),
    ("ShuffleAndRepeatDataset", ", seed: int64, seed2: int64, count: int64"),
    (
        "ShuffleAndRepeatDatasetV2",
        ", seed: int64, seed2: int64, count: int64, seed_generator: resource",
    ),
];

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, arguments) in OPERATIONS {
        let effect = if arguments.contains("resource") { " @stateful" } else { "" };
        // TensorFlow lists this attribute before or behind the others.
        let own = "reshuffle_each_iteration: bool = true";
        let (first, last) = match name {
            "ShuffleDatasetV2" => ("", ""),
            "ShuffleAndRepeatDataset" => ("", own),
            _ => (own, ""),
        };
        let signature = format!(
            "{name}(input_dataset: variant, buffer_size: int64{arguments}) -> (handle: variant){effect}
                {first}
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                {last}
                metadata: string = ''"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(shuffle)))?;
    }
    Ok(())
}

/// As the size of a buffer it stands for the whole dataset.
const UNKNOWN_CARDINALITY: i64 = -2;

fn shuffle(cx: &mut OpContext<'_>) -> Result<()> {
    let buffer = match scalar_i64(cx, 1, "buffer_size")? {
        UNKNOWN_CARDINALITY => None,
        size @ 1.. => Some(usize::try_from(size).unwrap_or(usize::MAX)),
        _ => {
            return Err(Status::invalid_argument(
                "buffer_size must be greater than zero or UNKNOWN_CARDINALITY",
            ));
        }
    };
    let name = cx.node().op_name();
    let epochs = match name.starts_with("ShuffleAndRepeat") {
        true => Some(count(cx)?),
        false => None,
    };
    let input = dataset::input(cx, 0)?.pipeline.stage().clone();
    let seeds = generator(cx)?;
    dataset::finish(cx, Dataset::new(Shuffle { input, buffer, epochs, seeds }))
}

fn count(cx: &OpContext<'_>) -> Result<Option<u64>> {
    match scalar_i64(cx, 4, "count")? {
        -1 => Ok(None),
        count @ 1.. => Ok(Some(count as u64)),
        _ => Err(Status::invalid_argument("count must be greater than zero or equal to -1.")),
    }
}

/// Returns the generator that the program has made, or one of the dataset's own.
fn generator(cx: &OpContext<'_>) -> Result<Arc<SeedGenerator>> {
    let last = cx.inputs_len() - 1;
    if cx.node().op_name() == "ShuffleDatasetV2" {
        return seeds::input_or(cx, last, || SeedGenerator::new(0, 0, true));
    }
    let (seed, seed2) = (scalar_i64(cx, 2, "seed")?, scalar_i64(cx, 3, "seed2")?);
    let renews = cx.node().bool("reshuffle_each_iteration")?;
    let own = || SeedGenerator::new(seed, seed2, renews);
    match cx.node().op_name() {
        "ShuffleDatasetV3" | "ShuffleAndRepeatDatasetV2" => seeds::input_or(cx, last, own),
        _ => Ok(Arc::new(own())),
    }
}

struct Shuffle {
    input: Arc<dyn Stage>,
    /// None if it holds a whole epoch.
    buffer: Option<usize>,
    /// None for one epoch; how many there are if the shuffle repeats the input, or no end of them.
    epochs: Option<Option<u64>>,
    seeds: Arc<SeedGenerator>,
}

impl Stage for Shuffle {
    fn describe(&self) -> String {
        let buffer = self.buffer.map_or("all".to_owned(), |size| size.to_string());
        match self.epochs {
            None => format!("shuffle({buffer})"),
            Some(None) => format!("shuffle_and_repeat({buffer})"),
            Some(Some(count)) => format!("shuffle_and_repeat({buffer}, {count})"),
        }
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn length(&self) -> Option<Length> {
        match (self.input.length()?, self.epochs) {
            (length, None) => Some(length),
            (Length::Finite(n), Some(Some(count))) => n.checked_mul(count).map(Length::Finite),
            _ => Some(Length::Infinite),
        }
    }

    fn is_resumable(&self) -> bool {
        self.input.is_ordered() && self.input.is_resumable()
    }

    fn shared(&self) -> Vec<State> {
        let mut states = self.input.shared();
        states.push(State::of(self.seeds.state()));
        states
    }

    fn restore_shared(&self, states: &mut std::slice::Iter<'_, State>) -> Result<()> {
        self.input.restore_shared(states)?;
        self.seeds.restore_shared(states)
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let cursor = match state {
            Some(state) => ShuffleCursor::resume(self, context, state)?,
            None => ShuffleCursor::start(self, context)?,
        };
        Ok(Box::new(cursor))
    }

    fn random_access(
        &self,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        shuffled_access::open(&*self.input, self.seeds.base(), context, state)
    }
}
