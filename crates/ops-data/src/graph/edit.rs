//! Changes to the graph of a dataset.

use std::collections::BTreeMap;

use downpour_graph::{AttrValue, Attrs, PartialShape, attrs_to_proto};
use downpour_tensor::{DataType, Result, Status, Tensor};
use downpour_wire::proto::{FunctionDef, GraphDef, NodeDef, attr_value::Value};

use super::export;

/// A graph of a dataset whose nodes are found by their names. Every node has one output.
pub(super) struct Editor {
    graph: GraphDef,
    places: BTreeMap<String, usize>,
}

impl Editor {
    pub fn new(graph: GraphDef) -> Editor {
        let names = graph.node.iter().enumerate();
        let places = names.map(|(place, node)| (node.name.clone(), place)).collect();
        Editor { graph, places }
    }

    pub fn finish(self) -> GraphDef {
        self.graph
    }

    /// Returns the name of the node that has the dataset as its input.
    pub fn sink(&self) -> Result<String> {
        let sink = self.graph.node.iter().rfind(|node| node.op == export::RESULT);
        let sink = sink.ok_or_else(|| Status::internal("a graph of a dataset has a result"))?;
        Ok(sink.name.clone())
    }

    pub fn nodes(&self) -> &[NodeDef] {
        &self.graph.node
    }

    pub fn node(&self, name: &str) -> Result<&NodeDef> {
        let place = self.places.get(name);
        place.map(|&place| &self.graph.node[place]).ok_or_else(|| no_node(name))
    }

    pub fn node_mut(&mut self, name: &str) -> Result<&mut NodeDef> {
        let place = self.places.get(name);
        place.map(|&place| &mut self.graph.node[place]).ok_or_else(|| no_node(name))
    }

    /// Returns the node that is input `i` of another.
    pub fn input(&self, node: &NodeDef, i: usize) -> Result<&NodeDef> {
        let name = node.input.get(i).ok_or_else(|| {
            Status::not_found(format!(
                "Did not find a shardable source, walked to a node which is not a dataset: {} ({}) has no input {i}",
                node.name, node.op
            ))
        })?;
        self.node(name)
    }

    pub fn function(&self, name: &str) -> Option<&FunctionDef> {
        let mut functions = self.graph.library.iter().flat_map(|library| &library.function);
        functions.find(|f| f.signature.as_ref().is_some_and(|signature| signature.name == name))
    }

    /// Adds a node and returns its name.
    pub fn add(&mut self, op: &str, input: Vec<String>, attrs: &Attrs) -> Result<String> {
        let place = self.graph.node.len();
        let name = format!("{op}/added_{place}");
        let attr = attrs_to_proto(attrs)?;
        let node =
            NodeDef { name: name.clone(), op: op.to_owned(), input, attr, ..NodeDef::default() };
        self.graph.node.push(node);
        self.places.insert(name.clone(), place);
        Ok(name)
    }

    /// Adds a constant and returns its name.
    pub fn add_number(&mut self, number: i64) -> Result<String> {
        let value = Tensor::scalar(number);
        let attrs = Attrs::new().with("dtype", DataType::Int64).with("value", value);
        self.add("Const", Vec::new(), &attrs)
    }

    /// Has all nodes that read from `old`, but `new` itself, read from `new`.
    pub fn redirect(&mut self, old: &str, new: &str) {
        for node in self.graph.node.iter_mut().filter(|node| node.name != new) {
            for input in node.input.iter_mut().filter(|input| *input == old) {
                new.clone_into(input);
            }
        }
    }

    /// Puts a ShardDataset between a node and its first input.
    pub fn add_shard(&mut self, before: &str, count: i64, index: i64) -> Result<()> {
        let source = self.input(self.node(before)?, 0)?;
        if !source.op.contains("Dataset") {
            return Err(Status::not_found(format!(
                "Unable to shard this input. You may need to wrap the inputs to your reader dataset in a \
                 TensorSliceDataset. Input node is {} ({})",
                source.name, source.op
            )));
        }
        let mut attrs = Attrs::new().with("require_non_empty", true);
        // Datasets that read files do not say that they give strings.
        attrs.set("output_types", AttrValue::List(vec![DataType::String.into()]));
        attrs.set("output_shapes", AttrValue::List(vec![PartialShape::unknown().into()]));
        let known = ["output_types", "output_shapes"].map(|name| {
            let other = if name == "output_types" { "Toutput_types" } else { name };
            let value = source.attr.get(name).or_else(|| source.attr.get(other));
            (name, value.cloned())
        });
        let source = source.name.clone();
        let input = vec![source.clone(), self.add_number(count)?, self.add_number(index)?];
        let shard = self.add("ShardDataset", input, &attrs)?;
        for (name, value) in known {
            if let Some(value) = value {
                self.node_mut(&shard)?.attr.insert(name.to_owned(), value);
            }
        }
        self.redirect(&source, &shard);
        Ok(())
    }

    /// Returns the number that a constant node holds.
    pub fn number(&self, name: &str) -> Option<i64> {
        let node = self.node(name).ok().filter(|node| node.op == "Const")?;
        match node.attr.get("value")?.value.as_ref()? {
            Value::Tensor(tensor) => {
                downpour_wire::tensor_from_proto(tensor).ok()?.to_i64_scalar().ok()
            }
            _ => None,
        }
    }
}

fn no_node(name: &str) -> Status {
    Status::internal(format!("the graph of a dataset has no node '{name}'"))
}
