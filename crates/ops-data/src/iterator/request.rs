//! Requests of kernels to an iterator, and the thread that answers them.
//!
//! Protocol.
//!
//! 1. A kernel waits in its [`Request`] until somebody answers: the iterator's thread, or the cancellation of the step.
//! 2. Requests of one iterator are queued and answered one after the other, in order. Whoever queues a request while no
//!    thread is at work starts one; the thread ends when the queue is empty, and says so under the queue's lock.
//! 3. An element whose kernel was cancelled while it was made is kept and is the answer to the next request: nothing of
//!    a dataset is lost when a step ends.
//! 4. Where an iterator stands is asked for in the same queue: after the elements that were asked for before, and before
//!    those that are asked for later. The kept elements belong to it.
//! 5. Answers go on on a compute thread. If the next element lies ready and nobody is before it, the kernel takes it at
//!    once on the thread it runs on.

use std::collections::VecDeque;
use std::sync::Arc;

use downpour_data::{Cancel, DatasetIterator, Element};
use downpour_runtime::AsyncContext;
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

use super::saved::SavedPosition;
use super::waiter::{Waiter, finish};
use crate::dataset::GraphDataset;
use crate::threads;

/// Makes the outputs of a kernel from the next element, or from none at the end.
pub(super) type Answer = Box<dyn FnOnce(Result<Option<Element>>) -> Result<Vec<Tensor>> + Send>;

/// Makes the outputs of a kernel from where an iterator stands.
pub(super) type Describe = Box<dyn FnOnce(SavedPosition) -> Result<Vec<Tensor>> + Send>;

/// The request of a kernel.
enum RequestKind {
    Next(Answer),
    Position(Describe),
}

struct Request {
    wish: RequestKind,
    waiter: Waiter,
}

/// A pipeline that is being iterated.
pub(super) struct Running {
    dataset: GraphDataset,
    iterator: Mutex<Option<DatasetIterator>>,
    cancel: Cancel,
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
            cancel: Cancel::default(),
            queue: Mutex::default(),
        })
    }

    /// Returns an iteration that goes on where another of the same dataset stood.
    pub fn resume(
        dataset: GraphDataset,
        saved: &SavedPosition,
        cancel: Cancel,
    ) -> Result<Arc<Running>> {
        let iterator = dataset.pipeline.iterate_with(cancel.clone(), Some(&saved.position))?;
        let kept = saved.kept.iter().map(|element| Ok(Some(Element::new(element.clone()))));
        let queue = Queue { kept: kept.collect(), ..Queue::default() };
        let (iterator, queue) = (Mutex::new(Some(iterator)), Mutex::new(queue));
        Ok(Arc::new(Running { dataset, iterator, cancel, queue }))
    }

    /// Ends the pipeline: its threads stop, and who waits is answered with CANCELLED.
    pub fn close(&self) {
        self.queue.lock().is_closed = true;
        self.cancel.cancel();
    }

    /// Takes the next element on behalf of a kernel, which is finished with the answer.
    pub fn ask(self: &Arc<Self>, cx: AsyncContext, answer: Answer) {
        if let Some(element) = self.take_ready() {
            return cx.finish(answer(element));
        }
        self.enqueue(cx, RequestKind::Next(answer));
    }

    /// Tells a kernel where the iteration stands; the kernel is finished with what it makes of it.
    pub fn ask_position(self: &Arc<Self>, cx: AsyncContext, describe: Describe) {
        self.enqueue(cx, RequestKind::Position(describe));
    }

    fn enqueue(self: &Arc<Self>, cx: AsyncContext, wish: RequestKind) {
        let waiter = Waiter::new(cx);
        let mut queue = self.queue.lock();
        queue.requests.push_back(Request { wish, waiter });
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
            if let Some(cx) = request.waiter.take() {
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
            if !request.waiter.is_waiting() {
                continue;
            }
            match request.wish {
                RequestKind::Next(answer) => {
                    let element = self.next();
                    match request.waiter.take() {
                        Some(cx) => finish(cx, answer(element)),
                        None => self.queue.lock().kept.push_back(element),
                    }
                }
                RequestKind::Position(describe) => {
                    let saved = self.save();
                    if let Some(cx) = request.waiter.take() {
                        finish(cx, saved.and_then(describe));
                    }
                }
            }
        }
    }

    /// Returns where the iteration stands. An error that nobody was there to be told of is not part of it.
    fn save(&self) -> Result<SavedPosition> {
        let position = self.with_iterator(|iterator| Ok(DatasetIterator::position(iterator)))?;
        let queue = self.queue.lock();
        let elements = queue.kept.iter().filter_map(|kept| kept.as_ref().ok()?.as_ref());
        let kept = elements.map(|element| element.tensors().to_vec()).collect();
        Ok(SavedPosition { position, kept })
    }

    fn next(&self) -> Result<Option<Element>> {
        if let Some(kept) = self.queue.lock().kept.pop_front() {
            return kept;
        }
        self.with_iterator(DatasetIterator::next)
    }

    /// Does something with the pipeline, which is opened if it was not yet.
    fn with_iterator<T>(&self, work: impl FnOnce(&mut DatasetIterator) -> Result<T>) -> Result<T> {
        let mut held = self.iterator.lock();
        if self.queue.lock().is_closed {
            return Err(Status::cancelled("the iterator was deleted or initialized again"));
        }
        let iterator = match &mut *held {
            Some(iterator) => iterator,
            none => none.insert(self.dataset.pipeline.iterate_with(self.cancel.clone(), None)?),
        };
        work(iterator)
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use downpour_data::Dataset;
    use downpour_runtime::{CancellationToken, Outputs};
    use downpour_tensor::{Code, DataType};

    use super::*;
    use crate::component::Signature;
    use crate::iterator::testing::kernel;

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
    fn a_kept_element_belongs_to_where_the_iterator_stands() {
        let (running, open) = waiting();
        let (first, second) = (CancellationToken::new(), CancellationToken::new());
        let cancelled = ask(&running, &first);
        first.cancel();
        drop(cancelled);
        // The thread may be at the element already, or not have begun.
        let (cx, receive) = kernel(&second);
        running.ask_position(cx, Box::new(|saved| Ok(vec![saved.into_tensor()?])));
        drop(open);
        let saved = receive.recv().unwrap().unwrap();
        let saved = SavedPosition::from_tensor(saved[0].tensor().unwrap()).unwrap();
        let (other, open) = waiting();
        drop(open);
        let resumed = Running::resume(other.dataset.clone(), saved, Cancel::default()).unwrap();
        for expected in 0..3 {
            assert_eq!(number(ask(&resumed, &second).recv().unwrap().unwrap()), expected);
        }
        let end = ask(&resumed, &second).recv().unwrap();
        assert_eq!(end.err().unwrap().code(), Code::OutOfRange);
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
