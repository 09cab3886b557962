//! Elements that are dealt to devices in turn, read ahead into a buffer for each.
//!
//! Protocol.
//!
//! 1. The elements are dealt in their order: the first to shard 0, the second to shard 1, and so on; errors are dealt as
//!    elements are. Who is asked first makes no difference.
//! 2. One thread at most reads. It goes on while the shard whose turn it is has room or a kernel that waits, and ends
//!    otherwise; the next kernel that takes an element starts one again. No thread waits for room.
//! 3. A kernel whose shard has nothing waits in the shard's list, and is answered, or cancelled with its step, once.
//! 4. What is read for a kernel that has been cancelled stays in the shard's buffer.

use std::collections::VecDeque;
use std::sync::Arc;

use downpour_data::{Cancel, Dataset, DatasetIterator, Element};
use downpour_runtime::AsyncContext;
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

use crate::iterator::waiter::{Waiter, finish};
use crate::threads;

pub(super) struct Buffers {
    pipeline: Dataset,
    iterator: Mutex<Option<DatasetIterator>>,
    cancel: Cancel,
    /// Elements that are read ahead for a shard.
    most: usize,
    dealt: Mutex<ShardQueues>,
}

struct ShardQueues {
    shards: Vec<Shard>,
    /// The shard that gets the next element.
    turn: usize,
    is_read: bool,
    is_at_end: bool,
    is_closed: bool,
}

#[derive(Default)]
struct Shard {
    ready: VecDeque<Result<Element>>,
    waiting: VecDeque<Waiter>,
}

impl Shard {
    fn drop_cancelled(&mut self) {
        self.waiting.retain(Waiter::is_waiting);
    }
}

impl ShardQueues {
    /// Takes what a kernel of a shard can be told at once. A shard has elements only if nobody waits for them.
    fn answer(&mut self, shard: i64) -> Option<Result<Vec<Tensor>>> {
        let count = self.shards.len();
        let (is_closed, is_at_end) = (self.is_closed, self.is_at_end);
        let place = usize::try_from(shard).ok().and_then(|place| self.shards.get_mut(place));
        match place {
            None => Some(Err(Status::invalid_argument(format!(
                "shard_num is {shard}, but the iterator has {count} shards"
            )))),
            Some(_) if is_closed => Some(Err(closed())),
            Some(place) => match place.ready.pop_front() {
                None if is_at_end => Some(Err(Status::out_of_range("End of sequence"))),
                ready => ready.map(|element| element.map(outputs)),
            },
        }
    }

    /// Returns the shard if a kernel of it has to wait.
    fn shard_without_answer(&mut self, shard: i64) -> Option<&mut Shard> {
        if self.is_closed || self.is_at_end {
            return None;
        }
        let shard = self.shards.get_mut(usize::try_from(shard).ok()?)?;
        shard.ready.is_empty().then_some(shard)
    }
}

fn closed() -> Status {
    Status::cancelled("the multi-device iterator was deleted or initialized again")
}

fn outputs(element: Element) -> Vec<Tensor> {
    element.into_tensors()
}

impl Buffers {
    pub fn new(pipeline: Dataset, shards: usize, most: usize) -> Arc<Buffers> {
        let shards = (0..shards).map(|_| Shard::default()).collect();
        let dealt =
            ShardQueues { shards, turn: 0, is_read: false, is_at_end: false, is_closed: false };
        Arc::new(Buffers {
            pipeline,
            iterator: Mutex::new(None),
            cancel: Cancel::default(),
            most,
            dealt: Mutex::new(dealt),
        })
    }

    /// Ends the pipeline; who waits is answered with CANCELLED.
    pub fn close(&self) {
        self.dealt.lock().is_closed = true;
        self.cancel.cancel();
        self.refuse_all(&closed());
    }

    /// Takes the next element of a shard on behalf of a kernel, which is finished with it.
    pub fn ask(self: &Arc<Self>, cx: AsyncContext, shard: i64) {
        let answer = self.dealt.lock().answer(shard);
        match answer {
            Some(answer) => cx.finish(answer),
            None => self.wait(cx, shard),
        }
        self.read_on();
    }

    /// Lets a kernel wait for the next element of its shard.
    fn wait(&self, cx: AsyncContext, shard: i64) {
        // Registering may cancel at once, and finish the kernel: not under the lock.
        let waiter = Waiter::new(cx);
        let answered = {
            let mut dealt = self.dealt.lock();
            // An element may have come meanwhile, or the end.
            match dealt.shard_without_answer(shard) {
                Some(shard) => return shard.waiting.push_back(waiter),
                // A kernel that was cancelled takes nothing.
                None => waiter.take().and_then(|cx| Some((cx, dealt.answer(shard)?))),
            }
        };
        if let Some((cx, answer)) = answered {
            cx.finish(answer);
        }
    }

    /// Starts a thread that reads, if there is something to read for.
    fn read_on(self: &Arc<Self>) {
        {
            let mut dealt = self.dealt.lock();
            if dealt.is_read || !self.has_use(&mut dealt) {
                return;
            }
            dealt.is_read = true;
        }
        let this = self.clone();
        if let Err(error) = threads::spawn(move || this.read()) {
            self.dealt.lock().is_read = false;
            self.refuse_all(&error);
        }
    }

    /// Whether the next element has somebody who waits for it, or room. A kernel that waits for a later one waits for
    /// this too.
    fn has_use(&self, dealt: &mut ShardQueues) -> bool {
        if dealt.is_closed || dealt.is_at_end {
            return false;
        }
        let turn = dealt.turn;
        let shard = &mut dealt.shards[turn];
        shard.drop_cancelled();
        shard.ready.len() < self.most || !shard.waiting.is_empty()
    }

