//! Calls that fail on some servers, and coordinators that die, change nothing of the way that is walked.

mod problems;

use std::future::Future;
use std::task::{Context, Poll, Waker};

use downpour_lbfgs::{
    Command, Iteration, Lbfgs, LocalSpace, Settings, Shard, Side, State, Stop, Vector, VectorSpace,
    merge,
};
use downpour_tensor::{Code, Result, Status};
use problems::{INPUTS, Problem, finish, logistic, rosenbrock};
use proptest::prelude::*;

/// Servers of which some do what they are told while the call as a whole fails.
struct Unreliable {
    shards: Vec<Shard>,
    loss: Problem,
    state: u64,
    /// One call in this many fails; none if zero.
    fail: u64,
}

impl Unreliable {
    fn new(start: &[f64], loss: Problem, seed: u64, fail: u64) -> Unreliable {
        let mut shards = Vec::new();
        for part in start.chunks(start.len().div_ceil(3)) {
            let mut shard = Shard::new(part.len());
            shard.write(Vector::Point(Side::A), part).unwrap();
            shards.push(shard);
        }
        Unreliable { shards, loss, state: seed, fail }
    }

    fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.state >> 33
    }

    fn fails(&mut self) -> bool {
        self.fail > 0 && self.draw().is_multiple_of(self.fail)
    }

    fn read(&self, vector: Vector) -> Vec<f64> {
        let zeros = |shard: &Shard| vec![0.0; shard.len()];
        let parts =
            self.shards.iter().map(|s| s.read(vector).map_or_else(|| zeros(s), <[f64]>::to_vec));
        parts.collect::<Vec<_>>().concat()
    }

    fn write(&mut self, vector: Vector, values: &[f64], some: bool) {
        let mut rest = values;
        for i in 0..self.shards.len() {
            let (part, after) = rest.split_at(self.shards[i].len());
            rest = after;
            if !some || self.draw().is_multiple_of(2) {
                self.shards[i].write(vector, part).unwrap();
            }
        }
    }
}

impl VectorSpace for Unreliable {
    async fn execute(&mut self, commands: &[Command]) -> Result<Vec<f64>> {
        if self.fails() {
            for i in 0..self.shards.len() {
                let done = self.draw() as usize % (commands.len() + 1);
                self.shards[i].execute(&commands[..done]);
            }
            return Err(Status::unavailable("a server is gone"));
        }
        let sums: Vec<_> = self.shards.iter_mut().map(|s| s.execute(commands)).collect();
        merge(commands, &sums)
    }

    async fn evaluate(&mut self, point: Vector, gradient: Vector) -> Result<f64> {
        let at = self.read(point);
        let mut slopes = vec![0.0; at.len()];
        let loss = (self.loss)(&at, &mut slopes);
        let fails = self.fails();
        self.write(gradient, &slopes, fails);
        if fails { Err(Status::unavailable("a replica is gone")) } else { Ok(loss) }
    }
}

