//! Requests of kernels to an iterator, and the thread that answers them.
//!
//! Protocol.
//!
//! 1. A kernel's context lies in the slot of its [`Request`] until somebody answers. The iterator's thread and the
//!    cancellation of the step take it out under the slot's lock, so it is finished exactly once.
//! 2. Requests of one iterator are queued and answered one after the other, in order. Whoever queues a request while no
//!    thread is at work starts one; the thread ends when the queue is empty, and says so under the queue's lock.
//! 3. An element whose kernel was cancelled while it was made is kept and is the answer to the next request: nothing of
//!    a dataset is lost when a step ends.
//! 4. Answers go on on a compute thread. If the next element lies ready and nobody is before it, the kernel takes it at
//!    once on the thread it runs on.

use std::collections::VecDeque;
use std::sync::Arc;

use downpour_data::{Cancel, DatasetIterator, Element};
use downpour_runtime::{AsyncContext, CancelGuard};
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

use crate::dataset::GraphDataset;
use crate::threads;

/// Makes the outputs of a kernel from the next element, or from none at the end.
pub(super) type Answer = Box<dyn FnOnce(Result<Option<Element>>) -> Result<Vec<Tensor>> + Send>;

struct Request {
    answer: Answer,
    context: Arc<Mutex<Option<AsyncContext>>>,
    _cancel: CancelGuard,
}

/// A pipeline that is being iterated.
pub(super) struct Running {
    dataset: GraphDataset,
    iterator: Mutex<Option<DatasetIterator>>,
    cancel: Mutex<Option<Cancel>>,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    requests: VecDeque<Request>,
    is_served: bool,
    is_closed: bool,
    /// Elements that were made for kernels that had gone.
    kept: VecDeque<Result<Option<Element>>>,
}

impl Running {
    /// Returns an iteration from the beginning. The pipeline is opened when it is first asked.
    pub fn new(dataset: GraphDataset) -> Arc<Running> {
        Arc::new(Running {
            dataset,
            iterator: Mutex::new(None),
            cancel: Mutex::new(None),
            queue: Mutex::default(),
        })
    }

    /// Ends the pipeline: its threads stop, and who waits is answered with CANCELLED.
    pub fn close(&self) {
        self.queue.lock().is_closed = true;
        if let Some(cancel) = self.cancel.lock().clone() {
            cancel.cancel();
        }
    }

    /// Takes the next element on behalf of a kernel, which is finished with the answer.
    pub fn ask(self: &Arc<Self>, cx: AsyncContext, answer: Answer) {
        if let Some(element) = self.take_ready() {
            return cx.finish(answer(element));
        }
        let cancellation = cx.step().cancellation().clone();
        let context = Arc::new(Mutex::new(Some(cx)));
        let theirs = context.clone();
        let _cancel = cancellation.on_cancel(move || {
            let context = theirs.lock().take();
            if let Some(cx) = context {
                let what = format!("{} was cancelled", cx.node().op_name());
                cx.finish(Err(Status::cancelled(what).derived()));
            }
        });
        let mut queue = self.queue.lock();
        queue.requests.push_back(Request { answer, context, _cancel });
        if std::mem::replace(&mut queue.is_served, true) {
            return;
        }
        drop(queue);
        let this = self.clone();
        if let Err(error) = threads::spawn(move || this.serve()) {
            self.refuse_all(error);
        }
    }

    /// Returns the next element if it can be had without waiting.
    fn take_ready(&self) -> Option<Result<Option<Element>>> {
        let mut queue = self.queue.lock();
        if queue.is_served || queue.is_closed {
            return None;
        }
        if let Some(kept) = queue.kept.pop_front() {
            return Some(kept);
        }
        let mut iterator = self.iterator.try_lock()?;
        let iterator = iterator.as_mut().filter(|iterator| iterator.is_ready())?;
        Some(iterator.next())
    }

    fn refuse_all(&self, error: Status) {
        let requests = {
            let mut queue = self.queue.lock();
            queue.is_served = false;
            std::mem::take(&mut queue.requests)
        };
        for request in requests {
            let context = request.context.lock().take();
            if let Some(cx) = context {
                cx.finish(Err(error.clone()));
            }
        }
    }

    /// Answers requests until there are none.
    fn serve(&self) {
        loop {
            let request = {
                let mut queue = self.queue.lock();
                let Some(request) = queue.requests.pop_front() else {
                    queue.is_served = false;
                    return;
                };
                request
            };
            if request.context.lock().is_none() {
                continue;
            }
            let element = self.next();
            let context = request.context.lock().take();
            match context {
                Some(cx) => finish(cx, (request.answer)(element)),
                None => self.queue.lock().kept.push_back(element),
            }
        }
    }

    fn next(&self) -> Result<Option<Element>> {
        if let Some(kept) = self.queue.lock().kept.pop_front() {
            return kept;
        }
        let mut held = self.iterator.lock();
        let iterator = match &mut *held {
            Some(iterator) => iterator,
            none => {
                let opened = self.dataset.pipeline.iterate()?;
                *self.cancel.lock() = Some(opened.canceller());
                none.insert(opened)
            }
        };
        // Closed before it could be told.
        if self.queue.lock().is_closed {
            return Err(Status::cancelled("the iterator was deleted or initialized again"));
        }
        iterator.next()
    }
}

