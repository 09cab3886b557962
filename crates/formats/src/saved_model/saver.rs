//! The nodes by which TensorFlow saves and restores a model's variables, under the names it expects.

use std::collections::{BTreeMap, HashMap, HashSet};

use downpour_tensor::{ByteString, DataType, Result, Status, Tensor};
use downpour_wire::proto::attr_value::{ListValue, Value};
use downpour_wire::proto::{GraphDef, NodeDef, SaverDef, TensorShapeProto, VariableDef, saver_def};

use super::nodes::{
    VariableKind, constant, node, source, type_attr, type_list, variable_kind, with, with_type,
};

/// Adds them to the graph; also what reads and initializes a variable, where the graph has it not, so
/// that the variable can be described.
pub fn add(
    graph: &mut GraphDef,
    variables: &BTreeMap<String, Tensor>,
) -> Result<(SaverDef, Vec<VariableDef>)> {
    let scope = free_scope(graph);
    let all = describe(graph, variables)?;
    let name = |rest: &str| format!("{scope}/{rest}");
    let mut added = Vec::new();
    let file = |node: NodeDef| {
        let shape = Value::Shape(TensorShapeProto::default());
        with(with_type(node, "dtype", DataType::String), "shape", shape)
    };
    added.push(constant(name("filename/input"), &Tensor::string("model"))?);
    added.push(file(node(
        name("filename"),
        "PlaceholderWithDefault",
        vec![name("filename/input")],
    )));
    added.push(file(node(name("Const"), "PlaceholderWithDefault", vec![name("filename")])));

    let keys = Tensor::build_strings([all.len()], |i| ByteString::copy_from(&all[i].node))?;
    let slices = Tensor::new(DataType::String, [all.len()])?;
    let dtypes = || type_list(all.iter().map(|one| one.dtype));

    let mut inputs =
        vec![name("Const"), name("SaveV2/tensor_names"), name("SaveV2/shape_and_slices")];
    inputs.extend(all.iter().map(|one| one.saved.clone()));
    added.push(constant(name("SaveV2/tensor_names"), &keys)?);
    added.push(constant(name("SaveV2/shape_and_slices"), &slices)?);
    added.push(with(node(name("SaveV2"), "SaveV2", inputs), "dtypes", dtypes()));
    let done = vec![name("Const"), format!("^{}", name("SaveV2"))];
    let done = node(name("control_dependency"), "Identity", done);
    added.push(with_type(done, "T", DataType::String));

    let inputs =
        ["Const", "RestoreV2/tensor_names", "RestoreV2/shape_and_slices"].map(name).to_vec();
    added.push(constant(name("RestoreV2/tensor_names"), &keys)?);
    added.push(constant(name("RestoreV2/shape_and_slices"), &slices)?);
    added.push(with(node(name("RestoreV2"), "RestoreV2", inputs), "dtypes", dtypes()));
    let mut restored = Vec::new();
    let mut described = Vec::new();
    for (i, one) in all.into_iter().enumerate() {
        let output = format!("{}:{i}", name("RestoreV2"));
        let assign = match one.kind {
            VariableKind::Resource => {
                // In between, as TensorFlow has it: the saver's device is not the variable's.
                let value = node(name(&format!("Identity_{i}")), "Identity", vec![output]);
                added.push(with_type(value, "T", one.dtype));
                let inputs = vec![one.node.clone(), name(&format!("Identity_{i}"))];
                let assign =
                    node(name(&format!("AssignVariableOp_{i}")), "AssignVariableOp", inputs);
                with_type(assign, "dtype", one.dtype)
            }
            VariableKind::Reference => {
                let inputs = vec![one.node.clone(), output];
                let assign = node(name(&format!("Assign_{i}")), "Assign", inputs);
                let place = ListValue {
                    s: vec![format!("loc:@{}", one.node).into()],
                    ..Default::default()
                };
                let assign = with(assign, "_class", Value::List(Box::new(place)));
                with_type(with(assign, "validate_shape", Value::B(true)), "T", one.dtype)
            }
        };
        restored.push(format!("^{}", assign.name));
        described.push(VariableDef {
            variable_name: format!("{}:0", one.node),
            initializer_name: one.initializer.unwrap_or_else(|| assign.name.clone()),
            initial_value_name: one.initial_value.unwrap_or_default(),
            snapshot_name: one.snapshot,
            is_resource: one.kind == VariableKind::Resource,
            trainable: true,
            ..Default::default()
        });
        added.push(assign);
        added.extend(one.added);
    }
    added.push(node(name("restore_all"), "NoOp", restored));
    graph.node.extend(added);
    let saver = SaverDef {
        filename_tensor_name: format!("{}:0", name("Const")),
        save_tensor_name: format!("{}:0", name("control_dependency")),
        restore_op_name: name("restore_all"),
        max_to_keep: 5,
        keep_checkpoint_every_n_hours: 10000.0,
        version: saver_def::CheckpointFormatVersion::V2.into(),
        ..Default::default()
    };
    Ok((saver, described))
}

