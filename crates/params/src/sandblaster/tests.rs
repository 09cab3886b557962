//! Parts of a server on their own.

use std::sync::Arc;
use std::time::Duration;

use downpour_tensor::{Code, Tensor};
use proptest::prelude::*;
use tokio::time::Instant;

use super::board::{Board, Progress, Taken};
use super::gather::Gather;
use super::layout::Layout;
use super::messages::{
    Contribute, Done, Evaluation, Execute, Finish, Open, Post, Term, WorkMessage,
};
use super::vectors::Vectors;
use super::{Sandblaster, arithmetic};
use crate::gradient::{Gradient, Named};
use crate::plain::PlainValues;
use crate::values::Values;

fn evaluation(number: u64) -> Evaluation {
    Evaluation { coordinator: 1, number }
}

fn values() -> PlainValues {
    let values = PlainValues::new(1.0);
    values.set("w", Tensor::vector(&[1f32, 2.0]).unwrap()).unwrap();
    values.set("m", Tensor::from_slice([3, 2], &[0f32; 6]).unwrap()).unwrap();
    values.set("count", Tensor::scalar(1i64)).unwrap();
    values
}

fn names() -> Vec<String> {
    vec!["w".to_string(), "m".to_string()]
}

fn dense(name: &str, shape: &[usize], value: f32) -> Named<Gradient> {
    let elements = vec![value; shape.iter().product()];
    (name.to_string(), Gradient::Dense(Tensor::from_vec(shape.to_vec(), elements).unwrap()))
}

fn both(value: f32) -> Vec<Named<Gradient>> {
    vec![dense("w", &[2], value), dense("m", &[3, 2], value)]
}

