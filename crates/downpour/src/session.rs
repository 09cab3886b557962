//! Runs steps of a graph: feeds by value, fetches by value, and prepared steps for the hot path.

mod cluster;
mod local;
mod runner;

use std::sync::Arc;

use downpour_graph::PartialShape;
use downpour_runtime::SessionOptions;
use downpour_tensor::{DataType, Result, Status, Tensor};
use downpour_wire::proto::StepStats;
use parking_lot::Mutex;

use crate::graph::Graph;
use crate::output::{Operation, Output};
pub(crate) use cluster::ClusterRunner;
pub use local::LocalRunner;
pub use runner::{ByName, PreparedRun, RunRequest, Runner, StepOptions};

/// What a step can be asked for: a value to return, or an operation to run.
pub trait Fetch {
    /// The graph it belongs to.
    fn graph(&self) -> &Graph;
    /// The value to return; `None` for an operation that is only run.
    fn value(&self) -> Option<String>;
    /// The operation's name.
    fn target(&self) -> String;
}

impl Fetch for Output {
    fn graph(&self) -> &Graph {
        Output::graph(self)
    }
    fn value(&self) -> Option<String> {
        Some(self.name())
    }
    fn target(&self) -> String {
        self.op().name()
    }
}

impl Fetch for Operation {
    fn graph(&self) -> &Graph {
        Operation::graph(self)
    }
    fn value(&self) -> Option<String> {
        None
    }
    fn target(&self) -> String {
        self.name()
    }
}

/// Runs a graph. When the graph has grown since the last step, what is new is handed on by itself.
///
/// ```
/// use downpour::{DataType, Graph, Session, initializers, tensor};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let x = graph.placeholder("x", DataType::Float, ())?;
/// let sum = graph.variable("sum", [], DataType::Float, initializers::zeros())?;
/// let add = sum.assign_add(&x)?;
///
/// let session = Session::local(&graph)?;
/// session.run(&[], &[&graph.initialize_variables()?])?;
/// // A value that is fetched is returned; an operation is only run.
/// session.run(&[(&x, tensor(2f32)?)], &[&add])?;
/// // A step that runs often is prepared once.
/// let step = session.prepare(&[&x], &[&add])?;
/// step.run(vec![tensor(3f32)?])?;
/// assert_eq!(session.fetch(&[], &sum.value())?.to_scalar::<f32>()?, 5.0);
/// # Ok(())
/// # }
/// ```
pub struct Session {
    graph: Graph,
    runner: Arc<dyn Runner>,
    /// How many nodes of the graph the runner has.
    sent: Mutex<usize>,
}

impl Session {
    /// A session in this process.
    pub fn local(graph: &Graph) -> Result<Session> {
        Ok(Session::new(graph, Arc::new(LocalRunner::new(graph.registry().clone())?)))
    }

    /// A session in this process with this many compute threads.
    pub fn local_with_threads(graph: &Graph, threads: usize) -> Result<Session> {
        let registry = graph.registry().clone();
        let runner = LocalRunner::with_options(registry, threads, SessionOptions::default())?;
        Ok(Session::new(graph, Arc::new(runner)))
    }

    /// A session on the server at `target` (`grpc://host:port`): one that `downpour serve` runs, or
    /// TensorFlow's own. What the graph places on other tasks of the server's cluster runs there. It waits
    /// for the server, as every step does: not for the threads of an asynchronous runtime.
    ///
    /// ```no_run
    /// # use downpour::{Graph, Result, Session, tensor};
    /// # fn main() -> Result<()> {
    /// let graph = Graph::new();
    /// let x = graph.constant(tensor([1.0f32, 2.0])?)?;
    /// let session = Session::connect(&graph, "grpc://127.0.0.1:2222")?;
    /// let doubled = session.fetch(&[], &(&x + &x)?)?;
    /// # Ok(()) }
    /// ```
    pub fn connect(graph: &Graph, target: &str) -> Result<Session> {
        Ok(Session::new(graph, Arc::new(ClusterRunner::connect(target)?)))
    }

    /// A session wherever `runner` runs steps.
    pub fn new(graph: &Graph, runner: Arc<dyn Runner>) -> Session {
        Session { graph: graph.clone(), runner, sent: Mutex::new(0) }
    }

    /// The graph it runs.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// What runs the steps.
    pub fn runner(&self) -> &Arc<dyn Runner> {
        &self.runner
    }

    /// Hands the runner what the graph has gained.
    pub fn extend(&self) -> Result<()> {
        let mut sent = self.sent.lock();
        if self.graph.len() == *sent {
            return Ok(());
        }
        let (proto, count) = self.graph.grown_since(*sent)?;
        self.runner.extend(&proto)?;
        *sent = count;
        Ok(())
    }

