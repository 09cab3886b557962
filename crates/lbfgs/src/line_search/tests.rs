use super::*;
use proptest::prelude::*;

/// Follows a search to its end; the step, and whether the search found it good.
fn run(settings: Settings, first: f64, f: impl Fn(f64) -> (f64, f64)) -> (Next, Vec<f64>) {
    let (loss, slope) = f(0.0);
    let mut search = LineSearch::new(settings, loss, slope, first);
    let mut looked = Vec::new();
    let mut next = search.first();
    while let Next::Evaluate(step) = next {
        looked.push(step);
        let (loss, slope) = f(step);
        next = search.told(loss, slope);
    }
    assert_eq!(search.evaluations() as usize, looked.len());
    (next, looked)
}

fn strong_wolfe(settings: Settings, step: f64, f: impl Fn(f64) -> (f64, f64)) -> bool {
    let (start, here) = (f(0.0), f(step));
    here.0 <= start.0 + settings.sufficient_decrease * step * start.1
        && here.1.abs() <= -settings.flattening * start.1
}

proptest! {
    #[test]
    fn accepted_steps_satisfy_both_conditions(
        minimum in 1e-3f64..1e3, curve in 1e-3f64..1e3, wave in 0.0f64..0.9, speed in 0.1f64..8.0,
        first in 1e-3f64..1e2, flattening in 0.05f64..0.95,
    ) {
        // A parabola with waves on it; its slope at 0 is negative because the waves are flatter there.
        let f = |a: f64| {
            let x = a / minimum;
            let value = curve * ((x - 1.0).powi(2) + wave / speed * (speed * x).sin() * 2.0 * 0.5);
            let slope = curve * (2.0 * (x - 1.0) + wave * (speed * x).cos()) / minimum;
            (value, slope)
        };
        prop_assume!(f(0.0).1 < 0.0);
        let settings = Settings { sufficient_decrease: 1e-4, flattening, evaluations: 60 };
        let (end, _) = run(settings, first, f);
        let Next::Accept(step) = end else { return Err(TestCaseError::fail(format!("{end:?}"))) };
        prop_assert!(strong_wolfe(settings, step, f), "{step}");
    }

    #[test]
    fn whatever_it_is_told_it_ends(
        answers in prop::collection::vec((any::<f64>(), any::<f64>()), 1..100), first: f64,
    ) {
        let (loss, slope) = answers[0];
        let mut search = LineSearch::new(Settings::default(), loss, slope, first);
        let mut next = search.first();
        let mut count = 0;
        while let Next::Evaluate(step) = next {
            prop_assert!(step > 0.0 && step.is_finite());
            count += 1;
            prop_assert!(count <= 20);
            let (loss, slope) = answers[count % answers.len()];
            next = search.told(loss, slope);
        }
    }
}

#[test]
fn a_tight_search_finds_the_minimum_of_a_cubic_at_once() {
    // x³ - 3x has its minimum at 1; after the bracket one interpolation is exact.
    let settings = Settings { flattening: 1e-3, ..Settings::default() };
    let (end, looked) = run(settings, 3.0, |a| (a.powi(3) - 3.0 * a, 3.0 * a * a - 3.0));
    assert_eq!(looked.len(), 2);
    let Next::Accept(step) = end else { panic!("{end:?}") };
    assert!((step - 1.0).abs() < 1e-12);
}

#[test]
fn a_loss_that_is_not_finite_is_too_far() {
    let f =
        |a: f64| if a > 2.0 { (f64::NAN, f64::NAN) } else { ((a - 1.0).powi(2), 2.0 * (a - 1.0)) };
    let (end, looked) = run(Settings::default(), 100.0, f);
    let Next::Accept(step) = end else { panic!("{end:?}") };
    assert!(strong_wolfe(Settings::default(), step, f), "{looked:?}");
    let f = |a: f64| if a > 0.5 { (f64::NEG_INFINITY, 0.0) } else { (-a, -1.0) };
    assert!(matches!(run(Settings::default(), 1.0, f).0, Next::Accept(step) if step <= 0.5));
}

#[test]
fn what_cannot_be_searched_fails() {
    let flat = |_: f64| (1.0, -1.0);
    assert_eq!(run(Settings::default(), 1.0, flat).0, Next::Fail);
    let uphill = |a: f64| (a, 1.0);
    assert_eq!(run(Settings::default(), 1.0, uphill), (Next::Fail, vec![]));
    assert_eq!(run(Settings::default(), f64::NAN, |a| (-a, -1.0)), (Next::Fail, vec![]));
}

#[test]
fn an_endless_descent_takes_the_longest_step() {
    let (end, looked) = run(Settings::default(), 1.0, |a| (-a, -1.0));
    assert_eq!(end, Next::Accept(*looked.last().unwrap()));
    assert_eq!(looked.len(), 20);
}

#[test]
fn conditions_that_cannot_be_met_are_refused() {
    let good = Settings::default();
    assert!(good.validate().is_ok());
    for bad in [
        Settings { sufficient_decrease: 0.0, ..good },
        Settings { sufficient_decrease: 0.95, ..good },
        Settings { flattening: 1.0, ..good },
        Settings { flattening: f64::NAN, ..good },
        Settings { evaluations: 0, ..good },
    ] {
        assert!(bad.validate().is_err());
    }
}
