//! One task of a run: its lives, and what it measured in them.

use std::collections::BTreeMap;

use super::super::{
    Books, Evaluated, Event, Finished, LeaseCounts, Moved, Progress, Saved, Seconds, Started, Time,
    Traffic, Warned,
};
use super::Rewind;
use super::task_clock::TaskClock;

/// A task with everything its file says.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// `worker/0`, `ps/1`, `local`.
    pub name: String,
    /// From one start to the next; a task that never restarts has one.
    pub lives: Vec<Life>,
    /// What it measured.
    pub evaluations: Vec<Evaluated>,
    /// What it saved.
    pub checkpoints: Vec<Saved>,
    /// Variables that have moved to other servers, from the chief.
    pub moves: Vec<Moved>,
    /// Returns to earlier steps, in order of time; the chief's are the run's.
    pub(super) rewinds: Vec<Rewind>,
    clock: TaskClock,
    reached: i64,
}

/// A task between a start and its end (or the next start).
#[derive(Clone, Debug, Default)]
pub struct Life {
    /// Missing when the line was lost.
    pub started: Option<Started>,
    /// How it went on.
    pub points: Vec<Point>,
    /// Metrics of training batches, by name.
    pub metrics: BTreeMap<String, Vec<Sample>>,
    /// Where time went, by the latest word.
    pub seconds: Seconds,
    /// What became of leases, by the latest word.
    pub leases: Option<LeaseCounts>,
    /// What went over the network, by the latest word; none if nobody counted.
    pub traffic: Option<Traffic>,
    /// Of a parameter server: what it counted, by the latest word.
    pub books: Option<Books>,
    /// What it warned of.
    pub warnings: Vec<Warned>,
    /// Its end, if it said one.
    pub finished: Option<Finished>,
    /// Time of the first word.
    pub first: Time,
    /// Time of the last word.
    pub last: Time,
}

/// What remains of a line of progress.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// When.
    pub time: Time,
    /// The global step.
    pub step: i64,
    /// Since the life's start.
    pub examples: u64,
    /// Bytes sent and received since the life's start, 0 if nobody counted.
    pub bytes: u64,
    /// Mean over the steps since the point before.
    pub loss: f64,
}

/// A value at a global step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// When.
    pub time: Time,
    /// The global step.
    pub step: i64,
    /// The value.
    pub value: f64,
}

impl Task {
    /// A task of which only the file is known; its name until it says another.
    pub(super) fn of_file(file: &str) -> Task {
        let name = match file.rsplit_once(['-', '_']) {
            Some((job, index)) if index.parse::<u32>().is_ok() => format!("{job}/{index}"),
            _ => file.to_string(),
        };
        Task { name, ..Task::default() }
    }

    pub(super) fn take(&mut self, mut event: Event) {
        let time = event.time_mut();
        *time = self.clock.forward(*time);
        match &event {
            Event::Started(started) => self.reach(started.time, started.step),
            Event::Progress(progress) => self.reach(progress.time, progress.step),
            _ => {}
        }
        match event {
            Event::Started(started) => {
                if !started.task.is_empty() {
                    self.name.clone_from(&started.task);
                }
                let (first, last) = (started.time, started.time);
                self.lives.push(Life { started: Some(started), first, last, ..Life::default() });
            }
            Event::Progress(progress) => self.life(progress.time).progress(progress),
            Event::Served(served) => {
                let life = self.life(served.time);
                life.traffic = Some(served.traffic);
                life.books = served.books;
            }
            Event::Evaluated(evaluated) => {
                self.life(evaluated.time);
                self.evaluations.push(evaluated);
            }
            Event::Saved(saved) => {
                self.life(saved.time);
                self.checkpoints.push(saved);
            }
            Event::Pushed(pushed) => drop(self.life(pushed.time)),
            Event::Moved(moved) => {
                self.life(moved.time);
                self.moves.push(moved);
            }
            Event::Decided(decided) => drop(self.life(decided.time)),
            Event::Leased(leased) => drop(self.life(leased.time)),
            Event::Warned(warned) => self.life(warned.time).warnings.push(warned),
            Event::Finished(finished) => {
                let life = self.life(finished.time);
                life.finished = Some(finished);
            }
        }
    }

    fn reach(&mut self, time: Time, step: i64) {
        if step < self.reached {
            self.rewinds.push(Rewind { time, step });
        }
        self.reached = step;
    }

    /// The life in which something happens now.
    fn life(&mut self, time: Time) -> &mut Life {
        if self.lives.is_empty() {
            self.lives.push(Life { first: time, last: time, ..Life::default() });
        }
        let index = self.lives.len() - 1;
        let life = &mut self.lives[index];
        life.last = life.last.max(time);
        life
    }

    /// `("worker", 3)` of `worker/3`.
    fn parts(&self) -> (&str, u32) {
        let (job, index) = self.name.rsplit_once('/').unwrap_or((&self.name, "0"));
        (job, index.parse().unwrap_or(0))
    }

