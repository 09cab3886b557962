//! Finds what reads files behind the transformations of a dataset, and divides its files.

use std::collections::HashSet;

use downpour_tensor::{Result, Status};
use downpour_wire::proto::{NodeDef, attr_value::Value};

use super::assertions::is_version_of;
use super::edit::Editor;

const READERS: [&str; 6] = [
    "ArrayRecordDataset",
    "FixedLengthRecordDataset",
    "RecordIODataset",
    "SSTableDataset",
    "TextLineDataset",
    "TFRecordDataset",
];

const SEVERAL_INPUTS: [&str; 2] = ["ConcatenateDataset", "ZipDataset"];

/// Transformations behind whose input files may be found.
const TRANSPARENT: [&str; 32] = [
    "_Retval",
    "AssertNextDataset",
    "BatchDataset",
    "CacheDataset",
    "ExperimentalMapAndBatchDataset",
    "ExperimentalParseExampleDataset",
    "ExperimentalRebatchDataset",
    "FilterDataset",
    "FinalizeDataset",
    "Identity",
    "MapAndBatchDataset",
    "MapDataset",
    "MaxIntraOpParallelismDataset",
    "ModelDataset",
    "OptimizeDataset",
    "OptionsDataset",
    "PaddedBatchDataset",
    "ParallelBatchDataset",
    "ParallelMapDataset",
    "ParseExampleDataset",
    "PrefetchDataset",
    "PrivateThreadPoolDataset",
    "ReduceDataset",
    "RebatchDataset",
    "RepeatDataset",
    "ShardDataset",
    "ShuffleAndRepeatDataset",
    "ShuffleDataset",
    "SkipDataset",
    "TakeDataset",
    "UnbatchDataset",
    "WindowDataset",
];

/// Transformations whose function may read files.
const WITH_FUNCTIONS: [&str; 5] = [
    "ExperimentalParallelInterleaveDataset",
    "FlatMapDataset",
    "InterleaveDataset",
    "LegacyParallelInterleaveDataset",
    "ParallelInterleaveDataset",
];

/// Sources that are no files.
const NO_FILES: [&str; 5] = [
    "GeneratorDataset",
    "RangeDataset",
    "SparseTensorsSliceDataset",
    "TensorDataset",
    "TensorSliceDataset",
];

/// Functions that call each other are followed so far.
const DEEPEST: usize = 50;

fn is_one_of(node: &NodeDef, ops: &[&str]) -> bool {
    ops.iter().any(|op| is_version_of(&node.op, op))
}

/// Divides the files that a dataset reads. NOT_FOUND says that it reads none that can be divided.
pub(super) fn shard_files(graph: &mut Editor, count: i64, index: i64) -> Result<()> {
    let mut waiting = vec![graph.sink()?];
    let mut seen = HashSet::new();
    while let Some(name) = waiting.pop() {
        // A dataset that is used twice is divided once.
        if !seen.insert(name.clone()) {
            continue;
        }
        let node = graph.node(&name)?;
        if node.op == "AssertCardinalityDataset" {
            // The list describes all files.
            let input = graph.input(node, 0)?.name.clone();
            graph.redirect(&name, &input);
            waiting.push(input);
        } else if is_one_of(node, &NO_FILES) {
            return Err(Status::not_found(format!(
                "Found an unshardable source dataset: {} ({})",
                node.name, node.op
            )));
        } else if is_one_of(node, &SEVERAL_INPUTS) {
            waiting.extend(node.input.iter().rev().cloned());
        } else if let Some(consumer) = consumer_of_made_datasets(graph, node)? {
            divide(graph, &consumer, count, index)?;
        } else if is_one_of(node, &READERS) || reads_files(graph, node, 0) {
            divide(graph, &name, count, index)?;
        } else if is_one_of(node, &WITH_FUNCTIONS) || is_one_of(node, &TRANSPARENT) {
            waiting.push(graph.input(node, 0)?.name.clone());
        } else {
            return Err(Status::not_found(format!(
                "Did not find a shardable source, walked to a node which is not a dataset: {} ({}). Consider either \
                 turning off auto-sharding or switching the auto_shard_policy to DATA to shard this dataset.",
                node.name, node.op
            )));
        }
    }
    Ok(())
}

