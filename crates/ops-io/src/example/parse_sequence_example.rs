//! ParseSequenceExample and ParseSequenceExampleV2: tensors from serialised SequenceExamples.

use std::ops::Range;

use bytes::Bytes;
use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::features::{
    Features, set_dense_shapes, set_ragged_shapes, set_sparse_shapes, with_rank_at_most_one,
};
use super::schema::Schema;
use super::sequence::{self, Source};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ParseSequenceExample(serialized: string, debug_name: string, context_dense_defaults: Tcontext_dense) \
                -> (context_sparse_indices: Ncontext_sparse * int64, context_sparse_values: context_sparse_types, \
                    context_sparse_shapes: Ncontext_sparse * int64, context_dense_values: Tcontext_dense, \
                    feature_list_sparse_indices: Nfeature_list_sparse * int64, \
                    feature_list_sparse_values: feature_list_sparse_types, \
                    feature_list_sparse_shapes: Nfeature_list_sparse * int64, \
                    feature_list_dense_values: feature_list_dense_types, \
                    feature_list_dense_lengths: Nfeature_list_dense * int64)
                feature_list_dense_missing_assumed_empty: list(string) >= 0
                context_sparse_keys: list(string) >= 0
                context_dense_keys: list(string) >= 0
                feature_list_sparse_keys: list(string) >= 0
                feature_list_dense_keys: list(string) >= 0
                Ncontext_sparse: int >= 0 = 0
                Ncontext_dense: int >= 0 = 0
                Nfeature_list_sparse: int >= 0 = 0
                Nfeature_list_dense: int >= 0 = 0
                context_sparse_types: list({float, int64, string}) >= 0 = []
                Tcontext_dense: list({float, int64, string}) >= 0 = []
                feature_list_dense_types: list({float, int64, string}) >= 0 = []
                context_dense_shapes: list(shape) >= 0 = []
                feature_list_sparse_types: list({float, int64, string}) >= 0 = []
                feature_list_dense_shapes: list(shape) >= 0 = []",
        )?
        .shape(|cx| {
            cx.with_rank(0, 1)?;
            cx.with_rank(1, 1)?;
            shape(cx, 0, 0)
        })
        .not_differentiable(),
        |build| {
            let keys = KeysAttributes::new(build)?;
            Ok(KernelBox::new(ParseSequenceExample::new(build, Some(keys))?))
        },
    )?;
    registry.add(
        OpSpec::new(
            "ParseSequenceExampleV2(serialized: string, debug_name: string, context_sparse_keys: string, \
                context_dense_keys: string, context_ragged_keys: string, feature_list_sparse_keys: string, \
                feature_list_dense_keys: string, feature_list_ragged_keys: string, \
                feature_list_dense_missing_assumed_empty: bool, context_dense_defaults: Tcontext_dense) \
                -> (context_sparse_indices: Ncontext_sparse * int64, context_sparse_values: context_sparse_types, \
                    context_sparse_shapes: Ncontext_sparse * int64, context_dense_values: Tcontext_dense, \
                    context_ragged_values: context_ragged_value_types, \
                    context_ragged_row_splits: context_ragged_split_types, \
                    feature_list_sparse_indices: Nfeature_list_sparse * int64, \
                    feature_list_sparse_values: feature_list_sparse_types, \
                    feature_list_sparse_shapes: Nfeature_list_sparse * int64, \
                    feature_list_dense_values: feature_list_dense_types, \
                    feature_list_dense_lengths: Nfeature_list_dense * int64, \
                    feature_list_ragged_values: feature_list_ragged_value_types, \
                    feature_list_ragged_outer_splits: feature_list_ragged_split_types, \
                    feature_list_ragged_inner_splits: feature_list_ragged_split_types)
                Ncontext_sparse: int >= 0 = 0
                Tcontext_dense: list({float, int64, string}) >= 0 = []
                context_sparse_types: list({float, int64, string}) >= 0 = []
                context_ragged_value_types: list({float, int64, string}) >= 0 = []
                context_ragged_split_types: list({int32, int64}) >= 0 = []
                context_dense_shapes: list(shape) >= 0 = []
                Nfeature_list_sparse: int >= 0 = 0
                Nfeature_list_dense: int >= 0 = 0
                feature_list_dense_types: list({float, int64, string}) >= 0 = []
                feature_list_sparse_types: list({float, int64, string}) >= 0 = []
                feature_list_ragged_value_types: list({float, int64, string}) >= 0 = []
                feature_list_ragged_split_types: list({int32, int64}) >= 0 = []
                feature_list_dense_shapes: list(shape) >= 0 = []",
        )?
        .shape(|cx| {
            with_rank_at_most_one(cx, 0)?;
            with_rank_at_most_one(cx, 1)?;
            let in_context = cx.node().dtypes("context_ragged_value_types")?.len();
            let in_lists = cx.node().dtypes("feature_list_ragged_value_types")?.len();
            shape(cx, in_context, in_lists)
        })
        .not_differentiable(),
        |build| Ok(KernelBox::new(ParseSequenceExample::new(build, None)?)),
    )
}

