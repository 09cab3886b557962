//! GeneratorDataset: elements that a function of the graph makes until it gives OUT_OF_RANGE.
//!
//! Functions begin and end each iteration: what the first gives is handed to the others. The last is called once for
//! each iteration that began, also if that is cancelled or dropped.

use std::sync::Arc;

use downpour_data::{Block, Cancel, Context, Cursor, Dataset, Element, Names, Stage, State};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{FunctionHandle, Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Code, Result, Tensor};

use crate::component::Signature;
use crate::dataset::GraphDataset;
use crate::function::{Captured, OpenFunction};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "GeneratorDataset(init_func_other_args: Tinit_func_args, next_func_other_args: Tnext_func_args, finalize_func_other_args: Tfinalize_func_args) -> (handle: variant) @stateful
                init_func: func
                next_func: func
                finalize_func: func
                Tinit_func_args: list(type) >= 0
                Tnext_func_args: list(type) >= 0
                Tfinalize_func_args: list(type) >= 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                metadata: string = ''",
        )?
        .shape(shapes::scalar),
        |build| {
            Ok(KernelBox::new(Generator {
                init: build.callable("init_func")?,
                next: build.callable("next_func")?,
                finalize: build.callable("finalize_func")?,
            }))
        },
    )
}

struct Generator {
    init: Arc<FunctionHandle>,
    next: Arc<FunctionHandle>,
    finalize: Arc<FunctionHandle>,
}

impl Kernel for Generator {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let signature = Signature::of(cx.node())?;
        let generated = GeneratorStage {
            init: Captured::new(cx, &self.init, "init_func_other_args")?,
            next: Captured::new(cx, &self.next, "next_func_other_args")?,
            finalize: Captured::new(cx, &self.finalize, "finalize_func_other_args")?,
            signature: signature.clone(),
        };
        let made = GraphDataset::with_signature(signature, Dataset::new(generated), &[])?;
        cx.set_output(0, made.into_tensor()?);
        Ok(())
    }
}

struct GeneratorStage {
    init: Arc<Captured>,
    next: Arc<Captured>,
    finalize: Arc<Captured>,
    signature: Signature,
}

impl Stage for GeneratorStage {
    fn describe(&self) -> String {
        "generator".to_owned()
    }

    /// Nobody knows what the functions keep outside.
    fn is_resumable(&self) -> bool {
        false
    }

    fn identify(&self, out: &mut Vec<u8>) {
        [&self.init, &self.next, &self.finalize].iter().for_each(|function| function.identify(out));
    }

    fn open(&self, context: &Context, _: Option<&State>) -> Result<Box<dyn Cursor>> {
        Ok(Box::new(GeneratorCursor {
            init: self.init.open(context),
            next: self.next.open(context),
            // It runs also when the iteration is cancelled.
            finalize: self.finalize.open_with(&Cancel::default()),
            names: self.signature.names(),
            signature: self.signature.clone(),
            progress: Progress::Before,
        }))
    }
}

struct GeneratorCursor {
    init: OpenFunction,
    next: OpenFunction,
    finalize: OpenFunction,
    signature: Signature,
    names: Names,
    progress: Progress,
}

enum Progress {
    Before,
    /// The result of the first function.
    Between(Vec<Tensor>),
    Behind,
}

impl GeneratorCursor {
    /// Calls the last function, unless it was called or the first was not.
    fn finish(&mut self) -> Result<()> {
        match std::mem::replace(&mut self.progress, Progress::Behind) {
            Progress::Between(kept) => self.finalize.call(kept).map(drop),
            Progress::Before | Progress::Behind => Ok(()),
        }
    }
}

impl Cursor for GeneratorCursor {
    fn next(&mut self, _: usize) -> Result<Option<Block>> {
        if let Progress::Before = self.progress {
            self.progress = Progress::Between(self.init.call(Vec::new())?);
        }
        let Progress::Between(kept) = &self.progress else { return Ok(None) };
        match self.next.call(kept.clone()) {
            Ok(components) => {
                self.signature.check_element(&components)?;
                let element = Element::from_parts(self.names.clone(), components)?;
                Ok(Some(Block::from_element(element)))
            }
            Err(error) if error.code() == Code::OutOfRange => self.finish().map(|()| None),
            Err(error) => Err(error),
        }
    }

