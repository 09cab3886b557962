//! Functions of the graph that a pipeline calls for its elements.
//!
//! A dataset operation captures the function, the tensors it takes besides the element, and the device around it
//! ([`Captured`]). An open pipeline calls it ([`OpenFunction`]): every call is a step of its own, so that tensor arrays
//! and the like end with it, and all calls of an open pipeline end when the iterator is cancelled. Calls are made on the
//! threads of pipelines, which may wait; the kernels run there and on the compute threads, as in any step.

use std::sync::{Arc, mpsc};

use downpour_data::{Cancel, Context, Dataset, Element, MapFunction, Names, Wake, identify_tensor};
use downpour_graph::{ArgType, OpDef};
use downpour_runtime::{
    CancellationToken, FunctionHandle, OpContext, Parallel, ResourceManager, Step, StepConfig,
};
use downpour_tensor::{Code, DataType, Result, Status, Tensor};
use parking_lot::Mutex;

/// A function and what it takes besides an element.
pub(crate) struct Captured {
    function: Arc<FunctionHandle>,
    arguments: Vec<Tensor>,
    resources: Arc<ResourceManager>,
    session: Arc<ResourceManager>,
    parallel: Parallel,
    device: Arc<str>,
    /// The operation that calls it, for errors.
    user: String,
}

impl Captured {
    /// Captures a function with the tensors of an operation's argument, which stands in `argument`.
    pub fn new(
        cx: &OpContext<'_>,
        function: &Arc<FunctionHandle>,
        argument: &str,
    ) -> Result<Arc<Captured>> {
        let range = cx.node().input_range(argument)?;
        let arguments = range.map(|i| cx.input(i).clone()).collect();
        let node = cx.node();
        let name = node.op_name().trim_start_matches("Experimental");
        let name = name.split("Dataset").next().unwrap_or(name);
        let user = format!(
            "Error in user-defined function passed to {}:{} transformation with iterator: Iterator::Root::{name}",
            node.op_name(),
            node.name
        );
        Ok(Captured::made(cx.step(), function, arguments, user))
    }

    /// Captures a function with tensors, to be called on the device of a step.
    pub fn with(
        step: &Arc<Step>,
        function: &Arc<FunctionHandle>,
        arguments: Vec<Tensor>,
    ) -> Arc<Captured> {
        Captured::made(step, function, arguments, String::new())
    }

    fn made(
        step: &Arc<Step>,
        function: &Arc<FunctionHandle>,
        arguments: Vec<Tensor>,
        user: String,
    ) -> Arc<Captured> {
        Arc::new(Captured {
            function: function.clone(),
            arguments,
            resources: step.resources().clone(),
            session: step.session().clone(),
            parallel: step.parallel().uninterrupted(),
            device: step.device().into(),
            user,
        })
    }

    /// Returns the function for one open pipeline. Its operations begin without state in each iterator, and keep it in
    /// the iterator's repetitions: random numbers with a seed come again when the iterator is initialized again.
    pub fn open(self: &Arc<Captured>, context: &Context) -> OpenFunction {
        let function = context.extension::<IteratorFunctions>().get(&self.function);
        self.open_function(function, context.cancel())
    }

    /// Returns the function for calls that end when `cancel` says so.
    pub fn open_with(self: &Arc<Captured>, cancel: &Cancel) -> OpenFunction {
        self.open_function(self.function.clone(), cancel)
    }

    fn open_function(
        self: &Arc<Captured>,
        function: Arc<FunctionHandle>,
        cancel: &Cancel,
    ) -> OpenFunction {
        let stop = Arc::new(Stop(CancellationToken::new()));
        let waiter: Arc<dyn Wake> = stop.clone();
        cancel.register(Arc::downgrade(&waiter));
        OpenFunction { captured: self.clone(), function, stop, cancel: cancel.clone() }
    }

    /// Appends what tells the function and what it takes from others.
    pub fn identify(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.function.definition());
        self.arguments.iter().for_each(|argument| identify_tensor(argument, out));
    }

    /// Names an operation of the function whose results depend on more than its inputs, if there is one.
    pub fn external_state(&self) -> Option<String> {
        self.function.stateful_operation(&is_exempt)
    }

    /// Returns how many threads a loop may use.
    pub fn threads(&self) -> usize {
        self.parallel.limit()
    }
}

/// Operations that are called stateful although a dataset that calls them again gets the same.
fn is_exempt(op: &OpDef) -> bool {
    const EXEMPT: [&str; 12] = [
        "AnonymousMemoryCache",
        "AnonymousSeedGenerator",
        "Assert",
        "DummyIterationCounter",
        "DummyMemoryCache",
        "DummySeedGenerator",
        "LookupTableFindV2",
        "LookupTableSize",
        "LookupTableSizeV2",
        "Print",
        "PrintV2",
        "Timestamp",
    ];
    let makes_dataset = op.name.contains("Dataset")
        && matches!(&op.outputs[..], [made] if made.ty == ArgType::Fixed(DataType::Variant));
    makes_dataset || EXEMPT.contains(&op.name.as_str())
}