    pub(super) fn order(&self) -> (u8, String, u32) {
        let (job, index) = self.parts();
        let rank = match job {
            "local" | "chief" | "master" => 0,
            "worker" => 1,
            "evaluator" => 3,
            "ps" => 4,
            _ => 2,
        };
        (rank, job.to_string(), index)
    }

    /// A parameter server.
    pub fn serves(&self) -> bool {
        self.parts().0 == "ps"
    }

    /// A worker, or anyone else who has told of training steps.
    pub fn trains(&self) -> bool {
        let named = matches!(self.parts().0, "local" | "chief" | "master" | "worker");
        let told = self.lives.iter().any(|life| !life.points.is_empty());
        named || (told && !self.serves())
    }

    pub(super) fn starts(&self) -> impl Iterator<Item = &Started> {
        self.lives.iter().filter_map(|life| life.started.as_ref())
    }

    /// Where it listened last.
    pub fn address(&self) -> &str {
        self.starts().last().map_or("", |start| &start.address)
    }

    /// Examples of all lives.
    pub fn examples(&self) -> u64 {
        self.lives.iter().map(Life::examples).fold(0, u64::saturating_add)
    }

    /// What became of leases over all lives, where data is leased.
    pub fn leases(&self) -> Option<LeaseCounts> {
        let told = self.lives.iter().filter_map(|life| life.leases);
        told.reduce(|a, b| LeaseCounts {
            taken: a.taken + b.taken,
            returned: a.returned + b.returned,
            completed: a.completed + b.completed,
            lost: a.lost + b.lost,
            fenced: a.fenced + b.fenced,
            examples: a.examples + b.examples,
            repeated: a.repeated + b.repeated,
        })
    }

    /// Starts that were not the user's: as its supervisor counted them, over all times the run was resumed.
    pub fn restarts(&self) -> u32 {
        let mut counted: u32 = 0;
        let mut before = 0;
        for start in self.starts() {
            counted = start.restarts.saturating_sub(before).saturating_add(counted);
            before = start.restarts;
        }
        counted
    }

    /// The latest progress of all lives.
    pub fn last_point(&self) -> Option<&Point> {
        self.lives.iter().rev().find_map(|life| life.points.last())
    }
}

impl Life {
    fn progress(&mut self, progress: Progress) {
        let Progress { time, step, examples, loss, metrics, seconds, traffic, leases, steps: _ } =
            progress;
        self.leases = leases.or(self.leases);
        let bytes = traffic.map_or(0, |traffic| traffic.sent.saturating_add(traffic.received));
        self.points.push(Point { time, step, examples, bytes, loss });
        self.seconds = seconds;
        self.traffic = traffic.or(self.traffic);
        for (name, value) in metrics {
            self.metrics.entry(name).or_default().push(Sample { time, step, value });
        }
    }

    /// Examples trained in this life.
    pub fn examples(&self) -> u64 {
        self.points.last().map_or(0, |point| point.examples)
    }

    /// The latest step told at or after `since`.
    pub(super) fn last_step(&self, since: Time) -> Option<i64> {
        let start = self.started.as_ref().map(|start| (start.time, start.step));
        let point = self.points.last().map(|point| (point.time, point.step));
        let end = self.finished.as_ref().map(|finished| (finished.time, finished.step));
        let told = [start, point, end].into_iter().flatten();
        told.filter(|(time, _)| *time >= since).map(|(_, step)| step).max()
    }

    /// When training began: after building, waiting, initialising and restoring.
    pub fn ready(&self) -> Time {
        let until = self.points.first().map_or(self.last, |point| point.time);
        (self.first + self.seconds.start.max(0.0)).min(until)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::super::{News, Run};
    use super::*;

    #[test]
    fn a_task_is_named_by_its_file_until_it_says_more() {
        let name = |file| Task::of_file(file).name;
        assert_eq!([name("worker-10"), name("local"), name("a-b")], ["worker/10", "local", "a-b"]);
    }

    #[test]
    fn tasks_are_in_the_order_people_count() {
        let mut run = Run::default();
        for file in ["ps-0", "worker-10", "evaluator-0", "worker-2", "chief-0"] {
            run.take(file, News::BeganAgain);
        }
        let names: Vec<&str> = run.tasks().iter().map(|task| task.name.as_str()).collect();
        assert_eq!(names, ["chief/0", "worker/2", "worker/10", "evaluator/0", "ps/0"]);
    }

    #[test]
    fn only_the_supervisors_restarts_count() {
        let mut run = Run::default();
        for (time, restarts) in [(0.0, 0), (1.0, 1), (2.0, 3), (3.0, 0), (4.0, 1)] {
            run.take("worker-0", started("worker/0", time, 0, restarts));
        }
        assert_eq!(run.restarts(), 4);
    }
}
