//! SerializeIterator and DeserializeIterator: where an iterator stands, to be saved and to be restored.

use downpour_data::Cancel;
use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{AsyncContext, AsyncKernel, KernelBox, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::resource::Iterator;
use super::saved::{SavedPosition, register_decoders};
use crate::dataset::GraphDataset;
use crate::inspect::waiting::Waiting;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    register_decoders();
    registry.add(
        OpSpec::new(
            "SerializeIterator(resource_handle: resource) -> (serialized: variant) @stateful
                external_state_policy: int = 0",
        )?
        .shape(vector),
        |build| {
            Ok(KernelBox::asynchronous(Serialize(Policy::new(
                build.int("external_state_policy")?,
            )?)))
        },
    )?;
    registry.add(
        OpSpec::new(
            "DeserializeIterator(resource_handle: resource, serialized: variant) -> () @stateful",
        )?,
        |_| Ok(KernelBox::asynchronous(Deserialize)),
    )
}

fn vector(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.set_output(0, PartialShape::vector(None));
    Ok(())
}

/// The treatment of a dataset whose elements depend on more than its description.
#[derive(Clone, Copy)]
enum Policy {
    Warn,
    Ignore,
    Fail,
}

impl Policy {
    fn new(number: i64) -> Result<Policy> {
        match number {
            0 => Ok(Policy::Warn),
            1 => Ok(Policy::Ignore),
            2 => Ok(Policy::Fail),
            other => Err(Status::invalid_argument(format!(
                "Unexpected value of external policy: {other}"
            ))),
        }
    }

    fn check(self, dataset: &GraphDataset) -> Result<()> {
        let stage = dataset.pipeline.stage();
        if !stage.is_resumable() {
            return Err(Status::failed_precondition(format!(
                "the iterator over {} cannot be saved: its elements cannot be read again",
                dataset.pipeline.describe()
            )));
        }
        let Some(state) = (match self {
            Policy::Ignore => None,
            Policy::Warn | Policy::Fail => stage.external_state(),
        }) else {
            return Ok(());
        };
        let text = format!(
            "{state} is stateful. The iterator over {} may give other elements after it was restored",
            dataset.pipeline.describe()
        );
        match self {
            Policy::Fail => Err(Status::failed_precondition(text)),
            Policy::Warn | Policy::Ignore => {
                tracing::warn!("{text}");
                Ok(())
            }
        }
    }
}

struct Serialize(Policy);

impl AsyncKernel for Serialize {
    fn start(&self, cx: AsyncContext) {
        let running = cx.resource::<Iterator>(0).and_then(|iterator| {
            let (dataset, running) = iterator.current("Save", "saving it")?;
            self.0.check(&dataset).map(|()| running)
        });
        let describe = |saved: SavedPosition| saved.into_tensor().map(|tensor| vec![tensor]);
        match running {
            Ok(running) => running.ask_position(cx, Box::new(describe)),
            Err(error) => cx.finish(Err(error)),
        }
    }
}

struct Deserialize;

impl AsyncKernel for Deserialize {
    /// The elements before the position may have to be read again.
    fn start(&self, cx: AsyncContext) {
        Waiting::start(cx, deserialize);
    }
}

