//! What all cursors of one iterator share: the epoch they are in and the wish to stop.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

use crate::random::mix;

/// Handed to every stage when it is opened.
#[derive(Clone)]
pub struct Context {
    cancel: Cancel,
    /// Changes with every repetition around the stage; shuffles that differ each time depend on it.
    iteration: u64,
    /// The iteration the iterator as a whole was started with.
    first: u64,
    attachment: Option<Arc<dyn Any + Send + Sync>>,
    extensions: Arc<Mutex<Extensions>>,
}

/// Values that a whole iterator shares, one of a type.
type Extensions = HashMap<TypeId, Arc<dyn Any + Send + Sync>>;

impl Context {
    pub(crate) fn new(cancel: Cancel, epoch: u64) -> Context {
        let iteration = mix(0x5eed, epoch);
        let (attachment, extensions) = (None, Arc::default());
        Context { cancel, iteration, first: iteration, attachment, extensions }
    }

    /// The context of the `round`-th repetition within this one.
    pub fn repeated(&self, round: u64) -> Context {
        Context { iteration: mix(self.iteration, round), ..self.clone() }
    }

    /// The context of what is read once and then kept, whatever repetition asks first.
    pub fn unrepeated(&self) -> Context {
        Context { iteration: self.first, ..self.clone() }
    }

    /// A number that differs between repetitions.
    pub fn iteration(&self) -> u64 {
        self.iteration
    }

    /// The context with something for the stages before, in place of what a stage behind has attached.
    pub fn with_attachment(&self, attachment: Arc<dyn Any + Send + Sync>) -> Context {
        Context { attachment: Some(attachment), ..self.clone() }
    }

    /// Returns the attachment, if it is a `T`.
    pub fn attachment<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.attachment.clone()?.downcast().ok()
    }

    /// Returns the iterator's value of this type, the same in all of its stages and repetitions; it begins as the default.
    pub fn extension<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        let mut extensions = self.extensions.lock();
        let value = extensions.entry(TypeId::of::<T>()).or_insert_with(|| Arc::<T>::default());
        value.clone().downcast().unwrap_or_default() // The key is the type: the value is one.
    }

    /// The iterator's cancellation.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }
}

/// Something that waits and must look again when the iterator is cancelled.
pub trait Wake: Send + Sync {
    /// Wakes all who wait.
    fn wake(&self);
}

/// Ends an iterator from any thread. Clones are the same cancellation.
#[derive(Clone, Default)]
pub struct Cancel(Arc<Inner>);

#[derive(Default)]
struct Inner {
    cancelled: AtomicBool,
    waiting: Mutex<Vec<Weak<dyn Wake>>>,
}

impl Cancel {
    /// Everything that waits or reads for the iterator stops with a `Cancelled` status.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        // Waking takes the waiters' own locks: not under ours.
        let waiting: Vec<_> = self.0.waiting.lock().iter().filter_map(Weak::upgrade).collect();
        waiting.iter().for_each(|w| w.wake());
    }

    /// True once `cancel` was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    /// An error once `cancel` was called.
    pub fn check(&self) -> Result<()> {
        match self.is_cancelled() {
            true => Err(Status::cancelled("the dataset iterator was cancelled")),
            false => Ok(()),
        }
    }

    /// `waiter` is woken by `cancel`. Whoever waits checks `is_cancelled` under the lock that
    /// `wake` takes, so that no wake-up is missed.
    pub fn register(&self, waiter: Weak<dyn Wake>) {
        let mut waiting = self.0.waiting.lock();
        waiting.retain(|w| w.strong_count() > 0);
        waiting.push(waiter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_iterator_has_one_value_of_a_type() {
        let context = Context::new(Cancel::default(), 0);
        let count = |context: &Context| {
            let counter = context.extension::<std::sync::atomic::AtomicU32>();
            counter.fetch_add(1, Ordering::Relaxed)
        };
        assert_eq!([count(&context), count(&context.repeated(1))], [0, 1]);
        assert_eq!(*context.extension::<Mutex<u32>>().lock(), 0);
        assert_eq!(count(&Context::new(Cancel::default(), 0)), 0);
    }
}
