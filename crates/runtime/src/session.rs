//! A session: a graph that grows, plans made from it, and steps that run them.

mod device;
mod partial;
mod placement;
mod prepared;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use downpour_graph::{FunctionLibrary, Graph, export_graph, import_graph};
use downpour_tensor::{Code, Result, Status, Tensor};
use downpour_wire::proto::GraphDef;
use parking_lot::{Mutex, RwLock};

pub use device::Device;
pub use partial::PartialRun;

use crate::cancellation::CancellationToken;
use crate::executor::{FunctionRuntime, KernelCache, Run, RunOptions};
use crate::optimize::GraphOptions;
use crate::pool::Parallel;
use crate::registry::Registry;
use crate::resource::ResourceManager;
use crate::step::{Step, StepConfig};
use crate::timer;
use crate::trace::StepTrace;
use crate::value::Value;
use prepared::{Prepared, Signature};

/// How a session runs its steps.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// Threads that may run nodes of one step at the same time; 0 is "as many as the pool has".
    pub inter_op: usize,
    /// Threads one kernel may use; 0 is "as many as the pool has".
    pub intra_op: usize,
    /// Variables of this session are its own, not the device's.
    pub isolate_state: bool,
    /// Put nodes that ask for a device we do not have on one we have.
    pub soft_placement: bool,
    /// Deadline of every step that sets none itself.
    pub step_timeout: Option<Duration>,
    pub graph: GraphOptions,
}

impl Default for SessionOptions {
    fn default() -> SessionOptions {
        SessionOptions {
            inter_op: 0,
            intra_op: 0,
            isolate_state: false,
            soft_placement: true,
            step_timeout: None,
            graph: GraphOptions::default(),
        }
    }
}

/// What a step is asked: values by tensor name, tensors to return, nodes to run.
#[derive(Clone, Debug, Default)]
pub struct RunRequest {
    pub feeds: Vec<(String, Tensor)>,
    pub fetches: Vec<String>,
    pub targets: Vec<String>,
}

/// Choices for one step.
#[derive(Clone, Default)]
pub struct StepOptions {
    pub timeout: Option<Duration>,
    /// Ends the step from outside; without one, only its deadline and the session can.
    pub cancellation: Option<CancellationToken>,
    /// Where nodes report what they did and when.
    pub trace: Option<Arc<StepTrace>>,
}

pub struct Session {
    registry: Arc<Registry>,
    device: Arc<Device>,
    resources: Arc<ResourceManager>,
    /// What ends when the session is closed.
    own: Arc<ResourceManager>,
    options: SessionOptions,
    graph: RwLock<GraphState>,
    functions: Arc<FunctionRuntime>,
    kernels: KernelCache,
    plans: Mutex<HashMap<Signature, Arc<Prepared>>>,
    callables: Mutex<HashMap<i64, Arc<Prepared>>>,
    next_callable: AtomicI64,
    next_step: AtomicI64,
    running: Arc<Mutex<HashMap<i64, CancellationToken>>>,
    closed: Arc<AtomicBool>,
}

struct GraphState {
    graph: Arc<Graph>,
    version: i64,
}

impl Session {
    /// A session on a device, with an empty graph.
    pub fn new(registry: Arc<Registry>, device: Arc<Device>, options: SessionOptions) -> Session {
        let threads = device.pool().threads();
        let inter_op = if options.inter_op == 0 { threads } else { options.inter_op };
        let library = Arc::new(FunctionLibrary::new());
        let resources = match options.isolate_state {
            true => Arc::new(ResourceManager::new()),
            false => device.resources().clone(),
        };
        Session {
            functions: FunctionRuntime::new(
                registry.clone(),
                library,
                inter_op,
                options.graph.clone(),
            ),
            registry,
            device,
            resources,
            own: Arc::default(),
            options: SessionOptions { inter_op, ..options },
            graph: RwLock::new(GraphState { graph: Arc::new(Graph::new()), version: 0 }),
            kernels: KernelCache::default(),
            plans: Mutex::default(),
            callables: Mutex::default(),
            next_callable: AtomicI64::new(1),
            next_step: AtomicI64::new(1),
            running: Arc::default(),
            closed: Arc::default(),
        }
    }

