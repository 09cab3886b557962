//! Small helpers for nodes of a GraphDef.

use downpour_tensor::{DataType, Result, Tensor};
use downpour_wire::proto::attr_value::{ListValue, Value};
use downpour_wire::proto::{AttrValue, NodeDef};
use downpour_wire::tensor_to_proto;

pub fn node(name: impl Into<String>, op: &str, inputs: Vec<String>) -> NodeDef {
    NodeDef { name: name.into(), op: op.into(), input: inputs, ..Default::default() }
}

pub fn with(mut node: NodeDef, attr: &str, value: Value) -> NodeDef {
    node.attr.insert(attr.into(), AttrValue { value: Some(value) });
    node
}

pub fn with_type(node: NodeDef, attr: &str, dtype: DataType) -> NodeDef {
    with(node, attr, Value::Type(dtype as i32))
}

pub fn type_list(dtypes: impl Iterator<Item = DataType>) -> Value {
    let list =
        ListValue { r#type: dtypes.map(|dtype| dtype as i32).collect(), ..Default::default() };
    Value::List(Box::new(list))
}

pub fn constant(name: impl Into<String>, tensor: &Tensor) -> Result<NodeDef> {
    let value = Value::Tensor(Box::new(tensor_to_proto(tensor)?));
    let node = with_type(node(name, "Const", Vec::new()), "dtype", tensor.dtype());
    Ok(with(node, "value", value))
}

/// The node an input comes from, and which of its outputs; `None` for a control input.
pub fn source(input: &str) -> (&str, Option<usize>) {
    if let Some(node) = input.strip_prefix('^') {
        return (node, None);
    }
    match input.rsplit_once(':') {
        Some((node, output)) => match output.parse() {
            Ok(output) => (node, Some(output)),
            Err(_) => (input, Some(0)),
        },
        None => (input, Some(0)),
    }
}

pub fn type_attr(node: &NodeDef, attr: &str) -> Option<DataType> {
    match node.attr.get(attr)?.value {
        Some(Value::Type(dtype)) => DataType::from_i32(dtype),
        _ => None,
    }
}

/// Whether a node is a variable, and whether others reach it by a handle.
pub fn variable_kind(node: &NodeDef) -> Option<VariableKind> {
    match node.op.as_str() {
        "VarHandleOp" => Some(VariableKind::Resource),
        "VariableV2" | "Variable" => Some(VariableKind::Reference),
        _ => None,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableKind {
    Resource,
    Reference,
}
