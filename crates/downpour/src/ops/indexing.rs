//! Operations of the family `indexing`. Generated from their definitions by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these a family needs depends on its operations
use super::support::*;

/// `AddManySparseToTensorsMap(sparse_indices, sparse_values, sparse_shape) -> (sparse_handles)`.
///
/// * `sparse_indices`: int64
/// * `sparse_values`: `T` (any type)
/// * `sparse_shape`: int64
/// * gives `sparse_handles`: int64
///
/// Gradients do not flow through it. Has state or effects.
pub fn add_many_sparse_to_tensors_map(
    sparse_indices: &Output,
    sparse_values: &Output,
    sparse_shape: &Output,
) -> AddManySparseToTensorsMap {
    let node = NodeBuilder::new("AddManySparseToTensorsMap")
        .input(sparse_indices)
        .input(sparse_values)
        .input(sparse_shape);
    AddManySparseToTensorsMap(node)
}

/// A `AddManySparseToTensorsMap` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AddManySparseToTensorsMap(NodeBuilder);

impl AddManySparseToTensorsMap {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> AddManySparseToTensorsMap {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> AddManySparseToTensorsMap {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AddManySparseToTensorsMap {
        AddManySparseToTensorsMap(self.0.name(name))
    }

    /// Adds the node and gives `sparse_handles`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `AddSparseToTensorsMap(sparse_indices, sparse_values, sparse_shape) -> (sparse_handle)`.
///
/// * `sparse_indices`: int64
/// * `sparse_values`: `T` (any type)
/// * `sparse_shape`: int64
/// * gives `sparse_handle`: int64
///
/// Gradients do not flow through it. Has state or effects.
pub fn add_sparse_to_tensors_map(
    sparse_indices: &Output,
    sparse_values: &Output,
    sparse_shape: &Output,
) -> AddSparseToTensorsMap {
    let node = NodeBuilder::new("AddSparseToTensorsMap")
        .input(sparse_indices)
        .input(sparse_values)
        .input(sparse_shape);
    AddSparseToTensorsMap(node)
}

/// A `AddSparseToTensorsMap` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AddSparseToTensorsMap(NodeBuilder);

impl AddSparseToTensorsMap {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> AddSparseToTensorsMap {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> AddSparseToTensorsMap {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AddSparseToTensorsMap {
        AddSparseToTensorsMap(self.0.name(name))
    }

    /// Adds the node and gives `sparse_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ApproxTopK(input) -> (values, indices)`.
///
/// * `input`: `T` (half, bfloat16, float)
/// * `k`: attribute, int, at least 0
/// * gives `values`: `T` (half, bfloat16, float)
/// * gives `indices`: int32
///
/// Has no gradient.
pub fn approx_top_k(input: &Output, k: i64) -> ApproxTopK {
    let mut node = NodeBuilder::new("ApproxTopK").input(input);
    node.set("k", k.into());
    ApproxTopK(node)
}

/// A `ApproxTopK` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApproxTopK(NodeBuilder);

impl ApproxTopK {
    /// The attribute `reduction_dimension`; `-1` unless set.
    pub fn reduction_dimension(mut self, value: i64) -> ApproxTopK {
        self.0.set("reduction_dimension", value.into());
        self
    }

    /// The attribute `recall_target`; `0.95` unless set.
    pub fn recall_target(mut self, value: f32) -> ApproxTopK {
        self.0.set("recall_target", value.into());
        self
    }

    /// The attribute `is_max_k`; `true` unless set.
    pub fn is_max_k(mut self, value: bool) -> ApproxTopK {
        self.0.set("is_max_k", value.into());
        self
    }

    /// The attribute `reduction_input_size_override`; `-1` unless set.
    pub fn reduction_input_size_override(mut self, value: i64) -> ApproxTopK {
        self.0.set("reduction_input_size_override", value.into());
        self
    }

