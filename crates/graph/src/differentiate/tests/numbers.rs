//! Operations on single numbers and an interpreter for them, to run loops without a runtime.

use std::collections::HashMap;

use downpour_tensor::{DataType, Tensor};

use crate::function::FunctionGraph;
use crate::{Attrs, Endpoint, FunctionLibrary, Gradient, Graph, OpRegistry, OpSpec};

pub const FLOAT: DataType = DataType::Double;

pub fn registry() -> OpRegistry {
    let mut ops = OpRegistry::new();
    let mut add = |spec: OpSpec| ops.add(spec).unwrap();
    let spec = |text: &str| OpSpec::new(text).unwrap();
    for op in [
        "Placeholder() -> (output: dtype)\n dtype: type",
        "Const() -> (output: dtype)\n value: tensor\n dtype: type",
        "_Arg() -> (output: T)\n T: type\n index: int",
        "EmptyTensorList(shape: S, most: int32) -> (list: variant)\n S: type\n element_dtype: type",
        "Less(x: T, y: T) -> (z: bool)\n T: type",
    ] {
        add(spec(op));
    }
    for op in [
        "OnesLike(x: T) -> (y: T)\n T: type",
        "ZerosLike(x: T) -> (y: T)\n T: type",
        "Shape(x: T) -> (y: int32)\n T: type",
        "Fill(shape: int32, x: T) -> (y: T)\n T: type",
        "StopGradient(x: T) -> (y: T)\n T: type",
    ] {
        add(spec(op).not_differentiable());
    }
    for op in ["Identity(x: T) -> (y: T)\n T: type", "IdentityN(x: T) -> (y: T)\n T: list(type)"] {
        add(spec(op).gradient(|cx| Ok((0..cx.inputs_len()).map(|i| cx.gradient(i)).collect())));
    }
    add(spec("Mul(x: T, y: T) -> (z: T)\n T: type").gradient(|cx| {
        let (grad, x, y) = (cx.grad(0)?, cx.input(0), cx.input(1));
        let (dx, dy) = (cx.op("Mul", &[grad, y])?, cx.op("Mul", &[grad, x])?);
        Ok(vec![Gradient::Dense(dx), Gradient::Dense(dy)])
    }));
    add(spec("AddV2(x: T, y: T) -> (z: T)\n T: type").gradient(|cx| Ok(vec![cx.gradient(0); 2])));
    add(spec("AddN(inputs: N * T) -> (sum: T)\n N: int >= 1\n T: type")
        .gradient(|cx| Ok(vec![cx.gradient(0); cx.inputs_len()])));
    add(spec("Exp(x: T) -> (y: T)\n T: type").gradient(|cx| {
        let (grad, y) = (cx.grad(0)?, cx.output(0));
        Ok(vec![Gradient::Dense(cx.op("Mul", &[grad, y])?)])
    }));
    add(spec("TensorListPushBack(list: variant, x: element_dtype) -> (longer: variant)\n element_dtype: type")
        .gradient(|cx| {
            let (grad, none) = (cx.grad(0)?, cx.scalar(-1i32)?);
            let attrs = Attrs::new().with("element_dtype", cx.dtype(cx.input(1)));
            let node = cx.node_with("TensorListPopBack", &[grad, none], attrs)?;
            Ok(vec![Gradient::Dense(node.into()), Gradient::Dense(Endpoint { node, port: 1 })])
        }));
    add(spec("TensorListPopBack(list: variant, shape: int32) -> (shorter: variant, x: element_dtype)\n element_dtype: type")
        .gradient(|cx| {
            let (list, element) = (cx.grad(0)?, cx.grad(1)?);
            Ok(vec![Gradient::Dense(cx.op("TensorListPushBack", &[list, element])?), Gradient::None])
        }));
    for name in ["While", "StatelessWhile"] {
        let effect = if name == "While" { " @stateful" } else { "" };
        add(spec(&format!(
            "{name}(input: T) -> (output: T){effect}\n T: list(type)\n cond: func\n body: func\n \
             parallel_iterations: int = 10\n output_shapes: list(shape) = []"
        )));
    }
    add(spec(
        "StatelessIf(cond: Tcond, input: Tin) -> (output: Tout)\n Tcond: type\n Tin: list(type)\n \
         Tout: list(type)\n then_branch: func\n else_branch: func",
    ));
    add(spec(
        "StatelessCase(branch: int32, input: Tin) -> (output: Tout)\n Tin: list(type)\n \
         Tout: list(type)\n branches: list(func)",
    ));
    ops
}

#[derive(Clone, Debug)]
pub enum Value {
    Number(f64),
    Truth(bool),
    List(Vec<Value>),
}