    /// Reads and deals elements as long as there is use for them.
    fn read(&self) {
        loop {
            {
                let mut dealt = self.dealt.lock();
                if !self.has_use(&mut dealt) {
                    dealt.is_read = false;
                    return;
                }
            }
            match self.next().transpose() {
                Some(item) => self.deal(item),
                None => {
                    self.dealt.lock().is_at_end = true;
                    self.refuse_all(&Status::out_of_range("End of sequence"));
                }
            }
        }
    }

    fn next(&self) -> Result<Option<Element>> {
        let mut held = self.iterator.lock();
        let iterator = match &mut *held {
            Some(iterator) => iterator,
            none => none.insert(self.pipeline.iterate_with(self.cancel.clone(), None)?),
        };
        iterator.next()
    }

    /// Gives an item to the shard whose turn it is.
    fn deal(&self, item: Result<Element>) {
        loop {
            let waiter = {
                let mut dealt = self.dealt.lock();
                let turn = dealt.turn;
                let Some(waiter) = dealt.shards[turn].waiting.pop_front() else {
                    dealt.shards[turn].ready.push_back(item);
                    dealt.turn = (turn + 1) % dealt.shards.len();
                    return;
                };
                waiter
            };
            if let Some(cx) = waiter.take() {
                let mut dealt = self.dealt.lock();
                dealt.turn = (dealt.turn + 1) % dealt.shards.len();
                drop(dealt);
                return finish(cx, item.map(outputs));
            }
        }
    }

    fn refuse_all(&self, error: &Status) {
        let waiting: Vec<Waiter> = {
            let mut dealt = self.dealt.lock();
            dealt.shards.iter_mut().flat_map(|shard| shard.waiting.drain(..)).collect()
        };
        for cx in waiting.into_iter().filter_map(Waiter::take) {
            finish(cx, Err(error.clone()));
        }
    }
}

/// The pipeline's threads are waited for when it is dropped, and they may wait for compute threads: not on one of those.
impl Drop for Buffers {
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

    use downpour_runtime::{CancellationToken, Outputs};
    use downpour_tensor::Code;

    use super::*;
    use crate::iterator::testing::kernel;

    fn ask(
        buffers: &Arc<Buffers>,
        shard: i64,
        token: &CancellationToken,
    ) -> mpsc::Receiver<Result<Outputs>> {
        let (cx, receive) = kernel(token);
        buffers.ask(cx, shard);
        receive
    }

    fn number(answer: mpsc::Receiver<Result<Outputs>>) -> i64 {
        answer.recv().unwrap().unwrap()[0].tensor().unwrap().to_scalar().unwrap()
    }

    fn code(answer: mpsc::Receiver<Result<Outputs>>) -> Code {
        answer.recv().unwrap().err().unwrap().code()
    }

    #[test]
    fn elements_are_dealt_in_turn_whoever_asks_first() {
        for most in [0, 1, 5] {
            let buffers = Buffers::new(Dataset::range(5), 2, most);
            let step = CancellationToken::new();
            let second = ask(&buffers, 1, &step);
            let first: Vec<_> = (0..4).map(|_| ask(&buffers, 0, &step)).collect();
            let others: Vec<_> = (0..2).map(|_| ask(&buffers, 1, &step)).collect();
            assert_eq!(number(second), 1, "{most} ahead");
            let mut first = first.into_iter();
            for expected in [0, 2, 4] {
                assert_eq!(number(first.next().unwrap()), expected, "{most} ahead");
            }
            assert_eq!(code(first.next().unwrap()), Code::OutOfRange);
            let mut others = others.into_iter();
            assert_eq!(number(others.next().unwrap()), 3);
            assert_eq!(code(others.next().unwrap()), Code::OutOfRange);
            assert_eq!(code(ask(&buffers, 1, &step)), Code::OutOfRange);
            assert_eq!(code(ask(&buffers, 2, &step)), Code::InvalidArgument);
            assert_eq!(code(ask(&buffers, -1, &step)), Code::InvalidArgument);
        }
    }

    #[test]
    fn a_cancelled_kernel_loses_no_element() {
        let (open, door) = mpsc::channel::<()>();
        let door = Mutex::new(door);
        let pipeline = Dataset::range(4).map(move |element: Element| {
            let _ = door.lock().recv();
            Ok(element)
        });
        let buffers = Buffers::new(pipeline, 2, 1);
        let (first, second) = (CancellationToken::new(), CancellationToken::new());
        let cancelled = ask(&buffers, 0, &first);
        first.cancel();
        assert_eq!(code(cancelled), Code::Cancelled);
        let next = ask(&buffers, 0, &second);
        drop(open);
        assert_eq!(number(next), 0);
        assert_eq!(number(ask(&buffers, 1, &second)), 1);
    }

    #[test]
    fn who_waits_is_told_that_the_iterator_is_closed() {
        let (open, door) = mpsc::channel::<()>();
        let door = Mutex::new(door);
        let pipeline = Dataset::range(4).map(move |element: Element| {
            let _ = door.lock().recv();
            Ok(element)
        });
        let buffers = Buffers::new(pipeline, 1, 1);
        let step = CancellationToken::new();
        let waiting = ask(&buffers, 0, &step);
        buffers.close();
        assert_eq!(code(waiting), Code::Cancelled);
        assert_eq!(code(ask(&buffers, 0, &step)), Code::Cancelled);
        drop(open);
    }
}