/// Whether a function of a transformation reads files.
fn reads_files(graph: &Editor, node: &NodeDef, depth: usize) -> bool {
    if depth > DEEPEST || !(is_one_of(node, &WITH_FUNCTIONS) || is_one_of(node, &TRANSPARENT)) {
        return false;
    }
    let Some(Value::Func(called)) = node.attr.get("f").and_then(|f| f.value.as_ref()) else {
        return false;
    };
    graph.function(&called.name).is_some_and(|function| {
        function.node_def.iter().any(|inner| {
            let reads = is_one_of(inner, &READERS) && !inner.input.is_empty();
            reads || (is_one_of(inner, &WITH_FUNCTIONS) && reads_files(graph, inner, depth + 1))
        })
    })
}

/// Programs keep datasets of files in a tensor and flatten it. Returns the node behind the one that flattens it, for a
/// node that interleaves what comes of it: the datasets are divided there.
fn consumer_of_made_datasets(graph: &Editor, node: &NodeDef) -> Result<Option<String>> {
    if !is_one_of(node, &WITH_FUNCTIONS) {
        return Ok(None);
    }
    let mut at = graph.input(node, 0)?;
    loop {
        if is_one_of(at, &WITH_FUNCTIONS) {
            let source = graph.input(at, 0)?;
            if matches!(source.op.as_str(), "TensorSliceDataset" | "TensorDataset")
                && graph.input(source, 0)?.op == "_Arg"
            {
                break;
            }
        }
        if !is_one_of(at, &TRANSPARENT) {
            return Ok(None);
        }
        at = graph.input(at, 0)?;
    }
    let consumers = graph.nodes().iter().filter(|node| node.input.contains(&at.name));
    Ok(match consumers.collect::<Vec<_>>()[..] {
        [only] => Some(only.name.clone()),
        _ => None,
    })
}

/// Divides the input of a node. Shuffles before it would mix the parts of workers: they go behind.
fn divide(graph: &mut Editor, before: &str, count: i64, index: i64) -> Result<()> {
    graph.add_shard(before, count, index)?;
    let Some(shuffle) = remove_shuffles(graph, before)? else { return Ok(()) };
    let shard = graph.input(graph.node(before)?, 0)?;
    let (shard, attrs) = (shard.name.clone(), shard.attr.clone());
    let mut input = vec![shard.clone()];
    input.extend(shuffle.input[1..].iter().cloned());
    let name = graph.add(&shuffle.op, input, &downpour_graph::Attrs::new())?;
    let added = graph.node_mut(&name)?;
    for attr in ["output_types", "output_shapes"] {
        if let Some(value) = attrs.get(attr) {
            added.attr.insert(attr.to_owned(), value.clone());
        }
    }
    if let Some(value) = shuffle.attr.get("reshuffle_each_iteration") {
        added.attr.insert("reshuffle_each_iteration".to_owned(), value.clone());
    }
    graph.redirect(&shard, &name);
    Ok(())
}

/// Takes the shuffles before a node out of the graph, and returns the one that is nearest to a source.
fn remove_shuffles(graph: &mut Editor, from: &str) -> Result<Option<NodeDef>> {
    let mut waiting = vec![from.to_owned()];
    let mut seen = HashSet::new();
    let mut last = None;
    while let Some(name) = waiting.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let node = graph.node(&name)?.clone();
        waiting.extend(node.input.iter().cloned());
        if matches!(node.op.as_str(), "ShuffleDataset" | "ShuffleDatasetV2" | "ShuffleDatasetV3") {
            graph.redirect(&name, &graph.input(&node, 0)?.name.clone());
            last = Some(node);
        }
    }
    Ok(last)
}
