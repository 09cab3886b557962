//! A run as its tasks' files tell it: the one model behind the progress display and the report.

mod clock;
mod happenings;
mod metrics;
mod outcome;
mod places;
mod rates;
mod rewind;
mod split;
mod staleness;
mod task;
mod task_clock;
#[cfg(test)]
pub(crate) mod testing;
mod traffic;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};

pub use clock::Clock;
pub use happenings::{Happening, Kind};
pub use metrics::Metric;
pub use outcome::Outcome;
pub use places::{Place, Servers};
pub use rewind::Rewind;
pub use split::Split;
pub use staleness::Staleness;
pub use task::{Life, Point, Sample, Task};

use super::{News, Saved, Started, Tail, Time};

/// Everything known about a run.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The run's folder, as it was given.
    pub folder: PathBuf,
    tasks: Vec<Task>,
    by_file: HashMap<String, usize>,
}

impl Run {
    /// An empty model of the run in `folder`, to be filled by [`Run::follow`] or [`Run::take`].
    pub fn new(folder: &Path) -> Run {
        Run { folder: folder.to_path_buf(), ..Run::default() }
    }

    /// Reads a run that is over (or as far as it has come).
    pub fn read(folder: &Path) -> io::Result<Run> {
        let tasks = folder.join("tasks");
        if !tasks.is_dir() {
            let message = format!(
                "{} is missing: {} is not the folder of a run (`downpour train` makes one)",
                tasks.display(),
                folder.display()
            );
            return Err(io::Error::new(io::ErrorKind::NotFound, message));
        }
        let mut run = Run::new(folder);
        Tail::new(folder).finish(|file, news| run.take(file, news))?;
        Ok(run)
    }

    /// Takes in what the tasks have written since the last call.
    pub fn follow(&mut self, tail: &mut Tail) -> io::Result<()> {
        tail.poll(|file, news| self.take(file, news))
    }

    /// Takes in one piece of news from a task's file (named without its extension).
    pub fn take(&mut self, file: &str, news: News) {
        let index = self.index(file);
        match news {
            News::Event(event) => self.tasks[index].take(event),
            News::BeganAgain => self.tasks[index] = Task::of_file(file),
        }
    }

    fn index(&mut self, file: &str) -> usize {
        if let Some(index) = self.by_file.get(file) {
            return *index;
        }
        self.tasks.push(Task::of_file(file));
        self.by_file.insert(file.to_string(), self.tasks.len() - 1);
        self.tasks.len() - 1
    }

    /// The folder's own name.
    pub fn name(&self) -> String {
        let absolute = std::path::absolute(&self.folder).unwrap_or_else(|_| self.folder.clone());
        absolute.file_name().map_or("run".into(), |name| name.to_string_lossy().into_owned())
    }

    /// All tasks, workers before servers, `worker/2` before `worker/10`.
    pub fn tasks(&self) -> Vec<&Task> {
        let mut tasks: Vec<&Task> = self.tasks.iter().collect();
        tasks.sort_by_key(|task| task.order());
        tasks
    }

    /// The tasks that train.
    pub fn workers(&self) -> Vec<&Task> {
        self.tasks().into_iter().filter(|task| task.trains()).collect()
    }

    /// The task that initialises, saves and evaluates: the one that has described the job.
    pub fn chief(&self) -> Option<&Task> {
        let tasks = self.tasks();
        let described = tasks.iter().find(|task| task.starts().any(|start| !start.job.is_empty()));
        described.or_else(|| tasks.iter().find(|task| task.trains())).copied()
    }

    /// The chief's latest start that satisfies a condition.
    fn latest_start(&self, wanted: impl Fn(&Started) -> bool) -> Option<&Started> {
        let starts = self.chief()?.starts().filter(|start| wanted(start));
        starts.last()
    }

    /// What is trained and how, in lines for people.
    pub fn job(&self) -> BTreeMap<String, String> {
        self.latest_start(|start| !start.job.is_empty())
            .map_or_else(BTreeMap::new, |start| start.job.clone())
    }

    /// The step at which the run shall end.
    pub fn target_step(&self) -> Option<i64> {
        self.latest_start(|_| true).and_then(|start| start.target_step)
    }

    /// The global step reached.
    pub fn step(&self) -> i64 {
        let since = self.rewinds().last().map_or(f64::NEG_INFINITY, |rewind| rewind.time);
        let told = self.tasks.iter().filter_map(|task| task.lives.last());
        told.flat_map(|life| life.last_step(since)).max().unwrap_or(0)
    }

    /// Every return to an earlier step, in order of time.
    pub fn rewinds(&self) -> &[Rewind] {
        self.chief().map_or(&[], |chief| &chief.rewinds)
    }

    /// When anything was heard last.
    pub fn last_time(&self) -> Option<Time> {
        self.tasks.iter().flat_map(|task| &task.lives).map(|life| life.last).reduce(f64::max)
    }

    /// When the first task started.
    pub fn first_time(&self) -> Option<Time> {
        self.tasks.iter().flat_map(|task| &task.lives).map(|life| life.first).reduce(f64::min)
    }

    /// Examples trained by all workers in all their lives.
    pub fn examples(&self) -> u64 {
        self.tasks.iter().map(Task::examples).fold(0, u64::saturating_add)
    }

    /// All checkpoints written, in order of time.
    pub fn checkpoints(&self) -> Vec<&Saved> {
        let mut all: Vec<&Saved> = self.tasks.iter().flat_map(|task| &task.checkpoints).collect();
        all.sort_by(|left, right| left.time.total_cmp(&right.time));
        all
    }

    /// The checkpoint from which the run would go on.
    pub fn last_checkpoint(&self) -> Option<&Saved> {
        self.checkpoints().pop()
    }

    /// The command that takes the run up again.
    pub fn resume_command(&self) -> String {
        crate::commands::resume(self)
    }

    /// How often tasks had to be started again.
    pub fn restarts(&self) -> u32 {
        self.tasks.iter().map(Task::restarts).fold(0, u32::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::testing::*;
    use super::*;

    #[test]
    fn a_resumed_run_counts_from_its_checkpoint() {
        let mut run = Run::new(Path::new("runs/digits"));
        run.take("worker-0", started("worker/0", 0.0, 0, 0));
        run.take("worker-0", progress(10.0, 500, 6400, 0.5));
        run.take("worker-0", started("worker/0", 100.0, 400, 0));
        assert_eq!((run.step(), run.examples(), run.restarts()), (400, 6400, 0));
        assert_eq!(run.rewinds(), [Rewind { time: 100.0, step: 400 }]);
        run.take("worker-0", progress(110.0, 450, 3200, 0.4));
        assert_eq!((run.step(), run.examples()), (450, 9600));
        assert_eq!((run.target_step(), run.name()), (Some(1000), "digits".into()));
    }

    #[test]
    fn a_file_that_began_again_is_forgotten() {
        let mut run = Run::new(Path::new("r"));
        run.take("worker-0", progress(10.0, 500, 6400, 0.5));
        run.take("worker-0", News::BeganAgain);
        assert_eq!((run.step(), run.examples(), run.workers().len()), (0, 0, 1));
    }

    #[test]
    fn reading_what_is_no_run_says_so() {
        let folder = tempfile::tempdir().expect("made");
        let error = Run::read(folder.path()).expect_err("refused");
        assert!(error.to_string().contains("not the folder of a run"), "{error}");
    }
}
