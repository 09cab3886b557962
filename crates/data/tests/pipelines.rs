//! Properties that hold for any pipeline: exact resumption, exact shards, complete batches.

mod common;

use common::*;
use downpour_data::{Dataset, IgnoredErrors, Position, Remainder};
use downpour_tensor::Code;
use proptest::prelude::*;

fn config() -> ProptestConfig {
    // PROPTEST_CASES asks for more; nothing is written beside the sources.
    let cases = ProptestConfig::default().cases.max(200);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_resumed_iteration_goes_on_where_it_stopped(
        count in 0..120u64,
        steps in prop::collection::vec(step(), 0..6),
        stops in prop::collection::vec(0..60usize, 1..4),
    ) {
        let build = || steps.iter().fold(Dataset::range(count), apply);
        let data = build();
        let expected = collect(&mut data.iterate().unwrap());
        prop_assert_eq!(&collect(&mut data.iterate().unwrap()), &expected, "runs are equal");
        // Several stops in a row, so that positions of resumed iterators are tried too.
        let mut iterator = data.iterate().unwrap();
        let mut at = 0;
        for stop in stops {
            for _ in 0..stop {
                if let Some(item) = iterator.next().transpose() {
                    if at < MOST {
                        prop_assert_eq!(&show(item), &expected[at]);
                    }
                    at += 1;
                }
            }
            let bytes = iterator.position().to_bytes();
            // Every other time as a new process would, without what this one has kept.
            let data = if stop % 2 == 0 { build() } else { data.clone() };
            iterator = data.iterate_from(&Position::from_bytes(&bytes).unwrap()).unwrap();
        }
        if at < MOST {
            let rest: Vec<_> = iterator.by_ref().take(MOST - at).map(show).collect();
            prop_assert_eq!(&rest[..], &expected[at..]);
        }
    }

    #[test]
    fn shards_partition_the_data(count in 0..200u64, shards in 1..7u64, steps in prop::collection::vec(step(), 0..3)) {
        // An error belongs to no shard: every shard reports it.
        let data = steps.iter().fold(Dataset::range(count), apply);
        let data = data.ignore_errors(&IgnoredErrors::any()).take(300);
        let whole = collect(&mut data.iterate().unwrap());
        let mut parts: Vec<_> = (0..shards)
            .map(|i| collect(&mut data.shard(shards, i).unwrap().iterate().unwrap()).into_iter())
            .collect();
        let shards = shards as usize;
        let woven: Vec<_> = (0..whole.len()).map(|n| parts[n % shards].next().unwrap()).collect();
        prop_assert_eq!(woven, whole);
        prop_assert!(parts.iter_mut().all(|p| p.next().is_none()));
    }

    #[test]
    fn batches_cover_everything(count in 0..100u64, size in 1..12usize) {
        let data = Dataset::range(count);
        let all: Vec<i64> = (0..count as i64).collect();
        prop_assert_eq!(&flat(&data.batch(size, Remainder::Keep).unwrap()), &all);
        let whole = count as usize / size * size;
        let dropped = data.batch(size, Remainder::Drop).unwrap();
        prop_assert_eq!(&flat(&dropped)[..], &all[..whole]);
        let mut real = Vec::new();
        for batch in data.batch(size, Remainder::Pad).unwrap().iterate().unwrap() {
            let batch = batch.unwrap();
            prop_assert_eq!(batch[0].dims(), &[size]);
            let valid = batch.get("valid").unwrap().as_slice::<bool>().unwrap().to_vec();
            let values = batch[0].as_slice::<i64>().unwrap();
            real.extend(values.iter().zip(valid).filter(|(_, v)| *v).map(|(n, _)| *n));
        }
        prop_assert_eq!(&real, &all);
    }

    #[test]
    fn a_shuffle_is_a_permutation(count in 0..300u64, buffer in 1..400usize, seed in any::<u64>()) {
        let mut shuffled = numbers(&Dataset::range(count).shuffle(buffer, seed).unwrap());
        for (place, &n) in shuffled.iter().enumerate() {
            prop_assert!(n as usize <= place + buffer, "nothing comes earlier than the buffer allows");
        }
        shuffled.sort_unstable();
        prop_assert_eq!(shuffled, (0..count as i64).collect::<Vec<_>>());
    }
}

#[test]
fn shuffles_differ_between_iterations_unless_asked_not_to() {
    let data = Dataset::range(50);
    let twice = numbers(&data.shuffle(50, 1).unwrap().repeat_times(2));
    assert_ne!(twice[..50], twice[50..]);
    let once = numbers(&data.shuffle_once(50, 1).unwrap().repeat_times(2));
    assert_eq!(once[..50], once[50..]);
    assert_ne!(numbers(&data.shuffle(50, 2).unwrap()), twice[..50]);
    let shuffled = data.shuffle(50, 1).unwrap();
    let epoch = |n| collect(&mut shuffled.iterate_epoch(n).unwrap());
    assert_ne!(epoch(0), epoch(1));
    assert_eq!(epoch(1), epoch(1));
}

