//! AutoShardDataset: the part of a dataset that one of several workers reads.
//!
//! The graph of the dataset is changed, and the dataset is made anew from it: by files, by elements, or where the
//! program says so.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{
    AsyncContext, AsyncKernel, GraphLoader, KernelBox, KernelBuild, LoadedGraph, Registry,
};
use downpour_tensor::{Code, Result, Status, Tensor};
use downpour_wire::proto::{attr_value::Value, tensor_shape_proto::Dim};

use super::edit::Editor;
use super::export::export_with_arguments;
use super::loaded;
use super::shard_files::shard_files;
use crate::dataset;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, own) in
        [("AutoShardDataset", "num_replicas: int = 0"), ("ExperimentalAutoShardDataset", "")]
    {
        let signature = format!(
            "{name}(input_dataset: variant, num_workers: int64, index: int64) -> (handle: variant)
                auto_shard_policy: int = 0
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                {own}"
        );
        registry.add(OpSpec::new(&signature)?.shape(shapes::scalar), |build| {
            Ok(KernelBox::asynchronous(AutoShard::new(build)?))
        })?;
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Policy {
    Off,
    /// By files, or else by elements.
    Auto,
    File,
    Data,
    Hint,
}

impl Policy {
    fn from_number(number: i64) -> Result<Policy> {
        Ok(match number {
            -1 => Policy::Off,
            0 => Policy::Auto,
            1 => Policy::File,
            2 => Policy::Data,
            3 => Policy::Hint,
            _ => {
                return Err(Status::invalid_argument(format!(
                    "auto_shard_policy is invalid: {number}"
                )));
            }
        })
    }
}

/// The number of shards in programs that leave it to be filled in.
const HINT: i64 = -1;

struct AutoShard {
    policy: i64,
    replicas: i64,
    loader: GraphLoader,
}

impl AutoShard {
    fn new(build: &KernelBuild<'_>) -> Result<AutoShard> {
        let replicas = match build.get("num_replicas") {
            Some(_) => build.int("num_replicas")?,
            None => 0,
        };
        if replicas < 0 {
            return Err(Status::invalid_argument("num_replicas should be >= 0"));
        }
        Ok(AutoShard { policy: build.int("auto_shard_policy")?, replicas, loader: build.loader()? })
    }

    /// Returns the graph of the worker's part with its arguments; none if the part is all of the dataset.
    fn part(&self, cx: &AsyncContext) -> Result<Option<(LoadedGraph, Vec<Tensor>)>> {
        let dataset = dataset::from_tensor(cx.input(0))?;
        let workers = scalar(cx.input(1), "num_workers")?;
        if workers <= 0 {
            return Err(Status::invalid_argument("num_workers must be greater than zero."));
        }
        let index = scalar(cx.input(2), "index")?;
        if index < 0 || index >= workers {
            return Err(Status::invalid_argument(format!(
                "index must be between 0 and {}",
                workers - 1
            )));
        }
        let asked = dataset.read_options()?.distribute_options.unwrap_or_default();
        let policy = Policy::from_number(match asked.auto_shard_policy {
            0 => self.policy,
            own => own.into(),
        })?;
        if policy == Policy::Off || (policy == Policy::File && workers == 1) {
            return Ok(None);
        }
        let exported = export_with_arguments(dataset)?;
        let graph = shard(exported.graph, policy, workers, index, self.replicas)?;
        let fetch = graph.node(&graph.sink()?)?.input[0].clone();
        Ok(Some((self.loader.load(&graph.finish(), &[fetch])?, exported.arguments)))
    }
}

fn scalar(tensor: &Tensor, name: &str) -> Result<i64> {
    match tensor.rank() {
        0 => tensor.to_i64_scalar(),
        _ => Err(Status::invalid_argument(format!("{name} must be a scalar"))),
    }
}

impl AsyncKernel for AutoShard {
    fn start(&self, cx: AsyncContext) {
        match self.part(&cx) {
            Ok(Some((graph, arguments))) => loaded::finish_with(cx, graph, arguments),
            Ok(None) => {
                let all = cx.input(0).clone();
                cx.finish(Ok(vec![all]));
            }
            Err(error) => cx.finish(Err(error)),
        }
    }
}

fn shard(
    graph: downpour_wire::proto::GraphDef,
    policy: Policy,
    workers: i64,
    index: i64,
    replicas: i64,
) -> Result<Editor> {
    let mut edited = Editor::new(graph.clone());
    match policy {
        Policy::Off => {}
        Policy::File => shard_files(&mut edited, workers, index)?,
        Policy::Data => shard_data(&mut edited, workers, index, replicas)?,
        Policy::Hint => shard_hints(&mut edited, workers, index)?,
        Policy::Auto => match shard_files(&mut edited, workers, index) {
            Err(error) if error.code() == Code::NotFound => {
                // Some of it may have been changed.
                edited = Editor::new(graph);
                shard_data(&mut edited, workers, index, replicas)?;
            }
            done => done?,
        },
    }
    Ok(edited)
}

/// Takes every n-th element, before buffers at the end.
fn shard_data(graph: &mut Editor, workers: i64, index: i64, replicas: i64) -> Result<()> {
    let mut before = graph.sink()?;
    loop {
        let input = graph.input(graph.node(&before)?, 0)?;
        if !matches!(input.op.as_str(), "PrefetchDataset" | "OptionsDataset" | "FinalizeDataset") {
            break;
        }
        before = input.name.clone();
    }
    rebatch_by_replicas(graph, &before, replicas)?;
    graph.add_shard(&before, workers, index)
}

/// Workers that each read a part of the elements cannot cut their batches by the sizes for all of them.
fn rebatch_by_replicas(graph: &mut Editor, before: &str, replicas: i64) -> Result<()> {
    let rebatch = graph.input(graph.node(before)?, 0)?;
    if rebatch.op != "RebatchDatasetV2" {
        return Ok(());
    }
    if replicas < 1 {
        return Err(Status::invalid_argument(format!(
            "Cannot rewrite RebatchDatasetV2 to legacy RebatchDataset with invalid num_replicas argument. \
             `num_replicas` is {replicas}, but expected to be >= 1."
        )));
    }
    let name = rebatch.name.clone();
    let number = graph.add_number(replicas)?;
    let rebatch = graph.node_mut(&name)?;
    rebatch.op = "RebatchDataset".to_owned();
    rebatch.input.truncate(1);
    rebatch.input.push(number);
    if let Some(Value::List(list)) =
        rebatch.attr.get_mut("output_shapes").and_then(|shapes| shapes.value.as_mut())
    {
        for shape in &mut list.shape {
            if let Some(rows) = shape.dim.first_mut() {
                *rows = Dim { size: -1, ..Dim::default() };
            }
        }
    }
    Ok(())
}

/// Fills in the shards that the program has left open.
fn shard_hints(graph: &mut Editor, workers: i64, index: i64) -> Result<()> {
    let is_hint = |node: &&downpour_wire::proto::NodeDef| {
        let count = node.input.get(1).and_then(|count| graph.number(count));
        node.op == "ShardDataset" && count == Some(HINT)
    };
    let hints: Vec<String> =
        graph.nodes().iter().filter(is_hint).map(|node| node.name.clone()).collect();
    for hint in hints {
        let (count, number) = (graph.add_number(workers)?, graph.add_number(index)?);
        let node = graph.node_mut(&hint)?;
        node.input[1] = count;
        if let Some(input) = node.input.get_mut(2) {
            *input = number;
        }
        let required = downpour_wire::proto::AttrValue { value: Some(Value::B(true)) };
        node.attr.insert("require_non_empty".to_owned(), required);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_wire::proto::{GraphDef, NodeDef};

    fn graph(nodes: &[(&str, &str, &[&str])]) -> GraphDef {
        let node = |&(name, op, input): &(&str, &str, &[&str])| NodeDef {
            name: name.into(),
            op: op.into(),
            input: input.iter().map(|&input| input.to_owned()).collect(),
            ..NodeDef::default()
        };
        GraphDef { node: nodes.iter().map(node).collect(), ..GraphDef::default() }
    }

    /// Returns the operations from the result to the source.
    fn chain(graph: &Editor) -> Vec<String> {
        let mut ops = Vec::new();
        let mut at = graph.node(&graph.sink().unwrap()).unwrap();
        while let Some(input) = at.input.first() {
            at = graph.node(input).unwrap();
            ops.push(at.op.clone());
        }
        ops
    }

    const FILES: [(&str, &str, &[&str]); 6] = [
        ("names", "Const", &[]),
        ("slices", "TensorSliceDataset", &["names"]),
        ("shuffle", "ShuffleDataset", &["slices", "names", "names", "names"]),
        ("records", "TFRecordDataset", &["shuffle"]),
        ("buffer", "PrefetchDataset", &["records"]),
        ("result", "_Retval", &["buffer"]),
    ];

    #[test]
    fn files_are_divided_before_they_are_shuffled() {
        for policy in [Policy::File, Policy::Auto] {
            let edited = shard(graph(&FILES), policy, 3, 1, 0).unwrap();
            let expected = [
                "PrefetchDataset",
                "TFRecordDataset",
                "ShuffleDataset",
                "ShardDataset",
                "TensorSliceDataset",
                "Const",
            ];
            assert_eq!(chain(&edited), expected);
        }
    }

    #[test]
    fn elements_are_divided_before_the_last_buffer() {
        let edited = shard(graph(&FILES), Policy::Data, 3, 1, 0).unwrap();
        assert_eq!(chain(&edited)[..3], ["PrefetchDataset", "ShardDataset", "TFRecordDataset"]);
    }

    #[test]
    fn what_reads_no_files_is_divided_by_elements() {
        let range = graph(&[
            ("range", "RangeDataset", &[]),
            ("rebatch", "RebatchDatasetV2", &["range", "range", "range"]),
            ("result", "_Retval", &["rebatch"]),
        ]);
        let edited = shard(range.clone(), Policy::Auto, 2, 0, 4).unwrap();
        assert_eq!(chain(&edited), ["ShardDataset", "RebatchDataset", "RangeDataset"]);
        let error = shard(range.clone(), Policy::File, 2, 0, 4).err().unwrap();
        assert_eq!(error.code(), Code::NotFound);
        let error = shard(range, Policy::Data, 2, 0, 0).err().unwrap();
        assert!(error.message().contains("num_replicas"), "{error}");
    }

    #[test]
    fn numbers_of_policies_are_checked() {
        assert_eq!(Policy::from_number(-1).unwrap(), Policy::Off);
        assert!(Policy::from_number(4).is_err() && Policy::from_number(-2).is_err());
    }
}