    /// The attribute `aggregate_to_topk`; `true` unless set.
    pub fn aggregate_to_topk(mut self, value: bool) -> ApproxTopK {
        self.0.set("aggregate_to_topk", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApproxTopK {
        ApproxTopK(self.0.name(name))
    }

    /// Adds the node and gives (`values`, `indices`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `DenseToDenseSetOperation(set1, set2) -> (result_indices, result_values, result_shape)`.
///
/// * `set1`: `T` (int8, int16, int32, int64, uint8, uint16, string)
/// * `set2`: `T` (int8, int16, int32, int64, uint8, uint16, string)
/// * `set_operation`: attribute, string
/// * gives `result_indices`: int64
/// * gives `result_values`: `T` (int8, int16, int32, int64, uint8, uint16, string)
/// * gives `result_shape`: int64
///
/// Gradients do not flow through it.
pub fn dense_to_dense_set_operation(
    set1: &Output,
    set2: &Output,
    set_operation: &str,
) -> DenseToDenseSetOperation {
    let mut node = NodeBuilder::new("DenseToDenseSetOperation").input(set1).input(set2);
    node.set("set_operation", text(set_operation));
    DenseToDenseSetOperation(node)
}

/// A `DenseToDenseSetOperation` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DenseToDenseSetOperation(NodeBuilder);

impl DenseToDenseSetOperation {
    /// The attribute `validate_indices`; `true` unless set.
    pub fn validate_indices(mut self, value: bool) -> DenseToDenseSetOperation {
        self.0.set("validate_indices", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DenseToDenseSetOperation {
        DenseToDenseSetOperation(self.0.name(name))
    }

    /// Adds the node and gives (`result_indices`, `result_values`, `result_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `DenseToSparseSetOperation(set1, set2_indices, set2_values, set2_shape) -> (result_indices, result_values, result_shape)`.
///
/// * `set1`: `T` (int8, int16, int32, int64, uint8, uint16, string)
/// * `set2_indices`: int64
/// * `set2_values`: `T` (int8, int16, int32, int64, uint8, uint16, string)
/// * `set2_shape`: int64
/// * `set_operation`: attribute, string
/// * gives `result_indices`: int64
/// * gives `result_values`: `T` (int8, int16, int32, int64, uint8, uint16, string)
/// * gives `result_shape`: int64
///
/// Gradients do not flow through it.
pub fn dense_to_sparse_set_operation(
    set1: &Output,
    set2_indices: &Output,
    set2_values: &Output,
    set2_shape: &Output,
    set_operation: &str,
) -> DenseToSparseSetOperation {
    let mut node = NodeBuilder::new("DenseToSparseSetOperation")
        .input(set1)
        .input(set2_indices)
        .input(set2_values)
        .input(set2_shape);
    node.set("set_operation", text(set_operation));
    DenseToSparseSetOperation(node)
}

/// A `DenseToSparseSetOperation` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DenseToSparseSetOperation(NodeBuilder);

impl DenseToSparseSetOperation {
    /// The attribute `validate_indices`; `true` unless set.
    pub fn validate_indices(mut self, value: bool) -> DenseToSparseSetOperation {
        self.0.set("validate_indices", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DenseToSparseSetOperation {
        DenseToSparseSetOperation(self.0.name(name))
    }

    /// Adds the node and gives (`result_indices`, `result_values`, `result_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `DeserializeManySparse(serialized_sparse) -> (sparse_indices, sparse_values, sparse_shape)`.
///
/// * `serialized_sparse`: string
/// * `dtype`: attribute, type
/// * gives `sparse_indices`: int64
/// * gives `sparse_values`: `dtype` (any type)
/// * gives `sparse_shape`: int64
///
/// Gradients do not flow through it.
pub fn deserialize_many_sparse(
    serialized_sparse: &Output,
    dtype: DataType,
) -> DeserializeManySparse {
    let mut node = NodeBuilder::new("DeserializeManySparse").input(serialized_sparse);
    node.set("dtype", dtype.into());
    DeserializeManySparse(node)
}

/// A `DeserializeManySparse` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DeserializeManySparse(NodeBuilder);

impl DeserializeManySparse {
    /// Names the node.
    pub fn name(self, name: &str) -> DeserializeManySparse {
        DeserializeManySparse(self.0.name(name))
    }

    /// Adds the node and gives (`sparse_indices`, `sparse_values`, `sparse_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `DeserializeSparse(serialized_sparse) -> (sparse_indices, sparse_values, sparse_shape)`.
///
/// * `serialized_sparse`: `Tserialized` (string, variant)
/// * `dtype`: attribute, type
/// * gives `sparse_indices`: int64
/// * gives `sparse_values`: `dtype` (any type)
/// * gives `sparse_shape`: int64
///
/// Gradients do not flow through it.
pub fn deserialize_sparse(serialized_sparse: &Output, dtype: DataType) -> DeserializeSparse {
    let mut node = NodeBuilder::new("DeserializeSparse").input(serialized_sparse);
    node.set("dtype", dtype.into());
    DeserializeSparse(node)
}

/// A `DeserializeSparse` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DeserializeSparse(NodeBuilder);

impl DeserializeSparse {
    /// Names the node.
    pub fn name(self, name: &str) -> DeserializeSparse {
        DeserializeSparse(self.0.name(name))
    }

    /// Adds the node and gives (`sparse_indices`, `sparse_values`, `sparse_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `DynamicPartition(data, partitions) -> (outputs)`.
///
/// * `data`: `T` (any type)
/// * `partitions`: int32
/// * `num_partitions`: attribute, int, at least 1
/// * gives `outputs`: `num_partitions` values of `T` (any type)
///
/// Differentiable.
pub fn dynamic_partition(data: &Output, partitions: &Output, num_partitions: i64) -> ForOutputs {
    let mut node = NodeBuilder::new("DynamicPartition").input(data).input(partitions);
    node.set("num_partitions", num_partitions.into());
    ForOutputs(node)
}

/// `DynamicStitch(indices, data) -> (merged)`.
///
/// * `indices`: `N` values of int32
/// * `data`: `N` values of `T` (any type)
/// * gives `merged`: `T` (any type)
///
/// Differentiable.
pub fn dynamic_stitch(indices: &[Output], data: &[Output]) -> ForOutput {
    let node = NodeBuilder::new("DynamicStitch").list(indices).list(data);
    ForOutput(node)
}

/// `Gather(params, indices) -> (output)`.
///
/// * `params`: `Tparams` (any type)
/// * `indices`: `Tindices` (int32, int64)
/// * gives `output`: `Tparams` (any type)
///
/// Differentiable.
pub fn gather(params: &Output, indices: &Output) -> Gather {
    let node = NodeBuilder::new("Gather").input(params).input(indices);
    Gather(node)
}

/// A `Gather` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Gather(NodeBuilder);

impl Gather {
    /// The attribute `validate_indices`; `true` unless set.
    pub fn validate_indices(mut self, value: bool) -> Gather {
        self.0.set("validate_indices", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Gather {
        Gather(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `GatherNd(params, indices) -> (output)`.
///
/// * `params`: `Tparams` (any type)
/// * `indices`: `Tindices` (int16, int32, int64)
/// * gives `output`: `Tparams` (any type)
///
/// Differentiable.
pub fn gather_nd(params: &Output, indices: &Output) -> GatherNd {
    let node = NodeBuilder::new("GatherNd").input(params).input(indices);
    GatherNd(node)
}

/// A `GatherNd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct GatherNd(NodeBuilder);

impl GatherNd {
    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> GatherNd {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> GatherNd {
        GatherNd(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `GatherV2(params, indices, axis) -> (output)`.
///
/// * `params`: `Tparams` (any type)
/// * `indices`: `Tindices` (int16, int32, int64)
/// * `axis`: `Taxis` (int32, int64)
/// * gives `output`: `Tparams` (any type)
///
/// Differentiable.
pub fn gather_v2(params: &Output, indices: &Output, axis: &Output) -> GatherV2 {
    let node = NodeBuilder::new("GatherV2").input(params).input(indices).input(axis);
    GatherV2(node)
}

/// A `GatherV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct GatherV2(NodeBuilder);

impl GatherV2 {
    /// The attribute `batch_dims`; `0` unless set.
    pub fn batch_dims(mut self, value: i64) -> GatherV2 {
        self.0.set("batch_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> GatherV2 {
        GatherV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `InplaceAdd(x, i, v) -> (y)`.
///
/// * `x`: `T` (any type)
/// * `i`: int32
/// * `v`: `T` (any type)
/// * gives `y`: `T` (any type)
///
/// Has no gradient.
pub fn inplace_add(x: &Output, i: &Output, v: &Output) -> ForOutput {
    let node = NodeBuilder::new("InplaceAdd").input(x).input(i).input(v);
    ForOutput(node)
}

/// `InplaceSub(x, i, v) -> (y)`.
///
/// * `x`: `T` (any type)
/// * `i`: int32
/// * `v`: `T` (any type)
/// * gives `y`: `T` (any type)
///
/// Has no gradient.
pub fn inplace_sub(x: &Output, i: &Output, v: &Output) -> ForOutput {
    let node = NodeBuilder::new("InplaceSub").input(x).input(i).input(v);
    ForOutput(node)
}

/// `InplaceUpdate(x, i, v) -> (y)`.
///
/// * `x`: `T` (any type)
/// * `i`: int32
/// * `v`: `T` (any type)
/// * gives `y`: `T` (any type)
///
/// Has no gradient.
pub fn inplace_update(x: &Output, i: &Output, v: &Output) -> ForOutput {
    let node = NodeBuilder::new("InplaceUpdate").input(x).input(i).input(v);
    ForOutput(node)
}

/// `ListDiff(x, y) -> (out, idx)`.
///
/// * `x`: `T` (any type)
/// * `y`: `T` (any type)
/// * gives `out`: `T` (any type)
/// * gives `idx`: `out_idx` (int32, int64)
///
/// Gradients do not flow through it.
pub fn list_diff(x: &Output, y: &Output) -> ListDiff {
    let node = NodeBuilder::new("ListDiff").input(x).input(y);
    ListDiff(node)
}

/// A `ListDiff` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ListDiff(NodeBuilder);

impl ListDiff {
    /// The attribute `out_idx`; int32 unless set.
    pub fn out_idx(mut self, value: DataType) -> ListDiff {
        self.0.set("out_idx", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ListDiff {
        ListDiff(self.0.name(name))
    }

    /// Adds the node and gives (`out`, `idx`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `NthElement(input, n) -> (values)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `n`: int32
/// * gives `values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn nth_element(input: &Output, n: &Output) -> NthElement {
    let node = NodeBuilder::new("NthElement").input(input).input(n);
    NthElement(node)
}

/// A `NthElement` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct NthElement(NodeBuilder);

impl NthElement {
    /// The attribute `reverse`; `false` unless set.
    pub fn reverse(mut self, value: bool) -> NthElement {
        self.0.set("reverse", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> NthElement {
        NthElement(self.0.name(name))
    }

    /// Adds the node and gives `values`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `OneHot(indices, depth, on_value, off_value) -> (output)`.
///
/// * `indices`: `TI` (uint8, int8, int32, int64)
/// * `depth`: int32
/// * `on_value`: `T` (any type)
/// * `off_value`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Gradients do not flow through it.
pub fn one_hot(indices: &Output, depth: &Output, on_value: &Output, off_value: &Output) -> OneHot {
    let node =
        NodeBuilder::new("OneHot").input(indices).input(depth).input(on_value).input(off_value);
    OneHot(node)
}

/// A `OneHot` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct OneHot(NodeBuilder);

impl OneHot {
    /// The attribute `axis`; `-1` unless set.
    pub fn axis(mut self, value: i64) -> OneHot {
        self.0.set("axis", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> OneHot {
        OneHot(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ParallelDynamicStitch(indices, data) -> (merged)`.
///
/// * `indices`: `N` values of int32
/// * `data`: `N` values of `T` (any type)
/// * gives `merged`: `T` (any type)
///
/// Differentiable.
pub fn parallel_dynamic_stitch(indices: &[Output], data: &[Output]) -> ForOutput {
    let node = NodeBuilder::new("ParallelDynamicStitch").list(indices).list(data);
    ForOutput(node)
}

/// `RaggedFillEmptyRows(value_rowids, values, nrows, default_value) -> (output_value_rowids, output_values, empty_row_indicator, reverse_index_map)`.
///
/// * `value_rowids`: int64
/// * `values`: `T` (any type)
/// * `nrows`: int64
/// * `default_value`: `T` (any type)
/// * gives `output_value_rowids`: int64
/// * gives `output_values`: `T` (any type)
/// * gives `empty_row_indicator`: bool
/// * gives `reverse_index_map`: int64
///
/// Differentiable.
pub fn ragged_fill_empty_rows(
    value_rowids: &Output,
    values: &Output,
    nrows: &Output,
    default_value: &Output,
) -> RaggedFillEmptyRows {
    let node = NodeBuilder::new("RaggedFillEmptyRows")
        .input(value_rowids)
        .input(values)
        .input(nrows)
        .input(default_value);
    RaggedFillEmptyRows(node)
}

/// The values of a `RaggedFillEmptyRows`.
pub struct RaggedFillEmptyRowsValues {
    /// `output_value_rowids`.
    pub output_value_rowids: Output,
    /// `output_values`.
    pub output_values: Output,
    /// `empty_row_indicator`.
    pub empty_row_indicator: Output,
    /// `reverse_index_map`.
    pub reverse_index_map: Output,
}

/// A `RaggedFillEmptyRows` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RaggedFillEmptyRows(NodeBuilder);

impl RaggedFillEmptyRows {
    /// Names the node.
    pub fn name(self, name: &str) -> RaggedFillEmptyRows {
        RaggedFillEmptyRows(self.0.name(name))
    }

    /// Adds the node and gives (`output_value_rowids`, `output_values`, `empty_row_indicator`, `reverse_index_map`).
    pub fn build(self) -> Result<RaggedFillEmptyRowsValues> {
        let operation = self.0.operation()?;
        Ok(RaggedFillEmptyRowsValues {
            output_value_rowids: operation.output(0)?,
            output_values: operation.output(1)?,
            empty_row_indicator: operation.output(2)?,
            reverse_index_map: operation.output(3)?,
        })
    }
}

/// `RaggedFillEmptyRowsGrad(reverse_index_map, grad_values) -> (d_values, d_default_value)`.
///
/// * `reverse_index_map`: int64
/// * `grad_values`: `T` (any type)
/// * gives `d_values`: `T` (any type)
/// * gives `d_default_value`: `T` (any type)
///
/// Has no gradient.
pub fn ragged_fill_empty_rows_grad(
    reverse_index_map: &Output,
    grad_values: &Output,
) -> RaggedFillEmptyRowsGrad {
    let node =
        NodeBuilder::new("RaggedFillEmptyRowsGrad").input(reverse_index_map).input(grad_values);
    RaggedFillEmptyRowsGrad(node)
}

/// A `RaggedFillEmptyRowsGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RaggedFillEmptyRowsGrad(NodeBuilder);

impl RaggedFillEmptyRowsGrad {
    /// Names the node.
    pub fn name(self, name: &str) -> RaggedFillEmptyRowsGrad {
        RaggedFillEmptyRowsGrad(self.0.name(name))
    }

    /// Adds the node and gives (`d_values`, `d_default_value`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `RaggedGather(params_nested_splits, params_dense_values, indices) -> (output_nested_splits, output_dense_values)`.
///
/// * `params_nested_splits`: `PARAMS_RAGGED_RANK` values of `Tsplits` (int32, int64)
/// * `params_dense_values`: `Tvalues` (any type)
/// * `indices`: `Tindices` (int32, int64)
/// * `OUTPUT_RAGGED_RANK`: attribute, int, at least 0
/// * gives `output_nested_splits`: `OUTPUT_RAGGED_RANK` values of `Tsplits` (int32, int64)
/// * gives `output_dense_values`: `Tvalues` (any type)
///
/// Differentiable.
pub fn ragged_gather(
    params_nested_splits: &[Output],
    params_dense_values: &Output,
    indices: &Output,
    output_ragged_rank: i64,
) -> RaggedGather {
    let mut node = NodeBuilder::new("RaggedGather")
        .list(params_nested_splits)
        .input(params_dense_values)
        .input(indices);
    node.set("OUTPUT_RAGGED_RANK", output_ragged_rank.into());
    RaggedGather(node)
}

/// A `RaggedGather` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RaggedGather(NodeBuilder);

impl RaggedGather {
    /// Names the node.
    pub fn name(self, name: &str) -> RaggedGather {
        RaggedGather(self.0.name(name))
    }

    /// Adds the node and gives (`output_nested_splits`, `output_dense_values`).
    pub fn build(self) -> Result<(Vec<Output>, Output)> {
        let operation = self.0.operation()?;
        Ok((
            operation.named_outputs("output_nested_splits")?,
            only(operation.named_outputs("output_dense_values")?)?,
        ))
    }
}

/// `RaggedRange(starts, limits, deltas) -> (rt_nested_splits, rt_dense_values)`.
///
/// * `starts`: `T` (bfloat16, float, double, int32, int64)
/// * `limits`: `T` (bfloat16, float, double, int32, int64)
/// * `deltas`: `T` (bfloat16, float, double, int32, int64)
/// * gives `rt_nested_splits`: `Tsplits` (int32, int64)
/// * gives `rt_dense_values`: `T` (bfloat16, float, double, int32, int64)
///
/// Gradients do not flow through it.
pub fn ragged_range(starts: &Output, limits: &Output, deltas: &Output) -> RaggedRange {
    let node = NodeBuilder::new("RaggedRange").input(starts).input(limits).input(deltas);
    RaggedRange(node)
}

/// A `RaggedRange` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RaggedRange(NodeBuilder);

impl RaggedRange {
    /// The attribute `Tsplits`; int64 unless set.
    pub fn tsplits(mut self, value: DataType) -> RaggedRange {
        self.0.set("Tsplits", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RaggedRange {
        RaggedRange(self.0.name(name))
    }

    /// Adds the node and gives (`rt_nested_splits`, `rt_dense_values`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `RaggedTensorFromVariant(encoded_ragged) -> (output_nested_splits, output_dense_values)`.
///
/// * `encoded_ragged`: variant
/// * `input_ragged_rank`: attribute, int, at least -1
/// * `output_ragged_rank`: attribute, int, at least 0
/// * `Tvalues`: attribute, type
/// * gives `output_nested_splits`: `output_ragged_rank` values of `Tsplits` (int32, int64)
/// * gives `output_dense_values`: `Tvalues` (any type)
///
/// Differentiable.
pub fn ragged_tensor_from_variant(
    encoded_ragged: &Output,
    input_ragged_rank: i64,
    output_ragged_rank: i64,
    tvalues: DataType,
) -> RaggedTensorFromVariant {
    let mut node = NodeBuilder::new("RaggedTensorFromVariant").input(encoded_ragged);
    node.set("input_ragged_rank", input_ragged_rank.into());
    node.set("output_ragged_rank", output_ragged_rank.into());
    node.set("Tvalues", tvalues.into());
    RaggedTensorFromVariant(node)
}

/// A `RaggedTensorFromVariant` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RaggedTensorFromVariant(NodeBuilder);

impl RaggedTensorFromVariant {
    /// The attribute `Tsplits`; int64 unless set.
    pub fn tsplits(mut self, value: DataType) -> RaggedTensorFromVariant {
        self.0.set("Tsplits", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RaggedTensorFromVariant {
        RaggedTensorFromVariant(self.0.name(name))
    }

    /// Adds the node and gives (`output_nested_splits`, `output_dense_values`).
    pub fn build(self) -> Result<(Vec<Output>, Output)> {
        let operation = self.0.operation()?;
        Ok((
            operation.named_outputs("output_nested_splits")?,
            only(operation.named_outputs("output_dense_values")?)?,
        ))
    }
}

/// `RaggedTensorToSparse(rt_nested_splits, rt_dense_values) -> (sparse_indices, sparse_values, sparse_dense_shape)`.
///
/// * `rt_nested_splits`: `RAGGED_RANK` values of `Tsplits` (int32, int64)
/// * `rt_dense_values`: `T` (any type)
/// * gives `sparse_indices`: int64
/// * gives `sparse_values`: `T` (any type)
/// * gives `sparse_dense_shape`: int64
///
/// Differentiable.
pub fn ragged_tensor_to_sparse(
    rt_nested_splits: &[Output],
    rt_dense_values: &Output,
) -> RaggedTensorToSparse {
    let node =
        NodeBuilder::new("RaggedTensorToSparse").list(rt_nested_splits).input(rt_dense_values);
    RaggedTensorToSparse(node)
}

/// A `RaggedTensorToSparse` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RaggedTensorToSparse(NodeBuilder);

impl RaggedTensorToSparse {
    /// Names the node.
    pub fn name(self, name: &str) -> RaggedTensorToSparse {
        RaggedTensorToSparse(self.0.name(name))
    }

    /// Adds the node and gives (`sparse_indices`, `sparse_values`, `sparse_dense_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `RaggedTensorToTensor(shape, values, default_value, row_partition_tensors) -> (result)`.
///
/// * `shape`: `Tshape` (int64, int32)
/// * `values`: `T` (any type)
/// * `default_value`: `T` (any type)
/// * `row_partition_tensors`: `num_row_partition_tensors` values of `Tindex` (int64, int32)
/// * `row_partition_types`: attribute, list(string)
/// * gives `result`: `T` (any type)
///
/// Differentiable.
pub fn ragged_tensor_to_tensor(
    shape: &Output,
    values: &Output,
    default_value: &Output,
    row_partition_tensors: &[Output],
    row_partition_types: &[&str],
) -> ForOutput {
    let mut node = NodeBuilder::new("RaggedTensorToTensor")
        .input(shape)
        .input(values)
        .input(default_value)
        .list(row_partition_tensors);
    node.set("row_partition_types", texts(row_partition_types));
    ForOutput(node)
}

/// `RaggedTensorToVariant(rt_nested_splits, rt_dense_values) -> (encoded_ragged)`.
///
/// * `rt_nested_splits`: `RAGGED_RANK` values of `Tsplits` (int32, int64)
/// * `rt_dense_values`: `Tvalues` (any type)
/// * `batched_input`: attribute, bool
/// * gives `encoded_ragged`: variant
///
/// Differentiable.
pub fn ragged_tensor_to_variant(
    rt_nested_splits: &[Output],
    rt_dense_values: &Output,
    batched_input: bool,
) -> ForOutput {
    let mut node =
        NodeBuilder::new("RaggedTensorToVariant").list(rt_nested_splits).input(rt_dense_values);
    node.set("batched_input", batched_input.into());
    ForOutput(node)
}

/// `RaggedTensorToVariantGradient(encoded_ragged_grad, row_splits, dense_values_shape) -> (dense_values_grad)`.
///
/// * `encoded_ragged_grad`: variant
/// * `row_splits`: `Tsplits` (int32, int64)
/// * `dense_values_shape`: int32
/// * `Tvalues`: attribute, type
/// * gives `dense_values_grad`: `Tvalues` (any type)
///
/// Has no gradient.
pub fn ragged_tensor_to_variant_gradient(
    encoded_ragged_grad: &Output,
    row_splits: &Output,
    dense_values_shape: &Output,
    tvalues: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("RaggedTensorToVariantGradient")
        .input(encoded_ragged_grad)
        .input(row_splits)
        .input(dense_values_shape);
    node.set("Tvalues", tvalues.into());
    ForOutput(node)
}

/// `ResourceStridedSliceAssign(ref, begin, end, strides, value) -> ()`.
///
/// * `ref`: resource
/// * `begin`: `Index` (int32, int64)
/// * `end`: `Index` (int32, int64)
/// * `strides`: `Index` (int32, int64)
/// * `value`: `T` (any type)
///
/// Has no gradient. Has state or effects.
pub fn resource_strided_slice_assign(
    ref_: &Output,
    begin: &Output,
    end: &Output,
    strides: &Output,
    value: &Output,
) -> ResourceStridedSliceAssign {
    let node = NodeBuilder::new("ResourceStridedSliceAssign")
        .input(ref_)
        .input(begin)
        .input(end)
        .input(strides)
        .input(value);
    ResourceStridedSliceAssign(node)
}

/// A `ResourceStridedSliceAssign` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceStridedSliceAssign(NodeBuilder);

impl ResourceStridedSliceAssign {
    /// The attribute `begin_mask`; `0` unless set.
    pub fn begin_mask(mut self, value: i64) -> ResourceStridedSliceAssign {
        self.0.set("begin_mask", value.into());
        self
    }

    /// The attribute `end_mask`; `0` unless set.
    pub fn end_mask(mut self, value: i64) -> ResourceStridedSliceAssign {
        self.0.set("end_mask", value.into());
        self
    }

    /// The attribute `ellipsis_mask`; `0` unless set.
    pub fn ellipsis_mask(mut self, value: i64) -> ResourceStridedSliceAssign {
        self.0.set("ellipsis_mask", value.into());
        self
    }

    /// The attribute `new_axis_mask`; `0` unless set.
    pub fn new_axis_mask(mut self, value: i64) -> ResourceStridedSliceAssign {
        self.0.set("new_axis_mask", value.into());
        self
    }

    /// The attribute `shrink_axis_mask`; `0` unless set.
    pub fn shrink_axis_mask(mut self, value: i64) -> ResourceStridedSliceAssign {
        self.0.set("shrink_axis_mask", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceStridedSliceAssign {
        ResourceStridedSliceAssign(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ScatterNd(indices, updates, shape) -> (output)`.
///
/// * `indices`: `Tindices` (int16, int32, int64)
/// * `updates`: `T` (any type)
/// * `shape`: `Tindices` (int16, int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn scatter_nd(indices: &Output, updates: &Output, shape: &Output) -> ScatterNd {
    let node = NodeBuilder::new("ScatterNd").input(indices).input(updates).input(shape);
    ScatterNd(node)
}

/// A `ScatterNd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterNd(NodeBuilder);

impl ScatterNd {
    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> ScatterNd {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterNd {
        ScatterNd(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ScatterNdNonAliasingAdd(input, indices, updates) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool)
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool)
///
/// Differentiable.
pub fn scatter_nd_non_aliasing_add(
    input: &Output,
    indices: &Output,
    updates: &Output,
) -> ScatterNdNonAliasingAdd {
    let node =
        NodeBuilder::new("ScatterNdNonAliasingAdd").input(input).input(indices).input(updates);
    ScatterNdNonAliasingAdd(node)
}

/// A `ScatterNdNonAliasingAdd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterNdNonAliasingAdd(NodeBuilder);

impl ScatterNdNonAliasingAdd {
    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> ScatterNdNonAliasingAdd {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterNdNonAliasingAdd {
        ScatterNdNonAliasingAdd(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Select(condition, t, e) -> (output)`.
///
/// * `condition`: bool
/// * `t`: `T` (any type)
/// * `e`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn select(condition: &Output, t: &Output, e: &Output) -> ForOutput {
    let node = NodeBuilder::new("Select").input(condition).input(t).input(e);
    ForOutput(node)
}

/// `SelectV2(condition, t, e) -> (output)`.
///
/// * `condition`: bool
/// * `t`: `T` (any type)
/// * `e`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn select_v2(condition: &Output, t: &Output, e: &Output) -> ForOutput {
    let node = NodeBuilder::new("SelectV2").input(condition).input(t).input(e);
    ForOutput(node)
}

/// `SerializeManySparse(sparse_indices, sparse_values, sparse_shape) -> (serialized_sparse)`.
///
/// * `sparse_indices`: int64
/// * `sparse_values`: `T` (any type)
/// * `sparse_shape`: int64
/// * gives `serialized_sparse`: `out_type` (string, variant)
///
/// Gradients do not flow through it.
pub fn serialize_many_sparse(
    sparse_indices: &Output,
    sparse_values: &Output,
    sparse_shape: &Output,
) -> SerializeManySparse {
    let node = NodeBuilder::new("SerializeManySparse")
        .input(sparse_indices)
        .input(sparse_values)
        .input(sparse_shape);
    SerializeManySparse(node)
}

/// A `SerializeManySparse` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SerializeManySparse(NodeBuilder);

impl SerializeManySparse {
    /// The attribute `out_type`; string unless set.
    pub fn out_type(mut self, value: DataType) -> SerializeManySparse {
        self.0.set("out_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SerializeManySparse {
        SerializeManySparse(self.0.name(name))
    }

    /// Adds the node and gives `serialized_sparse`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SerializeSparse(sparse_indices, sparse_values, sparse_shape) -> (serialized_sparse)`.
///
/// * `sparse_indices`: int64
/// * `sparse_values`: `T` (any type)
/// * `sparse_shape`: int64
/// * gives `serialized_sparse`: `out_type` (string, variant)
///
/// Gradients do not flow through it.
pub fn serialize_sparse(
    sparse_indices: &Output,
    sparse_values: &Output,
    sparse_shape: &Output,
) -> SerializeSparse {
    let node = NodeBuilder::new("SerializeSparse")
        .input(sparse_indices)
        .input(sparse_values)
        .input(sparse_shape);
    SerializeSparse(node)
}

/// A `SerializeSparse` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SerializeSparse(NodeBuilder);

impl SerializeSparse {
    /// The attribute `out_type`; string unless set.
    pub fn out_type(mut self, value: DataType) -> SerializeSparse {
        self.0.set("out_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SerializeSparse {
        SerializeSparse(self.0.name(name))
    }

    /// Adds the node and gives `serialized_sparse`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SetSize(set_indices, set_values, set_shape) -> (size)`.
///
/// * `set_indices`: int64
/// * `set_values`: `T` (int8, int16, int32, int64, uint8, uint16, string)
/// * `set_shape`: int64
/// * gives `size`: int32
///
/// Gradients do not flow through it.
pub fn set_size(set_indices: &Output, set_values: &Output, set_shape: &Output) -> SetSize {
    let node = NodeBuilder::new("SetSize").input(set_indices).input(set_values).input(set_shape);
    SetSize(node)
}

/// A `SetSize` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SetSize(NodeBuilder);

impl SetSize {
    /// The attribute `validate_indices`; `true` unless set.
    pub fn validate_indices(mut self, value: bool) -> SetSize {
        self.0.set("validate_indices", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SetSize {
        SetSize(self.0.name(name))
    }

    /// Adds the node and gives `size`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Slice(input, begin, size) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `begin`: `Index` (int32, int64)
/// * `size`: `Index` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn slice(input: &Output, begin: &Output, size: &Output) -> ForOutput {
    let node = NodeBuilder::new("Slice").input(input).input(begin).input(size);
    ForOutput(node)
}

/// `SparseAdd(a_indices, a_values, a_shape, b_indices, b_values, b_shape, thresh) -> (sum_indices, sum_values, sum_shape)`.
///
/// * `a_indices`: int64
/// * `a_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `a_shape`: int64
/// * `b_indices`: int64
/// * `b_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `b_shape`: int64
/// * `thresh`: `Treal` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `sum_indices`: int64
/// * gives `sum_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `sum_shape`: int64
///
/// Differentiable.
pub fn sparse_add(
    a_indices: &Output,
    a_values: &Output,
    a_shape: &Output,
    b_indices: &Output,
    b_values: &Output,
    b_shape: &Output,
    thresh: &Output,
) -> SparseAdd {
    let node = NodeBuilder::new("SparseAdd")
        .input(a_indices)
        .input(a_values)
        .input(a_shape)
        .input(b_indices)
        .input(b_values)
        .input(b_shape)
        .input(thresh);
    SparseAdd(node)
}

/// A `SparseAdd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseAdd(NodeBuilder);

impl SparseAdd {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseAdd {
        SparseAdd(self.0.name(name))
    }

    /// Adds the node and gives (`sum_indices`, `sum_values`, `sum_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `SparseAddGrad(backprop_val_grad, a_indices, b_indices, sum_indices) -> (a_val_grad, b_val_grad)`.
///
/// * `backprop_val_grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `a_indices`: int64
/// * `b_indices`: int64
/// * `sum_indices`: int64
/// * gives `a_val_grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `b_val_grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn sparse_add_grad(
    backprop_val_grad: &Output,
    a_indices: &Output,
    b_indices: &Output,
    sum_indices: &Output,
) -> SparseAddGrad {
    let node = NodeBuilder::new("SparseAddGrad")
        .input(backprop_val_grad)
        .input(a_indices)
        .input(b_indices)
        .input(sum_indices);
    SparseAddGrad(node)
}

/// A `SparseAddGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseAddGrad(NodeBuilder);

impl SparseAddGrad {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseAddGrad {
        SparseAddGrad(self.0.name(name))
    }

    /// Adds the node and gives (`a_val_grad`, `b_val_grad`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `SparseConcat(indices, values, shapes) -> (output_indices, output_values, output_shape)`.
///
/// * `indices`: `N` values of int64
/// * `values`: `N` values of `T` (any type)
/// * `shapes`: `N` values of int64
/// * `concat_dim`: attribute, int
/// * gives `output_indices`: int64
/// * gives `output_values`: `T` (any type)
/// * gives `output_shape`: int64
///
/// Gradients do not flow through it.
pub fn sparse_concat(
    indices: &[Output],
    values: &[Output],
    shapes: &[Output],
    concat_dim: i64,
) -> SparseConcat {
    let mut node = NodeBuilder::new("SparseConcat").list(indices).list(values).list(shapes);
    node.set("concat_dim", concat_dim.into());
    SparseConcat(node)
}

/// A `SparseConcat` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseConcat(NodeBuilder);

impl SparseConcat {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseConcat {
        SparseConcat(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `output_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `SparseCross(indices, values, shapes, dense_inputs) -> (output_indices, output_values, output_shape)`.
///
/// * `indices`: `N` values of int64
/// * `values`: several, of types `sparse_types`
/// * `shapes`: `N` values of int64
/// * `dense_inputs`: several, of types `dense_types`
/// * `hashed_output`: attribute, bool
/// * `num_buckets`: attribute, int, at least 0
/// * `hash_key`: attribute, int
/// * `out_type`: attribute, type, one of int64, string
/// * `internal_type`: attribute, type, one of int64, string
/// * gives `output_indices`: int64
/// * gives `output_values`: `out_type` (int64, string)
/// * gives `output_shape`: int64
///
/// Gradients do not flow through it.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn sparse_cross(
    graph: &Graph,
    indices: &[Output],
    values: &[Output],
    shapes: &[Output],
    dense_inputs: &[Output],
    hashed_output: bool,
    num_buckets: i64,
    hash_key: i64,
    out_type: DataType,
    internal_type: DataType,
) -> SparseCross {
    let mut node = NodeBuilder::in_graph(graph, "SparseCross")
        .list(indices)
        .list(values)
        .list(shapes)
        .list(dense_inputs);
    node.set("hashed_output", hashed_output.into());
    node.set("num_buckets", num_buckets.into());
    node.set("hash_key", hash_key.into());
    node.set("out_type", out_type.into());
    node.set("internal_type", internal_type.into());
    SparseCross(node)
}

/// A `SparseCross` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseCross(NodeBuilder);

impl SparseCross {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseCross {
        SparseCross(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `output_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `SparseCrossHashed(indices, values, shapes, dense_inputs, num_buckets, strong_hash, salt) -> (output_indices, output_values, output_shape)`.
///
/// * `indices`: `N` values of int64
/// * `values`: several, of types `sparse_types`
/// * `shapes`: `N` values of int64
/// * `dense_inputs`: several, of types `dense_types`
/// * `num_buckets`: int64
/// * `strong_hash`: bool
/// * `salt`: int64
/// * gives `output_indices`: int64
/// * gives `output_values`: int64
/// * gives `output_shape`: int64
///
/// Gradients do not flow through it.
pub fn sparse_cross_hashed(
    indices: &[Output],
    values: &[Output],
    shapes: &[Output],
    dense_inputs: &[Output],
    num_buckets: &Output,
    strong_hash: &Output,
    salt: &Output,
) -> SparseCrossHashed {
    let node = NodeBuilder::new("SparseCrossHashed")
        .list(indices)
        .list(values)
        .list(shapes)
        .list(dense_inputs)
        .input(num_buckets)
        .input(strong_hash)
        .input(salt);
    SparseCrossHashed(node)
}

/// A `SparseCrossHashed` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseCrossHashed(NodeBuilder);

impl SparseCrossHashed {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseCrossHashed {
        SparseCrossHashed(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `output_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `SparseCrossV2(indices, values, shapes, dense_inputs, sep) -> (output_indices, output_values, output_shape)`.
///
/// * `indices`: `N` values of int64
/// * `values`: several, of types `sparse_types`
/// * `shapes`: `N` values of int64
/// * `dense_inputs`: several, of types `dense_types`
/// * `sep`: string
/// * gives `output_indices`: int64
/// * gives `output_values`: string
/// * gives `output_shape`: int64
///
/// Gradients do not flow through it.
pub fn sparse_cross_v2(
    indices: &[Output],
    values: &[Output],
    shapes: &[Output],
    dense_inputs: &[Output],
    sep: &Output,
) -> SparseCrossV2 {
    let node = NodeBuilder::new("SparseCrossV2")
        .list(indices)
        .list(values)
        .list(shapes)
        .list(dense_inputs)
        .input(sep);
    SparseCrossV2(node)
}

/// A `SparseCrossV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseCrossV2(NodeBuilder);

impl SparseCrossV2 {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseCrossV2 {
        SparseCrossV2(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `output_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `SparseDenseCwiseAdd(sp_indices, sp_values, sp_shape, dense) -> (output)`.
///
/// * `sp_indices`: int64
/// * `sp_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `sp_shape`: int64
/// * `dense`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient.
pub fn sparse_dense_cwise_add(
    sp_indices: &Output,
    sp_values: &Output,
    sp_shape: &Output,
    dense: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("SparseDenseCwiseAdd")
        .input(sp_indices)
        .input(sp_values)
        .input(sp_shape)
        .input(dense);
    ForOutput(node)
}

/// `SparseDenseCwiseDiv(sp_indices, sp_values, sp_shape, dense) -> (output)`.
///
/// * `sp_indices`: int64
/// * `sp_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `sp_shape`: int64
/// * `dense`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn sparse_dense_cwise_div(
    sp_indices: &Output,
    sp_values: &Output,
    sp_shape: &Output,
    dense: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("SparseDenseCwiseDiv")
        .input(sp_indices)
        .input(sp_values)
        .input(sp_shape)
        .input(dense);
    ForOutput(node)
}

/// `SparseDenseCwiseMul(sp_indices, sp_values, sp_shape, dense) -> (output)`.
///
/// * `sp_indices`: int64
/// * `sp_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `sp_shape`: int64
/// * `dense`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn sparse_dense_cwise_mul(
    sp_indices: &Output,
    sp_values: &Output,
    sp_shape: &Output,
    dense: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("SparseDenseCwiseMul")
        .input(sp_indices)
        .input(sp_values)
        .input(sp_shape)
        .input(dense);
    ForOutput(node)
}

/// `SparseFillEmptyRows(indices, values, dense_shape, default_value) -> (output_indices, output_values, empty_row_indicator, reverse_index_map)`.
///
/// * `indices`: int64
/// * `values`: `T` (any type)
/// * `dense_shape`: int64
/// * `default_value`: `T` (any type)
/// * gives `output_indices`: int64
/// * gives `output_values`: `T` (any type)
/// * gives `empty_row_indicator`: bool
/// * gives `reverse_index_map`: int64
///
/// Differentiable.
pub fn sparse_fill_empty_rows(
    indices: &Output,
    values: &Output,
    dense_shape: &Output,
    default_value: &Output,
) -> SparseFillEmptyRows {
    let node = NodeBuilder::new("SparseFillEmptyRows")
        .input(indices)
        .input(values)
        .input(dense_shape)
        .input(default_value);
    SparseFillEmptyRows(node)
}

/// The values of a `SparseFillEmptyRows`.
pub struct SparseFillEmptyRowsValues {
    /// `output_indices`.
    pub output_indices: Output,
    /// `output_values`.
    pub output_values: Output,
    /// `empty_row_indicator`.
    pub empty_row_indicator: Output,
    /// `reverse_index_map`.
    pub reverse_index_map: Output,
}

/// A `SparseFillEmptyRows` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseFillEmptyRows(NodeBuilder);

impl SparseFillEmptyRows {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseFillEmptyRows {
        SparseFillEmptyRows(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `empty_row_indicator`, `reverse_index_map`).
    pub fn build(self) -> Result<SparseFillEmptyRowsValues> {
        let operation = self.0.operation()?;
        Ok(SparseFillEmptyRowsValues {
            output_indices: operation.output(0)?,
            output_values: operation.output(1)?,
            empty_row_indicator: operation.output(2)?,
            reverse_index_map: operation.output(3)?,
        })
    }
}

/// `SparseFillEmptyRowsGrad(reverse_index_map, grad_values) -> (d_values, d_default_value)`.
///
/// * `reverse_index_map`: int64
/// * `grad_values`: `T` (any type)
/// * gives `d_values`: `T` (any type)
/// * gives `d_default_value`: `T` (any type)
///
/// Has no gradient.
pub fn sparse_fill_empty_rows_grad(
    reverse_index_map: &Output,
    grad_values: &Output,
) -> SparseFillEmptyRowsGrad {
    let node =
        NodeBuilder::new("SparseFillEmptyRowsGrad").input(reverse_index_map).input(grad_values);
    SparseFillEmptyRowsGrad(node)
}

/// A `SparseFillEmptyRowsGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseFillEmptyRowsGrad(NodeBuilder);

impl SparseFillEmptyRowsGrad {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseFillEmptyRowsGrad {
        SparseFillEmptyRowsGrad(self.0.name(name))
    }

    /// Adds the node and gives (`d_values`, `d_default_value`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `SparseMatMul(a, b) -> (product)`.
///
/// * `a`: `Ta` (float, bfloat16)
/// * `b`: `Tb` (float, bfloat16)
/// * gives `product`: float
///
/// Differentiable.
pub fn sparse_mat_mul(a: &Output, b: &Output) -> SparseMatMul {
    let node = NodeBuilder::new("SparseMatMul").input(a).input(b);
    SparseMatMul(node)
}

/// A `SparseMatMul` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseMatMul(NodeBuilder);

impl SparseMatMul {
    /// The attribute `transpose_a`; `false` unless set.
    pub fn transpose_a(mut self, value: bool) -> SparseMatMul {
        self.0.set("transpose_a", value.into());
        self
    }

    /// The attribute `transpose_b`; `false` unless set.
    pub fn transpose_b(mut self, value: bool) -> SparseMatMul {
        self.0.set("transpose_b", value.into());
        self
    }

    /// The attribute `a_is_sparse`; `false` unless set.
    pub fn a_is_sparse(mut self, value: bool) -> SparseMatMul {
        self.0.set("a_is_sparse", value.into());
        self
    }

    /// The attribute `b_is_sparse`; `false` unless set.
    pub fn b_is_sparse(mut self, value: bool) -> SparseMatMul {
        self.0.set("b_is_sparse", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseMatMul {
        SparseMatMul(self.0.name(name))
    }

    /// Adds the node and gives `product`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseReduceMax(input_indices, input_values, input_shape, reduction_axes) -> (output)`.
///
/// * `input_indices`: int64
/// * `input_values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `input_shape`: int64
/// * `reduction_axes`: int32
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Has no gradient.
pub fn sparse_reduce_max(
    input_indices: &Output,
    input_values: &Output,
    input_shape: &Output,
    reduction_axes: &Output,
) -> SparseReduceMax {
    let node = NodeBuilder::new("SparseReduceMax")
        .input(input_indices)
        .input(input_values)
        .input(input_shape)
        .input(reduction_axes);
    SparseReduceMax(node)
}

/// A `SparseReduceMax` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseReduceMax(NodeBuilder);

impl SparseReduceMax {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> SparseReduceMax {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseReduceMax {
        SparseReduceMax(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseReduceMaxSparse(input_indices, input_values, input_shape, reduction_axes) -> (output_indices, output_values, output_shape)`.
///
/// * `input_indices`: int64
/// * `input_values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `input_shape`: int64
/// * `reduction_axes`: int32
/// * gives `output_indices`: int64
/// * gives `output_values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `output_shape`: int64
///
/// Has no gradient.
pub fn sparse_reduce_max_sparse(
    input_indices: &Output,
    input_values: &Output,
    input_shape: &Output,
    reduction_axes: &Output,
) -> SparseReduceMaxSparse {
    let node = NodeBuilder::new("SparseReduceMaxSparse")
        .input(input_indices)
        .input(input_values)
        .input(input_shape)
        .input(reduction_axes);
    SparseReduceMaxSparse(node)
}

/// A `SparseReduceMaxSparse` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseReduceMaxSparse(NodeBuilder);

impl SparseReduceMaxSparse {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> SparseReduceMaxSparse {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseReduceMaxSparse {
        SparseReduceMaxSparse(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `output_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `SparseReduceSum(input_indices, input_values, input_shape, reduction_axes) -> (output)`.
///
/// * `input_indices`: int64
/// * `input_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `input_shape`: int64
/// * `reduction_axes`: int32
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn sparse_reduce_sum(
    input_indices: &Output,
    input_values: &Output,
    input_shape: &Output,
    reduction_axes: &Output,
) -> SparseReduceSum {
    let node = NodeBuilder::new("SparseReduceSum")
        .input(input_indices)
        .input(input_values)
        .input(input_shape)
        .input(reduction_axes);
    SparseReduceSum(node)
}

/// A `SparseReduceSum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseReduceSum(NodeBuilder);

impl SparseReduceSum {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> SparseReduceSum {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseReduceSum {
        SparseReduceSum(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseReduceSumSparse(input_indices, input_values, input_shape, reduction_axes) -> (output_indices, output_values, output_shape)`.
///
/// * `input_indices`: int64
/// * `input_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `input_shape`: int64
/// * `reduction_axes`: int32
/// * gives `output_indices`: int64
/// * gives `output_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output_shape`: int64
///
/// Has no gradient.
pub fn sparse_reduce_sum_sparse(
    input_indices: &Output,
    input_values: &Output,
    input_shape: &Output,
    reduction_axes: &Output,
) -> SparseReduceSumSparse {
    let node = NodeBuilder::new("SparseReduceSumSparse")
        .input(input_indices)
        .input(input_values)
        .input(input_shape)
        .input(reduction_axes);
    SparseReduceSumSparse(node)
}

/// A `SparseReduceSumSparse` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseReduceSumSparse(NodeBuilder);

impl SparseReduceSumSparse {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> SparseReduceSumSparse {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseReduceSumSparse {
        SparseReduceSumSparse(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `output_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `SparseReorder(input_indices, input_values, input_shape) -> (output_indices, output_values)`.
///
/// * `input_indices`: int64
/// * `input_values`: `T` (any type)
/// * `input_shape`: int64
/// * gives `output_indices`: int64
/// * gives `output_values`: `T` (any type)
///
/// Differentiable.
pub fn sparse_reorder(
    input_indices: &Output,
    input_values: &Output,
    input_shape: &Output,
) -> SparseReorder {
    let node = NodeBuilder::new("SparseReorder")
        .input(input_indices)
        .input(input_values)
        .input(input_shape);
    SparseReorder(node)
}

/// A `SparseReorder` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseReorder(NodeBuilder);

impl SparseReorder {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseReorder {
        SparseReorder(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `SparseReshape(input_indices, input_shape, new_shape) -> (output_indices, output_shape)`.
///
/// * `input_indices`: int64
/// * `input_shape`: int64
/// * `new_shape`: int64
/// * gives `output_indices`: int64
/// * gives `output_shape`: int64
///
/// Gradients do not flow through it.
pub fn sparse_reshape(
    input_indices: &Output,
    input_shape: &Output,
    new_shape: &Output,
) -> SparseReshape {
    let node =
        NodeBuilder::new("SparseReshape").input(input_indices).input(input_shape).input(new_shape);
    SparseReshape(node)
}

/// A `SparseReshape` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseReshape(NodeBuilder);

impl SparseReshape {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseReshape {
        SparseReshape(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_shape`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `SparseSlice(indices, values, shape, start, size) -> (output_indices, output_values, output_shape)`.
///
/// * `indices`: int64
/// * `values`: `T` (any type)
/// * `shape`: int64
/// * `start`: int64
/// * `size`: int64
/// * gives `output_indices`: int64
/// * gives `output_values`: `T` (any type)
/// * gives `output_shape`: int64
///
/// Differentiable.
pub fn sparse_slice(
    indices: &Output,
    values: &Output,
    shape: &Output,
    start: &Output,
    size: &Output,
) -> SparseSlice {
    let node = NodeBuilder::new("SparseSlice")
        .input(indices)
        .input(values)
        .input(shape)
        .input(start)
        .input(size);
    SparseSlice(node)
}

/// A `SparseSlice` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSlice(NodeBuilder);

impl SparseSlice {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseSlice {
        SparseSlice(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `output_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `SparseSliceGrad(backprop_val_grad, input_indices, input_start, output_indices) -> (val_grad)`.
///
/// * `backprop_val_grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `input_indices`: int64
/// * `input_start`: int64
/// * `output_indices`: int64
/// * gives `val_grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient.
pub fn sparse_slice_grad(
    backprop_val_grad: &Output,
    input_indices: &Output,
    input_start: &Output,
    output_indices: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("SparseSliceGrad")
        .input(backprop_val_grad)
        .input(input_indices)
        .input(input_start)
        .input(output_indices);
    ForOutput(node)
}

/// `SparseSoftmax(sp_indices, sp_values, sp_shape) -> (output)`.
///
/// * `sp_indices`: int64
/// * `sp_values`: `T` (half, float, double)
/// * `sp_shape`: int64
/// * gives `output`: `T` (half, float, double)
///
/// Differentiable.
pub fn sparse_softmax(sp_indices: &Output, sp_values: &Output, sp_shape: &Output) -> ForOutput {
    let node = NodeBuilder::new("SparseSoftmax").input(sp_indices).input(sp_values).input(sp_shape);
    ForOutput(node)
}

/// `SparseSparseMaximum(a_indices, a_values, a_shape, b_indices, b_values, b_shape) -> (output_indices, output_values)`.
///
/// * `a_indices`: int64
/// * `a_values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `a_shape`: int64
/// * `b_indices`: int64
/// * `b_values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `b_shape`: int64
/// * gives `output_indices`: int64
/// * gives `output_values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Has no gradient.
pub fn sparse_sparse_maximum(
    a_indices: &Output,
    a_values: &Output,
    a_shape: &Output,
    b_indices: &Output,
    b_values: &Output,
    b_shape: &Output,
) -> SparseSparseMaximum {
    let node = NodeBuilder::new("SparseSparseMaximum")
        .input(a_indices)
        .input(a_values)
        .input(a_shape)
        .input(b_indices)
        .input(b_values)
        .input(b_shape);
    SparseSparseMaximum(node)
}

/// A `SparseSparseMaximum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSparseMaximum(NodeBuilder);

impl SparseSparseMaximum {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseSparseMaximum {
        SparseSparseMaximum(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `SparseSparseMinimum(a_indices, a_values, a_shape, b_indices, b_values, b_shape) -> (output_indices, output_values)`.
///
/// * `a_indices`: int64
/// * `a_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `a_shape`: int64
/// * `b_indices`: int64
/// * `b_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `b_shape`: int64
/// * gives `output_indices`: int64
/// * gives `output_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient.
pub fn sparse_sparse_minimum(
    a_indices: &Output,
    a_values: &Output,
    a_shape: &Output,
    b_indices: &Output,
    b_values: &Output,
    b_shape: &Output,
) -> SparseSparseMinimum {
    let node = NodeBuilder::new("SparseSparseMinimum")
        .input(a_indices)
        .input(a_values)
        .input(a_shape)
        .input(b_indices)
        .input(b_values)
        .input(b_shape);
    SparseSparseMinimum(node)
}

/// A `SparseSparseMinimum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSparseMinimum(NodeBuilder);

impl SparseSparseMinimum {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseSparseMinimum {
        SparseSparseMinimum(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `SparseSplit(split_dim, indices, values, shape) -> (output_indices, output_values, output_shape)`.
///
/// * `split_dim`: int64
/// * `indices`: int64
/// * `values`: `T` (any type)
/// * `shape`: int64
/// * `num_split`: attribute, int, at least 1
/// * gives `output_indices`: `num_split` values of int64
/// * gives `output_values`: `num_split` values of `T` (any type)
/// * gives `output_shape`: `num_split` values of int64
///
/// Has no gradient.
pub fn sparse_split(
    split_dim: &Output,
    indices: &Output,
    values: &Output,
    shape: &Output,
    num_split: i64,
) -> SparseSplit {
    let mut node =
        NodeBuilder::new("SparseSplit").input(split_dim).input(indices).input(values).input(shape);
    node.set("num_split", num_split.into());
    SparseSplit(node)
}

/// A `SparseSplit` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSplit(NodeBuilder);

impl SparseSplit {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseSplit {
        SparseSplit(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `output_shape`).
    pub fn build(self) -> Result<(Vec<Output>, Vec<Output>, Vec<Output>)> {
        let operation = self.0.operation()?;
        Ok((
            operation.named_outputs("output_indices")?,
            operation.named_outputs("output_values")?,
            operation.named_outputs("output_shape")?,
        ))
    }
}

/// `SparseTensorDenseAdd(a_indices, a_values, a_shape, b) -> (output)`.
///
/// * `a_indices`: `Tindices` (int32, int64)
/// * `a_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `a_shape`: `Tindices` (int32, int64)
/// * `b`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn sparse_tensor_dense_add(
    a_indices: &Output,
    a_values: &Output,
    a_shape: &Output,
    b: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("SparseTensorDenseAdd")
        .input(a_indices)
        .input(a_values)
        .input(a_shape)
        .input(b);
    ForOutput(node)
}

/// `SparseTensorDenseMatMul(a_indices, a_values, a_shape, b) -> (product)`.
///
/// * `a_indices`: `Tindices` (int32, int64)
/// * `a_values`: `T` (any type)
/// * `a_shape`: int64
/// * `b`: `T` (any type)
/// * gives `product`: `T` (any type)
///
/// Differentiable.
pub fn sparse_tensor_dense_mat_mul(
    a_indices: &Output,
    a_values: &Output,
    a_shape: &Output,
    b: &Output,
) -> SparseTensorDenseMatMul {
    let node = NodeBuilder::new("SparseTensorDenseMatMul")
        .input(a_indices)
        .input(a_values)
        .input(a_shape)
        .input(b);
    SparseTensorDenseMatMul(node)
}

/// A `SparseTensorDenseMatMul` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseTensorDenseMatMul(NodeBuilder);

impl SparseTensorDenseMatMul {
    /// The attribute `adjoint_a`; `false` unless set.
    pub fn adjoint_a(mut self, value: bool) -> SparseTensorDenseMatMul {
        self.0.set("adjoint_a", value.into());
        self
    }

    /// The attribute `adjoint_b`; `false` unless set.
    pub fn adjoint_b(mut self, value: bool) -> SparseTensorDenseMatMul {
        self.0.set("adjoint_b", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseTensorDenseMatMul {
        SparseTensorDenseMatMul(self.0.name(name))
    }

    /// Adds the node and gives `product`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseToDense(sparse_indices, output_shape, sparse_values, default_value) -> (dense)`.
///
/// * `sparse_indices`: `Tindices` (int32, int64)
/// * `output_shape`: `Tindices` (int32, int64)
/// * `sparse_values`: `T` (any type)
/// * `default_value`: `T` (any type)
/// * gives `dense`: `T` (any type)
///
/// Differentiable.
pub fn sparse_to_dense(
    sparse_indices: &Output,
    output_shape: &Output,
    sparse_values: &Output,
    default_value: &Output,
) -> SparseToDense {
    let node = NodeBuilder::new("SparseToDense")
        .input(sparse_indices)
        .input(output_shape)
        .input(sparse_values)
        .input(default_value);
    SparseToDense(node)
}

/// A `SparseToDense` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseToDense(NodeBuilder);

impl SparseToDense {
    /// The attribute `validate_indices`; `true` unless set.
    pub fn validate_indices(mut self, value: bool) -> SparseToDense {
        self.0.set("validate_indices", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseToDense {
        SparseToDense(self.0.name(name))
    }

    /// Adds the node and gives `dense`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseToSparseSetOperation(set1_indices, set1_values, set1_shape, set2_indices, set2_values, set2_shape) -> (result_indices, result_values, result_shape)`.
///
/// * `set1_indices`: int64
/// * `set1_values`: `T` (int8, int16, int32, int64, uint8, uint16, string)
/// * `set1_shape`: int64
/// * `set2_indices`: int64
/// * `set2_values`: `T` (int8, int16, int32, int64, uint8, uint16, string)
/// * `set2_shape`: int64
/// * `set_operation`: attribute, string
/// * gives `result_indices`: int64
/// * gives `result_values`: `T` (int8, int16, int32, int64, uint8, uint16, string)
/// * gives `result_shape`: int64
///
/// Gradients do not flow through it.
pub fn sparse_to_sparse_set_operation(
    set1_indices: &Output,
    set1_values: &Output,
    set1_shape: &Output,
    set2_indices: &Output,
    set2_values: &Output,
    set2_shape: &Output,
    set_operation: &str,
) -> SparseToSparseSetOperation {
    let mut node = NodeBuilder::new("SparseToSparseSetOperation")
        .input(set1_indices)
        .input(set1_values)
        .input(set1_shape)
        .input(set2_indices)
        .input(set2_values)
        .input(set2_shape);
    node.set("set_operation", text(set_operation));
    SparseToSparseSetOperation(node)
}

/// A `SparseToSparseSetOperation` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseToSparseSetOperation(NodeBuilder);

impl SparseToSparseSetOperation {
    /// The attribute `validate_indices`; `true` unless set.
    pub fn validate_indices(mut self, value: bool) -> SparseToSparseSetOperation {
        self.0.set("validate_indices", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseToSparseSetOperation {
        SparseToSparseSetOperation(self.0.name(name))
    }

    /// Adds the node and gives (`result_indices`, `result_values`, `result_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `StridedSlice(input, begin, end, strides) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `begin`: `Index` (int16, int32, int64)
/// * `end`: `Index` (int16, int32, int64)
/// * `strides`: `Index` (int16, int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn strided_slice(
    input: &Output,
    begin: &Output,
    end: &Output,
    strides: &Output,
) -> StridedSlice {
    let node = NodeBuilder::new("StridedSlice").input(input).input(begin).input(end).input(strides);
    StridedSlice(node)
}

/// A `StridedSlice` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StridedSlice(NodeBuilder);

impl StridedSlice {
    /// The attribute `begin_mask`; `0` unless set.
    pub fn begin_mask(mut self, value: i64) -> StridedSlice {
        self.0.set("begin_mask", value.into());
        self
    }

    /// The attribute `end_mask`; `0` unless set.
    pub fn end_mask(mut self, value: i64) -> StridedSlice {
        self.0.set("end_mask", value.into());
        self
    }

    /// The attribute `ellipsis_mask`; `0` unless set.
    pub fn ellipsis_mask(mut self, value: i64) -> StridedSlice {
        self.0.set("ellipsis_mask", value.into());
        self
    }

    /// The attribute `new_axis_mask`; `0` unless set.
    pub fn new_axis_mask(mut self, value: i64) -> StridedSlice {
        self.0.set("new_axis_mask", value.into());
        self
    }

    /// The attribute `shrink_axis_mask`; `0` unless set.
    pub fn shrink_axis_mask(mut self, value: i64) -> StridedSlice {
        self.0.set("shrink_axis_mask", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StridedSlice {
        StridedSlice(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StridedSliceAssign(ref, begin, end, strides, value) -> (output_ref)`.
///
/// * `ref`: `T` (any type), a reference
/// * `begin`: `Index` (int32, int64)
/// * `end`: `Index` (int32, int64)
/// * `strides`: `Index` (int32, int64)
/// * `value`: `T` (any type)
/// * gives `output_ref`: `T` (any type), a reference
///
/// Has no gradient.
pub fn strided_slice_assign(
    ref_: &Output,
    begin: &Output,
    end: &Output,
    strides: &Output,
    value: &Output,
) -> StridedSliceAssign {
    let node = NodeBuilder::new("StridedSliceAssign")
        .input(ref_)
        .input(begin)
        .input(end)
        .input(strides)
        .input(value);
    StridedSliceAssign(node)
}

/// A `StridedSliceAssign` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StridedSliceAssign(NodeBuilder);

impl StridedSliceAssign {
    /// The attribute `begin_mask`; `0` unless set.
    pub fn begin_mask(mut self, value: i64) -> StridedSliceAssign {
        self.0.set("begin_mask", value.into());
        self
    }

    /// The attribute `end_mask`; `0` unless set.
    pub fn end_mask(mut self, value: i64) -> StridedSliceAssign {
        self.0.set("end_mask", value.into());
        self
    }

    /// The attribute `ellipsis_mask`; `0` unless set.
    pub fn ellipsis_mask(mut self, value: i64) -> StridedSliceAssign {
        self.0.set("ellipsis_mask", value.into());
        self
    }

    /// The attribute `new_axis_mask`; `0` unless set.
    pub fn new_axis_mask(mut self, value: i64) -> StridedSliceAssign {
        self.0.set("new_axis_mask", value.into());
        self
    }

    /// The attribute `shrink_axis_mask`; `0` unless set.
    pub fn shrink_axis_mask(mut self, value: i64) -> StridedSliceAssign {
        self.0.set("shrink_axis_mask", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StridedSliceAssign {
        StridedSliceAssign(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StridedSliceGrad(shape, begin, end, strides, dy) -> (output)`.
///
/// * `shape`: `Index` (int32, int64)
/// * `begin`: `Index` (int32, int64)
/// * `end`: `Index` (int32, int64)
/// * `strides`: `Index` (int32, int64)
/// * `dy`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn strided_slice_grad(
    shape: &Output,
    begin: &Output,
    end: &Output,
    strides: &Output,
    dy: &Output,
) -> StridedSliceGrad {
    let node = NodeBuilder::new("StridedSliceGrad")
        .input(shape)
        .input(begin)
        .input(end)
        .input(strides)
        .input(dy);
    StridedSliceGrad(node)
}

/// A `StridedSliceGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StridedSliceGrad(NodeBuilder);

impl StridedSliceGrad {
    /// The attribute `begin_mask`; `0` unless set.
    pub fn begin_mask(mut self, value: i64) -> StridedSliceGrad {
        self.0.set("begin_mask", value.into());
        self
    }

    /// The attribute `end_mask`; `0` unless set.
    pub fn end_mask(mut self, value: i64) -> StridedSliceGrad {
        self.0.set("end_mask", value.into());
        self
    }

    /// The attribute `ellipsis_mask`; `0` unless set.
    pub fn ellipsis_mask(mut self, value: i64) -> StridedSliceGrad {
        self.0.set("ellipsis_mask", value.into());
        self
    }

    /// The attribute `new_axis_mask`; `0` unless set.
    pub fn new_axis_mask(mut self, value: i64) -> StridedSliceGrad {
        self.0.set("new_axis_mask", value.into());
        self
    }

    /// The attribute `shrink_axis_mask`; `0` unless set.
    pub fn shrink_axis_mask(mut self, value: i64) -> StridedSliceGrad {
        self.0.set("shrink_axis_mask", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StridedSliceGrad {
        StridedSliceGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `TakeManySparseFromTensorsMap(sparse_handles) -> (sparse_indices, sparse_values, sparse_shape)`.
///
/// * `sparse_handles`: int64
/// * `dtype`: attribute, type
/// * gives `sparse_indices`: int64
/// * gives `sparse_values`: `dtype` (any type)
/// * gives `sparse_shape`: int64
///
/// Gradients do not flow through it. Has state or effects.
pub fn take_many_sparse_from_tensors_map(
    sparse_handles: &Output,
    dtype: DataType,
) -> TakeManySparseFromTensorsMap {
    let mut node = NodeBuilder::new("TakeManySparseFromTensorsMap").input(sparse_handles);
    node.set("dtype", dtype.into());
    TakeManySparseFromTensorsMap(node)
}

/// A `TakeManySparseFromTensorsMap` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TakeManySparseFromTensorsMap(NodeBuilder);

impl TakeManySparseFromTensorsMap {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> TakeManySparseFromTensorsMap {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> TakeManySparseFromTensorsMap {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TakeManySparseFromTensorsMap {
        TakeManySparseFromTensorsMap(self.0.name(name))
    }

    /// Adds the node and gives (`sparse_indices`, `sparse_values`, `sparse_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `TensorScatterAdd(tensor, indices, updates) -> (output)`.
///
/// * `tensor`: `T` (any type)
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn tensor_scatter_add(tensor: &Output, indices: &Output, updates: &Output) -> TensorScatterAdd {
    let node = NodeBuilder::new("TensorScatterAdd").input(tensor).input(indices).input(updates);
    TensorScatterAdd(node)
}

/// A `TensorScatterAdd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorScatterAdd(NodeBuilder);

impl TensorScatterAdd {
    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> TensorScatterAdd {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorScatterAdd {
        TensorScatterAdd(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `TensorScatterMax(tensor, indices, updates) -> (output)`.
///
/// * `tensor`: `T` (any type)
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn tensor_scatter_max(tensor: &Output, indices: &Output, updates: &Output) -> TensorScatterMax {
    let node = NodeBuilder::new("TensorScatterMax").input(tensor).input(indices).input(updates);
    TensorScatterMax(node)
}

/// A `TensorScatterMax` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorScatterMax(NodeBuilder);

impl TensorScatterMax {
    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> TensorScatterMax {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorScatterMax {
        TensorScatterMax(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `TensorScatterMin(tensor, indices, updates) -> (output)`.
///
/// * `tensor`: `T` (any type)
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn tensor_scatter_min(tensor: &Output, indices: &Output, updates: &Output) -> TensorScatterMin {
    let node = NodeBuilder::new("TensorScatterMin").input(tensor).input(indices).input(updates);
    TensorScatterMin(node)
}

/// A `TensorScatterMin` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorScatterMin(NodeBuilder);

impl TensorScatterMin {
    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> TensorScatterMin {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorScatterMin {
        TensorScatterMin(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `TensorScatterSub(tensor, indices, updates) -> (output)`.
///
/// * `tensor`: `T` (any type)
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn tensor_scatter_sub(tensor: &Output, indices: &Output, updates: &Output) -> TensorScatterSub {
    let node = NodeBuilder::new("TensorScatterSub").input(tensor).input(indices).input(updates);
    TensorScatterSub(node)
}

/// A `TensorScatterSub` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorScatterSub(NodeBuilder);

impl TensorScatterSub {
    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> TensorScatterSub {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorScatterSub {
        TensorScatterSub(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `TensorScatterUpdate(tensor, indices, updates) -> (output)`.
///
/// * `tensor`: `T` (any type)
/// * `indices`: `Tindices` (int16, int32, int64, uint16)
/// * `updates`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn tensor_scatter_update(
    tensor: &Output,
    indices: &Output,
    updates: &Output,
) -> TensorScatterUpdate {
    let node = NodeBuilder::new("TensorScatterUpdate").input(tensor).input(indices).input(updates);
    TensorScatterUpdate(node)
}

/// A `TensorScatterUpdate` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorScatterUpdate(NodeBuilder);

impl TensorScatterUpdate {
    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> TensorScatterUpdate {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorScatterUpdate {
        TensorScatterUpdate(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `TensorStridedSliceUpdate(input, begin, end, strides, value) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `begin`: `Index` (int32, int64)
/// * `end`: `Index` (int32, int64)
/// * `strides`: `Index` (int32, int64)
/// * `value`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn tensor_strided_slice_update(
    input: &Output,
    begin: &Output,
    end: &Output,
    strides: &Output,
    value: &Output,
) -> TensorStridedSliceUpdate {
    let node = NodeBuilder::new("TensorStridedSliceUpdate")
        .input(input)
        .input(begin)
        .input(end)
        .input(strides)
        .input(value);
    TensorStridedSliceUpdate(node)
}

/// A `TensorStridedSliceUpdate` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorStridedSliceUpdate(NodeBuilder);

impl TensorStridedSliceUpdate {
    /// The attribute `begin_mask`; `0` unless set.
    pub fn begin_mask(mut self, value: i64) -> TensorStridedSliceUpdate {
        self.0.set("begin_mask", value.into());
        self
    }

    /// The attribute `end_mask`; `0` unless set.
    pub fn end_mask(mut self, value: i64) -> TensorStridedSliceUpdate {
        self.0.set("end_mask", value.into());
        self
    }

    /// The attribute `ellipsis_mask`; `0` unless set.
    pub fn ellipsis_mask(mut self, value: i64) -> TensorStridedSliceUpdate {
        self.0.set("ellipsis_mask", value.into());
        self
    }

    /// The attribute `new_axis_mask`; `0` unless set.
    pub fn new_axis_mask(mut self, value: i64) -> TensorStridedSliceUpdate {
        self.0.set("new_axis_mask", value.into());
        self
    }

    /// The attribute `shrink_axis_mask`; `0` unless set.
    pub fn shrink_axis_mask(mut self, value: i64) -> TensorStridedSliceUpdate {
        self.0.set("shrink_axis_mask", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorStridedSliceUpdate {
        TensorStridedSliceUpdate(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `TopK(input) -> (values, indices)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `k`: attribute, int, at least 0
/// * gives `values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `indices`: int32
///
/// Differentiable.
pub fn top_k(input: &Output, k: i64) -> TopK {
    let mut node = NodeBuilder::new("TopK").input(input);
    node.set("k", k.into());
    TopK(node)
}

/// A `TopK` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TopK(NodeBuilder);

impl TopK {
    /// The attribute `sorted`; `true` unless set.
    pub fn sorted(mut self, value: bool) -> TopK {
        self.0.set("sorted", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TopK {
        TopK(self.0.name(name))
    }

    /// Adds the node and gives (`values`, `indices`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `TopKV2(input, k) -> (values, indices)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `k`: `Tk` (int16, int32, int64)
/// * gives `values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `indices`: `index_type` (int16, int32, int64)
///
/// Differentiable.
pub fn top_kv2(input: &Output, k: &Output) -> TopKV2 {
    let node = NodeBuilder::new("TopKV2").input(input).input(k);
    TopKV2(node)
}

/// A `TopKV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TopKV2(NodeBuilder);

impl TopKV2 {
    /// The attribute `sorted`; `true` unless set.
    pub fn sorted(mut self, value: bool) -> TopKV2 {
        self.0.set("sorted", value.into());
        self
    }

    /// The attribute `index_type`; int32 unless set.
    pub fn index_type(mut self, value: DataType) -> TopKV2 {
        self.0.set("index_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TopKV2 {
        TopKV2(self.0.name(name))
    }

    /// Adds the node and gives (`values`, `indices`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `Unique(x) -> (y, idx)`.
///
/// * `x`: `T` (any type)
/// * gives `y`: `T` (any type)
/// * gives `idx`: `out_idx` (int32, int64)
///
/// Gradients do not flow through it.
pub fn unique(x: &Output) -> Unique {
    let node = NodeBuilder::new("Unique").input(x);
    Unique(node)
}

/// A `Unique` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Unique(NodeBuilder);

impl Unique {
    /// The attribute `out_idx`; int32 unless set.
    pub fn out_idx(mut self, value: DataType) -> Unique {
        self.0.set("out_idx", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Unique {
        Unique(self.0.name(name))
    }

    /// Adds the node and gives (`y`, `idx`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `UniqueV2(x, axis) -> (y, idx)`.
///
/// * `x`: `T` (any type)
/// * `axis`: `Taxis` (int32, int64)
/// * gives `y`: `T` (any type)
/// * gives `idx`: `out_idx` (int32, int64)
///
/// Gradients do not flow through it.
pub fn unique_v2(x: &Output, axis: &Output) -> UniqueV2 {
    let node = NodeBuilder::new("UniqueV2").input(x).input(axis);
    UniqueV2(node)
}

/// A `UniqueV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct UniqueV2(NodeBuilder);

impl UniqueV2 {
    /// The attribute `out_idx`; int32 unless set.
    pub fn out_idx(mut self, value: DataType) -> UniqueV2 {
        self.0.set("out_idx", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> UniqueV2 {
        UniqueV2(self.0.name(name))
    }

    /// Adds the node and gives (`y`, `idx`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `UniqueWithCounts(x) -> (y, idx, count)`.
///
/// * `x`: `T` (any type)
/// * gives `y`: `T` (any type)
/// * gives `idx`: `out_idx` (int32, int64)
/// * gives `count`: `out_idx` (int32, int64)
///
/// Gradients do not flow through it.
pub fn unique_with_counts(x: &Output) -> UniqueWithCounts {
    let node = NodeBuilder::new("UniqueWithCounts").input(x);
    UniqueWithCounts(node)
}

/// A `UniqueWithCounts` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct UniqueWithCounts(NodeBuilder);

impl UniqueWithCounts {
    /// The attribute `out_idx`; int32 unless set.
    pub fn out_idx(mut self, value: DataType) -> UniqueWithCounts {
        self.0.set("out_idx", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> UniqueWithCounts {
        UniqueWithCounts(self.0.name(name))
    }

    /// Adds the node and gives (`y`, `idx`, `count`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `UniqueWithCountsV2(x, axis) -> (y, idx, count)`.
///
/// * `x`: `T` (any type)
/// * `axis`: `Taxis` (int32, int64)
/// * gives `y`: `T` (any type)
/// * gives `idx`: `out_idx` (int32, int64)
/// * gives `count`: `out_idx` (int32, int64)
///
/// Gradients do not flow through it.
pub fn unique_with_counts_v2(x: &Output, axis: &Output) -> UniqueWithCountsV2 {
    let node = NodeBuilder::new("UniqueWithCountsV2").input(x).input(axis);
    UniqueWithCountsV2(node)
}

/// A `UniqueWithCountsV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct UniqueWithCountsV2(NodeBuilder);

impl UniqueWithCountsV2 {
    /// The attribute `out_idx`; int32 unless set.
    pub fn out_idx(mut self, value: DataType) -> UniqueWithCountsV2 {
        self.0.set("out_idx", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> UniqueWithCountsV2 {
        UniqueWithCountsV2(self.0.name(name))
    }

    /// Adds the node and gives (`y`, `idx`, `count`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