fn shape(cx: &mut ShapeContext<'_>, ragged: usize, ragged_lists: usize) -> Result<()> {
    let node = cx.node();
    let prefix = cx.input(0).clone();
    let examples = prefix.dim(0);
    let is_batch = prefix.rank() == Some(1);
    let next = set_sparse_shapes(cx, 0, node.dtypes("context_sparse_types")?.len(), 1);
    let next = set_dense_shapes(cx, next, &prefix, &node.shapes("context_dense_shapes")?);
    let context = next..next + 2 * ragged;
    let next = set_ragged_shapes(cx, next, ragged, examples);
    let next = set_sparse_shapes(cx, next, node.dtypes("feature_list_sparse_types")?.len(), 2);
    let rows = prefix.concat(&PartialShape::of_rank(1));
    let shapes = node.shapes("feature_list_dense_shapes")?;
    let next = set_dense_shapes(cx, next, &rows, &shapes);
    for i in 0..shapes.len() {
        cx.set_output(next + i, prefix.clone());
    }
    let next = next + shapes.len();
    let lists = next..next + 2 * ragged_lists;
    let next = set_ragged_shapes(cx, next, ragged_lists, examples);
    for i in 0..ragged_lists {
        cx.set_output(next + i, PartialShape::vector(None));
    }
    if !is_batch {
        // The outer splits of a single example are a scalar.
        let outer = |all: Range<usize>| all.start + all.len() / 2..all.end;
        outer(context).chain(outer(lists)).for_each(|i| cx.set_output(i, PartialShape::unknown()));
    }
    Ok(())
}

/// The keys of the first version, which are attributes: dense, then sparse.
struct KeysAttributes {
    context: Vec<Bytes>,
    lists: Vec<Bytes>,
    may_miss: Vec<bool>,
}

impl KeysAttributes {
    fn new(build: &KernelBuild<'_>) -> Result<KeysAttributes> {
        let mut context = build.byte_strings("context_dense_keys")?;
        let mut lists = build.byte_strings("feature_list_dense_keys")?;
        let missing = build.byte_strings("feature_list_dense_missing_assumed_empty")?;
        let may_miss = lists.iter().map(|key| missing.contains(key)).collect();
        for (what, keys, count) in [
            ("context_dense", &context, build.int("Ncontext_dense")?),
            ("feature_list_dense", &lists, build.int("Nfeature_list_dense")?),
        ] {
            check_count(what, "keys", keys.len(), count)?;
        }
        context.extend(build.byte_strings("context_sparse_keys")?);
        lists.extend(build.byte_strings("feature_list_sparse_keys")?);
        Ok(KeysAttributes { context, lists, may_miss })
    }
}

fn check_count(what: &str, attribute: &str, actual: usize, count: i64) -> Result<()> {
    if usize::try_from(count) == Ok(actual) {
        return Ok(());
    }
    Err(Status::invalid_argument(format!(
        "num_{what} ({count}) must match the size of {what}_{attribute} ({actual})"
    )))
}

struct ParseSequenceExample {
    context: Features,
    lists: Features,
    /// In the second version the keys are inputs.
    keys: Option<KeysAttributes>,
}