/// The points of a whole run. After a failure the coordinator goes on, or is lost and resumed from what was saved last.
fn run(space: &mut Unreliable, settings: Settings, dies: bool) -> (Vec<Vec<f64>>, Iteration) {
    let mut lbfgs = Lbfgs::new(settings).unwrap();
    let mut saved = serde_json::to_string(&lbfgs.state()).unwrap();
    let mut path = Vec::new();
    loop {
        match finish(lbfgs.iterate(space)) {
            Ok(iteration) => {
                saved = serde_json::to_string(&lbfgs.state()).unwrap();
                path.push(space.read(lbfgs.point()));
                if iteration.stop.is_some() {
                    return (path, iteration);
                }
            }
            Err(error) => {
                assert_eq!(error.code(), Code::Unavailable);
                if dies {
                    let state: State = serde_json::from_str(&saved).unwrap();
                    lbfgs = Lbfgs::resume(settings, state).unwrap();
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn failures_leave_no_trace(seed: u64, fail in 6u64..40, dies: bool, valley: bool, history in 1usize..6) {
        let settings = Settings { history, iterations: 25, ..Settings::default() };
        let (problem, start): (fn() -> Problem, _) = if valley {
            (rosenbrock, vec![-1.2, 1.0, -1.2, 1.0, 0.5, 2.0])
        } else {
            (logistic, vec![0.1; INPUTS])
        };
        let (expected, _) = run(&mut Unreliable::new(&start, problem(), 0, 0), settings, false);
        let (path, _) = run(&mut Unreliable::new(&start, problem(), seed, fail), settings, dies);
        prop_assert_eq!(path, expected);
    }
}

#[test]
fn messages_do_not_grow_with_the_history() {
    for history in [2, 20] {
        let settings =
            Settings { history, iterations: 30, relative_decrease: 0.0, ..Settings::default() };
        let mut space = LocalSpace::new(2, &[-1.2, 1.0, -1.2, 1.0], rosenbrock());
        let summary = space.minimize(&mut Lbfgs::new(settings).unwrap()).unwrap();
        assert_eq!(summary.evaluations as usize, space.evaluations());
        // Direction and arrival each iteration; at most a new point and a slope per evaluation; one at the start.
        let allowed = 2 * summary.iterations as usize + 2 * space.evaluations() + 1;
        assert!(space.messages() <= allowed, "{} messages", space.messages());
    }
}

#[test]
fn stops_for_each_reason() {
    let minimize = |settings: Settings, loss: Problem, start: &[f64]| {
        LocalSpace::new(1, start, loss).minimize(&mut Lbfgs::new(settings).unwrap()).unwrap()
    };
    let good = Settings::default();
    let start = [-1.2, 1.0];
    assert_eq!(minimize(good, rosenbrock(), &[1.0, 1.0]).iterations, 0);
    assert_eq!(minimize(good, rosenbrock(), &start).stop, Stop::GradientNorm);
    let few = minimize(Settings { iterations: 3, ..good }, rosenbrock(), &start);
    assert_eq!((few.stop, few.iterations), (Stop::Iterations, 3));
    let rough = Settings { relative_decrease: 0.5, ..good };
    assert_eq!(minimize(rough, rosenbrock(), &start).stop, Stop::RelativeDecrease);
    // The loss does not fall where its gradient says.
    let liar: Problem = Box::new(|x, gradient| {
        gradient.fill(1.0);
        -x[0]
    });
    assert_eq!(minimize(good, liar, &start).stop, Stop::NoProgress);
}

#[test]
fn a_useless_history_is_thrown_away() {
    // For as long as a whole line search nothing can be evaluated: the history is blamed, and the walk goes on downhill.
    let mut evaluations = 0;
    let mut valley = rosenbrock();
    let interrupted: Problem = Box::new(move |x, gradient| {
        evaluations += 1;
        let loss = valley(x, gradient);
        if (11..31).contains(&evaluations) { f64::NAN } else { loss }
    });
    let mut space = LocalSpace::new(2, &[-1.2, 1.0], interrupted);
    let mut lbfgs = Lbfgs::new(Settings::default()).unwrap();
    let mut restarts = Vec::new();
    let summary = finish(lbfgs.minimize(&mut space, |iteration, state| {
        if iteration.restarted {
            restarts.push(state.slots.len());
        }
        Ok(())
    }));
    assert_eq!(restarts, [1], "only the pair of the step downhill is left");
    assert_eq!(summary.unwrap().stop, Stop::GradientNorm);
}

#[test]
fn an_observer_can_end_it() {
    let mut space = LocalSpace::new(2, &[-1.2, 1.0], rosenbrock());
    let mut lbfgs = Lbfgs::new(Settings::default()).unwrap();
    let full = |_: &Iteration, _: &State| Err(Status::resource_exhausted("the disk is full"));
    let error = finish(lbfgs.minimize(&mut space, full)).unwrap_err();
    assert_eq!(error.code(), Code::ResourceExhausted);
    assert_eq!(lbfgs.state().iterations, 1);
}

#[test]
fn a_bad_start_or_setting_is_refused() {
    let mut space = LocalSpace::new(1, &[f64::NAN, 1.0], rosenbrock());
    let error = space.minimize(&mut Lbfgs::new(Settings::default()).unwrap()).unwrap_err();
    assert_eq!(error.code(), Code::FailedPrecondition);
    for bad in [
        Settings { history: 1 << 20, ..Settings::default() },
        Settings { gradient_norm: f64::NAN, ..Settings::default() },
        Settings { relative_decrease: -1.0, ..Settings::default() },
    ] {
        assert_eq!(Lbfgs::new(bad).unwrap_err().code(), Code::InvalidArgument);
    }
    let state = State { slots: vec![12], ..State::default() };
    assert!(Lbfgs::resume(Settings::default(), state).is_err());
}

#[test]
fn a_run_can_move_between_threads() {
    fn sendable<T: Send>(value: T) -> T {
        value
    }
    let mut space = LocalSpace::new(2, &[-1.2, 1.0], rosenbrock());
    let mut lbfgs = Lbfgs::new(Settings::default()).unwrap();
    let run = sendable(lbfgs.minimize(&mut space, |_, _| Ok(())));
    assert!(finish(run).unwrap().loss < 1e-9);
}

/// A space whose every call waits once.
struct Waiting(Unreliable);

fn wait() -> impl Future<Output = ()> + Send {
    let mut waited = false;
    std::future::poll_fn(move |_| {
        if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }
    })
}

impl VectorSpace for Waiting {
    async fn execute(&mut self, commands: &[Command]) -> Result<Vec<f64>> {
        let answers = self.0.execute(commands).await;
        wait().await;
        answers
    }

    async fn evaluate(&mut self, point: Vector, gradient: Vector) -> Result<f64> {
        let loss = self.0.evaluate(point, gradient).await;
        wait().await;
        loss
    }
}

#[test]
fn iterations_that_are_dropped_leave_no_trace() {
    let settings = Settings { iterations: 12, ..Settings::default() };
    let start = [-1.2, 1.0, 0.5, 2.0];
    let (expected, _) = run(&mut Unreliable::new(&start, rosenbrock(), 0, 0), settings, false);
    let mut space = Waiting(Unreliable::new(&start, rosenbrock(), 0, 0));
    let mut lbfgs = Lbfgs::new(settings).unwrap();
    let mut path = Vec::new();
    let mut dropped = 0;
    for patience in (1..).map(|attempt| attempt * 7 % 16) {
        let mut context = Context::from_waker(Waker::noop());
        let mut iteration = Box::pin(lbfgs.iterate(&mut space));
        let polls = (0..patience).find_map(|_| match iteration.as_mut().poll(&mut context) {
            Poll::Ready(iteration) => Some(iteration.unwrap()),
            Poll::Pending => None,
        });
        drop(iteration);
        let Some(iteration) = polls else {
            dropped += 1;
            continue;
        };
        path.push(space.0.read(lbfgs.point()));
        if iteration.stop.is_some() {
            break;
        }
    }
    assert!(dropped > 3, "{dropped} were dropped");
    assert_eq!(path, expected);
}
