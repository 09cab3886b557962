//! The functions that a graph needs, found from the attributes of its nodes.

use std::collections::BTreeMap;

use downpour_graph::FunctionLibrary;
use downpour_tensor::{Result, Status};
use downpour_wire::proto::{AttrValue, FunctionDef, NameAttrList, NodeDef, attr_value::Value};

/// Functions by name.
pub(crate) type Functions = BTreeMap<String, FunctionDef>;

/// Adds the functions that these attributes name, and those that are called by them.
pub(crate) fn collect(
    functions: &mut Functions,
    attrs: &BTreeMap<String, AttrValue>,
    library: &FunctionLibrary,
) -> Result<()> {
    let mut waiting: Vec<String> = named(attrs).map(|function| function.name.clone()).collect();
    while let Some(name) = waiting.pop() {
        let Some(found) = library.get(&name) else { continue };
        if let Some(known) = functions.get(&name) {
            if known != found {
                return Err(Status::invalid_argument(format!(
                    "the datasets of one pipeline have different functions of the name '{name}'"
                )));
            }
            continue;
        }
        functions.insert(name, found.clone());
        for node in &found.node_def {
            waiting.extend(called(node));
        }
    }
    Ok(())
}

/// Returns the functions that a node names, its operation included, which may be one.
fn called(node: &NodeDef) -> impl Iterator<Item = String> {
    let named = named(&node.attr).map(|function| function.name.clone());
    named.chain([node.op.clone()])
}

/// Returns the functions that attributes name.
pub(crate) fn named(attrs: &BTreeMap<String, AttrValue>) -> impl Iterator<Item = &NameAttrList> {
    attrs.values().flat_map(|value| match &value.value {
        Some(Value::Func(function)) => std::slice::from_ref(function),
        Some(Value::List(list)) => &list.func[..],
        _ => &[],
    })
}
