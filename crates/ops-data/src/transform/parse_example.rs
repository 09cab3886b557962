//! ParseExampleDataset: vectors of serialised Examples as tensors, by the kernel of ParseExampleV2.
//!
//! The elements go through a small graph of its own: ParseExampleV2, and behind it what packs the three parts of a
//! sparse feature into one tensor, and the two of a ragged one. An element has a component for each feature, in the
//! order of their keys.

use std::collections::BTreeMap;
use std::sync::Arc;

use downpour_graph::{AttrValue, Attrs, OpSpec, attrs_to_proto, shapes};
use downpour_runtime::{GraphLoader, Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{ByteString, DataType, Result, Status, Tensor};
use downpour_wire::proto::{GraphDef, NodeDef};

use super::parallel_map::parallel;
use crate::component::Signature;
use crate::dataset::{self, scalar_i64};
use crate::function::{Captured, GraphMap};
use crate::function_stage::{self, same_length};

const RAGGED: &str = "
                ragged_keys: list(string) >= 0 = []
                ragged_value_types: list({float, int64, string}) >= 0 = []
                ragged_split_types: list({int32, int64}) >= 0 = []";

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, order, ragged) in [
        ("ParseExampleDataset", "sloppy: bool = false", RAGGED),
        ("ParseExampleDatasetV2", "deterministic: string = 'default'", RAGGED),
        ("ExperimentalParseExampleDataset", "sloppy: bool = false", ""),
    ] {
        let signature = format!(
            "{name}(input_dataset: variant, num_parallel_calls: int64, dense_defaults: Tdense) -> (handle: variant)
                sparse_keys: list(string) >= 0
                dense_keys: list(string) >= 0
                sparse_types: list({{float, int64, string}}) >= 0
                Tdense: list({{float, int64, string}}) >= 0
                dense_shapes: list(shape) >= 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                {order}{ragged}"
        );
        registry.add(OpSpec::new(&signature)?.shape(shapes::scalar), |build| {
            Ok(KernelBox::new(ParseExample::new(build)?))
        })?;
    }
    Ok(())
}

struct ParseExample {
    features: Features,
    loader: GraphLoader,
}

impl ParseExample {
    fn new(build: &KernelBuild<'_>) -> Result<ParseExample> {
        if let Some(AttrValue::Str(order)) = build.get("deterministic")
            && !matches!(&order[..], b"true" | b"false" | b"default")
        {
            return Err(Status::invalid_argument(format!(
                "Unrecognized determinism policy: {}",
                downpour_tensor::excerpt(order)
            )));
        }
        Ok(ParseExample { features: Features::new(build)?, loader: build.loader()? })
    }
}

impl Kernel for ParseExample {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let calls = scalar_i64(cx, 1, "num_parallel_calls")?;
        let parallel = parallel("num_parallel_calls", calls, cx.parallel().limit())?;
        let range = cx.node().input_range("dense_defaults")?;
        let defaults: Vec<Tensor> = range.map(|i| cx.input(i).clone()).collect();
        let input = dataset::input(cx, 0)?;
        let (graph, fetches) = self.features.graph(&input.signature.types)?;
        let graph = Arc::new(self.loader.load(&graph, &fetches)?);
        let function = Captured::with(cx.step(), graph.function(), defaults);
        let names = Signature::of(cx.node())?.names();
        // Results keep the order of the input, which every setting allows.
        let parsed = function_stage::dataset(
            "parse_example",
            input,
            function,
            same_length,
            move |input, function| {
                // The function can be called as long as its graph is there.
                let _graph = &graph;
                Ok(input.map_parallel(
                    parallel,
                    GraphMap { function, names: names.clone(), may_end: false },
                ))
            },
        );
        dataset::finish(cx, parsed)
    }
}

/// The features to look for.
struct Features {
    /// The attributes of ParseExampleV2.
    attrs: Attrs,
    /// Keys of features, by their kind.
    dense: Vec<ByteString>,
    sparse: Vec<ByteString>,
    ragged: Vec<ByteString>,
}

