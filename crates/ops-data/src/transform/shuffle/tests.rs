use super::*;

fn shuffled(
    input: &Dataset,
    buffer: Option<usize>,
    epochs: Option<Option<u64>>,
    renews: bool,
) -> Dataset {
    let seeds = Arc::new(SeedGenerator::new(8, 9, renews));
    Dataset::new(Shuffle { input: input.stage().clone(), buffer, epochs, seeds })
}

fn numbers(elements: impl Iterator<Item = Result<downpour_data::Element>>) -> Vec<i64> {
    elements.map(|element| element.unwrap()[0].to_scalar().unwrap()).collect()
}

/// Stops after every element, and goes on in a dataset that was made anew and in one that has gone on meanwhile.
fn check_resuming(make: impl Fn() -> Dataset) {
    let order = numbers(make().iterate().unwrap());
    for stop in 0..=order.len() {
        let dataset = make();
        let mut iterator = dataset.iterate().unwrap();
        iterator.by_ref().take(stop).for_each(drop);
        let position = iterator.position();
        let rest = numbers(make().iterate_from(&position).unwrap());
        assert_eq!(rest, order[stop..], "stopped after {stop}");
        drop(numbers(iterator));
        let again = numbers(dataset.iterate_from(&position).unwrap());
        assert_eq!(again, order[stop..], "stopped after {stop}, and gone on");
    }
}

#[test]
fn every_element_comes_once_and_from_no_further_than_the_buffer() {
    for buffer in [Some(1), Some(3), Some(9), Some(10), Some(usize::MAX), None] {
        let dataset = shuffled(&Dataset::range(10), buffer, None, false);
        let order = numbers(dataset.iterate().unwrap());
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..10).collect::<Vec<_>>(), "buffer {buffer:?}: {order:?}");
        let most = buffer.unwrap_or(usize::MAX);
        let near =
            |(place, &number): (usize, &i64)| number as usize <= place.saturating_add(most - 1);
        assert!(order.iter().enumerate().all(near), "buffer {buffer:?}: {order:?}");
        assert_eq!(numbers(dataset.iterate().unwrap()), order);
    }
    let empty = shuffled(&Dataset::range(0), Some(3), None, false);
    assert!(numbers(empty.iterate().unwrap()).is_empty());
}

#[test]
fn iterations_differ_if_they_are_shuffled_anew() {
    let dataset = shuffled(&Dataset::range(20), Some(20), None, true);
    assert_ne!(numbers(dataset.iterate().unwrap()), numbers(dataset.iterate().unwrap()));
}

#[test]
fn epochs_do_not_mix_and_differ() {
    for buffer in [Some(2), Some(5), Some(100), None] {
        let dataset = shuffled(&Dataset::range(5), buffer, Some(Some(4)), true);
        let order = numbers(dataset.iterate().unwrap());
        assert_eq!(order.len(), 20, "{buffer:?}");
        for epoch in order.chunks(5) {
            let mut sorted = epoch.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3, 4], "{buffer:?}: {order:?}");
        }
        assert!(order.chunks(5).any(|epoch| *epoch != order[..5]), "{buffer:?}: {order:?}");
    }
}

#[test]
fn epochs_without_elements_end() {
    for epochs in [None, Some(3)] {
        let dataset = shuffled(&Dataset::range(0), Some(4), Some(epochs), true);
        assert!(numbers(dataset.iterate().unwrap()).is_empty());
    }
    let endless = shuffled(&Dataset::range(3), None, Some(None), true);
    assert_eq!(numbers(endless.iterate().unwrap().take(10)).len(), 10);
}

#[test]
fn a_resumed_iteration_goes_on_in_the_same_order() {
    for buffer in [Some(5), Some(12), None] {
        check_resuming(|| shuffled(&Dataset::range(12), buffer, None, false));
        check_resuming(|| shuffled(&Dataset::range(4), buffer, Some(Some(3)), true));
    }
}

#[test]
fn rounds_that_are_shuffled_anew_go_on_behind_every_stage() {
    let renewed = || shuffled(&Dataset::range(5), Some(3), None, true).repeat_times(3);
    check_resuming(renewed);
    check_resuming(|| shuffled(&renewed(), Some(4), None, true).repeat_times(2));
    check_resuming(|| renewed().cache().repeat_times(2));
    check_resuming(|| shuffled(&Dataset::range(5), Some(3), None, true).cache().repeat_times(3));
    check_resuming(|| renewed().prefetch(2));
    check_resuming(|| renewed().take(9).repeat_times(2));
    check_resuming(|| renewed().zip(&renewed()));
    check_resuming(|| renewed().concatenate(&renewed()).repeat_times(2));
    check_resuming(|| {
        renewed()
            .map_parallel(downpour_data::Parallel::new(2), |element: downpour_data::Element| {
                Ok(element)
            })
    });
}

#[test]
fn datasets_woven_of_renewed_rounds_go_on() {
    let renewed = || shuffled(&Dataset::range(4), Some(3), None, true).repeat_times(2);
    let weave = |how: downpour_data::Interleave| {
        renewed()
            .interleave(how, |element| {
                let number = element[0].to_scalar::<i64>()?;
                Ok(Dataset::range(2).map(move |inner: downpour_data::Element| {
                    let inner = inner[0].to_scalar::<i64>()?;
                    let both = downpour_tensor::Tensor::scalar(number * 10 + inner);
                    Ok(downpour_data::Element::new(vec![both]))
                }))
            })
            .unwrap()
            .repeat_times(2)
    };
    let how = downpour_data::Interleave::new(3);
    check_resuming(|| weave(how));
    check_resuming(|| weave(how.parallel(2)));
    check_resuming(|| weave(downpour_data::Interleave::new(1).block(usize::MAX)));
}