#[test]
fn every_unit_is_added_once() {
    let layout = Arc::new(Layout::new(&values(), names()).unwrap());
    let mut gather = Gather::default();
    let unit = |number, unit| Contribute { evaluation: evaluation(number), unit, units: 2 };
    assert!(gather.add(&layout, &unit(5, 0), &both(1.0)).unwrap());
    assert!(!gather.add(&layout, &unit(5, 0), &both(9.0)).unwrap());
    assert!(gather.whole(&layout, evaluation(5), 2).is_none());
    assert!(!gather.add(&layout, &unit(4, 1), &both(9.0)).unwrap());
    let rows = Gradient::Sparse {
        indices: Tensor::vector(&[2i64, 0, 2]).unwrap(),
        rows: Tensor::from_slice([3, 2], &[1f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap(),
    };
    let sparse = vec![dense("w", &[2], 2.0), ("m".to_string(), rows)];
    assert!(gather.add(&layout, &unit(5, 1), &sparse).unwrap());
    let sums = gather.whole(&layout, evaluation(5), 2).unwrap();
    assert_eq!(sums, [vec![3.0, 3.0], vec![4.0, 5.0, 1.0, 1.0, 7.0, 9.0]]);
    assert!(gather.whole(&layout, evaluation(6), 2).is_none());
    gather.close();
    assert!(gather.whole(&layout, evaluation(5), 2).is_none());
    assert!(!gather.add(&layout, &unit(5, 1), &both(9.0)).unwrap());
    // A newer one ends it.
    assert!(gather.add(&layout, &unit(7, 1), &both(1.0)).unwrap());
    assert!(gather.add(&layout, &unit(7, 0), &both(1.0)).unwrap());
    assert_eq!(gather.whole(&layout, evaluation(7), 2).unwrap()[0], [2.0, 2.0]);
}

#[test]
fn what_does_not_fit_is_refused_and_leaves_no_trace() {
    let layout = Arc::new(Layout::new(&values(), names()).unwrap());
    let mut gather = Gather::default();
    let unit = |unit, units| Contribute { evaluation: evaluation(1), unit, units };
    let row = |row: i64| Gradient::Sparse {
        indices: Tensor::vector(&[row]).unwrap(),
        rows: Tensor::from_slice([1, 2], &[1f32, 2.0]).unwrap(),
    };
    for wrong in [
        vec![dense("w", &[2], 1.0)],
        vec![dense("w", &[3], 1.0), dense("m", &[3, 2], 1.0)],
        vec![dense("w", &[2], 1.0), dense("w", &[2], 1.0)],
        vec![dense("w", &[2], 1.0), dense("other", &[2], 1.0)],
        vec![dense("w", &[2], 1.0), ("m".to_string(), row(3))],
        vec![dense("w", &[2], 1.0), ("m".to_string(), row(-1))],
        vec![("w".to_string(), row(0)), dense("m", &[3, 2], 1.0)],
    ] {
        let refused = gather.add(&layout, &unit(0, 1), &wrong).unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{refused}");
    }
    assert!(gather.add(&layout, &unit(1, 1), &both(1.0)).is_err());
    assert!(gather.add(&layout, &unit(0, u64::MAX), &both(1.0)).is_err());
    assert!(gather.add(&layout, &unit(0, 2), &both(1.0)).unwrap());
    assert!(gather.add(&layout, &unit(0, 3), &both(1.0)).is_err());
    assert!(Layout::new(&values(), vec!["count".to_string()]).is_err());
    assert!(Layout::new(&values(), vec!["w".to_string(), "w".to_string()]).is_err());
}

#[test]
fn batches_are_executed_in_order_and_once() {
    use super::encoding::encoded;
    use downpour_lbfgs::{Command, Side, Vector};
    let (values, mut gather, mut vectors) = (values(), Gather::default(), Vectors::default());
    let term = |session| Term { coordinator: 1, session };
    let (point, slope) = (Vector::Point(Side::A), Vector::Gradient(Side::A));
    let commands: Vec<_> = [
        Command::Axpy { by: 1.0, from: Vector::Parameters, to: point },
        Command::Dot { a: point, b: point },
    ]
    .iter()
    .map(encoded)
    .collect();
    let batch = |session, sequence| Execute {
        term: term(session),
        sequence,
        finish: None,
        commands: commands.clone(),
    };
    let mut run = |vectors: &mut Vectors, batch: &Execute| {
        vectors.execute(&values, &mut gather, batch).map(|executed| executed.reply)
    };
    assert_eq!(run(&mut vectors, &batch(1, 1)).unwrap_err().code(), Code::DataLoss);
    vectors.open(&values, Open { term: term(1), names: names() }).unwrap();
    assert_eq!(run(&mut vectors, &batch(1, 1)).unwrap().numbers, [5.0]);
    assert_eq!(run(&mut vectors, &batch(1, 1)).unwrap().numbers, [5.0]);
    assert_eq!(run(&mut vectors, &batch(1, 2)).unwrap().numbers, [20.0]);
    assert!(run(&mut vectors, &batch(1, 1)).is_err());
    assert_eq!(run(&mut vectors, &batch(1, 4)).unwrap_err().code(), Code::DataLoss);
    // A batch that fails has done nothing, not even its first command.
    let mut broken = batch(1, 3);
    broken.commands[1].kind = 99;
    assert!(run(&mut vectors, &broken).is_err());
    assert_eq!(run(&mut vectors, &batch(1, 3)).unwrap().numbers, [45.0]);
    vectors.open(&values, Open { term: term(2), names: names() }).unwrap();
    assert_eq!(vectors.executed, 3);
    assert_eq!(run(&mut vectors, &batch(1, 4)).unwrap_err().code(), Code::Aborted);
    let late = vectors.open(&values, Open { term: term(1), names: names() });
    assert_eq!(late.unwrap_err().code(), Code::Aborted);

    // Gradients that are not all here are nobody's.
    let finish = Finish {
        evaluation: evaluation(1),
        units: 1,
        weight: 4.0,
        l2: 0.5,
        point: super::encoding::number(point),
        gradient: super::encoding::number(slope),
    };
    let mut last = batch(2, 4);
    (last.finish, last.commands) = (Some(finish), vec![]);
    assert!(run(&mut vectors, &last).unwrap().missing);
    let layout = vectors.layout().unwrap().clone();
    let unit = Contribute { evaluation: evaluation(1), unit: 0, units: 1 };
    gather.add(&layout, &unit, &both(2.0)).unwrap();
    let reply = vectors.execute(&values, &mut gather, &last).unwrap().reply;
    assert_eq!(reply.numbers, [45.0]);
    // 2 / 4 + 2 · 0.5 · point
    let found = vectors.fetch(&values, super::encoding::number(slope)).unwrap();
    assert_eq!(found[0].1.as_slice::<f32>().unwrap(), [3.5, 6.5]);

    // All of it is in a snapshot, beside the variables.
    let kept = Sandblaster::default();
    *kept.vectors.lock() = vectors;
    let mut saved = kept.saved(77).unwrap();
    saved.extend(values.names().into_iter().map(|name| {
        let value = values.get(&name).unwrap();
        (name, value)
    }));
    let next = Sandblaster::default();
    assert_eq!(next.restored(saved).unwrap().len(), 3);
    let next = next.vectors.lock();
    assert_eq!((next.executed, next.term.session, &next.numbers[..]), (4, 2, &[45.0][..]));
    assert_eq!((next.lineage[0].start, next.lineage[0].executed), (77, 4));
    let found = next.fetch(&values, super::encoding::number(slope)).unwrap();
    assert_eq!(found[0].1.as_slice::<f32>().unwrap(), [3.5, 6.5]);
}

#[tokio::test(start_paused = true)]
async fn the_board_gives_the_same_unit_until_it_is_reported() {
    let board = Board::default();
    let now = Instant::now();
    let who = (3, 1);
    assert!(matches!(board.take(who, None, now).unwrap(), Taken::Wait(..)));
    let post = Post { evaluation: evaluation(1), point: 1, units: 2 };
    board.post(&post, now).unwrap();
    board.post(&post, now).unwrap();
    let given = |report: Option<&Done>| match board.take(who, report, now).unwrap() {
        Taken::Work(WorkMessage { unit, .. }) => Some(unit),
        _ => None,
    };
    assert_eq!((given(None), given(None)), (Some(0), Some(0)));
    let done = |unit| Done { evaluation: evaluation(1), unit, loss: 2.0, weight: 1.0 };
    assert_eq!(given(Some(&done(0))), Some(1));
    assert_eq!(given(Some(&done(0))), Some(1), "a report that comes again");
    assert!(matches!(board.progress(evaluation(1)), Progress::Going(1)));
    assert_eq!(given(Some(&done(1))), None);
    let Progress::Complete(total) = board.progress(evaluation(1)) else { panic!("complete") };
    assert_eq!((total.loss, total.weight), (4.0, 2.0));
    assert!(matches!(board.progress(evaluation(2)), Progress::Unknown));

    // The next evaluation; who takes part no longer gives its unit back.
    board.post(&Post { evaluation: evaluation(2), point: 2, units: 1 }, now).unwrap();
    assert_eq!(given(None), Some(0));
    let other = (4, 1);
    assert!(matches!(board.take(other, None, now).unwrap(), Taken::Work(_)), "a copy");
    board.assign(|known| known == other, now + Duration::from_secs(1));
    let late = Done { evaluation: evaluation(2), unit: 0, loss: 1.0, weight: 1.0 };
    assert_eq!(
        given(Some(&late)),
        Some(0),
        "its place was lost; as a new one it may help with a copy"
    );
    assert!(matches!(board.progress(evaluation(2)), Progress::Going(0)));
    let old = board.post(&Post { evaluation: evaluation(1), point: 2, units: 1 }, now);
    assert_eq!(old.unwrap_err().code(), Code::Aborted);
    assert!(board.post(&Post { evaluation: evaluation(3), point: 2, units: 0 }, now).is_err());
    board.end(0);
    assert!(matches!(board.take(other, Some(&late), now).unwrap(), Taken::Wait(..)));
    assert!(matches!(board.progress(evaluation(2)), Progress::Complete(_)));
    board.end(1);
    assert!(matches!(board.take(other, None, now).unwrap(), Taken::Ended));
}

proptest! {
    #[test]
    fn float32_is_rounded_once(
        elements in prop::collection::vec((-10f32..10.0, -10f32..10.0), 0..3000),
        by in (-3.0..3.0f64, -3.0..3.0f64),
    ) {
        let (a, b): (Vec<f32>, Vec<f32>) = elements.into_iter().unzip();
        let (x, y) = (Tensor::vector(&a).unwrap(), Tensor::vector(&b).unwrap());
        let pairs = || a.iter().zip(&b).map(|(a, b)| (f64::from(*a), f64::from(*b)));
        let sum = arithmetic::combine(&x, &[(by.0, &x), (by.1, &y)]).unwrap();
        let expected: Vec<f32> = pairs().map(|(a, b)| (by.0 * a + by.1 * b) as f32).collect();
        prop_assert_eq!(sum.as_slice::<f32>().unwrap(), &expected[..]);
        let product = arithmetic::multiply(&x, &y).unwrap();
        let expected: Vec<f32> = pairs().map(|(a, b)| (a * b) as f32).collect();
        prop_assert_eq!(product.as_slice::<f32>().unwrap(), &expected[..]);
        let dot = arithmetic::dot(&x, &y).unwrap();
        let expected: f64 = pairs().map(|(a, b)| a * b).sum();
        prop_assert!((dot - expected).abs() <= 1e-9 * (1.0 + expected.abs()), "{} {}", dot, expected);
    }
}