/// `save`, or `save_1` and so on if the graph has one.
fn free_scope(graph: &GraphDef) -> String {
    let used: HashSet<&str> =
        graph.node.iter().filter_map(|node| Some(node.name.split_once('/')?.0)).collect();
    let mut scope = "save".to_string();
    let mut number = 0;
    while used.contains(scope.as_str()) {
        number += 1;
        scope = format!("save_{number}");
    }
    scope
}

/// A variable and the nodes around it.
struct Described {
    node: String,
    kind: VariableKind,
    dtype: DataType,
    /// The tensor that is saved.
    saved: String,
    /// The tensor of its value.
    snapshot: String,
    initializer: Option<String>,
    initial_value: Option<String>,
    added: Option<NodeDef>,
}

fn describe(graph: &GraphDef, variables: &BTreeMap<String, Tensor>) -> Result<Vec<Described>> {
    let by_name: HashMap<&str, &NodeDef> =
        graph.node.iter().map(|node| (node.name.as_str(), node)).collect();
    // First reader and first assignment of each node, for the variables among them.
    let mut readers: HashMap<&str, &NodeDef> = HashMap::new();
    let mut assigns: HashMap<&str, &NodeDef> = HashMap::new();
    for user in &graph.node {
        let Some(input) = user.input.first() else { continue };
        match user.op.as_str() {
            "ReadVariableOp" | "Identity" => drop(readers.entry(source(input).0).or_insert(user)),
            "AssignVariableOp" | "Assign" => drop(assigns.entry(source(input).0).or_insert(user)),
            _ => {}
        }
    }
    let mut all = Vec::new();
    for (name, value) in variables {
        let bad = |what: &str| Status::invalid_argument(format!("the variable '{name}' {what}"));
        let variable = by_name.get(name.as_str()).ok_or_else(|| bad("is not in the graph"))?;
        let kind = variable_kind(variable)
            .ok_or_else(|| bad(&format!("is no variable but a node of {}", variable.op)))?;
        let dtype = type_attr(variable, "dtype").ok_or_else(|| bad("has no dtype"))?;
        if dtype != value.dtype() {
            return Err(bad(&format!("is of {dtype}, but its value of {}", value.dtype())));
        }
        let reader = readers.get(name.as_str()).map(|reader| reader.name.clone());
        let assign = assigns.get(name.as_str());
        let (added, snapshot) = match (kind, reader) {
            (_, Some(reader)) => (None, reader),
            (VariableKind::Reference, None) => (None, name.clone()),
            (VariableKind::Resource, None) => {
                let reader = format!("{name}/Read/ReadVariableOp");
                if by_name.contains_key(reader.as_str()) {
                    return Err(bad(&format!("is not read by the node '{reader}'")));
                }
                let read = node(reader.clone(), "ReadVariableOp", vec![name.clone()]);
                (Some(with_type(read, "dtype", dtype)), reader)
            }
        };
        let saved = match kind {
            VariableKind::Resource => snapshot.clone(),
            VariableKind::Reference => name.clone(),
        };
        all.push(Described {
            node: name.clone(),
            kind,
            dtype,
            saved,
            snapshot: format!("{snapshot}:0"),
            initializer: assign.map(|assign| assign.name.clone()),
            initial_value: assign.and_then(|assign| assign.input.get(1)).map(|input| {
                let (node, output) = source(input);
                format!("{node}:{}", output.unwrap_or(0))
            }),
            added,
        });
    }
    Ok(all)
}