/// The functions that an iterator calls, by those of the graph: each with the state of this iterator only.
#[derive(Default)]
struct IteratorFunctions(Mutex<Vec<(Arc<FunctionHandle>, Arc<FunctionHandle>)>>);

impl IteratorFunctions {
    /// Returns this iterator's own function for one of the graph.
    fn get(&self, shared: &Arc<FunctionHandle>) -> Arc<FunctionHandle> {
        let mut functions = self.0.lock();
        if let Some((_, own)) = functions.iter().find(|(other, _)| Arc::ptr_eq(other, shared)) {
            return own.clone();
        }
        let own = shared.without_state(&is_exempt);
        functions.push((shared.clone(), own.clone()));
        own
    }
}

/// Cancels the steps of an open pipeline with it.
struct Stop(CancellationToken);

impl Wake for Stop {
    fn wake(&self) {
        self.0.cancel();
    }
}

/// A function that an open pipeline calls.
#[derive(Clone)]
pub(crate) struct OpenFunction {
    captured: Arc<Captured>,
    function: Arc<FunctionHandle>,
    stop: Arc<Stop>,
    cancel: Cancel,
}

impl OpenFunction {
    /// Calls the function and waits for its results.
    pub fn call(&self, mut arguments: Vec<Tensor>) -> Result<Vec<Tensor>> {
        self.cancel.check()?;
        let captured = &*self.captured;
        let config = StepConfig {
            id: 0,
            resources: captured.resources.clone(),
            parallel: captured.parallel.clone(),
            cancellation: self.stop.0.clone(),
            device: captured.device.clone(),
            trace: None,
            rendezvous: None,
        };
        let step = Step::of_session(config, captured.session.clone());
        arguments.extend_from_slice(&captured.arguments);
        let (send, receive) = mpsc::sync_channel(1);
        // Nobody listens any more only if this thread has panicked.
        self.function.run(&step, arguments, move |result| drop(send.send(result)));
        let result = receive.recv().unwrap_or_else(|_| {
            Err(Status::internal(format!("function {} gave no result", self.function.name())))
        });
        match result {
            Err(error) if !captured.user.is_empty() => Err(error.context(&captured.user)),
            result => result,
        }
    }
    /// Calls a function for one int64 scalar, of which errors say the name `what`.
    pub fn number(&self, what: &str, arguments: Vec<Tensor>) -> Result<i64> {
        match &self.call(arguments)?[..] {
            [number] if number.dtype() == DataType::Int64 && number.len() == 1 => {
                Ok(number.as_slice::<i64>()?[0])
            }
            _ => Err(Status::invalid_argument(format!("`{what}` must return a scalar int64."))),
        }
    }

    /// Calls a predicate.
    pub fn test(&self, arguments: Vec<Tensor>) -> Result<bool> {
        match &self.call(arguments)?[..] {
            [answer] if answer.rank() == 0 => answer.to_scalar::<bool>(),
            results => Err(Status::invalid_argument(format!(
                "Function `predicate` must return a scalar bool, but {} returned {} tensors of other shapes or types",
                self.function.name(),
                results.len()
            ))),
        }
    }
}

/// Makes an element of an element by a function of the graph.
pub(crate) struct GraphMap {
    pub function: OpenFunction,
    pub names: Names,
    /// Whether the function ends the dataset when it gives OUT_OF_RANGE.
    pub may_end: bool,
}

impl GraphMap {
    /// Returns the dataset that `map` makes around this.
    pub fn apply(self, map: impl FnOnce(GraphMap) -> Dataset) -> Dataset {
        match self.may_end {
            true => map(self).until_error(|error| error.code() == Code::OutOfRange),
            false => map(self),
        }
    }
}

impl MapFunction for GraphMap {
    fn call(&self, element: Element) -> Result<Element> {
        let made = self.function.call(element.into_tensors());
        let made = if self.may_end { made? } else { made.map_err(end_of_sequence)? };
        Element::from_parts(self.names.clone(), made)
    }
}

/// A function that gives OUT_OF_RANGE must not look like the end of the dataset.
pub(crate) fn end_of_sequence(error: Status) -> Status {
    match error.code() {
        Code::OutOfRange => Status::invalid_argument(format!(
            "Function invocation produced OutOfRangeError: {}",
            error.message()
        )),
        _ => error,
    }
}