impl Features {
    fn new(build: &KernelBuild<'_>) -> Result<Features> {
        let keys = |name: &str| -> Result<Vec<ByteString>> {
            match build.get(name) {
                Some(_) => build.byte_strings(name)?.iter().map(ByteString::copy_from).collect(),
                None => Ok(Vec::new()),
            }
        };
        let (dense, sparse, ragged) =
            (keys("dense_keys")?, keys("sparse_keys")?, keys("ragged_keys")?);
        let mut attrs = Attrs::new().with("num_sparse", sparse.len() as i64);
        for (name, keys) in [
            ("Tdense", &dense),
            ("dense_shapes", &dense),
            ("sparse_types", &sparse),
            ("ragged_value_types", &ragged),
            ("ragged_split_types", &ragged),
        ] {
            let value = build.get(name).cloned().unwrap_or(AttrValue::List(Vec::new()));
            if let AttrValue::List(values) = &value
                && values.len() != keys.len()
            {
                return Err(Status::invalid_argument(format!(
                    "{name} has {} values for {} keys",
                    values.len(),
                    keys.len()
                )));
            }
            attrs.set(name, value);
        }
        Ok(Features { attrs, dense, sparse, ragged })
    }

    /// Returns a graph that parses the components of an element, and its results in the order of their keys.
    fn graph(&self, components: &[DataType]) -> Result<(GraphDef, Vec<String>)> {
        let mut nodes = Nodes::default();
        let serialized = nodes.serialized(components)?;
        let mut inputs = vec![serialized, nodes.strings(&[])?];
        for keys in [&self.sparse, &self.dense, &self.ragged] {
            inputs.push(nodes.strings(keys)?);
        }
        let dense_types = self.attrs.dtypes("Tdense")?;
        for &dtype in &dense_types {
            inputs.push(nodes.argument(dtype)?);
        }
        let parsed = nodes.add("ParseExampleV2", inputs, &self.attrs)?;
        let (sparse, dense, ragged) = (self.sparse.len(), self.dense.len(), self.ragged.len());
        let output = |place: usize| format!("{parsed}:{place}");
        let mut fetches = BTreeMap::new();
        for (i, (key, dtype)) in
            self.sparse.iter().zip(self.attrs.dtypes("sparse_types")?).enumerate()
        {
            let attrs = Attrs::new().with("T", dtype).with("out_type", DataType::Variant);
            let parts = vec![output(i), output(sparse + i), output(2 * sparse + i)];
            fetches.insert(&key[..], nodes.add("SerializeSparse", parts, &attrs)?);
        }
        for (i, key) in self.dense.iter().enumerate() {
            fetches.insert(&key[..], output(3 * sparse + i));
        }
        let value_types = self.attrs.dtypes("ragged_value_types")?;
        let split_types = self.attrs.dtypes("ragged_split_types")?;
        for (i, key) in self.ragged.iter().enumerate() {
            let attrs = Attrs::new()
                .with("RAGGED_RANK", 1i64)
                .with("Tvalues", value_types[i])
                .with("Tsplits", split_types[i])
                .with("batched_input", false);
            let values = 3 * sparse + dense + i;
            let parts = vec![output(values + ragged), output(values)];
            fetches.insert(&key[..], nodes.add("RaggedTensorToVariant", parts, &attrs)?);
        }
        if fetches.len() != sparse + dense + ragged {
            return Err(Status::invalid_argument("Duplicate key not allowed"));
        }
        let fetches = fetches.into_values().collect();
        Ok((GraphDef { node: nodes.nodes, ..GraphDef::default() }, fetches))
    }
}

/// The nodes of a graph that is being written.
#[derive(Default)]
struct Nodes {
    nodes: Vec<NodeDef>,
    arguments: i64,
}

