//! The threads that iterators run on.
//!
//! The stages of a pipeline wait: for files, for each other, for functions of the graph. Compute threads never wait, so
//! an iterator that is asked for an element has it made on one of these. A thread serves one iterator at a time; it stays
//! a while after it has become idle, because the next request usually follows at once.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use downpour_tensor::{Result, Status};
use parking_lot::{Condvar, Mutex};

/// Iterators that can be busy at the same time. Each has one thread, besides those of its parallel stages.
const MOST: usize = 1024;
const IDLE: Duration = Duration::from_secs(5);

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    threads: usize,
    idle: usize,
}

struct Threads {
    queue: Mutex<Queue>,
    ready: Condvar,
}

static THREADS: Threads = Threads {
    queue: Mutex::new(Queue { jobs: VecDeque::new(), threads: 0, idle: 0 }),
    ready: Condvar::new(),
};

/// Runs a job on a thread that may wait.
pub(crate) fn spawn(job: impl FnOnce() + Send + 'static) -> Result<()> {
    let mut queue = THREADS.queue.lock();
    if queue.idle > queue.jobs.len() {
        queue.jobs.push_back(Box::new(job));
        THREADS.ready.notify_one();
        return Ok(());
    }
    if queue.threads >= MOST {
        return Err(Status::resource_exhausted(format!(
            "{MOST} dataset iterators are waiting for their elements at the same time; no more can begin"
        )));
    }
    let thread = std::thread::Builder::new().name("iterator".to_owned()).stack_size(8 << 20);
    thread.spawn(move || serve(Box::new(job))).map_err(|e| {
        Status::resource_exhausted(format!("the system has no thread for a dataset iterator: {e}"))
    })?;
    queue.threads += 1;
    Ok(())
}

fn serve(first: Job) {
    let mut next = Some(first);
    while let Some(job) = next {
        // Pipelines report their own panics; this keeps the count of threads right whatever happens.
        drop(catch_unwind(AssertUnwindSafe(job)));
        next = wait();
    }
}

/// Waits for a job; none comes for a thread that has been idle for long.
fn wait() -> Option<Job> {
    let mut queue = THREADS.queue.lock();
    queue.idle += 1;
    loop {
        if let Some(job) = queue.jobs.pop_front() {
            queue.idle -= 1;
            return Some(job);
        }
        if THREADS.ready.wait_for(&mut queue, IDLE).timed_out() && queue.jobs.is_empty() {
            queue.idle -= 1;
            queue.threads -= 1;
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn jobs_that_wait_for_each_other_all_run() {
        let (send, receive) = mpsc::channel();
        let doors: Vec<mpsc::Sender<()>> = (0..40)
            .map(|i| {
                let (open, door) = mpsc::channel::<()>();
                let send = send.clone();
                spawn(move || {
                    door.recv().unwrap();
                    send.send(i).unwrap();
                })
                .unwrap();
                open
            })
            .collect();
        // The last is let through first.
        for (i, door) in doors.iter().enumerate().rev() {
            door.send(()).unwrap();
            assert_eq!(receive.recv().unwrap(), i);
        }
        spawn(|| panic!("a job that fails")).unwrap();
    }
}
