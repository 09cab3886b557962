//! Random pipelines over numbered elements, and what they deliver.
#![allow(dead_code, reason = "each test file uses its part")]

use downpour_data::{
    Dataset, DatasetIterator, Element, IgnoredErrors, Interleave, Parallel, Remainder,
};
use downpour_tensor::{DataType, Status, Tensor};
use proptest::prelude::*;

/// One step of a random pipeline.
#[derive(Clone, Debug)]
pub enum Step {
    Map,
    Filter,
    FailEvery(i64),
    Shuffle(usize, u64),
    ShuffleOnce(usize, u64),
    Repeat(u64),
    Batch(usize, Remainder),
    PaddedBatch(usize),
    MapParallel(usize),
    MapAutotuned(usize),
    FailParallel(usize, i64),
    FlatMap,
    Weave(usize, usize, bool),
    Enumerate,
    Cache,
    IgnoreErrors,
    ZipRange(u64),
    ConcatenateSelf,
    Take(u64),
    Skip(u64),
    Shard(u64, u64),
    Prefetch(usize),
    PrefetchAutotuned,
}

pub fn step() -> impl Strategy<Value = Step> {
    let remainder = prop_oneof![Just(Remainder::Keep), Just(Remainder::Drop), Just(Remainder::Pad)];
    prop_oneof![
        Just(Step::Map),
        Just(Step::Filter),
        (2..9i64).prop_map(Step::FailEvery),
        (1..40usize, any::<u64>()).prop_map(|(b, s)| Step::Shuffle(b, s)),
        (1..200usize, any::<u64>()).prop_map(|(b, s)| Step::ShuffleOnce(b, s)),
        (0..4u64).prop_map(Step::Repeat),
        (1..6usize, remainder).prop_map(|(n, r)| Step::Batch(n, r)),
        (1..6usize).prop_map(Step::PaddedBatch),
        (1..4usize).prop_map(Step::MapParallel),
        (1..4usize).prop_map(Step::MapAutotuned),
        (1..4usize, 2..9i64).prop_map(|(t, n)| Step::FailParallel(t, n)),
        Just(Step::FlatMap),
        (1..4usize, 1..4usize, any::<bool>()).prop_map(|(c, b, p)| Step::Weave(c, b, p)),
        Just(Step::Enumerate),
        Just(Step::Cache),
        Just(Step::IgnoreErrors),
        (0..60u64).prop_map(Step::ZipRange),
        Just(Step::ConcatenateSelf),
        (0..100u64).prop_map(Step::Take),
        (0..40u64).prop_map(Step::Skip),
        (1..5u64, 0..5u64).prop_map(|(n, i)| Step::Shard(n, i % n)),
        (1..20usize).prop_map(Step::Prefetch),
        Just(Step::PrefetchAutotuned),
    ]
}

/// A few numbers of an element, whatever its shape.
fn sum(element: &Element) -> i64 {
    let mut sum = 0i64;
    for tensor in element.tensors() {
        if let Ok(values) = tensor.as_slice::<i64>() {
            sum = values.iter().fold(sum, |s, v| s.wrapping_mul(31).wrapping_add(*v));
        }
    }
    sum
}

fn summed(element: Element) -> Result<Element, Status> {
    let mut tensors = element.tensors().to_vec();
    tensors.truncate(3);
    tensors.push(Tensor::scalar(sum(&element)));
    Ok(Element::new(tensors))
}

fn failing(element: Element, n: i64) -> Result<Element, Status> {
    match sum(&element).rem_euclid(n) {
        0 => Err(Status::invalid_argument(format!("bad {}", sum(&element)))),
        _ => Ok(element),
    }
}

/// Up to four elements made of one.
fn short(element: Element) -> Dataset {
    let count = sum(&element).rem_euclid(5) as u64;
    Dataset::range(count).map(move |e: Element| {
        Ok(Element::new(vec![Tensor::scalar(sum(&element).wrapping_add(sum(&e)))]))
    })
}

pub fn apply(data: Dataset, step: &Step) -> Dataset {
    match *step {
        Step::Map => data.map(summed),
        Step::Filter => data.filter(|e| Ok(sum(e).rem_euclid(3) != 1)),
        Step::FailEvery(n) => data.map(move |e: Element| failing(e, n)),
        Step::Shuffle(buffer, seed) => data.shuffle(buffer, seed).unwrap(),
        Step::ShuffleOnce(buffer, seed) => data.shuffle_once(buffer, seed).unwrap(),
        Step::Repeat(n) => data.repeat_times(n),
        Step::Batch(n, remainder) => data.batch(n, remainder).unwrap(),
        Step::PaddedBatch(n) => data.padded_batch(n, Remainder::Keep, Default::default()).unwrap(),
        Step::MapParallel(threads) => data.map_parallel(Parallel::new(threads), summed),
        Step::MapAutotuned(most) => data.map_parallel(Parallel::autotuned(most), summed),
        Step::FailParallel(threads, n) => {
            data.map_parallel(Parallel::new(threads), move |e: Element| failing(e, n))
        }
        Step::FlatMap => data.flat_map(|e| Ok(short(e))),
        Step::Weave(cycle, block, parallel) => {
            let how = Interleave::new(cycle).block(block);
            let how = if parallel { how.parallel(3) } else { how };
            data.interleave(how, |e| Ok(short(e))).unwrap()
        }
        Step::Enumerate => data.enumerate(),
        Step::Cache => data.cache(),
        Step::IgnoreErrors => data.ignore_errors(&IgnoredErrors::any()),
        Step::ZipRange(n) => data.zip(&Dataset::range(n)),
        Step::ConcatenateSelf => data.concatenate(&data),
        Step::Take(n) => data.take(n),
        Step::Skip(n) => data.skip(n),
        Step::Shard(n, i) => data.shard(n, i).unwrap(),
        Step::Prefetch(n) => data.prefetch(n),
        Step::PrefetchAutotuned => data.prefetch_autotuned(),
    }
}

/// What an item looks like, to compare.
pub type Shown = Result<Vec<(String, DataType, Vec<usize>, String)>, String>;

pub fn show(item: Result<Element, Status>) -> Shown {
    let element = item.map_err(|e| e.to_string())?;
    let shown = element.names().iter().zip(element.tensors()).map(|(name, t)| {
        let contents = match t.bytes() {
            Some(bytes) => format!("{bytes:?}"),
            None => format!("{:?}", t.strings().unwrap()),
        };
        (name.to_owned(), t.dtype(), t.dims().to_vec(), contents)
    });
    Ok(shown.collect())
}

/// At most this many items: repeated concatenations grow.
pub const MOST: usize = 400;

pub fn collect(iterator: &mut DatasetIterator) -> Vec<Shown> {
    iterator.by_ref().take(MOST).map(show).collect()
}

/// The numbers of a dataset of one int64 scalar each.
pub fn numbers(data: &Dataset) -> Vec<i64> {
    data.iterate().unwrap().map(|e| e.unwrap()[0].to_scalar::<i64>().unwrap()).collect()
}

/// The numbers in batches, one behind the other.
pub fn flat(data: &Dataset) -> Vec<i64> {
    data.iterate()
        .unwrap()
        .flat_map(|e| e.unwrap()[0].as_slice::<i64>().unwrap().to_vec())
        .collect()
}