    /// Runs one step: `feeds` stand in for values, `fetches` are values to return (in their order) and
    /// operations to run.
    pub fn run(&self, feeds: &[(&Output, Tensor)], fetches: &[&dyn Fetch]) -> Result<Vec<Tensor>> {
        self.run_with(feeds, fetches, &StepOptions::default())
    }

    /// Like `run`, with a deadline, a way to cancel, or a trace.
    pub fn run_with(
        &self,
        feeds: &[(&Output, Tensor)],
        fetches: &[&dyn Fetch],
        options: &StepOptions,
    ) -> Result<Vec<Tensor>> {
        let request = self.request(feeds, fetches)?;
        self.extend()?;
        self.runner.run(request, options)
    }

    /// Like `run`, with a report of what every node did and when.
    pub fn run_traced(
        &self,
        feeds: &[(&Output, Tensor)],
        fetches: &[&dyn Fetch],
    ) -> Result<(Vec<Tensor>, StepStats)> {
        self.extend()?;
        let request = self.request(feeds, fetches)?;
        self.runner.run_traced(request)
    }

    fn request(&self, feeds: &[(&Output, Tensor)], fetches: &[&dyn Fetch]) -> Result<RunRequest> {
        for (output, tensor) in feeds {
            self.check_feed(output, tensor)?;
        }
        let (names, targets) = self.wanted(fetches)?;
        let feeds = feeds.iter().map(|(output, tensor)| (output.name(), tensor.clone())).collect();
        Ok(RunRequest { feeds, fetches: names, targets })
    }

    /// The one value of a step with one fetch.
    pub fn fetch(&self, feeds: &[(&Output, Tensor)], output: &Output) -> Result<Tensor> {
        let mut values = self.run(feeds, &[output])?;
        values.pop().ok_or_else(|| Status::internal("a step returned no value for its fetch"))
    }

    /// Prepares a step that will run often: names are looked up once, here.
    pub fn prepare(&self, feeds: &[&Output], fetches: &[&dyn Fetch]) -> Result<PreparedStep> {
        for output in feeds {
            self.graph.expect_own(output.graph(), &output.name())?;
        }
        let (names, targets) = self.wanted(fetches)?;
        self.extend()?;
        let expected = feeds.iter().map(|output| Fed::new(output)).collect();
        let feeds = feeds.iter().map(|output| output.name()).collect();
        let step = self.runner.clone().prepare(feeds, names, targets)?;
        Ok(PreparedStep { step, expected })
    }

    /// Ends what runs and refuses further steps.
    pub fn close(&self) -> Result<()> {
        self.runner.close()
    }

    fn wanted(&self, fetches: &[&dyn Fetch]) -> Result<(Vec<String>, Vec<String>)> {
        let (mut names, mut targets) = (Vec::new(), Vec::new());
        for fetch in fetches {
            self.graph.expect_own(fetch.graph(), &fetch.target())?;
            match fetch.value() {
                Some(name) => names.push(name),
                None => targets.push(fetch.target()),
            }
        }
        Ok((names, targets))
    }

    fn check_feed(&self, output: &Output, tensor: &Tensor) -> Result<()> {
        self.graph.expect_own(output.graph(), &output.name())?;
        Fed::new(output).check(tensor)
    }
}

/// What may be fed for a value.
struct Fed {
    name: String,
    dtype: DataType,
    shape: PartialShape,
}

impl Fed {
    fn new(output: &Output) -> Fed {
        Fed { name: output.name(), dtype: output.dtype(), shape: output.shape() }
    }

    fn check(&self, tensor: &Tensor) -> Result<()> {
        if tensor.dtype() == self.dtype && self.shape.allows(tensor.dims()) {
            return Ok(());
        }
        Err(Status::invalid_argument(format!(
            "{} takes a {} tensor of shape {} but was fed a {} tensor of shape {}",
            self.name,
            self.dtype,
            self.shape,
            tensor.dtype(),
            tensor.shape()
        )))
    }
}

/// A step whose feeds and fetches are fixed.
pub struct PreparedStep {
    step: Box<dyn PreparedRun>,
    expected: Vec<Fed>,
}

impl PreparedStep {
    /// Runs it once, with the fed values in the order they were declared.
    pub fn run(&self, feeds: Vec<Tensor>) -> Result<Vec<Tensor>> {
        self.run_with(feeds, &StepOptions::default())
    }

    /// Like `run`, with a deadline, a way to cancel, or a trace.
    pub fn run_with(&self, feeds: Vec<Tensor>, options: &StepOptions) -> Result<Vec<Tensor>> {
        // That there are as many as were declared is checked by what runs them.
        self.expected.iter().zip(&feeds).try_for_each(|(fed, tensor)| fed.check(tensor))?;
        self.step.run(feeds, options)
    }
}