    /// Adds nodes and functions; on error the graph stays as it was. Returns the new version.
    pub fn extend(&self, proto: &GraphDef) -> Result<i64> {
        let mut state = self.graph.write();
        let mut library = (*self.functions.library()).clone();
        if let Some(functions) = &proto.library {
            library.extend(functions)?;
        }
        let mut graph = (*state.graph).clone();
        import_graph(&mut graph, proto, self.registry.ops(), &library)?;
        self.functions.set_library(Arc::new(library));
        state.graph = Arc::new(graph);
        state.version += 1;
        Ok(state.version)
    }

    /// How often the graph has been extended.
    pub fn graph_version(&self) -> i64 {
        self.graph.read().version
    }

    pub fn graph(&self) -> Arc<Graph> {
        self.graph.read().graph.clone()
    }

    pub fn resources(&self) -> &Arc<ResourceManager> {
        &self.resources
    }

    /// Runs one step on this thread (and the pool's) and returns the fetched tensors.
    pub fn run(&self, request: RunRequest, options: &StepOptions) -> Result<Vec<Tensor>> {
        let (send, receive) = mpsc::sync_channel(1);
        let done = move |result| drop(send.send(result));
        self.run_async(request, options, done);
        receive.recv().unwrap_or_else(|_| Err(Status::internal("a step ended without a result")))
    }

    /// Starts a step; `done` is called once, perhaps before this returns. Compute threads and the
    /// calling thread run it, so do not call this from a network thread.
    pub fn run_async(
        &self,
        request: RunRequest,
        options: &StepOptions,
        done: impl FnOnce(Result<Vec<Tensor>>) + Send + 'static,
    ) {
        let (names, tensors): (Vec<String>, Vec<Tensor>) = request.feeds.into_iter().unzip();
        let signature =
            Signature { feeds: names, fetches: request.fetches, targets: request.targets };
        match self.prepare(signature) {
            Ok(prepared) => self.start(&prepared, tensors, options, done),
            Err(status) => {
                done(Err(status));
            }
        }
    }

    /// Prepares a step that will run often. Returns its handle.
    pub fn make_callable(
        &self,
        feeds: Vec<String>,
        fetches: Vec<String>,
        targets: Vec<String>,
    ) -> Result<i64> {
        let prepared = self.prepare(Signature { feeds, fetches, targets })?;
        let handle = self.next_callable.fetch_add(1, Ordering::Relaxed);
        self.callables.lock().insert(handle, prepared);
        Ok(handle)
    }

    /// Runs a callable with its feeds in the order they were declared.
    pub fn run_callable(&self, handle: i64, feeds: Vec<Tensor>) -> Result<Vec<Tensor>> {
        let (send, receive) = mpsc::sync_channel(1);
        let done = move |result| drop(send.send(result));
        self.run_callable_async(handle, feeds, &StepOptions::default(), done);
        receive.recv().unwrap_or_else(|_| Err(Status::internal("a step ended without a result")))
    }

    /// Like `run_async`, for a callable.
    pub fn run_callable_async(
        &self,
        handle: i64,
        feeds: Vec<Tensor>,
        options: &StepOptions,
        done: impl FnOnce(Result<Vec<Tensor>>) + Send + 'static,
    ) {
        let prepared = self.callables.lock().get(&handle).cloned();
        match prepared {
            Some(prepared) => self.start(&prepared, feeds, options, done),
            None => {
                done(Err(Status::invalid_argument(format!("No such callable handle: {handle}"))));
            }
        }
    }

    pub fn release_callable(&self, handle: i64) -> Result<()> {
        match self.callables.lock().remove(&handle) {
            Some(_) => Ok(()),
            None => Err(Status::invalid_argument(format!("No such callable handle: {handle}"))),
        }
    }

