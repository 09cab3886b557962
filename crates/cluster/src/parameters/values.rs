//! The variables of a device, changed by a graph.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use downpour_graph::PartialShape;
use downpour_params::{Gradient, Named, Values};
use downpour_runtime::{Device, Registry, Session, SessionOptions, Variable};
use downpour_tensor::{DataType, Result, Status, Tensor};
use downpour_wire::proto::GraphDef;
use prost::Message;

use super::program::UpdateProgram;

/// The container of variables whose graphs name none.
const CONTAINER: &str = "";

pub struct DeviceValues {
    registry: Arc<Registry>,
    device: Arc<Device>,
    program: OnceLock<Compiled>,
}

struct Compiled {
    program: UpdateProgram,
    session: Session,
    /// A step that takes gradients in the program's order.
    apply: i64,
}

impl DeviceValues {
    pub fn new(registry: Arc<Registry>, device: Arc<Device>) -> DeviceValues {
        DeviceValues { registry, device, program: OnceLock::new() }
    }

    fn compiled(&self) -> Result<&Compiled> {
        self.program.get().ok_or_else(|| {
            Status::failed_precondition("this server has not been told what it is to train")
        })
    }

    fn variable(&self, name: &str) -> Result<Arc<Variable>> {
        self.device.resources().lookup::<Variable>(CONTAINER, name)
    }
}

impl Values for DeviceValues {
    fn define(&self, program: &Bytes) -> Result<()> {
        let program = UpdateProgram::from_bytes(program)?;
        let graph = GraphDef::decode(program.graph.clone())
            .map_err(|e| Status::invalid_argument(format!("the graph of updates: {e}")))?;
        let session =
            Session::new(self.registry.clone(), self.device.clone(), SessionOptions::default());
        session.extend(&graph)?;
        let mut feeds = Vec::new();
        for input in &program.inputs {
            feeds.extend((!input.indices.is_empty()).then(|| input.indices.clone()));
            feeds.push(input.values.clone());
        }
        let apply = session.make_callable(feeds, Vec::new(), vec![program.apply.clone()])?;
        // The store defines once.
        drop(self.program.set(Compiled { program, session, apply }));
        Ok(())
    }

    fn apply(&self, gradients: Vec<Named<Gradient>>, steps: u64) -> Result<()> {
        let compiled = self.compiled()?;
        let mut gradients: HashMap<String, Gradient> = gradients.into_iter().collect();
        let mut feeds = Vec::with_capacity(gradients.len());
        for input in &compiled.program.inputs {
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
        compiled.session.run_callable(compiled.apply, feeds)?;
        if steps != 1 {
            // The program has counted one.
            let counter = self.variable(&compiled.program.global_step)?;
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

    fn get(&self, name: &str) -> Result<Tensor> {
        self.variable(name)?.read()
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
        let Some(compiled) = self.program.get() else { return Vec::new() };
        let initialized = |name: &&String| self.variable(name).is_ok_and(|v| v.is_initialized());
        compiled.program.variables.iter().filter(initialized).cloned().collect()
    }
}

fn odd(variable: &str, what: &str) -> Status {
    Status::invalid_argument(format!(
        "the gradient of '{variable}' {what}; do all workers run the same model?"
    ))
}
