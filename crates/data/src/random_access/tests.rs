//! Every stage gives the same elements by number as its cursor gives in order.

use downpour_tensor::{Code, Status, Tensor};

use crate::{Dataset, Element, Parallel, Remainder};

fn bytes(element: &Element) -> Vec<Vec<u8>> {
    element.tensors().iter().map(|t| t.bytes().unwrap_or_default().to_vec()).collect()
}

fn agrees(dataset: &Dataset) {
    let expected: Vec<_> = dataset.iterate().unwrap().map(|e| bytes(&e.unwrap())).collect();
    let mut lookup = dataset.lookup().unwrap();
    for (number, expected) in expected.iter().enumerate().rev() {
        for _ in 0..2 {
            let found = lookup.element(number as i64).unwrap();
            assert_eq!(&bytes(&found), expected, "{}, element {number}", dataset.describe());
        }
    }
    for number in [-1, expected.len() as i64, i64::MAX] {
        let error = lookup.element(number).unwrap_err();
        assert_eq!(error.code(), Code::OutOfRange, "{}: {error}", dataset.describe());
    }
}

fn doubled(input: &Dataset) -> Dataset {
    input.map(|e: Element| Ok(e.with(vec![Tensor::scalar(e[0].to_scalar::<i64>()? * 2)])))
}

fn odd(element: &Element) -> downpour_tensor::Result<bool> {
    Ok(element[0].to_scalar::<i64>()? % 2 == 1)
}

#[test]
fn elements_by_number_are_those_in_order() {
    let numbers = Dataset::range(11);
    let rows = Tensor::from_vec([3, 2], vec![1f32, 2., 3., 4., 5., 6.]).unwrap();
    agrees(&numbers);
    agrees(&Dataset::from_tensors([("x", rows)]).unwrap());
    for remainder in [Remainder::Keep, Remainder::Drop] {
        for size in [1, 3, 11, 12] {
            agrees(&numbers.batch(size, remainder).unwrap());
        }
    }
    for count in [0, 4, 11, 20] {
        agrees(&numbers.take(count));
        agrees(&numbers.skip(count));
        agrees(&numbers.repeat_times(count));
    }
    agrees(&Dataset::range(0).repeat());
    agrees(&numbers.skip_all());
    for (count, index) in [(1, 0), (4, 3), (20, 10), (20, 15)] {
        agrees(&numbers.shard(count, index).unwrap());
    }
    agrees(&numbers.at_least(11, |_| Status::invalid_argument("too short")));
    agrees(&numbers.zip(&doubled(&numbers).skip(2)));
    agrees(&numbers.concatenate(&Dataset::range(0)).concatenate(&doubled(&numbers)));
    agrees(&doubled(&numbers).prefetch(2));
    let parallel = |e: Element| Ok(e.with(vec![Tensor::scalar(e[0].to_scalar::<i64>()? + 1)]));
    agrees(&numbers.map_parallel(Parallel::new(2), parallel));
    agrees(&doubled(&numbers).cache());
    agrees(&numbers.filter(odd).cache());
    agrees(&numbers.shuffle(4, 3).unwrap().cache().prefetch(1));
}

#[test]
fn a_cache_goes_on_where_another_access_has_read() {
    let cached = Dataset::range(2000).filter(odd).cache();
    for number in [3, 0, 700, 600, 999] {
        let found = cached.lookup().unwrap().element(number).unwrap();
        assert_eq!(found[0].to_scalar::<i64>().unwrap(), 2 * number + 1);
    }
    // Only as much is read as is asked for.
    let endless = Dataset::range(3).repeat().cache();
    assert_eq!(endless.lookup().unwrap().element(7).unwrap()[0].to_scalar::<i64>().unwrap(), 1);
}

#[test]
fn what_cannot_be_found_by_number_says_so() {
    let code = |dataset: &Dataset| dataset.lookup().err().map(|error| error.code());
    let numbers = Dataset::range(5);
    let longer = numbers.at_least(6, |has| Status::invalid_argument(format!("only {has}")));
    assert_eq!(code(&longer), Some(Code::InvalidArgument));
    assert_eq!(code(&numbers.filter(odd)), Some(Code::Unimplemented));
    assert_eq!(code(&numbers.shuffle(2, 1).unwrap()), Some(Code::Unimplemented));
    assert_eq!(code(&numbers.repeat()), Some(Code::FailedPrecondition));
    assert_eq!(code(&numbers.repeat().take(2)), Some(Code::FailedPrecondition));
    assert_eq!(code(&numbers.filter(odd).take(2)), Some(Code::FailedPrecondition));
}

#[test]
fn stages_say_whether_they_can_be_shuffled_globally() {
    let message = |dataset: &Dataset| match dataset.stage().check_global_shuffle() {
        Ok(()) => String::new(),
        Err(error) => error.message().to_owned(),
    };
    let numbers = Dataset::range(5);
    let short = |_| Status::invalid_argument("too short");
    let allowed = doubled(&numbers)
        .at_least(5, short)
        .take(3)
        .zip(&numbers)
        .repeat_times(2)
        .cache()
        .prefetch(1);
    assert_eq!(message(&allowed.batch(2, Remainder::Drop).unwrap()), "");
    let kept = message(&allowed.batch(2, Remainder::Keep).unwrap());
    assert!(kept.contains("global shuffling with `drop_remainder=False`"), "{kept}");
    assert!(message(&numbers.repeat().prefetch(1)).starts_with("`repeat(-1)` does not"));
    assert!(message(&numbers.skip_all()).contains("skipping the entire dataset"));
    assert!(message(&numbers.repeat_times(0)).starts_with("`repeat(0)` does not"));
    assert!(
        message(&numbers.filter(odd).skip(1)).contains("filter does not support random access")
    );
}

#[test]
fn a_cancelled_lookup_ends() {
    let endless = Dataset::range(3).repeat().filter(|_| Ok(false)).cache();
    let mut lookup = endless.lookup().unwrap();
    lookup.canceller().cancel();
    assert_eq!(lookup.element(0).unwrap_err().code(), Code::Cancelled);
}
