//! The variables of a device, changed by a graph.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use downpour_graph::PartialShape;
use downpour_params::{Gradient, Named, Values, gather_rows};
use downpour_runtime::{Device, Registry, Session, SessionOptions, Variable};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};
use downpour_wire::proto::GraphDef;
use parking_lot::RwLock;
use prost::Message;

use super::program::{GradientInput, UpdateProgram};

/// The container of variables whose graphs name none.
const CONTAINER: &str = "";

pub struct DeviceValues {
    registry: Arc<Registry>,
    device: Arc<Device>,
    /// Another one when variables have moved.
    program: RwLock<Option<Arc<Compiled>>>,
}

struct Compiled {
    variables: Vec<String>,
    global_step: String,
    group: Group,
    /// What is changed by itself.
    apart: Option<Group>,
}

/// Variables that are changed together.
struct Group {
    inputs: Vec<GradientInput>,
    session: Session,
    /// A step that takes gradients in the order of the inputs.
    apply: i64,
}

impl Group {
    fn new(
        registry: &Arc<Registry>,
        device: &Arc<Device>,
        program: UpdateProgram,
    ) -> Result<Group> {
        let graph = GraphDef::decode(program.graph)
            .map_err(|e| Status::invalid_argument(format!("the graph of updates: {e}")))?;
        let session = Session::new(registry.clone(), device.clone(), SessionOptions::default());
        session.extend(&graph)?;
        let mut feeds = Vec::new();
        for input in &program.inputs {
            feeds.extend((!input.indices.is_empty()).then(|| input.indices.clone()));
            feeds.push(input.values.clone());
        }
        let apply = session.make_callable(feeds, Vec::new(), vec![program.apply])?;
        Ok(Group { inputs: program.inputs, session, apply })
    }

    fn has(&self, variable: &str) -> bool {
        self.inputs.iter().any(|input| input.variable == variable)
    }

    fn apply(&self, gradients: Vec<Named<Gradient>>) -> Result<()> {
        let mut gradients: HashMap<String, Gradient> = gradients.into_iter().collect();
        let mut feeds = Vec::with_capacity(gradients.len());
        for input in &self.inputs {
            let gradient = gradients.remove(&input.variable);
            match (gradient, input.indices.is_empty()) {
                (Some(Gradient::Dense(value)), true) => feeds.push(value),
                (Some(Gradient::Sparse { indices, rows }), false) => feeds.extend([indices, rows]),
                (Some(_), _) => {
                    return Err(odd(
                        &input.variable,
                        "is dense where it is to be sparse, or the other way round",
                    ));
                }
                (None, _) => return Err(odd(&input.variable, "is missing")),
            }
        }
        if let Some(other) = gradients.keys().next() {
            return Err(odd(other, "is for a variable that is not trained on this server"));
        }
        self.session.run_callable(self.apply, feeds).map(drop)
    }
}

impl DeviceValues {
    pub fn new(registry: Arc<Registry>, device: Arc<Device>) -> DeviceValues {
        DeviceValues { registry, device, program: RwLock::default() }
    }

    fn compiled(&self) -> Result<Arc<Compiled>> {
        self.program.read().clone().ok_or_else(|| {
            Status::failed_precondition("this server has not been told what it is to train")
        })
    }

    fn compile(&self, program: &Bytes) -> Result<Compiled> {
        let mut program = UpdateProgram::from_bytes(program)?;
        let apart = program.apart.take();
        let apart = apart.map(|apart| Group::new(&self.registry, &self.device, *apart));
        Ok(Compiled {
            variables: std::mem::take(&mut program.variables),
            global_step: std::mem::take(&mut program.global_step),
            apart: apart.transpose()?,
            group: Group::new(&self.registry, &self.device, program)?,
        })
    }

    fn variable(&self, name: &str) -> Result<Arc<Variable>> {
        self.device.resources().lookup::<Variable>(CONTAINER, name)
    }
}

impl Values for DeviceValues {
    fn define(&self, program: &Bytes) -> Result<()> {
        let compiled = Arc::new(self.compile(program)?);
        *self.program.write() = Some(compiled);
        Ok(())
    }

    fn check(&self, program: &Bytes) -> Result<()> {
        self.compile(program).map(drop)
    }

    fn remove(&self, name: &str) -> Result<()> {
        self.device.resources().delete::<Variable>(CONTAINER, name)
    }

    fn apply(&self, gradients: Vec<Named<Gradient>>, steps: u64) -> Result<()> {
        let compiled = self.compiled()?;
        compiled.group.apply(gradients)?;
        if steps != 1 {
            // The program has counted one.
            let counter = self.variable(&compiled.global_step)?;
            counter.update(|value| {
                let counted = value.as_mut_slice::<i64>();
                let [count] = counted.ok_or_else(|| Status::internal("a shared counter"))? else {
                    return Err(Status::invalid_argument(
                        "the counter of steps must be one number",
                    ));
                };
                *count = count.saturating_add_unsigned(steps).saturating_sub(1);
                Ok(())
            })?;
        }
        Ok(())
    }

    fn is_apart(&self, name: &str) -> bool {
        let program = self.program.read();
        let apart = program.as_ref().and_then(|compiled| compiled.apart.as_ref());
        apart.is_some_and(|apart| apart.has(name))
    }

    fn apply_apart(&self, gradients: Vec<Named<Gradient>>) -> Result<()> {
        match &self.compiled()?.apart {
            Some(apart) => apart.apply(gradients),
            None => Err(Status::internal("nothing is changed by itself on this server")),
        }
    }

    fn get(&self, name: &str) -> Result<Tensor> {
        self.variable(name)?.read()
    }

    fn form(&self, name: &str) -> Result<(DataType, Shape)> {
        self.variable(name)?.inspect(|value| Ok((value.dtype(), value.shape().clone())))
    }

    fn rows(&self, name: &str, numbers: &Tensor) -> Result<Tensor> {
        // Under the lock: a snapshot would make the next update copy the whole, perhaps huge, variable.
        self.variable(name)?.inspect(|value| gather_rows(name, value, numbers))
    }

    fn set(&self, name: &str, value: Tensor) -> Result<()> {
        let shape = PartialShape::from(value.shape());
        let dtype = value.dtype();
        if dtype == DataType::Resource || dtype == DataType::Variant {
            return Err(Status::invalid_argument(format!("'{name}' cannot be a {dtype}")));
        }
        let make = || Ok(Variable::new(name, dtype, shape));
        let variable = self.device.resources().lookup_or_create(CONTAINER, name, make)?;
        if variable.dtype() != dtype || !variable.shape().allows(value.shape()) {
            return Err(Status::invalid_argument(format!(
                "the variable '{name}' is {} of shape {}, and cannot be given {dtype} of shape {}",
                variable.dtype(),
                variable.shape(),
                value.shape()
            )));
        }
        variable.assign(value);
        Ok(())
    }

    fn names(&self) -> Vec<String> {
        let Ok(compiled) = self.compiled() else { return Vec::new() };
        let initialized = |name: &&String| self.variable(name).is_ok_and(|v| v.is_initialized());
        compiled.variables.iter().filter(initialized).cloned().collect()
    }
}

fn odd(variable: &str, what: &str) -> Status {
    Status::invalid_argument(format!(
        "the gradient of '{variable}' {what}; do all workers run the same model?"
    ))
}