/// The pipeline's threads are waited for when it is dropped, and they may wait for compute threads: not on one of those.
impl Drop for Running {
    fn drop(&mut self) {
        if let Some(iterator) = self.iterator.get_mut().take() {
            // Without a thread for it, it is dropped here.
            let _ = threads::spawn(move || drop(iterator));
        }
    }
}

/// Goes on with the graph on a compute thread.
fn finish(cx: AsyncContext, result: Result<Vec<Tensor>>) {
    match cx.step().parallel().pool().cloned() {
        Some(pool) => pool.spawn(move || cx.finish(result)),
        None => cx.finish(result),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use downpour_data::Dataset;
    use downpour_graph::{Attrs, Graph, GraphBuilder, OpSpec};
    use downpour_runtime::{CancellationToken, Outputs, Parallel, Registry, Step, StepConfig};
    use downpour_tensor::{Code, DataType};

    use super::*;
    use crate::component::Signature;

    /// A kernel of a step of its own, and where its result goes.
    fn kernel(token: &CancellationToken) -> (AsyncContext, mpsc::Receiver<Result<Outputs>>) {
        let mut registry = Registry::new();
        registry
            .add_without_kernel(OpSpec::new("Take() -> (x: int64) @stateful").unwrap())
            .unwrap();
        let mut graph = Graph::new();
        let mut builder = GraphBuilder::new(&mut graph, registry.ops());
        let id = builder.add_named("take", "Take", &[], Attrs::new()).unwrap();
        let step = Step::new(StepConfig {
            id: 1,
            resources: Arc::default(),
            parallel: Parallel::serial(),
            cancellation: token.clone(),
            device: "".into(),
            trace: None,
            rendezvous: None,
        });
        let (send, receive) = mpsc::channel();
        let finish = Box::new(move |result| drop(send.send(result)));
        let node = Arc::new(graph.node(id).clone());
        (AsyncContext::new(node, step, Default::default(), finish), receive)
    }

    fn ask(running: &Arc<Running>, token: &CancellationToken) -> mpsc::Receiver<Result<Outputs>> {
        let (cx, receive) = kernel(token);
        let answer = |element: Result<Option<Element>>| match element? {
            Some(element) => Ok(element.into_tensors()),
            None => Err(Status::out_of_range("End of sequence")),
        };
        running.ask(cx, Box::new(answer));
        receive
    }

    fn number(outputs: Outputs) -> i64 {
        outputs[0].tensor().unwrap().to_scalar().unwrap()
    }

    /// An iteration of 0, 1, 2 that waits for a word before each element.
    fn waiting() -> (Arc<Running>, mpsc::Sender<()>) {
        let (open, door) = mpsc::channel();
        let door = Arc::new(Mutex::new(door));
        let pipeline = Dataset::range(3).map(move |element| {
            let _ = door.lock().recv();
            Ok(element)
        });
        let signature = Signature::scalar(DataType::Int64);
        let dataset = GraphDataset::with_signature(signature, pipeline, &[]).unwrap();
        (Running::new(dataset), open)
    }

    #[test]
    fn requests_are_answered_in_order() {
        let (running, open) = waiting();
        let step = CancellationToken::new();
        let answers: Vec<_> = (0..4).map(|_| ask(&running, &step)).collect();
        (0..3).for_each(|_| open.send(()).unwrap());
        for (i, answer) in answers.iter().take(3).enumerate() {
            assert_eq!(number(answer.recv().unwrap().unwrap()), i as i64);
        }
        assert_eq!(answers[3].recv().unwrap().err().unwrap().code(), Code::OutOfRange);
    }

    #[test]
    fn an_element_made_for_a_cancelled_step_is_the_next_ones() {
        let (running, open) = waiting();
        let (first, second) = (CancellationToken::new(), CancellationToken::new());
        let cancelled = ask(&running, &first);
        first.cancel();
        assert_eq!(cancelled.recv().unwrap().err().unwrap().code(), Code::Cancelled);
        let next = ask(&running, &second);
        open.send(()).unwrap();
        assert_eq!(number(next.recv().unwrap().unwrap()), 0);
    }

    #[test]
    fn whoever_drops_an_iteration_does_not_wait_for_its_threads() {
        let (open, door) = mpsc::channel();
        let (begin, begun) = mpsc::channel();
        let door = Arc::new(Mutex::new(door));
        let pipeline = Dataset::range(3)
            .map(move |element: Element| {
                if element[0].to_scalar::<i64>()? > 0 {
                    let _ = begin.send(());
                    let _ = door.lock().recv();
                }
                Ok(element)
            })
            .prefetch(1);
        let signature = Signature::scalar(DataType::Int64);
        let dataset = GraphDataset::with_signature(signature, pipeline, &[]).unwrap();
        let running = Running::new(dataset);
        assert_eq!(number(ask(&running, &CancellationToken::new()).recv().unwrap().unwrap()), 0);
        // The thread that reads ahead waits for the door, which opens only after this.
        begun.recv().unwrap();
        running.close();
        drop(running);
        open.send(()).unwrap();
    }
}