impl Value {
    pub fn number(&self) -> f64 {
        match self {
            Value::Number(x) => *x,
            other => panic!("{other:?} is not a number"),
        }
    }

    fn list(&self) -> Vec<Value> {
        match self {
            Value::List(items) => items.clone(),
            other => panic!("{other:?} is not a list"),
        }
    }

    fn zeros(&self) -> Value {
        match self {
            Value::List(items) => Value::List(items.iter().map(Value::zeros).collect()),
            _ => Value::Number(0.0),
        }
    }

    fn plus(&self, other: &Value) -> Value {
        match (self, other) {
            (Value::List(a), Value::List(b)) => {
                assert_eq!(a.len(), b.len(), "lists of different lengths");
                Value::List(a.iter().zip(b).map(|(a, b)| a.plus(b)).collect())
            }
            (a, b) => Value::Number(a.number() + b.number()),
        }
    }
}

/// The values of one graph, computed as they are asked for.
pub struct Run<'a> {
    pub graph: &'a Graph,
    pub ops: &'a OpRegistry,
    pub library: &'a FunctionLibrary,
    pub known: HashMap<Endpoint, Value>,
}

impl Run<'_> {
    pub fn value(&mut self, end: Endpoint) -> Value {
        if !self.known.contains_key(&end) {
            let inputs = self.graph.node(end.node).inputs.clone();
            let inputs: Vec<Value> = inputs.into_iter().map(|end| self.value(end)).collect();
            for (port, value) in self.compute(end, &inputs).into_iter().enumerate() {
                self.known.insert(Endpoint { node: end.node, port: port as u32 }, value);
            }
        }
        self.known[&end].clone()
    }

    fn compute(&self, end: Endpoint, inputs: &[Value]) -> Vec<Value> {
        let node = self.graph.node(end.node);
        let number = |i: usize| inputs[i].number();
        vec![match node.op_name() {
            "Const" => constant(&node.tensor("value").unwrap()),
            "Identity" | "StopGradient" => inputs[0].clone(),
            "IdentityN" => return inputs.to_vec(),
            "OnesLike" => Value::Number(1.0),
            "ZerosLike" => inputs[0].zeros(),
            "Shape" => Value::Number(0.0),
            "Fill" => inputs[1].clone(),
            "Mul" => Value::Number(number(0) * number(1)),
            "AddV2" | "AddN" => {
                inputs[1..].iter().fold(inputs[0].clone(), |sum, next| sum.plus(next))
            }
            "Exp" => Value::Number(number(0).exp()),
            "Less" => Value::Truth(number(0) < number(1)),
            "EmptyTensorList" => Value::List(Vec::new()),
            "TensorListPushBack" => {
                let mut list = inputs[0].list();
                list.push(inputs[1].clone());
                Value::List(list)
            }
            "TensorListPopBack" => {
                let mut list = inputs[0].list();
                let last = list.pop().expect("the list is empty");
                return vec![Value::List(list), last];
            }
            "While" | "StatelessWhile" => {
                let mut values = inputs.to_vec();
                while self.truth(&self.call(&node.function("cond").unwrap(), &values)[0]) {
                    values = self.call(&node.function("body").unwrap(), &values);
                }
                return values;
            }
            "StatelessIf" => {
                let branch = if self.truth(&inputs[0]) { "then_branch" } else { "else_branch" };
                return self.call(&node.function(branch).unwrap(), &inputs[1..]);
            }
            "StatelessCase" => {
                let branches = node.functions("branches").unwrap();
                let chosen = (number(0) as usize).min(branches.len() - 1);
                return self.call(&branches[chosen], &inputs[1..]);
            }
            other => panic!("{other} '{}' cannot be run", node.name),
        }]
    }

    fn truth(&self, value: &Value) -> bool {
        matches!(value, Value::Truth(true))
    }

    fn call(&self, function: &crate::Function, args: &[Value]) -> Vec<Value> {
        let body: FunctionGraph = self.library.instantiate(function, self.ops).unwrap();
        let known = body.args.iter().map(|arg| Endpoint::from(*arg)).zip(args.iter().cloned());
        let known = known.collect();
        let mut run = Run { graph: &body.graph, ops: self.ops, library: self.library, known };
        body.results.iter().map(|end| run.value(*end)).collect()
    }
}

fn constant(tensor: &Tensor) -> Value {
    match tensor.dtype() {
        DataType::Bool => Value::Truth(tensor.to_scalar::<bool>().unwrap()),
        DataType::Int32 => Value::Number(f64::from(tensor.to_scalar::<i32>().unwrap())),
        _ => Value::Number(tensor.to_scalar::<f64>().unwrap()),
    }
}
