//! OneShotIterator: an iterator over the dataset that a function makes, once.
//!
//! Protocol. The first step that needs the iterator calls the function; steps that come meanwhile wait in a list and get
//! the same answer. After a failure the next step tries again.

use std::sync::Arc;

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{
    AsyncContext, AsyncKernel, FunctionHandle, FunctionResult, KernelBox, Registry,
};
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

use super::place::ResourcePlace;
use super::resource::Iterator;
use crate::component::Signature;
use crate::dataset;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "OneShotIterator() -> (handle: resource) @stateful
                dataset_factory: func
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                container: string = ''
                shared_name: string = ''",
        )?
        .shape(shapes::scalar),
        |build| {
            Ok(KernelBox::asynchronous(OneShot(Arc::new(Shared {
                factory: build.callable("dataset_factory")?,
                place: ResourcePlace::new(build)?,
                signature: Signature::of(build)?,
                progress: Mutex::new(Progress::Idle),
            }))))
        },
    )
}

struct OneShot(Arc<Shared>);

struct Shared {
    factory: Arc<FunctionHandle>,
    place: ResourcePlace<Iterator>,
    signature: Signature,
    progress: Mutex<Progress>,
}

enum Progress {
    Idle,
    /// Steps that wait for the function.
    Running(Vec<AsyncContext>),
    Made,
}

impl AsyncKernel for OneShot {
    fn start(&self, cx: AsyncContext) {
        let mut progress = self.0.progress.lock();
        match &mut *progress {
            Progress::Running(waiting) => return waiting.push(cx),
            Progress::Made if self.0.place.exists(cx.step().resources()) => {
                drop(progress);
                return self.0.finish(cx, Ok(()));
            }
            _ => *progress = Progress::Running(Vec::new()),
        }
        drop(progress);
        let (shared, step) = (self.0.clone(), cx.step().clone());
        self.0.factory.run(&step, Vec::new(), move |result| {
            let made = shared.make(&cx, result);
            let next = if made.is_ok() { Progress::Made } else { Progress::Idle };
            let waiting = std::mem::replace(&mut *shared.progress.lock(), next);
            shared.finish(cx, made.clone());
            if let Progress::Running(waiting) = waiting {
                waiting.into_iter().for_each(|cx| shared.finish(cx, made.clone()));
            }
        });
    }
}

impl Shared {
    fn make(&self, cx: &AsyncContext, result: FunctionResult) -> Result<()> {
        let results = result?;
        let [made] = &results[..] else {
            return Err(Status::invalid_argument(
                "The `dataset_factory` function must return a single dataset.",
            ));
        };
        let dataset = dataset::from_tensor(made)?.clone();
        let make = || {
            let iterator = Iterator::new(Some(self.signature.clone()));
            iterator.start(dataset.clone()).map(|()| iterator)
        };
        self.place.find_or_make(cx.step().resources(), make).map(drop)
    }

    fn finish(&self, cx: AsyncContext, made: Result<()>) {
        let handle = made.map(|()| -> Vec<Tensor> { vec![self.place.handle(cx.step().device())] });
        cx.finish(handle);
    }
}
