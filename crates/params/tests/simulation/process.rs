//! A simulated process: tasks that are stopped, continued and killed together.
//!
//! A stopped process's tasks are not polled; its timers run out meanwhile, as those of a process that gets a
//! SIGSTOP. A killed one's are dropped wherever they stand, and with them its connections.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use parking_lot::Mutex;
use tokio::task::AbortHandle;

#[derive(Clone, Default)]
pub struct Process {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    stopped: bool,
    dead: bool,
    asleep: Vec<Waker>,
    tasks: Vec<AbortHandle>,
}

impl Process {
    pub fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        let task = Task { process: self.clone(), future: Box::pin(future) };
        let handle = tokio::spawn(task).abort_handle();
        let mut state = self.state.lock();
        state.tasks.retain(|task| !task.is_finished());
        state.tasks.push(handle);
    }

    pub fn stop(&self) {
        self.state.lock().stopped = true;
    }

    pub fn go_on(&self) {
        let asleep = {
            let mut state = self.state.lock();
            state.stopped = false;
            std::mem::take(&mut state.asleep)
        };
        asleep.into_iter().for_each(Waker::wake);
    }

    pub fn kill(&self) {
        let tasks = {
            let mut state = self.state.lock();
            state.dead = true;
            std::mem::take(&mut state.tasks)
        };
        tasks.iter().for_each(AbortHandle::abort);
    }
}

struct Task {
    process: Process,
    future: Pin<Box<dyn Future<Output = ()> + Send>>,
}

impl Future for Task {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        {
            let mut state = self.process.state.lock();
            if state.dead {
                return Poll::Ready(());
            }
            if state.stopped {
                state.asleep.push(cx.waker().clone());
                return Poll::Pending;
            }
        }
        self.future.as_mut().poll(cx)
    }
}
