//! Short ways to say what tasks say, for tests.

use std::path::Path;

use super::super::{
    Books, Evaluated, Event, Finished, News, Progress, Saved, Seconds, Served, Started, Time,
    Traffic, VariablePlace,
};
use super::Run;

pub fn started(task: &str, time: Time, step: i64, restarts: u32) -> News {
    News::Event(Event::Started(Started {
        time,
        task: task.into(),
        address: "127.0.0.1:2222".into(),
        step,
        target_step: Some(1000),
        restarts,
        ..Started::default()
    }))
}

pub fn progress(time: Time, step: i64, examples: u64, loss: f64) -> News {
    let seconds = Seconds { start: 1.0, step: 0.5 * time, data: 0.25 * time, ..Seconds::default() };
    let steps = step as u64;
    News::Event(Event::Progress(Progress {
        time,
        step,
        steps,
        examples,
        loss,
        seconds,
        ..Progress::default()
    }))
}

pub fn moved(time: Time, sent: u64, received: u64) -> News {
    let traffic = Some(Traffic { sent, received, ..Traffic::default() });
    let seconds = Seconds { step: time, exchange: Some(0.25 * time), ..Seconds::default() };
    News::Event(Event::Progress(Progress { time, traffic, seconds, ..Progress::default() }))
}

pub fn served(time: Time, sent: u64, received: u64, staleness: &[u64]) -> News {
    let books = Books {
        updates: staleness.iter().sum(),
        lost: 1,
        staleness: staleness.to_vec(),
        ..Books::default()
    };
    let traffic = Traffic { sent, received, ..Traffic::default() };
    News::Event(Event::Served(Served { time, traffic, books: Some(books) }))
}

pub fn evaluated(time: Time, step: i64, metrics: &[(&str, f64)]) -> News {
    let metrics = metrics.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    News::Event(Event::Evaluated(Evaluated { time, step, examples: 10_000, metrics }))
}

pub fn finished(time: Time, step: i64, reason: &str) -> News {
    let failed = reason.starts_with("failed");
    News::Event(Event::Finished(Finished { time, step, reason: reason.into(), failed }))
}

/// A run of three tasks that says things no run should say.
pub fn odd_run(seed: u64) -> Run {
    let mut odd = Odd(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut run = Run::new(Path::new("r"));
    for index in 0..120 {
        let event = odd.event();
        run.take(["worker-0", "worker-1", "ps-0"][index % 3], News::Event(event));
    }
    run
}

/// Numbers that no run should have, and files may.
struct Odd(u64);

impl Odd {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn real(&mut self) -> f64 {
        let odd = [0.0, 1.0, -1.0, 1e-300, 1e300, -1e300, f64::MAX, f64::INFINITY, f64::NAN, 1.7e9];
        match self.next() % 4 {
            0 => odd[self.next() as usize % odd.len()],
            _ => (self.next() % 1000) as f64 / 7.0,
        }
    }

    fn whole(&mut self) -> i64 {
        let odd = [0, -1, i64::MIN, i64::MAX, 1 << 53];
        match self.next() % 4 {
            0 => odd[self.next() as usize % odd.len()],
            _ => (self.next() % 5000) as i64,
        }
    }

    fn event(&mut self) -> Event {
        let (time, step, value) = (self.real(), self.whole(), self.real());
        let metrics = [("a<b".to_string(), self.real())].into();
        let number = self.whole() as u64;
        let traffic = Traffic { sent: number, received: 7, gradients: number, packed: number };
        match self.next() % 9 {
            0 => {
                let target_step = Some(self.whole());
                let task = "worker/0".to_string();
                let variable =
                    VariablePlace { name: "v".into(), shape: vec![], bytes: number, task };
                let variables = vec![variable.clone(), variable];
                let job = [("model".to_string(), "m".to_string())].into();
                let restarts = number as u32;
                Event::Started(Started {
                    time,
                    step,
                    target_step,
                    restarts,
                    job,
                    variables,
                    ..Started::default()
                })
            }
            8 => {
                let staleness = vec![number; (number % 80) as usize];
                let books = Books {
                    updates: number,
                    lost: number,
                    repeated: 1,
                    staleness,
                    ..Books::default()
                };
                Event::Served(Served { time, traffic, books: Some(books) })
            }
            1 => Event::Evaluated(Evaluated { time, step, examples: number, metrics }),
            2 => {
                Event::Saved(Saved { time, step, path: "p".into(), bytes: number, seconds: value })
            }
            3 if self.next().is_multiple_of(8) => Event::Finished(Finished {
                time,
                step,
                reason: "failed: x".into(),
                failed: value > 50.0,
            }),
            _ => {
                let exchange = Some(self.real());
                let seconds =
                    Seconds { data: self.real(), step: value, exchange, ..Seconds::default() };
                let loss = self.real();
                Event::Progress(Progress {
                    time,
                    step,
                    steps: number,
                    examples: number,
                    loss,
                    metrics,
                    seconds,
                    leases: None,
                    traffic: Some(traffic),
                })
            }
        }
    }
}
