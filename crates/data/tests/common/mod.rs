//! Random pipelines over numbered elements, and what they deliver.
#![allow(dead_code, reason = "each test file uses its part")]

use downpour_data::{
    Batch, Block, Dataset, DatasetIterator, Element, IgnoredErrors, Interleave, OnError, Parallel,
    Reducer, Remainder, Window,
};
use downpour_tensor::{DataType, Result as TensorResult, Status, Tensor};
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
    Batch(usize, Remainder, OnError),
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
    Window(u64, u64, u64, bool),
    Scan(i64),
    Unique,
    UntilError(i64),
    AtLeast(u64),
    GroupByWindow(i64, u64),
    GroupByReducer(i64),
    FilterParallel(usize),
}

pub fn step() -> impl Strategy<Value = Step> {
    let remainder = prop_oneof![Just(Remainder::Keep), Just(Remainder::Drop), Just(Remainder::Pad)];
    let on_error =
        prop_oneof![Just(OnError::Skip), Just(OnError::Restart), Just(OnError::FailBatch)];
    prop_oneof![
        Just(Step::Map),
        Just(Step::Filter),
        (2..9i64).prop_map(Step::FailEvery),
        (1..40usize, any::<u64>()).prop_map(|(b, s)| Step::Shuffle(b, s)),
        (1..200usize, any::<u64>()).prop_map(|(b, s)| Step::ShuffleOnce(b, s)),
        (0..4u64).prop_map(Step::Repeat),
        (1..6usize, remainder, on_error).prop_map(|(n, r, e)| Step::Batch(n, r, e)),
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
        (1..6u64, 1..6u64, 1..3u64, any::<bool>())
            .prop_map(|(n, s, d, w)| Step::Window(n, s, d, w)),
        (2..30i64).prop_map(Step::Scan),
        Just(Step::Unique),
        (2..30i64).prop_map(Step::UntilError),
        (0..60u64).prop_map(Step::AtLeast),
        (1..5i64, 1..5u64).prop_map(|(k, n)| Step::GroupByWindow(k, n)),
        (1..9i64).prop_map(Step::GroupByReducer),
        (1..4usize).prop_map(Step::FilterParallel),
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

fn total(window: Block) -> Result<Element, Status> {
    let mut all = 0i64;
    for row in 0..window.rows() {
        all = all.wrapping_mul(7).wrapping_add(sum(&window.element(row)?));
    }
    Ok(Element::new(vec![Tensor::scalar(all)]))
}

struct Total(i64);

impl Reducer for Total {
    fn key(&self, element: &Element) -> TensorResult<i64> {
        Ok(sum(element).rem_euclid(self.0))
    }

    fn begin(&self, key: i64) -> TensorResult<Vec<Tensor>> {
        Ok(vec![Tensor::scalar(key)])
    }

    fn add(&self, state: &[Tensor], element: Element) -> TensorResult<Vec<Tensor>> {
        let sum = state[0].to_scalar::<i64>()?.wrapping_add(sum(&element));
        match sum.rem_euclid(11) {
            10 => Err(Status::invalid_argument(format!("bad {sum}"))),
            _ => Ok(vec![Tensor::scalar(sum)]),
        }
    }

    fn finish(&self, state: &[Tensor]) -> TensorResult<Element> {
        match state[0].to_scalar::<i64>()?.rem_euclid(13) {
            12 => Err(Status::invalid_argument("cannot be finished")),
            _ => Ok(Element::new(state.to_vec())),
        }
    }
}

pub fn apply(data: Dataset, step: &Step) -> Dataset {
    match *step {
        Step::Map => data.map(summed),
        Step::Filter => data.filter(|e| Ok(sum(e).rem_euclid(3) != 1)),
        Step::FailEvery(n) => data.map(move |e: Element| failing(e, n)),
        Step::Shuffle(buffer, seed) => data.shuffle(buffer, seed).unwrap(),
        Step::ShuffleOnce(buffer, seed) => data.shuffle_once(buffer, seed).unwrap(),
        Step::Repeat(n) => data.repeat_times(n),
        Step::Batch(n, remainder, on_error) => {
            data.batch_with(Batch::new(n).remainder(remainder).on_error(on_error)).unwrap()
        }
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
        Step::Window(size, shift, stride, whole) => {
            let window = Window::new(size).shift(shift).stride(stride);
            data.window(if whole { window.only_whole() } else { window }, total).unwrap()
        }
        Step::Scan(n) => data.scan(vec![Tensor::scalar(1i64)], move |state, element| {
            let next = state[0].to_scalar::<i64>()?.wrapping_add(sum(&element));
            match next.rem_euclid(n) {
                0 if next % 2 == 0 => Ok(None),
                1 => Err(Status::invalid_argument(format!("bad {next}"))),
                _ => {
                    Ok(Some((vec![Tensor::scalar(next)], Element::new(vec![Tensor::scalar(next)]))))
                }
            }
        }),
        Step::Unique => data.unique(),
        Step::UntilError(n) => data.until_error(move |error| error.message().len() as i64 % n == 0),
        Step::AtLeast(n) => data.at_least(n, |has| Status::out_of_range(format!("only {has}"))),
        Step::GroupByWindow(keys, size) => data.group_by_window(
            move |e| match sum(e).rem_euclid(7) {
                6 => Err(Status::invalid_argument(format!("no key for {}", sum(e)))),
                _ => Ok(sum(e).rem_euclid(keys)),
            },
            move |key| Ok(size + key as u64),
            |key, group| match key {
                3 => Err(Status::invalid_argument("bad group")),
                _ => Ok(group),
            },
        ),
        Step::GroupByReducer(keys) => data.group_by_reducer(Total(keys)),
        Step::FilterParallel(threads) => {
            data.filter_parallel(Parallel::new(threads), |e| Ok(sum(e).rem_euclid(3) != 1))
        }
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