    /// Cancels what runs, refuses what comes, and frees what only this session could reach.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Release);
        let running: Vec<CancellationToken> = self.running.lock().values().cloned().collect();
        running.iter().for_each(CancellationToken::cancel);
        self.own.clear(&[]);
    }

    /// The graph as it runs for these feeds, fetches and targets, after all rewriting.
    pub fn compiled_graph(
        &self,
        feeds: Vec<String>,
        fetches: Vec<String>,
        targets: Vec<String>,
    ) -> Result<GraphDef> {
        export_graph(self.prepare(Signature { feeds, fetches, targets })?.graph())
    }

    fn prepare(&self, signature: Signature) -> Result<Arc<Prepared>> {
        if let Some(prepared) = self.plans.lock().get(&signature) {
            return Ok(prepared.clone());
        }
        let graph = self.graph();
        placement::check(&graph, self.device.name(), self.options.soft_placement)?;
        let prepared = Prepared::compile(
            &graph,
            &signature,
            &self.registry,
            &self.kernels,
            &self.functions,
            &self.options.graph,
        )?;
        // Two threads may have compiled the same signature: the first one stays.
        Ok(self.plans.lock().entry(signature).or_insert(Arc::new(prepared)).clone())
    }

    fn new_step(&self, options: &StepOptions) -> Result<Arc<Step>> {
        if self.closed.load(Ordering::Acquire) {
            return Err(Status::cancelled("Session has been closed."));
        }
        let id = self.next_step.fetch_add(1, Ordering::Relaxed);
        let threads = self.device.pool().threads();
        let intra = if self.options.intra_op == 0 { threads } else { self.options.intra_op };
        let config = StepConfig {
            id,
            resources: self.resources.clone(),
            parallel: Parallel::new(self.device.pool().clone(), intra),
            cancellation: options.cancellation.clone().unwrap_or_default(),
            device: self.device.name().into(),
            trace: options.trace.clone(),
            rendezvous: None,
        };
        Ok(Step::of_session(config, self.own.clone()))
    }

    fn start(
        &self,
        prepared: &Arc<Prepared>,
        feeds: Vec<Tensor>,
        options: &StepOptions,
        done: impl FnOnce(Result<Vec<Tensor>>) + Send + 'static,
    ) {
        let step = match prepared.check_feeds(&feeds).and_then(|()| self.new_step(options)) {
            Ok(step) => step,
            Err(status) => {
                done(Err(status));
                return;
            }
        };
        let token = step.cancellation().clone();
        self.running.lock().insert(step.id(), token.clone());
        let expired = Arc::new(AtomicBool::new(false));
        let timeout = options.timeout.or(self.options.step_timeout);
        let timer = timeout.map(|timeout| {
            let (token, expired) = (token, expired.clone());
            timer::after(timeout, move || {
                expired.store(true, Ordering::Release);
                token.cancel();
            })
        });
        let (running, id) = (self.running.clone(), step.id());
        let closed = self.closed.clone();
        let finish = move |result: Result<Vec<Tensor>>| {
            drop(timer);
            running.lock().remove(&id);
            done(match result {
                Err(status)
                    if closed.load(Ordering::Acquire) && status.code() == Code::Cancelled =>
                {
                    Err(Status::cancelled(
                        "Step was cancelled by an explicit call to `Session::Close()`.",
                    ))
                }
                Err(status)
                    if expired.load(Ordering::Acquire) && status.code() == Code::Cancelled =>
                {
                    Err(Status::deadline_exceeded("Timed out waiting for the step to finish"))
                }
                result => result,
            });
        };
        let run_options = RunOptions { inter_op: self.options.inter_op, cancel_on_error: true };
        let args = feeds.into_iter().map(Value::Tensor).collect();
        let plan = match step.trace() {
            // A trace shows every node of every iteration.
            Some(_) => &prepared.plan,
            None => prepared.next_plan(
                &self.registry,
                &self.kernels,
                &self.functions,
                self.options.inter_op,
            ),
        };
        Run::start(plan, &step, args, run_options, Box::new(finish));
    }
}
