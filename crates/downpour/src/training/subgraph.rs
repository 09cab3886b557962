//! The part of a graph that one operation needs, as a message.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use downpour_tensor::{Bytes, Result, Status};
use downpour_wire::proto::attr_value::Value;
use downpour_wire::proto::{GraphDef, NodeDef};
use prost::Message;

/// What is different where the part of a graph runs.
#[derive(Default)]
pub(crate) struct Elsewhere {
    /// By the name of a variable's handle: the variable's name there.
    pub names: HashMap<String, String>,
    /// By the name of a handle, or of a placeholder: which rows of it are there.
    pub rows: HashMap<String, Range<usize>>,
}

impl Elsewhere {
    fn change(&self, node: &mut NodeDef) -> Result<()> {
        let label = node.name.clone();
        let odd = |what: &str| Status::internal(format!("the node '{label}' has no {what}"));
        let name = self.names.get(&node.name);
        let rows = self.rows.get(&node.name);
        if let Some(name) = name {
            let attr = node.attr.get_mut("shared_name").ok_or_else(|| odd("shared name"))?;
            attr.value = Some(Value::S(Bytes::copy_from_slice(name.as_bytes())));
        }
        if let Some(rows) = rows {
            let shape = node.attr.get_mut("shape").and_then(|attr| attr.value.as_mut());
            let Some(Value::Shape(shape)) = shape else { return Err(odd("shape")) };
            let first = shape.dim.first_mut().ok_or_else(|| odd("rows"))?;
            first.size = rows.len() as i64;
        }
        Ok(())
    }
}

/// The nodes `target` needs, in the graph's order: the same bytes from every worker, whatever else its graph
/// has.
pub(crate) fn subgraph(graph: &GraphDef, target: &str, elsewhere: &Elsewhere) -> Result<Bytes> {
    let nodes: HashMap<&str, &NodeDef> = graph.node.iter().map(|n| (n.name.as_str(), n)).collect();
    let mut needed = HashSet::new();
    let mut open = vec![target.to_string()];
    while let Some(name) = open.pop() {
        let node = nodes.get(name.as_str()).ok_or_else(|| {
            Status::internal(format!("the graph has no node '{name}', which '{target}' needs"))
        })?;
        if !needed.insert(node.name.as_str()) {
            continue;
        }
        for input in &node.input {
            let input = input.strip_prefix('^').unwrap_or(input);
            open.push(input.split(':').next().unwrap_or(input).to_string());
        }
    }
    let kept = graph.node.iter().filter(|node| needed.contains(node.name.as_str()));
    let kept = kept.cloned().map(|mut node| {
        // Where it stands is decided by who runs it.
        node.attr.remove("_class");
        elsewhere.change(&mut node)?;
        Ok(node)
    });
    let part = GraphDef {
        node: kept.collect::<Result<_>>()?,
        versions: graph.versions.clone(),
        library: graph.library.clone(),
        ..GraphDef::default()
    };
    Ok(Bytes::from(part.encode_to_vec()))
}