fn deserialize(cx: &AsyncContext) -> Result<Vec<Tensor>> {
    let iterator = cx.resource::<Iterator>(0)?;
    let cancel = Cancel::default();
    let theirs = cancel.clone();
    let _guard = cx.step().cancellation().on_cancel(move || theirs.cancel());
    iterator.resume(SavedPosition::from_tensor(cx.input(1))?, cancel)?;
    Ok(Vec::new())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use downpour_data::{Context, Cursor, Dataset, Stage, State};
    use downpour_runtime::ResourceManager;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Code, DataType};

    use super::*;
    use crate::component::Signature;

    /// The resources of a session with some iterators, each under its own name.
    struct Session(Arc<ResourceManager>);

    impl Session {
        fn with(iterators: &[(&str, Option<Dataset>)]) -> Session {
            let resources = Arc::new(ResourceManager::new());
            for (name, pipeline) in iterators {
                let signature = Signature::scalar(DataType::Int64);
                let iterator = Iterator::new(Some(signature.clone()));
                if let Some(pipeline) = pipeline.clone() {
                    let made = GraphDataset::with_signature(signature, pipeline, &[]).unwrap();
                    iterator.start(made).unwrap();
                }
                resources.create("", name, iterator).unwrap();
            }
            Session(resources)
        }

        fn run(&self, test: OpTest, name: &str) -> OpTest {
            let handle = ResourceManager::make_handle::<Iterator>("", "", name);
            test.resources(&self.0).input(Tensor::handle(handle))
        }

        fn save(&self, name: &str, policy: i64) -> Result<Tensor> {
            let test = OpTest::new(register, "SerializeIterator");
            self.run(test.attr("external_state_policy", policy), name).run_one()
        }

        fn restore(&self, name: &str, saved: Tensor) -> Result<()> {
            let test = OpTest::new(register, "DeserializeIterator");
            self.run(test, name).input(saved).run().map(drop)
        }

        fn next(&self, name: &str) -> Result<i64> {
            let test = OpTest::new(super::super::get_next::register, "IteratorGetNext")
                .attr("output_types", vec![DataType::Int64])
                .attr("output_shapes", vec![PartialShape::scalar()]);
            self.run(test, name).run_one()?.to_scalar()
        }
    }

    /// Numbers that are said to depend on something outside.
    struct Outside(Arc<dyn Stage>);

    impl Stage for Outside {
        fn describe(&self) -> String {
            "outside".to_owned()
        }

        fn inputs(&self) -> Vec<Arc<dyn Stage>> {
            vec![self.0.clone()]
        }

        fn external_state(&self) -> Option<String> {
            Some("RandomUniform".to_owned())
        }

        fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
            self.0.open(context, state)
        }
    }

    #[test]
    fn an_iterator_goes_on_where_another_stood_and_an_exhausted_one_stays_so() {
        let numbers = || Some(Dataset::range(3).repeat_times(2));
        let session = Session::with(&[("one", numbers()), ("other", numbers())]);
        let states: Vec<Tensor> = (0..7)
            .map(|_| {
                let state = session.save("one", 2).unwrap();
                let _ = session.next("one");
                state
            })
            .collect();
        let end = session.save("one", 2).unwrap();
        for (given, state) in states.into_iter().enumerate() {
            session.restore("other", state).unwrap();
            for expected in given..6 {
                assert_eq!(session.next("other").unwrap(), expected as i64 % 3);
            }
            assert_eq!(session.next("other").unwrap_err().code(), Code::OutOfRange);
        }
        session.restore("other", end).unwrap();
        assert_eq!(session.next("other").unwrap_err().code(), Code::OutOfRange);
    }

    #[test]
    fn a_position_of_another_dataset_is_refused_and_changes_nothing() {
        let batches = Dataset::range(9).skip(1);
        let session = Session::with(&[("range", Some(Dataset::range(9))), ("skip", Some(batches))]);
        session.next("range").unwrap();
        let refused = session.restore("skip", session.save("range", 2).unwrap()).unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
        assert!(refused.message().contains("range(9) | skip(1)"), "{refused}");
        assert_eq!(session.next("skip").unwrap(), 1);
        assert!(session.restore("skip", Tensor::scalar(1i64)).is_err());
    }

    #[test]
    fn an_iterator_must_have_begun() {
        let session = Session::with(&[("idle", None), ("range", Some(Dataset::range(2)))]);
        let error = session.save("idle", 2).unwrap_err();
        assert_eq!(error.code(), Code::FailedPrecondition);
        assert!(error.message().starts_with("Save() failed"), "{error}");
        let error = session.restore("idle", session.save("range", 2).unwrap()).unwrap_err();
        assert_eq!(error.code(), Code::FailedPrecondition);
        assert!(error.message().starts_with("Restore() failed"), "{error}");
    }

    #[test]
    fn state_outside_is_refused_reported_or_ignored() {
        let outside = Dataset::new(Outside(Dataset::range(4).stage().clone())).take(3);
        let session = Session::with(&[("outside", Some(outside))]);
        let error = session.save("outside", 2).unwrap_err();
        assert_eq!(error.code(), Code::FailedPrecondition);
        assert!(error.message().starts_with("RandomUniform is stateful"), "{error}");
        session.save("outside", 0).unwrap();
        session.save("outside", 1).unwrap();
        assert_eq!(session.save("outside", 3).unwrap_err().code(), Code::InvalidArgument);
    }
}