#[test]
fn a_position_of_another_pipeline_is_refused() {
    let saved = Dataset::range(9).shuffle(4, 1).unwrap().iterate().unwrap().position();
    let error = Dataset::range(9).take(4).iterate_from(&saved).err().unwrap();
    assert_eq!(error.code(), Code::InvalidArgument);
    assert_eq!(
        error.message(),
        "a position saved by the dataset range(9) | shuffle(4, seed 1) cannot be resumed by the dataset \
         range(9) | take(4); use the same sources and transformations, or start over"
    );
}

#[test]
fn positions_are_small() {
    let data = Dataset::range(1 << 40).shuffle(1000, 7).unwrap().repeat();
    let data = data.batch(32, Remainder::Drop).unwrap().prefetch(4);
    let mut iterator = data.iterate().unwrap();
    for _ in 0..500 {
        iterator.next().unwrap().unwrap();
    }
    let bytes = iterator.position().to_bytes();
    assert!(bytes.len() < 160, "{} bytes", bytes.len());
}

#[test]
fn batches_that_do_not_fit_say_which_and_how() {
    use downpour_data::Element;
    use downpour_tensor::Tensor;
    let ragged = Dataset::range(4).map(|e: Element| {
        let n = e[0].to_scalar::<i64>()? as usize;
        Ok(e.with(vec![Tensor::vector(&vec![1i64; n])?]))
    });
    let batches = ragged.batch(2, Remainder::Keep).unwrap();
    let error = batches.iterate().unwrap().next().unwrap_err();
    assert_eq!(
        error.message(),
        "Cannot batch tensors with different shapes in component 0. First element had shape [0] and element 1 had \
         shape [1]. The component is called \"index\"; use padded_batch, or map its tensors to one shape"
    );
    let padded = ragged.padded_batch(4, Remainder::Keep, Default::default()).unwrap();
    let batch = padded.iterate().unwrap().next().unwrap().unwrap();
    assert_eq!(batch[0].dims(), [4, 3]);
    assert_eq!(batch[0].as_slice::<i64>().unwrap(), [0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1]);
}

#[test]
fn dropping_or_cancelling_ends_threads_that_wait() {
    let endless = Dataset::range(3).repeat().prefetch(2).prefetch(2);
    let mut iterator = endless.iterate().unwrap();
    iterator.next().unwrap().unwrap();
    let canceller = iterator.canceller();
    canceller.cancel();
    assert_eq!(iterator.next().unwrap_err().code(), Code::Cancelled);
    drop(iterator);
}

#[test]
fn a_panic_in_a_closure_is_an_error_of_its_element() {
    use downpour_data::Element;
    let data = Dataset::range(3).map(|e: Element| {
        assert_ne!(e[0].to_scalar::<i64>()?, 1, "one is bad");
        Ok(e)
    });
    let shown = collect(&mut data.prefetch(2).iterate().unwrap());
    assert_eq!(shown.len(), 3);
    assert!(shown[1].as_ref().unwrap_err().contains("one is bad"), "{shown:?}");
}

#[test]
fn a_map_whose_reader_waits_gets_more_threads() {
    use downpour_data::{Element, Parallel};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (running, seen) = (now.clone(), most.clone());
    let data = Dataset::range(200).map_parallel(Parallel::autotuned(4), move |e: Element| {
        seen.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        std::thread::sleep(std::time::Duration::from_millis(3));
        running.fetch_sub(1, Ordering::SeqCst);
        Ok(e)
    });
    let numbers: Vec<i64> =
        data.iterate().unwrap().map(|e| e.unwrap()[0].to_scalar().unwrap()).collect();
    assert_eq!(numbers, (0..200).collect::<Vec<_>>());
    let most = most.load(Ordering::SeqCst);
    assert!((2..=4).contains(&most), "{most} at the same time");
}