impl ParseSequenceExample {
    fn new(build: &KernelBuild<'_>, keys: Option<KeysAttributes>) -> Result<ParseSequenceExample> {
        let features = |what: &str, dense: &str| {
            let list = |name: &str| build.dtypes(&format!("{what}_{name}"));
            let ragged = match keys {
                Some(_) => Default::default(),
                None => (list("ragged_value_types")?, list("ragged_split_types")?),
            };
            let dense = (build.dtypes(dense)?, build.shapes(&format!("{what}_dense_shapes"))?);
            let sparse = list("sparse_types")?;
            let count = build.int(&format!("N{what}_sparse"))?;
            check_count(&format!("{what}_sparse"), "types", sparse.len(), count)?;
            Features::new(dense, sparse, ragged)?.without_variable_lengths()
        };
        let context = features("context", "Tcontext_dense")?;
        let lists = features("feature_list", "feature_list_dense_types")?;
        let count = build.int("Nfeature_list_dense")?;
        check_count("feature_list_dense", "types", lists.dense.len(), count)?;
        if let Some(keys) = &keys
            && (keys.context.len() != context.len() || keys.lists.len() != lists.len())
        {
            return Err(Status::invalid_argument(format!(
                "{} context features and {} feature lists cannot have {} and {} keys",
                context.len(),
                lists.len(),
                keys.context.len(),
                keys.lists.len()
            )));
        }
        Ok(ParseSequenceExample { context, lists, keys })
    }
}

/// Returns the keys in inputs `[dense, sparse, ragged]`, which must be as many as there are features.
fn input_keys<'a>(
    cx: &'a OpContext<'_>,
    features: &Features,
    inputs: [usize; 3],
    what: &str,
) -> Result<Vec<&'a [u8]>> {
    let counts = [features.dense.len(), features.sparse.len(), features.ragged.len()];
    let mut keys: Vec<&[u8]> = Vec::with_capacity(features.len());
    for ((input, count), kind) in inputs.into_iter().zip(counts).zip(["dense", "sparse", "ragged"])
    {
        let tensor = cx.input(input);
        if tensor.len() != count {
            return Err(Status::invalid_argument(format!(
                "Expected len({what}_{kind}_keys) to match the number of features, but got {} vs. {count}",
                tensor.len()
            )));
        }
        keys.extend(tensor.strings()?.iter().map(|key| &key[..]));
    }
    Ok(keys)
}

impl Kernel for ParseSequenceExample {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (serialized, names) = (cx.input(0), cx.input(1).strings()?);
        if serialized.rank() > 1 {
            return Err(Status::invalid_argument(format!(
                "Expected serialized to be a scalar or vector, got shape: {}",
                serialized.shape()
            )));
        }
        let range = cx.node().input_range("context_dense_defaults")?;
        let defaults: Vec<&Tensor> = range.map(|i| cx.input(i)).collect();
        check_defaults(&self.context, &defaults)?;
        let (context, lists, may_miss) = match &self.keys {
            Some(keys) => (
                keys.context.iter().map(|key| &key[..]).collect(),
                keys.lists.iter().map(|key| &key[..]).collect(),
                &keys.may_miss[..],
            ),
            None => {
                let context = input_keys(cx, &self.context, [3, 2, 4], "context")?;
                let lists = input_keys(cx, &self.lists, [6, 5, 7], "feature_list")?;
                let may_miss = cx.input(8).as_slice::<bool>()?;
                if may_miss.len() != self.lists.dense.len() {
                    return Err(Status::invalid_argument(
                        "Expected len(feature_list_dense_missing_assumed_empty to match Nfeature_list_dense",
                    ));
                }
                (context, lists, may_miss)
            }
        };
        let context = Schema::new(&self.context, context, &defaults)?;
        let lists = Schema::new(&self.lists, lists, &[])?;
        let is_batch = serialized.rank() == 1;
        let source = Source { messages: serialized.strings()?, names, is_batch };
        let tensors = sequence::parse(cx, &source, &context, &lists, may_miss)?;
        for (i, tensor) in tensors.into_iter().enumerate() {
            cx.set_output(i, tensor);
        }
        Ok(())
    }
}

/// Checks what stands for missing context features: nothing, or a tensor of the feature's shape.
pub(super) fn check_defaults(context: &Features, defaults: &[&Tensor]) -> Result<()> {
    for (d, (dense, default)) in context.dense.iter().zip(defaults).enumerate() {
        if !default.is_empty() && !dense.shape.allows(default.shape()) {
            return Err(Status::invalid_argument(format!(
                "default_value[{d}].shape() == {} != context_dense_shapes[{d}] == {}",
                default.shape(),
                dense.shape
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