impl Nodes {
    fn add(&mut self, op: &str, input: Vec<String>, attrs: &Attrs) -> Result<String> {
        let name = format!("{op}_{}", self.nodes.len()).trim_start_matches('_').to_owned();
        let attr = attrs_to_proto(attrs)?;
        let op = op.to_owned();
        self.nodes.push(NodeDef { name: name.clone(), op, input, attr, ..NodeDef::default() });
        Ok(name)
    }

    fn argument(&mut self, dtype: DataType) -> Result<String> {
        let attrs = Attrs::new().with("T", dtype).with("index", self.arguments);
        self.arguments += 1;
        self.add("_Arg", Vec::new(), &attrs)
    }

    fn constant(&mut self, value: Tensor) -> Result<String> {
        let attrs = Attrs::new().with("dtype", value.dtype()).with("value", value);
        self.add("Const", Vec::new(), &attrs)
    }

    fn strings(&mut self, values: &[ByteString]) -> Result<String> {
        self.constant(Tensor::from_strings([values.len()], values.to_vec())?)
    }

    /// Adds the components of an element as one vector of messages.
    fn serialized(&mut self, components: &[DataType]) -> Result<String> {
        let flat = self.constant(Tensor::vector(&[-1i32])?)?;
        let mut parts = Vec::with_capacity(components.len());
        for &dtype in components {
            if dtype != DataType::String {
                return Err(Status::invalid_argument(format!(
                    "ParseExampleDataset takes strings, but an element has a component of type {dtype}"
                )));
            }
            let attrs = Attrs::new().with("T", dtype).with("Tshape", DataType::Int32);
            let input = vec![self.argument(dtype)?, flat.clone()];
            parts.push(self.add("Reshape", input, &attrs)?);
        }
        if parts.len() == 1 {
            return Ok(parts.remove(0));
        }
        let attrs = Attrs::new()
            .with("N", parts.len() as i64)
            .with("T", DataType::String)
            .with("Tidx", DataType::Int32);
        parts.push(self.constant(Tensor::scalar(0i32))?);
        self.add("ConcatV2", parts, &attrs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(dense: &[&str], sparse: &[&str], ragged: &[&str]) -> Features {
        let keys = |keys: &[&str]| -> Vec<ByteString> {
            keys.iter().map(|k| ByteString::copy_from(k.as_bytes()).unwrap()).collect()
        };
        let types = |count: usize| vec![DataType::Int64; count];
        let attrs = Attrs::new()
            .with("Tdense", types(dense.len()))
            .with("sparse_types", types(sparse.len()))
            .with("ragged_value_types", types(ragged.len()))
            .with("ragged_split_types", types(ragged.len()));
        Features { attrs, dense: keys(dense), sparse: keys(sparse), ragged: keys(ragged) }
    }

    #[test]
    fn results_come_in_the_order_of_their_keys() {
        let (graph, fetches) =
            features(&["c", "a"], &["b"], &["aa"]).graph(&[DataType::String]).unwrap();
        let parsed = graph.node.iter().find(|node| node.op == "ParseExampleV2").unwrap();
        // Three for the sparse feature, two dense ones, and the values and splits of the ragged one.
        assert_eq!(fetches[0], format!("{}:4", parsed.name));
        assert_eq!(fetches[3], format!("{}:3", parsed.name));
        assert!(fetches[1].starts_with("Ragged") && fetches[2].starts_with("SerializeSparse"));
        let ragged = graph.node.iter().find(|node| node.op == "RaggedTensorToVariant").unwrap();
        assert_eq!(ragged.input, [format!("{}:6", parsed.name), format!("{}:5", parsed.name)]);
    }

    #[test]
    fn keys_stand_for_one_feature_and_messages_are_strings() {
        assert!(features(&["a"], &["a"], &[]).graph(&[DataType::String]).is_err());
        assert!(features(&["a"], &[], &[]).graph(&[DataType::Int64]).is_err());
        let (graph, _) = features(&["a"], &[], &[]).graph(&[DataType::String; 2]).unwrap();
        assert!(graph.node.iter().any(|node| node.op == "ConcatV2"));
    }
}