#[test]
fn unordered_results_are_neither_lost_nor_repeated() {
    use downpour_data::{Element, Parallel};
    let data = Dataset::range(400).map_parallel(Parallel::new(3).unordered(), |e: Element| {
        if e[0].to_scalar::<i64>()? % 17 == 0 {
            std::thread::sleep(std::time::Duration::from_micros(300));
        }
        Ok(e)
    });
    for stop in [0usize, 1, 7, 150, 399, 400] {
        let mut iterator = data.iterate().unwrap();
        let number = |e: Result<Element, _>| e.unwrap()[0].to_scalar::<i64>().unwrap();
        let mut seen: Vec<i64> = iterator.by_ref().take(stop).map(number).collect();
        // Resumed twice, the second time at once.
        let resumed = data.iterate_from(&iterator.position()).unwrap();
        let mut resumed = data.iterate_from(&resumed.position()).unwrap();
        seen.extend(resumed.by_ref().take(30).map(number));
        seen.extend(data.iterate_from(&resumed.position()).unwrap().map(number));
        seen.sort_unstable();
        assert_eq!(seen, (0..400).collect::<Vec<_>>(), "stopped after {stop}");
        // The same with stages behind it.
        let batched = data.filter(|_| Ok(true)).batch(3, Remainder::Keep).unwrap().prefetch(3);
        let mut iterator = batched.iterate().unwrap();
        let numbers = |e: Result<Element, _>| e.unwrap()[0].as_slice::<i64>().unwrap().to_vec();
        let mut seen: Vec<i64> = iterator.by_ref().take(stop / 4).flat_map(numbers).collect();
        seen.extend(batched.iterate_from(&iterator.position()).unwrap().flat_map(numbers));
        seen.sort_unstable();
        assert_eq!(seen, (0..400).collect::<Vec<_>>(), "batches, stopped after {stop}");
    }
    let shuffled = data.shuffle(9, 1).unwrap();
    let position = shuffled.iterate().unwrap().position();
    let error = shuffled.iterate_from(&position).err().unwrap();
    assert!(error.message().contains("make the parallel map ordered"), "{error}");
}

#[test]
fn a_cache_file_serves_later_passes_and_processes() {
    use downpour_data::Element;
    use downpour_tensor::Tensor;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept");
    let calls = Arc::new(AtomicUsize::new(0));
    let build = || {
        let calls = calls.clone();
        let words = Dataset::range(3000).map(move |e: Element| {
            calls.fetch_add(1, Ordering::Relaxed);
            let n = e[0].to_scalar::<i64>()?;
            let ragged = Tensor::vector(&vec![n as f32; n as usize % 3])?;
            Ok(Element::named([
                ("n", e[0].clone()),
                ("s", Tensor::from_string(n.to_string())?),
                ("r", ragged),
            ]))
        });
        words.shuffle(100, 3).unwrap().cache_file(&path)
    };
    let show_all = |data: &Dataset| data.iterate().unwrap().map(show).collect::<Vec<_>>();
    let mut first = build().iterate().unwrap();
    first.by_ref().take(2000).for_each(drop);
    let early = first.position();
    drop(first);
    assert!(!path.exists(), "the file appears whole");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
    let all = show_all(&build());
    let made = calls.swap(0, Ordering::Relaxed);
    assert!(made >= 3000 && path.exists());
    assert_eq!(show_all(&build()), all);
    let rest: Vec<_> = build().iterate_from(&early).unwrap().map(show).collect();
    assert_eq!(rest, all[2000..]);
    let mut iterator = build().iterate().unwrap();
    iterator.by_ref().take(1500).for_each(drop);
    let late = iterator.position();
    let rest: Vec<_> = build().iterate_from(&late).unwrap().map(show).collect();
    assert_eq!(rest, all[1500..]);
    assert_eq!(calls.load(Ordering::Relaxed), 0, "everything came from the file");
    std::fs::remove_file(&path).unwrap();
    let rest: Vec<_> = build().iterate_from(&late).unwrap().map(show).collect();
    assert_eq!(rest, all[1500..]);
    let other = Dataset::range(5).cache_file(&path).iterate().err().unwrap();
    assert!(other.message().contains("delete it or use another"), "{other}");
}

/// The numbers TensorFlow's documentation and its implementation give.
#[test]
fn interleave_has_tensorflows_order() {
    use downpour_data::{Element, Interleave};
    use downpour_tensor::Tensor;
    let repeated = |count: u64| {
        move |e: Element| {
            let n = e[0].to_scalar::<i64>()? + 1;
            Ok(Dataset::range(count)
                .map(move |_: Element| Ok(Element::new(vec![Tensor::scalar(n)]))))
        }
    };
    let data = Dataset::range(5).interleave(Interleave::new(2).block(4), repeated(6)).unwrap();
    let expected =
        [1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 3, 3, 4, 4, 5, 5, 5, 5, 5, 5];
    assert_eq!(numbers(&data), expected);
    let parallel = Interleave::new(2).block(4).parallel(2);
    assert_eq!(numbers(&Dataset::range(5).interleave(parallel, repeated(6)).unwrap()), expected);
}
