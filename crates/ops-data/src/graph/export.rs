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
pub(crate) struct ExportedGraph {
    pub graph: GraphDef,
    pub arguments: Vec<Tensor>,
}

/// Returns the graph of a dataset, with everything that it needs.
pub(crate) fn export(dataset: &GraphDataset) -> Result<GraphDef> {
    Ok(run(dataset, false)?.graph)
}

/// Returns the graph of a dataset for use in this process: large tensors, and datasets that have no graph, are arguments
/// (operations `_Arg`).
pub(crate) fn export_with_arguments(dataset: &GraphDataset) -> Result<ExportedGraph> {
    run(dataset, true)
}

fn run(dataset: &GraphDataset, takes_arguments: bool) -> Result<ExportedGraph> {
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
    Ok(ExportedGraph { graph, arguments: exporter.arguments })
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
    /// Writes the node of a dataset, after those of the datasets it is made of. Pipelines may be too long for calls
    /// within calls.
    fn dataset(&mut self, dataset: &GraphDataset) -> Result<String> {
        let origin = origin_of(dataset)?;
        let mut waiting = vec![origin.clone()];
        while let Some(next) = waiting.last().cloned() {
            let missing = self.missing_inputs(&next)?;
            if missing.is_empty() {
                waiting.pop();
                self.write(&next)?;
            }
            waiting.extend(missing);
        }
        Ok(self.written[&Arc::as_ptr(origin)].clone())
    }

    /// Returns the origins of inputs that must be written before a node.
    fn missing_inputs(&self, origin: &Origin) -> Result<Vec<Arc<Origin>>> {
        let mut missing = Vec::new();
        for dataset in origin.inputs.iter().flat_map(datasets) {
            match origin_of(dataset) {
                Ok(input) if !self.written.contains_key(&Arc::as_ptr(input)) => {
                    missing.push(input.clone());
                }
                Err(error) if !self.takes_arguments => return Err(error),
                _ => {}
            }
        }
        Ok(missing)
    }

    fn write(&mut self, origin: &Arc<Origin>) -> Result<()> {
        // Several consumers may have waited for it.
        if self.written.contains_key(&Arc::as_ptr(origin)) {
            return Ok(());
        }
        let op = origin.node.op_name();
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
        self.written.insert(Arc::as_ptr(origin), name);
        Ok(())
    }

    /// Returns the node that stands for an input; those of datasets are written.
    fn input(&mut self, tensor: &Tensor) -> Result<String> {
        let datasets = datasets(tensor);
        if !datasets.is_empty() {
            let written = |dataset: &GraphDataset| {
                let origin = origin_of(dataset).ok()?;
                self.written.get(&Arc::as_ptr(origin)).cloned()
            };
            let names: Option<Vec<String>> = datasets.into_iter().map(written).collect();
            return match names {
                Some(names) if tensor.rank() > 0 => self.pack(names),
                Some(mut names) => Ok(names.remove(0)),
                None => self.argument(tensor),
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

    /// Writes a vector of datasets.
    fn pack(&mut self, datasets: Vec<String>) -> Result<String> {
        let name = self.name("Pack");
        let attrs = Attrs::new()
            .with("N", datasets.len() as i64)
            .with("T", DataType::Variant)
            .with("axis", 0i64);
        self.nodes.push(node(name.clone(), "Pack", datasets, &attrs)?);
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

/// Returns the datasets in a scalar or a vector; nothing if it holds anything else.
fn datasets(tensor: &Tensor) -> Vec<&GraphDataset> {
    if tensor.dtype() != DataType::Variant || tensor.rank() > 1 {
        return Vec::new();
    }
    let variants = tensor.variants().unwrap_or_default();
    let datasets: Option<Vec<_>> = variants.iter().map(dataset::from_variant).collect();
    datasets.unwrap_or_default()
}

/// Returns what a dataset was made by, unless it cannot be written.
fn origin_of(dataset: &GraphDataset) -> Result<&Arc<Origin>> {
    let origin = dataset.origin().ok_or_else(|| {
        Status::unimplemented(format!(
            "the dataset {} was not made by an operation of a graph",
            dataset.pipeline.describe()
        ))
    })?;
    match origin.node.op_name() {
        op @ ("NonSerializableDataset"
        | "ExperimentalNonSerializableDataset"
        | "GeneratorDataset") => {
            Err(Status::unimplemented(format!("{op}Op::Dataset does not support serialization.")))
        }
        _ => Ok(origin),
    }
}

#[cfg(test)]
mod tests {
    use super::super::origin::tests::{make, one_number, range};
    use super::*;

    fn graph(tensor: &Tensor) -> GraphDef {
        export(dataset::from_tensor(tensor).unwrap()).unwrap()
    }

    #[test]
    fn a_graph_has_the_nodes_of_a_dataset_and_names_it() {
        let taken = make("TakeDataset", one_number(), &[range(5), Tensor::scalar(3i64)]);
        let graph = graph(&taken);
        let ops: Vec<&str> = graph.node.iter().map(|node| node.op.as_str()).collect();
        assert_eq!(
            ops,
            ["Const", "Const", "Const", "RangeDataset", "Const", "TakeDataset", RESULT]
        );
        assert_eq!(graph.node[6].input, [graph.node[5].name.clone()]);
        assert_eq!(graph.node[5].input, [graph.node[3].name.clone(), graph.node[4].name.clone()]);
    }

    #[test]
    fn a_dataset_that_is_used_twice_is_written_once() {
        let mut both = range(2);
        for _ in 0..100 {
            both = make("ConcatenateDataset", one_number(), &[both.clone(), both.clone()]);
        }
        assert_eq!(graph(&both).node.len(), 3 + 1 + 100 + 1);
    }

    #[test]
    fn what_refuses_to_be_written_is_an_argument_here() {
        let refusing = make("NonSerializableDataset", one_number(), &[range(2)]);
        let taken = make("TakeDataset", one_number(), &[refusing, Tensor::scalar(1i64)]);
        let taken = dataset::from_tensor(&taken).unwrap();
        let error = export(taken).unwrap_err();
        assert!(error.message().contains("does not support serialization"), "{error}");
        let exported = export_with_arguments(taken).unwrap();
        assert_eq!(exported.arguments.len(), 1);
        assert!(exported.graph.node.iter().any(|node| node.op == "_Arg"));
    }

    #[test]
    fn vectors_of_datasets_are_packed() {
        let both = [range(2), range(3)].map(|one| one.variants().unwrap()[0].clone());
        let both = Tensor::from_variants([2], both.to_vec()).unwrap();
        let attrs = Attrs::new()
            .with("Toutput_types", vec![DataType::Variant])
            .with("output_shapes", vec![downpour_graph::PartialShape::scalar()]);
        let graph = graph(&make("TensorSliceDataset", attrs, &[both]));
        let pack = graph.node.iter().find(|node| node.op == "Pack").unwrap();
        assert_eq!(pack.input.len(), 2);
        assert_eq!(graph.node.iter().filter(|node| node.op == "RangeDataset").count(), 2);
    }

    #[test]
    fn large_tensors_are_arguments_here() {
        let values = Tensor::from_vec([1000], vec![1i64; 1000]).unwrap();
        let attrs = Attrs::new()
            .with("Toutput_types", vec![DataType::Int64])
            .with("output_shapes", vec![downpour_graph::PartialShape::scalar()]);
        let rows = make("TensorSliceDataset", attrs, &[values]);
        let rows = dataset::from_tensor(&rows).unwrap();
        assert!(export_with_arguments(rows).unwrap().arguments.len() == 1);
        assert_eq!(run(rows, false).unwrap().arguments.len(), 0);
    }

    #[test]
    fn long_pipelines_are_written_and_dropped() {
        let mut long = range(2);
        for _ in 0..900 {
            long = make("RepeatDataset", one_number(), &[long, Tensor::scalar(1i64)]);
        }
        assert_eq!(graph(&long).node.len(), 3 + 1 + 2 * 900 + 1);
    }
}
