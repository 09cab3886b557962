//! `_ExchangeGradients`: hands tensors to what carries them between processes, and gives what they became.
//!
//! Downpour's own: a worker's graph has one for every bucket of gradients, so that they travel while the rest of
//! the backward pass still computes. Who carries is a resource of the session, put there by the trainer.

use std::sync::Arc;

use downpour_graph::OpSpec;
use downpour_runtime::{AsyncContext, AsyncKernel, KernelBox, Registry, Resource, ResourceManager};
use downpour_tensor::{Result, Status, Tensor};

/// Takes what the tensors of a bucket have become, or why they have not.
pub type Exchanged = Box<dyn FnOnce(Result<Vec<Tensor>>) + Send>;

/// Carries tensors to other processes and back.
pub trait Carrier: Send + Sync {
    /// Takes a bucket's tensors and returns at once; `done` is called exactly once, by any thread.
    fn carry(&self, bucket: usize, tensors: Vec<Tensor>, done: Exchanged);

    /// The step has ended before all is done: whatever is under way is to fail at once.
    fn abandon(&self);
}

/// A session's carrier, as a resource.
struct Carrying(Arc<dyn Carrier>);

impl Resource for Carrying {
    fn describe(&self) -> String {
        "what exchanges gradients with other workers".to_string()
    }
}

const CONTAINER: &str = "_exchange";
const NAME: &str = "carrier";

/// Steps with these resources hand their tensors to this carrier from now on.
pub fn set_carrier(resources: &ResourceManager, carrier: Arc<dyn Carrier>) -> Result<()> {
    // One that is there belongs to a connection of the past; if there is none, all the better.
    let _ = resources.delete::<Carrying>(CONTAINER, NAME);
    resources.create(CONTAINER, NAME, Carrying(carrier)).map(drop)
}

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let signature = "_ExchangeGradients(input: T) -> (output: T) @stateful
        T: list(type) >= 1
        bucket: int >= 0";
    registry.add(OpSpec::new(signature)?.not_differentiable(), |build| {
        let bucket = usize::try_from(build.int("bucket")?);
        let bucket = bucket.map_err(|_| Status::invalid_argument("bucket must not be negative"))?;
        Ok(KernelBox::asynchronous(Exchange { bucket }))
    })
}

struct Exchange {
    bucket: usize,
}

impl AsyncKernel for Exchange {
    fn start(&self, cx: AsyncContext) {
        let carrying = cx.step().resources().lookup::<Carrying>(CONTAINER, NAME);
        let Ok(carrying) = carrying else {
            return cx.finish(Err(Status::failed_precondition(
                "this step exchanges gradients with other workers, which only the trainer of such a worker can do",
            )));
        };
        let carrier = carrying.0.clone();
        let guard = cx.step().cancellation().on_cancel(move || carrier.abandon());
        let tensors = cx.tensors(0..cx.inputs_len());
        let done = move |result| {
            drop(guard);
            cx.finish(result);
        };
        carrying.0.carry(self.bucket, tensors, Box::new(done));
    }

    fn expensive(&self) -> bool {
        false
    }
}
