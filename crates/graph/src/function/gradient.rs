//! The gradient of a function, as a function: what SymbolicGradient calls.

use downpour_tensor::{DataType, Result, Status};

use super::{FunctionGraph, FunctionLibrary, MAX_ARGS};
use crate::attr::{Attrs, Function};
use crate::builder::GraphBuilder;
use crate::differentiate::{Differentiate, densify, gradients, is_trainable};
use crate::gradient::Gradient;
use crate::node::{EdgeType, Endpoint};
use crate::registry::OpRegistry;
use crate::types::{arg_types, complete_attrs};

impl FunctionLibrary {
    /// Returns the function that the graph's author gave to compute the gradient of `function`.
    pub fn own_gradient(&self, function: &str) -> Option<&str> {
        self.gradients.get(function).map(String::as_str)
    }

    /// Makes a body that computes the gradient of a function, or of an operation.
    ///
    /// It takes the function's arguments and a gradient for each of its results, and gives a gradient for each argument.
    /// With it comes the library it calls functions of: loops have gained some.
    pub fn instantiate_gradient(
        &self,
        function: &Function,
        registry: &OpRegistry,
    ) -> Result<(FunctionGraph, FunctionLibrary)> {
        if let Some(own) = self.own_gradient(&function.name) {
            let own = Function { name: own.to_string(), attrs: function.attrs.clone() };
            return Ok((self.instantiate(&own, registry)?, self.clone()));
        }
        let body = match self.contains(&function.name) {
            true => self.instantiate(function, registry)?,
            false => operation(function, registry)?,
        };
        let mut library = self.clone();
        let body = differentiate(body, registry, &mut library)
            .map_err(|e| e.context(format!("gradient of function '{}'", function.name)))?;
        Ok((body, library))
    }
}

/// Returns a body that runs one operation.
fn operation(function: &Function, registry: &OpRegistry) -> Result<FunctionGraph> {
    let Some(spec) = registry.get(&function.name) else {
        return Err(Status::not_found(format!(
            "Function {} is not defined in the graph's library",
            function.name
        )));
    };
    let mut attrs = function.attrs.clone();
    complete_attrs(&spec.def, &mut attrs)?;
    let mut body = FunctionGraph::default();
    let mut inputs = Vec::new();
    let types = arg_types(&spec.def.inputs, &attrs)?;
    if types.len() > MAX_ARGS {
        return Err(Status::invalid_argument(format!(
            "{} has {} arguments; at most {MAX_ARGS} are supported",
            function.name,
            types.len()
        )));
    }
    for ty in types {
        inputs.push(body.add_arg(registry, "arg", ty)?);
    }
    let mut builder = GraphBuilder::new(&mut body.graph, registry);
    let node = builder.add(&function.name, &inputs, attrs)?;
    let outputs = body.graph.node(node).output_types.len() as u32;
    body.results = (0..outputs).map(|port| Endpoint { node, port }).collect();
    Ok(body)
}

fn differentiate(
    mut body: FunctionGraph,
    registry: &OpRegistry,
    library: &mut FunctionLibrary,
) -> Result<FunctionGraph> {
    let xs: Vec<Endpoint> = body.args.iter().map(|arg| Endpoint::from(*arg)).collect();
    let (mut ys, mut grad_ys) = (Vec::new(), Vec::new());
    for (i, y) in body.results.clone().into_iter().enumerate() {
        let dtype = body.graph.edge_type(y).dtype;
        let grad =
            body.add_arg(registry, &format!("grad_{i}"), EdgeType { dtype, is_ref: false })?;
        if is_trainable(dtype) {
            ys.push(y);
            grad_ys.push(Gradient::Dense(grad));
        }
    }
    let wanted = Differentiate { ys, xs: xs.clone(), grad_ys, ..Differentiate::default() };
    let found = gradients(&mut body.graph, registry, library, &wanted)?;
    body.results = Vec::with_capacity(xs.len());
    for (x, grad) in xs.into_iter().zip(found) {
        let dtype = body.graph.edge_type(x).dtype;
        let mut builder = GraphBuilder::new(&mut body.graph, registry).in_scope("gradients");
        let result = match densify(&mut builder, grad)? {
            Some(grad) => grad,
            None if dtype == DataType::Resource => {
                let name = &body.graph.node(x.node).name;
                return Err(Status::unimplemented(format!(
                    "no result depends on what the handle '{name}' names, and zeros of its shape are not known"
                )));
            }
            None => builder.op("ZerosLike", &[x], Attrs::new())?,
        };
        body.results.push(result);
    }
    Ok(body)
}
