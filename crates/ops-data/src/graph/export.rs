//! Writes the graph that makes a dataset.
//!
//! Every dataset becomes the node that made it, its other inputs become constants, and the functions that nodes call come
//! along. TensorFlow runs such a graph as well as we do: the node `dataset` (an operation `_Retval`) tells which node is
//! the dataset.

use std::collections::HashMap;
use std::sync::Arc;

use downpour_graph::{Attrs, FunctionLibrary, attrs_to_proto};
use downpour_tensor::{DataType, Result, Status, Tensor};
use downpour_wire::proto::{FunctionDefLibrary, GraphDef, NodeDef, VersionDef};

use super::functions::{self, Functions};
use super::origin::Origin;
use crate::dataset::{self, GraphDataset};

/// The operation of the node that names the result of a graph.
pub(crate) const RESULT: &str = "_Retval";

/// The version of graphs that TensorFlow 2.21 and the ones before it read.
const PRODUCER: i32 = 1882;

/// Tensors that are larger are passed to the graph instead of written into it, where that is possible.
const LARGEST_CONSTANT: usize = 1024;

/// The graph of a dataset, and the tensors that it takes as arguments.
pub(crate) struct Exported {
    pub graph: GraphDef,
    pub arguments: Vec<Tensor>,
}

/// Returns the graph of a dataset, with everything that it needs.
pub(crate) fn export(dataset: &GraphDataset) -> Result<GraphDef> {
    Ok(run(dataset, false)?.graph)
}

/// Returns the graph of a dataset for use in this process: large tensors, and datasets that have no graph, are arguments
/// (operations `_Arg`).
pub(crate) fn export_with_arguments(dataset: &GraphDataset) -> Result<Exported> {
    run(dataset, true)
}

fn run(dataset: &GraphDataset, takes_arguments: bool) -> Result<Exported> {
    let mut exporter = Exporter { takes_arguments, ..Exporter::default() };
    let made = match exporter.dataset(dataset) {
        Err(_) if takes_arguments => exporter.argument(&dataset.clone().into_tensor()?)?,
        made => made?,
    };
    let attrs = Attrs::new().with("T", DataType::Variant).with("index", 0i64);
    exporter.nodes.push(node("dataset".into(), RESULT, vec![made], &attrs)?);
    let library = FunctionDefLibrary {
        function: exporter.functions.into_values().collect(),
        ..FunctionDefLibrary::default()
    };
    let versions = VersionDef { producer: PRODUCER, ..VersionDef::default() };
    let graph = GraphDef {
        node: exporter.nodes,
        library: Some(library),
        versions: Some(versions),
        ..GraphDef::default()
    };
    Ok(Exported { graph, arguments: exporter.arguments })
}

#[derive(Default)]
struct Exporter {
    takes_arguments: bool,
    nodes: Vec<NodeDef>,
    arguments: Vec<Tensor>,
    functions: Functions,
    /// The nodes of datasets that were written. A dataset may be used more than once.
    written: HashMap<*const Origin, String>,
}

fn node(name: String, op: &str, input: Vec<String>, attrs: &Attrs) -> Result<NodeDef> {
    let attr = attrs_to_proto(attrs)?;
    Ok(NodeDef { name, op: op.to_owned(), input, attr, ..NodeDef::default() })
}

impl Exporter {
    fn dataset(&mut self, dataset: &GraphDataset) -> Result<String> {
        let origin = dataset.origin().ok_or_else(|| {
            Status::unimplemented(format!(
                "the dataset {} was not made by an operation of a graph",
                dataset.pipeline.describe()
            ))
        })?;
        if let Some(name) = self.written.get(&Arc::as_ptr(origin)) {
            return Ok(name.clone());
        }
        let op = origin.node.op_name();
        if is_not_serializable(op) {
            return Err(Status::unimplemented(format!(
                "{op}Op::Dataset does not support serialization."
            )));
        }
        let inputs = origin.inputs.iter().map(|input| self.input(input));
        let inputs = inputs.collect::<Result<_>>()?;
        let mut attrs = origin.node.attrs.clone();
        // Attributes that are not the operation's own say where a node stood.
        attrs.0.retain(|name, _| !name.starts_with('_'));
        if let Some(library) = &origin.library {
            self.functions_of(&attrs, library)?;
        }
        let name = self.name(op);
        self.nodes.push(node(name.clone(), op, inputs, &attrs)?);
        self.written.insert(Arc::as_ptr(origin), name.clone());
        Ok(name)
    }

    fn input(&mut self, tensor: &Tensor) -> Result<String> {
        if tensor.dtype() == DataType::Variant
            && let Ok(dataset) = dataset::from_tensor(tensor)
        {
            return match self.dataset(dataset) {
                Err(_) if self.takes_arguments => self.argument(tensor),
                made => made,
            };
        }
        if self.takes_arguments
            && (tensor.bytes().is_none() || tensor.byte_len() > LARGEST_CONSTANT)
        {
            return self.argument(tensor);
        }
        let name = self.name("Const");
        let attrs = Attrs::new().with("dtype", tensor.dtype()).with("value", tensor.clone());
        self.nodes.push(node(name.clone(), "Const", Vec::new(), &attrs)?);
        Ok(name)
    }

    fn argument(&mut self, tensor: &Tensor) -> Result<String> {
        let name = self.name("_Arg");
        let index = self.arguments.len() as i64;
        let attrs = Attrs::new().with("T", tensor.dtype()).with("index", index);
        self.nodes.push(node(name.clone(), "_Arg", Vec::new(), &attrs)?);
        self.arguments.push(tensor.clone());
        Ok(name)
    }

    fn name(&self, op: &str) -> String {
        format!("{}/_{}", op.trim_start_matches('_'), self.nodes.len())
    }

    fn functions_of(&mut self, attrs: &Attrs, library: &FunctionLibrary) -> Result<()> {
        let attrs = attrs_to_proto(attrs)?;
        functions::collect(&mut self.functions, &attrs, library)
    }
}

/// Datasets that refuse to be written.
fn is_not_serializable(op: &str) -> bool {
    matches!(
        op,
        "NonSerializableDataset" | "ExperimentalNonSerializableDataset" | "GeneratorDataset"
    )
}
