//! Library functions as callable plans.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, Weak};

use downpour_graph::passes::{Subgraph, sweep};
use downpour_graph::{Function, FunctionGraph, FunctionLibrary, OpDef};
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::Message;
use downpour_wire::proto::attr_value::Value as AttrValue;
use parking_lot::{Mutex, RwLock};

use super::load::GraphLoader;
use super::plan::{KernelCache, Plan};
use super::run::{Run, RunOptions};
use super::straight::Straight;
use crate::function::{FunctionBody, FunctionHandle, FunctionResult};
use crate::kernel::FunctionSource;
use crate::optimize::{GraphOptions, optimize};
use crate::registry::Registry;
use crate::step::Step;
use crate::value::Value;

/// Functions nested deeper than this in one another's calls are refused: each level of a call that
/// finishes at once takes stack.
const MAX_DEPTH: u32 = 200;

/// Compiles functions when they are first called, once per name and attributes.
pub struct FunctionRuntime {
    registry: Arc<Registry>,
    library: RwLock<Arc<FunctionLibrary>>,
    inter_op: usize,
    options: GraphOptions,
    bodies: Mutex<HashMap<String, Arc<FunctionHandle>>>,
    this: Weak<FunctionRuntime>,
}

impl FunctionRuntime {
    pub fn new(
        registry: Arc<Registry>,
        library: Arc<FunctionLibrary>,
        inter_op: usize,
        options: GraphOptions,
    ) -> Arc<FunctionRuntime> {
        Arc::new_cyclic(|this| FunctionRuntime {
            registry,
            library: RwLock::new(library),
            inter_op,
            options,
            bodies: Mutex::default(),
            this: this.clone(),
        })
    }

    /// The library as it is now.
    pub fn library(&self) -> Arc<FunctionLibrary> {
        self.library.read().clone()
    }

    /// Replaces the library by one that has more functions.
    pub fn set_library(&self, library: Arc<FunctionLibrary>) {
        *self.library.write() = library;
    }

    fn compile(&self, function: &Function, part: Part) -> Result<Compiled> {
        let library = self.library();
        if part == Part::Body {
            let body = library.instantiate(function, self.registry.ops())?;
            return Ok(Compiled { plan: self.plan(body)?, _runtime: None });
        }
        // Loops in a gradient call functions that were made for it, and that nobody else knows.
        let (body, library) = library.instantiate_gradient(function, self.registry.ops())?;
        let (registry, options) = (self.registry.clone(), self.options.clone());
        let runtime = FunctionRuntime::new(registry, Arc::new(library), self.inter_op, options);
        Ok(Compiled { plan: runtime.plan(body)?, _runtime: Some(runtime) })
    }

    fn plan(&self, body: FunctionGraph) -> Result<Arc<Plan>> {
        let subgraph = Subgraph {
            graph: body.graph,
            args: body.args,
            fetches: body.results,
            targets: body.targets,
        };
        let subgraph = optimize(sweep(&subgraph)?, &self.registry, &self.options)?;
        let kernels = KernelCache::default();
        // A function's steps are not counted, so only a single thread's case is known beforehand.
        let straight = if self.inter_op == 1 { Straight::All } else { Straight::None };
        Plan::compile(&subgraph, &self.registry, &kernels, Some(self), &straight).map(Arc::new)
    }

    fn handle(&self, function: &Function, part: Part) -> Arc<FunctionHandle> {
        let key = format!("{part:?} {} {:?}", function.name, function.attrs);
        if let Some(handle) = self.bodies.lock().get(&key) {
            return handle.clone();
        }
        // Compiled at the first call: a function may (mutually) call itself.
        let body = LazyBody {
            function: function.clone(),
            part,
            runtime: self.this.clone(),
            _own_runtime: None,
            compiled: OnceLock::new(),
            inter_op: self.inter_op,
        };
        let handle = Arc::new(FunctionHandle::new(function.name.clone(), Box::new(body)));
        self.bodies.lock().entry(key).or_insert(handle).clone()
    }
}

impl FunctionSource for FunctionRuntime {
    fn function(&self, function: &Function) -> Result<Arc<FunctionHandle>> {
        if !self.library().contains(&function.name) {
            return Err(Status::not_found(format!(
                "Function {} is not defined in the graph's library",
                function.name
            )));
        }
        Ok(self.handle(function, Part::Body))
    }

    fn library(&self) -> Option<Arc<FunctionLibrary>> {
        Some(FunctionRuntime::library(self))
    }

    fn loader(&self) -> Option<GraphLoader> {
        Some(GraphLoader::new(self.registry.clone(), self.inter_op, self.options.clone()))
    }

    fn gradient(&self, function: &Function) -> Result<Arc<FunctionHandle>> {
        Ok(self.handle(function, Part::Gradient))
    }
}