    fn state(&self) -> State {
        State::default()
    }
}

impl Drop for GeneratorCursor {
    fn drop(&mut self) {
        // Nobody is left to be told of an error.
        let _ = self.finish();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use downpour_runtime::{
        CancellationToken, FunctionBody, FunctionResult, Parallel, Step, StepConfig,
    };
    use downpour_tensor::{DataType, Status};

    use super::*;

    type Call = dyn Fn(Vec<Tensor>) -> FunctionResult + Send + Sync;

    struct Body(Box<Call>);

    impl FunctionBody for Body {
        fn run(
            &self,
            _: &Arc<Step>,
            args: Vec<Tensor>,
            done: Box<dyn FnOnce(FunctionResult) + Send>,
        ) {
            done((self.0)(args));
        }
    }

    fn captured(
        call: impl Fn(Vec<Tensor>) -> FunctionResult + Send + Sync + 'static,
    ) -> Arc<Captured> {
        let step = Step::new(StepConfig {
            id: 1,
            resources: Arc::default(),
            parallel: Parallel::serial(),
            cancellation: CancellationToken::new(),
            device: "".into(),
            trace: None,
            rendezvous: None,
        });
        let function = Arc::new(FunctionHandle::new("f", Box::new(Body(Box::new(call)))));
        Captured::with(&step, &function, Vec::new())
    }

    /// Counts from 7 to 9; what it does is noted.
    fn counting() -> (Dataset, Arc<Mutex<Vec<&'static str>>>) {
        let notes = Arc::new(Mutex::new(Vec::new()));
        let note = |what: &'static str| {
            let notes = notes.clone();
            move || notes.lock().unwrap().push(what)
        };
        let (begun, ended) = (note("begun"), note("ended"));
        let count = Mutex::new(0i64);
        let generated = GeneratorStage {
            init: captured(move |_| {
                begun();
                Ok(vec![Tensor::scalar(7i64)])
            }),
            next: captured(move |kept| {
                let start = kept[0].to_scalar::<i64>()?;
                let mut count = count.lock().unwrap();
                if *count == 3 {
                    *count = 0;
                    return Err(Status::out_of_range("no more"));
                }
                *count += 1;
                Ok(vec![Tensor::scalar(start + *count - 1)])
            }),
            finalize: captured(move |kept| {
                assert_eq!(kept.len(), 1);
                ended();
                Ok(Vec::new())
            }),
            signature: Signature::scalar(DataType::Int64),
        };
        (Dataset::new(generated), notes)
    }

    #[test]
    fn the_last_function_is_called_once_for_each_pass() {
        let (data, notes) = counting();
        let twice = data.repeat_times(2);
        let numbers: Vec<i64> =
            twice.iterate().unwrap().map(|e| e.unwrap()[0].to_scalar().unwrap()).collect();
        assert_eq!(numbers, [7, 8, 9, 7, 8, 9]);
        assert_eq!(*notes.lock().unwrap(), ["begun", "ended", "begun", "ended"]);
    }

    #[test]
    fn it_is_called_also_when_nobody_goes_on() {
        for is_cancelled in [false, true] {
            let (data, notes) = counting();
            let mut iterator = data.iterate().unwrap();
            iterator.next().unwrap();
            if is_cancelled {
                iterator.canceller().cancel();
                assert_eq!(iterator.next().unwrap_err().code(), Code::Cancelled);
            }
            assert_eq!(*notes.lock().unwrap(), ["begun"]);
            drop(iterator);
            assert_eq!(*notes.lock().unwrap(), ["begun", "ended"]);
        }
        let (data, notes) = counting();
        drop(data.iterate().unwrap());
        assert!(notes.lock().unwrap().is_empty());
        assert!(!data.stage().is_resumable());
    }
}
