//! Windows, groups, and what is carried from one element to the next.

mod common;

use common::numbers;
use downpour_data::{
    Batch, Block, Dataset, DatasetIterator, Element, Length, OnError, Remainder, Window,
};
use downpour_tensor::{ByteString, Code, Result, Status, Tensor};

fn batch(window: Block) -> Result<Element> {
    let window = window.stacked()?;
    Ok(Element::new(window.columns().unwrap_or_default().to_vec()))
}

fn windows(count: u64, window: Window) -> Vec<Vec<i64>> {
    let data = Dataset::range(count).window(window, batch).unwrap();
    let all = lists(data.iterate().unwrap());
    assert_eq!(data.length(), Some(Length::Finite(all.len() as u64)), "{window:?} of {count}");
    all
}

fn failing_at(bad: i64) -> impl Fn(Element) -> Result<Element> {
    move |element| match element[0].to_scalar::<i64>()? {
        n if n == bad => Err(Status::invalid_argument(format!("bad {n}"))),
        _ => Ok(element),
    }
}

#[test]
fn windows_overlap_or_leave_elements_out() {
    assert_eq!(windows(5, Window::new(2)), [vec![0, 1], vec![2, 3], vec![4]]);
    assert_eq!(windows(5, Window::new(2).only_whole()), [[0, 1], [2, 3]]);
    assert_eq!(
        windows(4, Window::new(3).shift(1)),
        [vec![0, 1, 2], vec![1, 2, 3], vec![2, 3], vec![3]]
    );
    assert_eq!(windows(7, Window::new(2).shift(3).stride(2)), [vec![0, 2], vec![3, 5], vec![6]]);
    assert_eq!(windows(9, Window::new(2).shift(4)), [vec![0, 1], vec![4, 5], vec![8]]);
    assert_eq!(windows(3, Window::new(9).only_whole()), Vec::<Vec<i64>>::new());
    assert_eq!(windows(3, Window::new(u64::MAX).stride(u64::MAX)), [[0]]);
    assert_eq!(windows(0, Window::new(2)), Vec::<Vec<i64>>::new());
}

#[test]
fn a_window_without_elements_is_refused() {
    for window in [Window::new(0), Window::new(2).shift(0), Window::new(2).stride(0)] {
        let refused = Dataset::range(3).window(window, batch).err().unwrap();
        assert_eq!(refused.code(), Code::InvalidArgument);
    }
}

#[test]
fn an_element_that_fails_fails_its_windows_only() {
    let data = Dataset::range(6).map(failing_at(2));
    let windows = data.window(Window::new(2).shift(1), batch).unwrap();
    let sound: Vec<bool> = windows.iterate().unwrap().map(|window| window.is_ok()).collect();
    assert_eq!(sound, [true, false, false, true, true, true]);
    // Nobody looks at elements between windows.
    let windows = data.window(Window::new(2).shift(3), batch).unwrap();
    assert_eq!(windows.iterate().unwrap().filter(|window| window.is_ok()).count(), 2);
}

#[test]
fn a_scan_goes_on_after_an_error_with_the_state_it_had() {
    let sums = Dataset::range(5).scan(vec![Tensor::scalar(0i64)], |sum, element| {
        let element = failing_at(2)(element)?;
        let sum = Tensor::scalar(sum[0].to_scalar::<i64>()? + element[0].to_scalar::<i64>()?);
        Ok(Some((vec![sum.clone()], element.with(vec![sum]))))
    });
    let sums: Vec<Option<i64>> =
        sums.iterate().unwrap().map(|e| e.ok().map(|e| e[0].to_scalar().unwrap())).collect();
    assert_eq!(sums, [Some(0), Some(1), None, Some(4), Some(8)]);
}

#[test]
fn unique_elements_differ_in_type_shape_or_contents() {
    let strings = [b"a" as &[u8], b"bc", b"ab", b"c", b"a"].map(ByteString::from_static);
    let strings = Tensor::from_strings([5], strings.to_vec()).unwrap();
    let data = Dataset::from_tensors([("s", strings)]).unwrap();
    assert_eq!(data.unique().iterate().unwrap().count(), 4);
    // The same bytes, cut at another place.
    let pairs = data.batch(2, Remainder::Drop).unwrap();
    assert_eq!(pairs.unique().iterate().unwrap().count(), 2);
    assert_eq!(numbers(&Dataset::range(4).repeat_times(3).unique()), [0, 1, 2, 3]);
}

#[test]
fn groups_of_different_sizes_come_when_they_are_full() {
    let parity = |element: &Element| Ok(element[0].to_scalar::<i64>()? % 2);
    let grouped = Dataset::range(9).group_by_window(
        parity,
        |key| Ok(if key == 0 { 3 } else { 2 }),
        |_, group| Ok(group),
    );
    assert_eq!(numbers(&grouped), [1, 3, 0, 2, 4, 5, 7, 6, 8]);
    let empty = Dataset::range(4).group_by_window(parity, |_| Ok(0), |_, group| Ok(group));
    let refused = empty.iterate().unwrap().next().unwrap_err();
    assert_eq!(refused.message(), "Window size must be greater than zero, but got 0.");
}

#[test]
fn large_windows_are_resumed_where_they_stood() {
    // One element at a time, so that there are more states than are kept.
    let slow = Dataset::range(5000).take_while(|_| Ok(true));
    let data = slow.window(Window::new(2000).shift(700), batch).unwrap();
    let all: Vec<Vec<i64>> = lists(data.iterate().unwrap());
    for stop in [0, 1, 3, all.len()] {
        let mut iterator = data.iterate().unwrap();
        iterator.by_ref().take(stop).for_each(drop);
        assert_eq!(lists(data.iterate_from(&iterator.position()).unwrap()), all[stop..]);
    }
}

fn lists(iterator: DatasetIterator) -> Vec<Vec<i64>> {
    iterator.map(|e| e.unwrap()[0].as_slice::<i64>().unwrap().to_vec()).collect()
}

#[test]
fn batches_around_an_error_are_whole_begun_anew_or_left_out() {
    let data = Dataset::range(7).map(failing_at(1));
    for (on_error, expected) in [
        (OnError::Skip, [[0, 2, 3], [4, 5, 6]].map(Vec::from)),
        (OnError::Restart, [vec![2, 3, 4], vec![5, 6]]),
        (OnError::FailBatch, [vec![3, 4, 5], vec![6]]),
    ] {
        let batches = data.batch_with(Batch::new(3).on_error(on_error)).unwrap();
        let mut iterator = batches.iterate().unwrap();
        assert_eq!(iterator.next().unwrap_err().message(), "bad 1");
        assert_eq!(lists(iterator), expected, "{on_error:?}");
    }
}