/// The graph that a call of a function runs: its body or its gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Body,
    Gradient,
}

struct Compiled {
    plan: Arc<Plan>,
    /// Where the plan's functions come from, unless that outlives the plan anyway.
    _runtime: Option<Arc<FunctionRuntime>>,
}

struct LazyBody {
    function: Function,
    part: Part,
    runtime: Weak<FunctionRuntime>,
    /// The same runtime, if nobody else holds it.
    _own_runtime: Option<Arc<FunctionRuntime>>,
    compiled: OnceLock<Result<Compiled>>,
    inter_op: usize,
}

/// Functions that call each other are followed so far: each level takes stack.
const MOST_DEFINITIONS: usize = 1000;

/// Appends the definition of a function with those of the functions it calls in place of their names, which client
/// programs make up anew in each run.
fn write_definition(
    library: &FunctionLibrary,
    name: &str,
    written: &mut Vec<String>,
    out: &mut Vec<u8>,
) {
    if written.len() > MOST_DEFINITIONS {
        return out.extend_from_slice(name.as_bytes());
    }
    if let Some(place) = written.iter().position(|other| other == name) {
        return out.extend_from_slice(&place.to_le_bytes());
    }
    written.push(name.to_owned());
    let Some(mut definition) = library.definition(name).cloned() else {
        return out.extend_from_slice(name.as_bytes());
    };
    if let Some(signature) = &mut definition.signature {
        signature.name.clear();
    }
    for node in &mut definition.node_def {
        if library.contains(&node.op) {
            write_definition(library, &std::mem::take(&mut node.op), written, out);
        }
        node.experimental_debug_info = None;
        for attr in node.attr.values_mut() {
            let functions = match &mut attr.value {
                Some(AttrValue::Func(function)) => std::slice::from_mut(function),
                Some(AttrValue::List(list)) => &mut list.func[..],
                _ => &mut [],
            };
            for function in functions {
                write_definition(library, &std::mem::take(&mut function.name), written, out);
            }
        }
    }
    out.extend_from_slice(&definition.encode_to_vec());
}

impl FunctionBody for LazyBody {
    /// Functions that the body calls must begin without state, too: it gets a runtime that has compiled none yet.
    fn without_state(&self) -> Option<Box<dyn FunctionBody>> {
        let shared = self.runtime.upgrade()?;
        let (registry, options) = (shared.registry.clone(), shared.options.clone());
        let own = FunctionRuntime::new(registry, shared.library(), self.inter_op, options);
        Some(Box::new(LazyBody {
            function: self.function.clone(),
            part: self.part,
            runtime: own.this.clone(),
            _own_runtime: Some(own),
            compiled: OnceLock::new(),
            inter_op: self.inter_op,
        }))
    }

    fn definition(&self) -> Vec<u8> {
        let mut out = format!("{:?}", self.function.attrs).into_bytes();
        if let Some(runtime) = self.runtime.upgrade() {
            write_definition(&runtime.library(), &self.function.name, &mut Vec::new(), &mut out);
        }
        out
    }

    fn run(
        &self,
        step: &Arc<Step>,
        args: Vec<Tensor>,
        done: Box<dyn FnOnce(FunctionResult) + Send>,
    ) {
        let compiled = self.compiled.get_or_init(|| match self.runtime.upgrade() {
            Some(runtime) => runtime.compile(&self.function, self.part),
            None => Err(Status::cancelled("the session of this function is closed")),
        });
        let plan = match compiled {
            Ok(compiled) => &compiled.plan,
            Err(status) => return done(Err(status.clone())),
        };
        if plan.args() != args.len() {
            return done(Err(Status::invalid_argument(format!(
                "Function takes {} argument(s) but {} argument(s) were passed: {}",
                plan.args(),
                args.len(),
                self.function.name
            ))));
        }
        thread_local! {
            static DEPTH: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
        }
        let depth = DEPTH.get();
        if depth >= MAX_DEPTH {
            return done(Err(Status::resource_exhausted(format!(
                "function {} is nested {MAX_DEPTH} calls deep",
                self.function.name
            ))));
        }
        DEPTH.set(depth + 1);
        let options = RunOptions { inter_op: self.inter_op, cancel_on_error: false };
        let args = args.into_iter().map(Value::Tensor).collect();
        Run::start(plan, step, args, options, done);
        DEPTH.set(depth);
    }

    fn stateful_operation(&self, is_exempt: &dyn Fn(&OpDef) -> bool) -> Option<String> {
        let runtime = self.runtime.upgrade()?;
        let ops = runtime.registry.ops();
        runtime.library().stateful_operation(&self.function.name, ops, is_exempt)
    }
}
