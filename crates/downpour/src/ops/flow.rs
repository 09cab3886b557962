//! Operations of the family `flow`. Generated from their definitions by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these a family needs depends on its operations
use super::support::*;

/// `Abort() -> ()`.
///
/// Gradients do not flow through it.
pub fn abort(graph: &Graph) -> Abort {
    let node = NodeBuilder::in_graph(graph, "Abort");
    Abort(node)
}

/// A `Abort` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Abort(NodeBuilder);

impl Abort {
    /// The attribute `error_msg`; `""` unless set.
    pub fn error_msg(mut self, value: &str) -> Abort {
        self.0.set("error_msg", text(value));
        self
    }

    /// The attribute `exit_without_error`; `false` unless set.
    pub fn exit_without_error(mut self, value: bool) -> Abort {
        self.0.set("exit_without_error", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Abort {
        Abort(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `AccumulatorApplyGradient(handle, local_step, gradient) -> ()`.
///
/// * `handle`: string, a reference
/// * `local_step`: int64
/// * `gradient`: `dtype` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn accumulator_apply_gradient(
    handle: &Output,
    local_step: &Output,
    gradient: &Output,
) -> ForOperation {
    let node = NodeBuilder::new("AccumulatorApplyGradient")
        .input(handle)
        .input(local_step)
        .input(gradient);
    ForOperation(node)
}

/// `AccumulatorNumAccumulated(handle) -> (num_accumulated)`.
///
/// * `handle`: string, a reference
/// * gives `num_accumulated`: int32
///
/// Gradients do not flow through it.
pub fn accumulator_num_accumulated(handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("AccumulatorNumAccumulated").input(handle);
    ForOutput(node)
}

/// `AccumulatorSetGlobalStep(handle, new_global_step) -> ()`.
///
/// * `handle`: string, a reference
/// * `new_global_step`: int64
///
/// Gradients do not flow through it.
pub fn accumulator_set_global_step(handle: &Output, new_global_step: &Output) -> ForOperation {
    let node = NodeBuilder::new("AccumulatorSetGlobalStep").input(handle).input(new_global_step);
    ForOperation(node)
}

/// `AccumulatorTakeGradient(handle, num_required) -> (average)`.
///
/// * `handle`: string, a reference
/// * `num_required`: int32
/// * `dtype`: attribute, type, one of float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64
/// * gives `average`: `dtype` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn accumulator_take_gradient(
    handle: &Output,
    num_required: &Output,
    dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("AccumulatorTakeGradient").input(handle).input(num_required);
    node.set("dtype", dtype.into());
    ForOutput(node)
}

/// `AnonymousHashTable() -> (table_handle)`.
///
/// * `key_dtype`: attribute, type
/// * `value_dtype`: attribute, type
/// * gives `table_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn anonymous_hash_table(
    graph: &Graph,
    key_dtype: DataType,
    value_dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::in_graph(graph, "AnonymousHashTable");
    node.set("key_dtype", key_dtype.into());
    node.set("value_dtype", value_dtype.into());
    ForOutput(node)
}

/// `AnonymousMutableDenseHashTable(empty_key, deleted_key) -> (table_handle)`.
///
/// * `empty_key`: `key_dtype` (any type)
/// * `deleted_key`: `key_dtype` (any type)
/// * `value_dtype`: attribute, type
/// * gives `table_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn anonymous_mutable_dense_hash_table(
    empty_key: &Output,
    deleted_key: &Output,
    value_dtype: DataType,
) -> AnonymousMutableDenseHashTable {
    let mut node =
        NodeBuilder::new("AnonymousMutableDenseHashTable").input(empty_key).input(deleted_key);
    node.set("value_dtype", value_dtype.into());
    AnonymousMutableDenseHashTable(node)
}

/// A `AnonymousMutableDenseHashTable` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AnonymousMutableDenseHashTable(NodeBuilder);

impl AnonymousMutableDenseHashTable {
    /// The attribute `value_shape`; `[]` unless set.
    pub fn value_shape(mut self, value: &PartialShape) -> AnonymousMutableDenseHashTable {
        self.0.set("value_shape", value.clone().into());
        self
    }

    /// The attribute `initial_num_buckets`; `131072` unless set.
    pub fn initial_num_buckets(mut self, value: i64) -> AnonymousMutableDenseHashTable {
        self.0.set("initial_num_buckets", value.into());
        self
    }

    /// The attribute `max_load_factor`; `0.8` unless set.
    pub fn max_load_factor(mut self, value: f32) -> AnonymousMutableDenseHashTable {
        self.0.set("max_load_factor", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AnonymousMutableDenseHashTable {
        AnonymousMutableDenseHashTable(self.0.name(name))
    }

    /// Adds the node and gives `table_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `AnonymousMutableHashTable() -> (table_handle)`.
///
/// * `key_dtype`: attribute, type
/// * `value_dtype`: attribute, type
/// * gives `table_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn anonymous_mutable_hash_table(
    graph: &Graph,
    key_dtype: DataType,
    value_dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::in_graph(graph, "AnonymousMutableHashTable");
    node.set("key_dtype", key_dtype.into());
    node.set("value_dtype", value_dtype.into());
    ForOutput(node)
}

/// `AnonymousMutableHashTableOfTensors() -> (table_handle)`.
///
/// * `key_dtype`: attribute, type
/// * `value_dtype`: attribute, type
/// * gives `table_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn anonymous_mutable_hash_table_of_tensors(
    graph: &Graph,
    key_dtype: DataType,
    value_dtype: DataType,
) -> AnonymousMutableHashTableOfTensors {
    let mut node = NodeBuilder::in_graph(graph, "AnonymousMutableHashTableOfTensors");
    node.set("key_dtype", key_dtype.into());
    node.set("value_dtype", value_dtype.into());
    AnonymousMutableHashTableOfTensors(node)
}

/// A `AnonymousMutableHashTableOfTensors` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AnonymousMutableHashTableOfTensors(NodeBuilder);

impl AnonymousMutableHashTableOfTensors {
    /// The attribute `value_shape`; `[]` unless set.
    pub fn value_shape(mut self, value: &PartialShape) -> AnonymousMutableHashTableOfTensors {
        self.0.set("value_shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AnonymousMutableHashTableOfTensors {
        AnonymousMutableHashTableOfTensors(self.0.name(name))
    }

    /// Adds the node and gives `table_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Assert(condition, data) -> ()`.
///
/// * `condition`: bool
/// * `data`: several, of types `T`
///
/// Gradients do not flow through it. Has state or effects.
pub fn assert(condition: &Output, data: &[Output]) -> Assert {
    let node = NodeBuilder::new("Assert").input(condition).list(data);
    Assert(node)
}

/// A `Assert` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Assert(NodeBuilder);

impl Assert {
    /// The attribute `summarize`; `3` unless set.
    pub fn summarize(mut self, value: i64) -> Assert {
        self.0.set("summarize", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Assert {
        Assert(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `Barrier() -> (handle)`.
///
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn barrier(graph: &Graph, component_types: &[DataType]) -> Barrier {
    let mut node = NodeBuilder::in_graph(graph, "Barrier");
    node.set("component_types", component_types.to_vec().into());
    Barrier(node)
}

/// A `Barrier` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Barrier(NodeBuilder);

impl Barrier {
    /// The attribute `shapes`; an empty list unless set.
    pub fn shapes(mut self, value: &[PartialShape]) -> Barrier {
        self.0.set("shapes", value.to_vec().into());
        self
    }

    /// The attribute `capacity`; `-1` unless set.
    pub fn capacity(mut self, value: i64) -> Barrier {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> Barrier {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> Barrier {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Barrier {
        Barrier(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `BarrierClose(handle) -> ()`.
///
/// * `handle`: string, a reference
///
/// Gradients do not flow through it.
pub fn barrier_close(handle: &Output) -> BarrierClose {
    let node = NodeBuilder::new("BarrierClose").input(handle);
    BarrierClose(node)
}

/// A `BarrierClose` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BarrierClose(NodeBuilder);

impl BarrierClose {
    /// The attribute `cancel_pending_enqueues`; `false` unless set.
    pub fn cancel_pending_enqueues(mut self, value: bool) -> BarrierClose {
        self.0.set("cancel_pending_enqueues", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BarrierClose {
        BarrierClose(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `BarrierIncompleteSize(handle) -> (size)`.
///
/// * `handle`: string, a reference
/// * gives `size`: int32
///
/// Gradients do not flow through it.
pub fn barrier_incomplete_size(handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("BarrierIncompleteSize").input(handle);
    ForOutput(node)
}

/// `BarrierInsertMany(handle, keys, values) -> ()`.
///
/// * `handle`: string, a reference
/// * `keys`: string
/// * `values`: `T` (any type)
/// * `component_index`: attribute, int
///
/// Gradients do not flow through it.
pub fn barrier_insert_many(
    handle: &Output,
    keys: &Output,
    values: &Output,
    component_index: i64,
) -> ForOperation {
    let mut node = NodeBuilder::new("BarrierInsertMany").input(handle).input(keys).input(values);
    node.set("component_index", component_index.into());
    ForOperation(node)
}

/// `BarrierReadySize(handle) -> (size)`.
///
/// * `handle`: string, a reference
/// * gives `size`: int32
///
/// Gradients do not flow through it.
pub fn barrier_ready_size(handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("BarrierReadySize").input(handle);
    ForOutput(node)
}

/// `BarrierTakeMany(handle, num_elements) -> (indices, keys, values)`.
///
/// * `handle`: string, a reference
/// * `num_elements`: int32
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `indices`: int64
/// * gives `keys`: string
/// * gives `values`: several, of types `component_types`
///
/// Gradients do not flow through it.
pub fn barrier_take_many(
    handle: &Output,
    num_elements: &Output,
    component_types: &[DataType],
) -> BarrierTakeMany {
    let mut node = NodeBuilder::new("BarrierTakeMany").input(handle).input(num_elements);
    node.set("component_types", component_types.to_vec().into());
    BarrierTakeMany(node)
}

/// A `BarrierTakeMany` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BarrierTakeMany(NodeBuilder);

impl BarrierTakeMany {
    /// The attribute `allow_small_batch`; `false` unless set.
    pub fn allow_small_batch(mut self, value: bool) -> BarrierTakeMany {
        self.0.set("allow_small_batch", value.into());
        self
    }

    /// The attribute `wait_for_incomplete`; `false` unless set.
    pub fn wait_for_incomplete(mut self, value: bool) -> BarrierTakeMany {
        self.0.set("wait_for_incomplete", value.into());
        self
    }

    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> BarrierTakeMany {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BarrierTakeMany {
        BarrierTakeMany(self.0.name(name))
    }

    /// Adds the node and gives (`indices`, `keys`, `values`).
    pub fn build(self) -> Result<(Output, Output, Vec<Output>)> {
        let operation = self.0.operation()?;
        Ok((
            only(operation.named_outputs("indices")?)?,
            only(operation.named_outputs("keys")?)?,
            operation.named_outputs("values")?,
        ))
    }
}

/// `Case(branch_index, input) -> (output)`.
///
/// * `branch_index`: int32
/// * `input`: several, of types `Tin`
/// * `Tout`: attribute, list(type), at least 0 long
/// * `branches`: attribute, list(func), at least 1 long
/// * gives `output`: several, of types `Tout`
///
/// Has no gradient. Has state or effects.
pub fn case(
    branch_index: &Output,
    input: &[Output],
    tout: &[DataType],
    branches: &[Function],
) -> Case {
    let mut node = NodeBuilder::new("Case").input(branch_index).list(input);
    node.set("Tout", tout.to_vec().into());
    node.set("branches", branches.to_vec().into());
    Case(node)
}

/// A `Case` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Case(NodeBuilder);

impl Case {
    /// The attribute `output_shapes`; an empty list unless set.
    pub fn output_shapes(mut self, value: &[PartialShape]) -> Case {
        self.0.set("output_shapes", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Case {
        Case(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `ConditionalAccumulator() -> (handle)`.
///
/// * `dtype`: attribute, type, one of float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64
/// * `shape`: attribute, shape
/// * gives `handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn conditional_accumulator(
    graph: &Graph,
    dtype: DataType,
    shape: &PartialShape,
) -> ConditionalAccumulator {
    let mut node = NodeBuilder::in_graph(graph, "ConditionalAccumulator");
    node.set("dtype", dtype.into());
    node.set("shape", shape.clone().into());
    ConditionalAccumulator(node)
}

/// A `ConditionalAccumulator` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ConditionalAccumulator(NodeBuilder);

impl ConditionalAccumulator {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> ConditionalAccumulator {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> ConditionalAccumulator {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `reduction_type`; `"MEAN"` unless set.
    pub fn reduction_type(mut self, value: &str) -> ConditionalAccumulator {
        self.0.set("reduction_type", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ConditionalAccumulator {
        ConditionalAccumulator(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ControlTrigger() -> ()`.
///
/// Gradients do not flow through it.
pub fn control_trigger(graph: &Graph) -> ForOperation {
    let node = NodeBuilder::in_graph(graph, "ControlTrigger");
    ForOperation(node)
}

/// `DeleteSessionTensor(handle) -> ()`.
///
/// * `handle`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn delete_session_tensor(handle: &Output) -> ForOperation {
    let node = NodeBuilder::new("DeleteSessionTensor").input(handle);
    ForOperation(node)
}

/// `EmptyTensorList(element_shape, max_num_elements) -> (handle)`.
///
/// * `element_shape`: `shape_type` (int32, int64)
/// * `max_num_elements`: int32
/// * `element_dtype`: attribute, type
/// * gives `handle`: variant
///
/// Gradients do not flow through it.
pub fn empty_tensor_list(
    element_shape: &Output,
    max_num_elements: &Output,
    element_dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("EmptyTensorList").input(element_shape).input(max_num_elements);
    node.set("element_dtype", element_dtype.into());
    ForOutput(node)
}

/// `EmptyTensorMap() -> (handle)`.
///
/// * gives `handle`: variant
///
/// Gradients do not flow through it.
pub fn empty_tensor_map(graph: &Graph) -> ForOutput {
    let node = NodeBuilder::in_graph(graph, "EmptyTensorMap");
    ForOutput(node)
}

/// `Enter(data) -> (output)`.
///
/// * `data`: `T` (any type)
/// * `frame_name`: attribute, string
/// * gives `output`: `T` (any type)
///
/// Has no gradient.
pub fn enter(data: &Output, frame_name: &str) -> Enter {
    let mut node = NodeBuilder::new("Enter").input(data);
    node.set("frame_name", text(frame_name));
    Enter(node)
}

/// A `Enter` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Enter(NodeBuilder);

impl Enter {
    /// The attribute `is_constant`; `false` unless set.
    pub fn is_constant(mut self, value: bool) -> Enter {
        self.0.set("is_constant", value.into());
        self
    }

    /// The attribute `parallel_iterations`; `10` unless set.
    pub fn parallel_iterations(mut self, value: i64) -> Enter {
        self.0.set("parallel_iterations", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Enter {
        Enter(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Exit(data) -> (output)`.
///
/// * `data`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Has no gradient.
pub fn exit(data: &Output) -> ForOutput {
    let node = NodeBuilder::new("Exit").input(data);
    ForOutput(node)
}

/// `FIFOQueue() -> (handle)`.
///
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn fifo_queue(graph: &Graph, component_types: &[DataType]) -> FIFOQueue {
    let mut node = NodeBuilder::in_graph(graph, "FIFOQueue");
    node.set("component_types", component_types.to_vec().into());
    FIFOQueue(node)
}

/// A `FIFOQueue` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FIFOQueue(NodeBuilder);

impl FIFOQueue {
    /// The attribute `shapes`; an empty list unless set.
    pub fn shapes(mut self, value: &[PartialShape]) -> FIFOQueue {
        self.0.set("shapes", value.to_vec().into());
        self
    }

    /// The attribute `capacity`; `-1` unless set.
    pub fn capacity(mut self, value: i64) -> FIFOQueue {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> FIFOQueue {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> FIFOQueue {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FIFOQueue {
        FIFOQueue(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `FIFOQueueV2() -> (handle)`.
///
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn fifo_queue_v2(graph: &Graph, component_types: &[DataType]) -> FIFOQueueV2 {
    let mut node = NodeBuilder::in_graph(graph, "FIFOQueueV2");
    node.set("component_types", component_types.to_vec().into());
    FIFOQueueV2(node)
}

/// A `FIFOQueueV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FIFOQueueV2(NodeBuilder);

impl FIFOQueueV2 {
    /// The attribute `shapes`; an empty list unless set.
    pub fn shapes(mut self, value: &[PartialShape]) -> FIFOQueueV2 {
        self.0.set("shapes", value.to_vec().into());
        self
    }

    /// The attribute `capacity`; `-1` unless set.
    pub fn capacity(mut self, value: i64) -> FIFOQueueV2 {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> FIFOQueueV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> FIFOQueueV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FIFOQueueV2 {
        FIFOQueueV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `FakeParam() -> (output)`.
///
/// * `dtype`: attribute, type
/// * `shape`: attribute, shape
/// * gives `output`: `dtype` (any type)
///
/// Has no gradient.
pub fn fake_param(graph: &Graph, dtype: DataType, shape: &PartialShape) -> ForOutput {
    let mut node = NodeBuilder::in_graph(graph, "FakeParam");
    node.set("dtype", dtype.into());
    node.set("shape", shape.clone().into());
    ForOutput(node)
}

/// `FakeQueue(resource) -> (handle)`.
///
/// * `resource`: resource
/// * gives `handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn fake_queue(resource: &Output) -> ForOutput {
    let node = NodeBuilder::new("FakeQueue").input(resource);
    ForOutput(node)
}

/// `For(start, limit, delta, input) -> (output)`.
///
/// * `start`: int32
/// * `limit`: int32
/// * `delta`: int32
/// * `input`: several, of types `T`
/// * `body`: attribute, func
/// * gives `output`: several, of types `T`
///
/// Has no gradient.
pub fn for_(
    start: &Output,
    limit: &Output,
    delta: &Output,
    input: &[Output],
    body: &Function,
) -> ForOutputs {
    let mut node = NodeBuilder::new("For").input(start).input(limit).input(delta).list(input);
    node.set("body", body.clone().into());
    ForOutputs(node)
}

/// `GetSessionHandle(value) -> (handle)`.
///
/// * `value`: `T` (any type)
/// * gives `handle`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn get_session_handle(value: &Output) -> ForOutput {
    let node = NodeBuilder::new("GetSessionHandle").input(value);
    ForOutput(node)
}

/// `GetSessionHandleV2(value) -> (handle)`.
///
/// * `value`: `T` (any type)
/// * gives `handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn get_session_handle_v2(value: &Output) -> ForOutput {
    let node = NodeBuilder::new("GetSessionHandleV2").input(value);
    ForOutput(node)
}

/// `GetSessionTensor(handle) -> (value)`.
///
/// * `handle`: string
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn get_session_tensor(handle: &Output, dtype: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("GetSessionTensor").input(handle);
    node.set("dtype", dtype.into());
    ForOutput(node)
}

/// `HashTable() -> (table_handle)`.
///
/// * `key_dtype`: attribute, type
/// * `value_dtype`: attribute, type
/// * gives `table_handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn hash_table(graph: &Graph, key_dtype: DataType, value_dtype: DataType) -> HashTable {
    let mut node = NodeBuilder::in_graph(graph, "HashTable");
    node.set("key_dtype", key_dtype.into());
    node.set("value_dtype", value_dtype.into());
    HashTable(node)
}

/// A `HashTable` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct HashTable(NodeBuilder);

impl HashTable {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> HashTable {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> HashTable {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `use_node_name_sharing`; `false` unless set.
    pub fn use_node_name_sharing(mut self, value: bool) -> HashTable {
        self.0.set("use_node_name_sharing", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> HashTable {
        HashTable(self.0.name(name))
    }

    /// Adds the node and gives `table_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `HashTableV2() -> (table_handle)`.
///
/// * `key_dtype`: attribute, type
/// * `value_dtype`: attribute, type
/// * gives `table_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn hash_table_v2(graph: &Graph, key_dtype: DataType, value_dtype: DataType) -> HashTableV2 {
    let mut node = NodeBuilder::in_graph(graph, "HashTableV2");
    node.set("key_dtype", key_dtype.into());
    node.set("value_dtype", value_dtype.into());
    HashTableV2(node)
}

/// A `HashTableV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct HashTableV2(NodeBuilder);

impl HashTableV2 {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> HashTableV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> HashTableV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `use_node_name_sharing`; `false` unless set.
    pub fn use_node_name_sharing(mut self, value: bool) -> HashTableV2 {
        self.0.set("use_node_name_sharing", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> HashTableV2 {
        HashTableV2(self.0.name(name))
    }

    /// Adds the node and gives `table_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `If(cond, input) -> (output)`.
///
/// * `cond`: `Tcond` (any type)
/// * `input`: several, of types `Tin`
/// * `Tout`: attribute, list(type), at least 0 long
/// * `then_branch`: attribute, func
/// * `else_branch`: attribute, func
/// * gives `output`: several, of types `Tout`
///
/// Has no gradient. Has state or effects.
pub fn if_(
    cond: &Output,
    input: &[Output],
    tout: &[DataType],
    then_branch: &Function,
    else_branch: &Function,
) -> If {
    let mut node = NodeBuilder::new("If").input(cond).list(input);
    node.set("Tout", tout.to_vec().into());
    node.set("then_branch", then_branch.clone().into());
    node.set("else_branch", else_branch.clone().into());
    If(node)
}

/// A `If` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct If(NodeBuilder);

impl If {
    /// The attribute `output_shapes`; an empty list unless set.
    pub fn output_shapes(mut self, value: &[PartialShape]) -> If {
        self.0.set("output_shapes", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> If {
        If(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `InitializeTable(table_handle, keys, values) -> ()`.
///
/// * `table_handle`: string, a reference
/// * `keys`: `Tkey` (any type)
/// * `values`: `Tval` (any type)
///
/// Gradients do not flow through it.
pub fn initialize_table(table_handle: &Output, keys: &Output, values: &Output) -> ForOperation {
    let node = NodeBuilder::new("InitializeTable").input(table_handle).input(keys).input(values);
    ForOperation(node)
}

/// `InitializeTableFromTextFile(table_handle, filename) -> ()`.
///
/// * `table_handle`: string, a reference
/// * `filename`: string
/// * `key_index`: attribute, int, at least -2
/// * `value_index`: attribute, int, at least -2
///
/// Gradients do not flow through it.
pub fn initialize_table_from_text_file(
    table_handle: &Output,
    filename: &Output,
    key_index: i64,
    value_index: i64,
) -> InitializeTableFromTextFile {
    let mut node =
        NodeBuilder::new("InitializeTableFromTextFile").input(table_handle).input(filename);
    node.set("key_index", key_index.into());
    node.set("value_index", value_index.into());
    InitializeTableFromTextFile(node)
}

/// A `InitializeTableFromTextFile` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct InitializeTableFromTextFile(NodeBuilder);

impl InitializeTableFromTextFile {
    /// The attribute `vocab_size`; `-1` unless set.
    pub fn vocab_size(mut self, value: i64) -> InitializeTableFromTextFile {
        self.0.set("vocab_size", value.into());
        self
    }

    /// The attribute `delimiter`; `"\t"` unless set.
    pub fn delimiter(mut self, value: &str) -> InitializeTableFromTextFile {
        self.0.set("delimiter", text(value));
        self
    }

    /// The attribute `offset`; `0` unless set.
    pub fn offset(mut self, value: i64) -> InitializeTableFromTextFile {
        self.0.set("offset", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> InitializeTableFromTextFile {
        InitializeTableFromTextFile(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `InitializeTableFromTextFileV2(table_handle, filename) -> ()`.
///
/// * `table_handle`: resource
/// * `filename`: string
/// * `key_index`: attribute, int, at least -2
/// * `value_index`: attribute, int, at least -2
///
/// Gradients do not flow through it. Has state or effects.
pub fn initialize_table_from_text_file_v2(
    table_handle: &Output,
    filename: &Output,
    key_index: i64,
    value_index: i64,
) -> InitializeTableFromTextFileV2 {
    let mut node =
        NodeBuilder::new("InitializeTableFromTextFileV2").input(table_handle).input(filename);
    node.set("key_index", key_index.into());
    node.set("value_index", value_index.into());
    InitializeTableFromTextFileV2(node)
}

/// A `InitializeTableFromTextFileV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct InitializeTableFromTextFileV2(NodeBuilder);

impl InitializeTableFromTextFileV2 {
    /// The attribute `vocab_size`; `-1` unless set.
    pub fn vocab_size(mut self, value: i64) -> InitializeTableFromTextFileV2 {
        self.0.set("vocab_size", value.into());
        self
    }

    /// The attribute `delimiter`; `"\t"` unless set.
    pub fn delimiter(mut self, value: &str) -> InitializeTableFromTextFileV2 {
        self.0.set("delimiter", text(value));
        self
    }

    /// The attribute `offset`; `0` unless set.
    pub fn offset(mut self, value: i64) -> InitializeTableFromTextFileV2 {
        self.0.set("offset", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> InitializeTableFromTextFileV2 {
        InitializeTableFromTextFileV2(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `InitializeTableV2(table_handle, keys, values) -> ()`.
///
/// * `table_handle`: resource
/// * `keys`: `Tkey` (any type)
/// * `values`: `Tval` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn initialize_table_v2(table_handle: &Output, keys: &Output, values: &Output) -> ForOperation {
    let node = NodeBuilder::new("InitializeTableV2").input(table_handle).input(keys).input(values);
    ForOperation(node)
}

/// `LookupTableExport(table_handle) -> (keys, values)`.
///
/// * `table_handle`: string, a reference
/// * `Tkeys`: attribute, type
/// * `Tvalues`: attribute, type
/// * gives `keys`: `Tkeys` (any type)
/// * gives `values`: `Tvalues` (any type)
///
/// Gradients do not flow through it.
pub fn lookup_table_export(
    table_handle: &Output,
    tkeys: DataType,
    tvalues: DataType,
) -> LookupTableExport {
    let mut node = NodeBuilder::new("LookupTableExport").input(table_handle);
    node.set("Tkeys", tkeys.into());
    node.set("Tvalues", tvalues.into());
    LookupTableExport(node)
}

/// A `LookupTableExport` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LookupTableExport(NodeBuilder);

impl LookupTableExport {
    /// Names the node.
    pub fn name(self, name: &str) -> LookupTableExport {
        LookupTableExport(self.0.name(name))
    }

    /// Adds the node and gives (`keys`, `values`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `LookupTableExportV2(table_handle) -> (keys, values)`.
///
/// * `table_handle`: resource
/// * `Tkeys`: attribute, type
/// * `Tvalues`: attribute, type
/// * gives `keys`: `Tkeys` (any type)
/// * gives `values`: `Tvalues` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn lookup_table_export_v2(
    table_handle: &Output,
    tkeys: DataType,
    tvalues: DataType,
) -> LookupTableExportV2 {
    let mut node = NodeBuilder::new("LookupTableExportV2").input(table_handle);
    node.set("Tkeys", tkeys.into());
    node.set("Tvalues", tvalues.into());
    LookupTableExportV2(node)
}

/// A `LookupTableExportV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LookupTableExportV2(NodeBuilder);

impl LookupTableExportV2 {
    /// Names the node.
    pub fn name(self, name: &str) -> LookupTableExportV2 {
        LookupTableExportV2(self.0.name(name))
    }

    /// Adds the node and gives (`keys`, `values`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `LookupTableFind(table_handle, keys, default_value) -> (values)`.
///
/// * `table_handle`: string, a reference
/// * `keys`: `Tin` (any type)
/// * `default_value`: `Tout` (any type)
/// * gives `values`: `Tout` (any type)
///
/// Gradients do not flow through it.
pub fn lookup_table_find(
    table_handle: &Output,
    keys: &Output,
    default_value: &Output,
) -> ForOutput {
    let node =
        NodeBuilder::new("LookupTableFind").input(table_handle).input(keys).input(default_value);
    ForOutput(node)
}

/// `LookupTableFindV2(table_handle, keys, default_value) -> (values)`.
///
/// * `table_handle`: resource
/// * `keys`: `Tin` (any type)
/// * `default_value`: `Tout` (any type)
/// * gives `values`: `Tout` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn lookup_table_find_v2(
    table_handle: &Output,
    keys: &Output,
    default_value: &Output,
) -> ForOutput {
    let node =
        NodeBuilder::new("LookupTableFindV2").input(table_handle).input(keys).input(default_value);
    ForOutput(node)
}

/// `LookupTableImport(table_handle, keys, values) -> ()`.
///
/// * `table_handle`: string, a reference
/// * `keys`: `Tin` (any type)
/// * `values`: `Tout` (any type)
///
/// Gradients do not flow through it.
pub fn lookup_table_import(table_handle: &Output, keys: &Output, values: &Output) -> ForOperation {
    let node = NodeBuilder::new("LookupTableImport").input(table_handle).input(keys).input(values);
    ForOperation(node)
}

/// `LookupTableImportV2(table_handle, keys, values) -> ()`.
///
/// * `table_handle`: resource
/// * `keys`: `Tin` (any type)
/// * `values`: `Tout` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn lookup_table_import_v2(
    table_handle: &Output,
    keys: &Output,
    values: &Output,
) -> ForOperation {
    let node =
        NodeBuilder::new("LookupTableImportV2").input(table_handle).input(keys).input(values);
    ForOperation(node)
}

/// `LookupTableInsert(table_handle, keys, values) -> ()`.
///
/// * `table_handle`: string, a reference
/// * `keys`: `Tin` (any type)
/// * `values`: `Tout` (any type)
///
/// Gradients do not flow through it.
pub fn lookup_table_insert(table_handle: &Output, keys: &Output, values: &Output) -> ForOperation {
    let node = NodeBuilder::new("LookupTableInsert").input(table_handle).input(keys).input(values);
    ForOperation(node)
}

/// `LookupTableInsertV2(table_handle, keys, values) -> ()`.
///
/// * `table_handle`: resource
/// * `keys`: `Tin` (any type)
/// * `values`: `Tout` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn lookup_table_insert_v2(
    table_handle: &Output,
    keys: &Output,
    values: &Output,
) -> ForOperation {
    let node =
        NodeBuilder::new("LookupTableInsertV2").input(table_handle).input(keys).input(values);
    ForOperation(node)
}

/// `LookupTableRemoveV2(table_handle, keys) -> ()`.
///
/// * `table_handle`: resource
/// * `keys`: `Tin` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn lookup_table_remove_v2(table_handle: &Output, keys: &Output) -> ForOperation {
    let node = NodeBuilder::new("LookupTableRemoveV2").input(table_handle).input(keys);
    ForOperation(node)
}

/// `LookupTableSize(table_handle) -> (size)`.
///
/// * `table_handle`: string, a reference
/// * gives `size`: int64
///
/// Gradients do not flow through it.
pub fn lookup_table_size(table_handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("LookupTableSize").input(table_handle);
    ForOutput(node)
}

/// `LookupTableSizeV2(table_handle) -> (size)`.
///
/// * `table_handle`: resource
/// * gives `size`: int64
///
/// Gradients do not flow through it. Has state or effects.
pub fn lookup_table_size_v2(table_handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("LookupTableSizeV2").input(table_handle);
    ForOutput(node)
}

/// `LoopCond(input) -> (output)`.
///
/// * `input`: bool
/// * gives `output`: bool
///
/// Gradients do not flow through it.
pub fn loop_cond(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("LoopCond").input(input);
    ForOutput(node)
}

/// `MapClear() -> ()`.
///
/// * `dtypes`: attribute, list(type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn map_clear(graph: &Graph, dtypes: &[DataType]) -> MapClear {
    let mut node = NodeBuilder::in_graph(graph, "MapClear");
    node.set("dtypes", dtypes.to_vec().into());
    MapClear(node)
}

/// A `MapClear` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MapClear(NodeBuilder);

impl MapClear {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> MapClear {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> MapClear {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MapClear {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MapClear {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MapClear {
        MapClear(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `MapIncompleteSize() -> (size)`.
///
/// * `dtypes`: attribute, list(type)
/// * gives `size`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn map_incomplete_size(graph: &Graph, dtypes: &[DataType]) -> MapIncompleteSize {
    let mut node = NodeBuilder::in_graph(graph, "MapIncompleteSize");
    node.set("dtypes", dtypes.to_vec().into());
    MapIncompleteSize(node)
}

/// A `MapIncompleteSize` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MapIncompleteSize(NodeBuilder);

impl MapIncompleteSize {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> MapIncompleteSize {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> MapIncompleteSize {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MapIncompleteSize {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MapIncompleteSize {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MapIncompleteSize {
        MapIncompleteSize(self.0.name(name))
    }

    /// Adds the node and gives `size`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MapPeek(key, indices) -> (values)`.
///
/// * `key`: int64
/// * `indices`: int32
/// * `dtypes`: attribute, list(type), at least 1 long
/// * gives `values`: several, of types `dtypes`
///
/// Gradients do not flow through it. Has state or effects.
pub fn map_peek(key: &Output, indices: &Output, dtypes: &[DataType]) -> MapPeek {
    let mut node = NodeBuilder::new("MapPeek").input(key).input(indices);
    node.set("dtypes", dtypes.to_vec().into());
    MapPeek(node)
}

/// A `MapPeek` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MapPeek(NodeBuilder);

impl MapPeek {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> MapPeek {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> MapPeek {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MapPeek {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MapPeek {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MapPeek {
        MapPeek(self.0.name(name))
    }

    /// Adds the node and gives `values`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `MapSize() -> (size)`.
///
/// * `dtypes`: attribute, list(type)
/// * gives `size`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn map_size(graph: &Graph, dtypes: &[DataType]) -> MapSize {
    let mut node = NodeBuilder::in_graph(graph, "MapSize");
    node.set("dtypes", dtypes.to_vec().into());
    MapSize(node)
}

/// A `MapSize` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MapSize(NodeBuilder);

impl MapSize {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> MapSize {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> MapSize {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MapSize {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MapSize {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MapSize {
        MapSize(self.0.name(name))
    }

    /// Adds the node and gives `size`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MapStage(key, indices, values) -> ()`.
///
/// * `key`: int64
/// * `indices`: int32
/// * `values`: several, of types `fake_dtypes`
/// * `dtypes`: attribute, list(type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn map_stage(
    key: &Output,
    indices: &Output,
    values: &[Output],
    dtypes: &[DataType],
) -> MapStage {
    let mut node = NodeBuilder::new("MapStage").input(key).input(indices).list(values);
    node.set("dtypes", dtypes.to_vec().into());
    MapStage(node)
}

/// A `MapStage` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MapStage(NodeBuilder);

impl MapStage {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> MapStage {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> MapStage {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MapStage {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MapStage {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MapStage {
        MapStage(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `MapUnstage(key, indices) -> (values)`.
///
/// * `key`: int64
/// * `indices`: int32
/// * `dtypes`: attribute, list(type), at least 1 long
/// * gives `values`: several, of types `dtypes`
///
/// Gradients do not flow through it. Has state or effects.
pub fn map_unstage(key: &Output, indices: &Output, dtypes: &[DataType]) -> MapUnstage {
    let mut node = NodeBuilder::new("MapUnstage").input(key).input(indices);
    node.set("dtypes", dtypes.to_vec().into());
    MapUnstage(node)
}

/// A `MapUnstage` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MapUnstage(NodeBuilder);

impl MapUnstage {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> MapUnstage {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> MapUnstage {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MapUnstage {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MapUnstage {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MapUnstage {
        MapUnstage(self.0.name(name))
    }

    /// Adds the node and gives `values`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `MapUnstageNoKey(indices) -> (key, values)`.
///
/// * `indices`: int32
/// * `dtypes`: attribute, list(type), at least 1 long
/// * gives `key`: int64
/// * gives `values`: several, of types `dtypes`
///
/// Gradients do not flow through it. Has state or effects.
pub fn map_unstage_no_key(indices: &Output, dtypes: &[DataType]) -> MapUnstageNoKey {
    let mut node = NodeBuilder::new("MapUnstageNoKey").input(indices);
    node.set("dtypes", dtypes.to_vec().into());
    MapUnstageNoKey(node)
}

/// A `MapUnstageNoKey` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MapUnstageNoKey(NodeBuilder);

impl MapUnstageNoKey {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> MapUnstageNoKey {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> MapUnstageNoKey {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MapUnstageNoKey {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MapUnstageNoKey {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MapUnstageNoKey {
        MapUnstageNoKey(self.0.name(name))
    }

    /// Adds the node and gives (`key`, `values`).
    pub fn build(self) -> Result<(Output, Vec<Output>)> {
        let operation = self.0.operation()?;
        Ok((only(operation.named_outputs("key")?)?, operation.named_outputs("values")?))
    }
}

/// `Merge(inputs) -> (output, value_index)`.
///
/// * `inputs`: `N` values of `T` (any type)
/// * gives `output`: `T` (any type)
/// * gives `value_index`: int32
///
/// Differentiable.
pub fn merge(inputs: &[Output]) -> Merge {
    let node = NodeBuilder::new("Merge").list(inputs);
    Merge(node)
}

/// A `Merge` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Merge(NodeBuilder);

impl Merge {
    /// Names the node.
    pub fn name(self, name: &str) -> Merge {
        Merge(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `value_index`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `MutableDenseHashTable(empty_key) -> (table_handle)`.
///
/// * `empty_key`: `key_dtype` (any type)
/// * `value_dtype`: attribute, type
/// * gives `table_handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn mutable_dense_hash_table(
    empty_key: &Output,
    value_dtype: DataType,
) -> MutableDenseHashTable {
    let mut node = NodeBuilder::new("MutableDenseHashTable").input(empty_key);
    node.set("value_dtype", value_dtype.into());
    MutableDenseHashTable(node)
}

/// A `MutableDenseHashTable` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MutableDenseHashTable(NodeBuilder);

impl MutableDenseHashTable {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MutableDenseHashTable {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MutableDenseHashTable {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `use_node_name_sharing`; `false` unless set.
    pub fn use_node_name_sharing(mut self, value: bool) -> MutableDenseHashTable {
        self.0.set("use_node_name_sharing", value.into());
        self
    }

    /// The attribute `value_shape`; `[]` unless set.
    pub fn value_shape(mut self, value: &PartialShape) -> MutableDenseHashTable {
        self.0.set("value_shape", value.clone().into());
        self
    }

    /// The attribute `initial_num_buckets`; `131072` unless set.
    pub fn initial_num_buckets(mut self, value: i64) -> MutableDenseHashTable {
        self.0.set("initial_num_buckets", value.into());
        self
    }

    /// The attribute `max_load_factor`; `0.8` unless set.
    pub fn max_load_factor(mut self, value: f32) -> MutableDenseHashTable {
        self.0.set("max_load_factor", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MutableDenseHashTable {
        MutableDenseHashTable(self.0.name(name))
    }

    /// Adds the node and gives `table_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MutableDenseHashTableV2(empty_key, deleted_key) -> (table_handle)`.
///
/// * `empty_key`: `key_dtype` (any type)
/// * `deleted_key`: `key_dtype` (any type)
/// * `value_dtype`: attribute, type
/// * gives `table_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn mutable_dense_hash_table_v2(
    empty_key: &Output,
    deleted_key: &Output,
    value_dtype: DataType,
) -> MutableDenseHashTableV2 {
    let mut node = NodeBuilder::new("MutableDenseHashTableV2").input(empty_key).input(deleted_key);
    node.set("value_dtype", value_dtype.into());
    MutableDenseHashTableV2(node)
}

/// A `MutableDenseHashTableV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MutableDenseHashTableV2(NodeBuilder);

impl MutableDenseHashTableV2 {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MutableDenseHashTableV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MutableDenseHashTableV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `use_node_name_sharing`; `false` unless set.
    pub fn use_node_name_sharing(mut self, value: bool) -> MutableDenseHashTableV2 {
        self.0.set("use_node_name_sharing", value.into());
        self
    }

    /// The attribute `value_shape`; `[]` unless set.
    pub fn value_shape(mut self, value: &PartialShape) -> MutableDenseHashTableV2 {
        self.0.set("value_shape", value.clone().into());
        self
    }

    /// The attribute `initial_num_buckets`; `131072` unless set.
    pub fn initial_num_buckets(mut self, value: i64) -> MutableDenseHashTableV2 {
        self.0.set("initial_num_buckets", value.into());
        self
    }

    /// The attribute `max_load_factor`; `0.8` unless set.
    pub fn max_load_factor(mut self, value: f32) -> MutableDenseHashTableV2 {
        self.0.set("max_load_factor", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MutableDenseHashTableV2 {
        MutableDenseHashTableV2(self.0.name(name))
    }

    /// Adds the node and gives `table_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MutableHashTable() -> (table_handle)`.
///
/// * `key_dtype`: attribute, type
/// * `value_dtype`: attribute, type
/// * gives `table_handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn mutable_hash_table(
    graph: &Graph,
    key_dtype: DataType,
    value_dtype: DataType,
) -> MutableHashTable {
    let mut node = NodeBuilder::in_graph(graph, "MutableHashTable");
    node.set("key_dtype", key_dtype.into());
    node.set("value_dtype", value_dtype.into());
    MutableHashTable(node)
}

/// A `MutableHashTable` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MutableHashTable(NodeBuilder);

impl MutableHashTable {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MutableHashTable {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MutableHashTable {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `use_node_name_sharing`; `false` unless set.
    pub fn use_node_name_sharing(mut self, value: bool) -> MutableHashTable {
        self.0.set("use_node_name_sharing", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MutableHashTable {
        MutableHashTable(self.0.name(name))
    }

    /// Adds the node and gives `table_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MutableHashTableOfTensors() -> (table_handle)`.
///
/// * `key_dtype`: attribute, type
/// * `value_dtype`: attribute, type
/// * gives `table_handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn mutable_hash_table_of_tensors(
    graph: &Graph,
    key_dtype: DataType,
    value_dtype: DataType,
) -> MutableHashTableOfTensors {
    let mut node = NodeBuilder::in_graph(graph, "MutableHashTableOfTensors");
    node.set("key_dtype", key_dtype.into());
    node.set("value_dtype", value_dtype.into());
    MutableHashTableOfTensors(node)
}

/// A `MutableHashTableOfTensors` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MutableHashTableOfTensors(NodeBuilder);

impl MutableHashTableOfTensors {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MutableHashTableOfTensors {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MutableHashTableOfTensors {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `use_node_name_sharing`; `false` unless set.
    pub fn use_node_name_sharing(mut self, value: bool) -> MutableHashTableOfTensors {
        self.0.set("use_node_name_sharing", value.into());
        self
    }

    /// The attribute `value_shape`; `[]` unless set.
    pub fn value_shape(mut self, value: &PartialShape) -> MutableHashTableOfTensors {
        self.0.set("value_shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MutableHashTableOfTensors {
        MutableHashTableOfTensors(self.0.name(name))
    }

    /// Adds the node and gives `table_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MutableHashTableOfTensorsV2() -> (table_handle)`.
///
/// * `key_dtype`: attribute, type
/// * `value_dtype`: attribute, type
/// * gives `table_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn mutable_hash_table_of_tensors_v2(
    graph: &Graph,
    key_dtype: DataType,
    value_dtype: DataType,
) -> MutableHashTableOfTensorsV2 {
    let mut node = NodeBuilder::in_graph(graph, "MutableHashTableOfTensorsV2");
    node.set("key_dtype", key_dtype.into());
    node.set("value_dtype", value_dtype.into());
    MutableHashTableOfTensorsV2(node)
}

/// A `MutableHashTableOfTensorsV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MutableHashTableOfTensorsV2(NodeBuilder);

impl MutableHashTableOfTensorsV2 {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MutableHashTableOfTensorsV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MutableHashTableOfTensorsV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `use_node_name_sharing`; `false` unless set.
    pub fn use_node_name_sharing(mut self, value: bool) -> MutableHashTableOfTensorsV2 {
        self.0.set("use_node_name_sharing", value.into());
        self
    }

    /// The attribute `value_shape`; `[]` unless set.
    pub fn value_shape(mut self, value: &PartialShape) -> MutableHashTableOfTensorsV2 {
        self.0.set("value_shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MutableHashTableOfTensorsV2 {
        MutableHashTableOfTensorsV2(self.0.name(name))
    }

    /// Adds the node and gives `table_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MutableHashTableV2() -> (table_handle)`.
///
/// * `key_dtype`: attribute, type
/// * `value_dtype`: attribute, type
/// * gives `table_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn mutable_hash_table_v2(
    graph: &Graph,
    key_dtype: DataType,
    value_dtype: DataType,
) -> MutableHashTableV2 {
    let mut node = NodeBuilder::in_graph(graph, "MutableHashTableV2");
    node.set("key_dtype", key_dtype.into());
    node.set("value_dtype", value_dtype.into());
    MutableHashTableV2(node)
}

/// A `MutableHashTableV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MutableHashTableV2(NodeBuilder);

impl MutableHashTableV2 {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MutableHashTableV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MutableHashTableV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `use_node_name_sharing`; `false` unless set.
    pub fn use_node_name_sharing(mut self, value: bool) -> MutableHashTableV2 {
        self.0.set("use_node_name_sharing", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MutableHashTableV2 {
        MutableHashTableV2(self.0.name(name))
    }

    /// Adds the node and gives `table_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `NextIteration(data) -> (output)`.
///
/// * `data`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Has no gradient.
pub fn next_iteration(data: &Output) -> ForOutput {
    let node = NodeBuilder::new("NextIteration").input(data);
    ForOutput(node)
}

/// `NoOp() -> ()`.
///
/// Gradients do not flow through it.
pub fn no_op(graph: &Graph) -> ForOperation {
    let node = NodeBuilder::in_graph(graph, "NoOp");
    ForOperation(node)
}

/// `OptionalFromValue(components) -> (optional)`.
///
/// * `components`: several, of types `Toutput_types`
/// * gives `optional`: variant
///
/// Differentiable.
pub fn optional_from_value(components: &[Output]) -> ForOutput {
    let node = NodeBuilder::new("OptionalFromValue").list(components);
    ForOutput(node)
}

/// `OptionalGetValue(optional) -> (components)`.
///
/// * `optional`: variant
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `components`: several, of types `output_types`
///
/// Differentiable.
pub fn optional_get_value(
    optional: &Output,
    output_types: &[DataType],
    output_shapes: &[PartialShape],
) -> ForOutputs {
    let mut node = NodeBuilder::new("OptionalGetValue").input(optional);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutputs(node)
}

/// `OptionalHasValue(optional) -> (has_value)`.
///
/// * `optional`: variant
/// * gives `has_value`: bool
///
/// Has no gradient.
pub fn optional_has_value(optional: &Output) -> ForOutput {
    let node = NodeBuilder::new("OptionalHasValue").input(optional);
    ForOutput(node)
}

/// `OptionalNone() -> (optional)`.
///
/// * gives `optional`: variant
///
/// Has no gradient.
pub fn optional_none(graph: &Graph) -> ForOutput {
    let node = NodeBuilder::in_graph(graph, "OptionalNone");
    ForOutput(node)
}

/// `OrderedMapClear() -> ()`.
///
/// * `dtypes`: attribute, list(type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn ordered_map_clear(graph: &Graph, dtypes: &[DataType]) -> OrderedMapClear {
    let mut node = NodeBuilder::in_graph(graph, "OrderedMapClear");
    node.set("dtypes", dtypes.to_vec().into());
    OrderedMapClear(node)
}

/// A `OrderedMapClear` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct OrderedMapClear(NodeBuilder);

impl OrderedMapClear {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> OrderedMapClear {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> OrderedMapClear {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> OrderedMapClear {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> OrderedMapClear {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> OrderedMapClear {
        OrderedMapClear(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `OrderedMapIncompleteSize() -> (size)`.
///
/// * `dtypes`: attribute, list(type)
/// * gives `size`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn ordered_map_incomplete_size(graph: &Graph, dtypes: &[DataType]) -> OrderedMapIncompleteSize {
    let mut node = NodeBuilder::in_graph(graph, "OrderedMapIncompleteSize");
    node.set("dtypes", dtypes.to_vec().into());
    OrderedMapIncompleteSize(node)
}

/// A `OrderedMapIncompleteSize` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct OrderedMapIncompleteSize(NodeBuilder);

impl OrderedMapIncompleteSize {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> OrderedMapIncompleteSize {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> OrderedMapIncompleteSize {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> OrderedMapIncompleteSize {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> OrderedMapIncompleteSize {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> OrderedMapIncompleteSize {
        OrderedMapIncompleteSize(self.0.name(name))
    }

    /// Adds the node and gives `size`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `OrderedMapPeek(key, indices) -> (values)`.
///
/// * `key`: int64
/// * `indices`: int32
/// * `dtypes`: attribute, list(type), at least 1 long
/// * gives `values`: several, of types `dtypes`
///
/// Gradients do not flow through it. Has state or effects.
pub fn ordered_map_peek(key: &Output, indices: &Output, dtypes: &[DataType]) -> OrderedMapPeek {
    let mut node = NodeBuilder::new("OrderedMapPeek").input(key).input(indices);
    node.set("dtypes", dtypes.to_vec().into());
    OrderedMapPeek(node)
}

/// A `OrderedMapPeek` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct OrderedMapPeek(NodeBuilder);

impl OrderedMapPeek {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> OrderedMapPeek {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> OrderedMapPeek {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> OrderedMapPeek {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> OrderedMapPeek {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> OrderedMapPeek {
        OrderedMapPeek(self.0.name(name))
    }

    /// Adds the node and gives `values`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `OrderedMapSize() -> (size)`.
///
/// * `dtypes`: attribute, list(type)
/// * gives `size`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn ordered_map_size(graph: &Graph, dtypes: &[DataType]) -> OrderedMapSize {
    let mut node = NodeBuilder::in_graph(graph, "OrderedMapSize");
    node.set("dtypes", dtypes.to_vec().into());
    OrderedMapSize(node)
}

/// A `OrderedMapSize` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct OrderedMapSize(NodeBuilder);

impl OrderedMapSize {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> OrderedMapSize {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> OrderedMapSize {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> OrderedMapSize {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> OrderedMapSize {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> OrderedMapSize {
        OrderedMapSize(self.0.name(name))
    }

    /// Adds the node and gives `size`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `OrderedMapStage(key, indices, values) -> ()`.
///
/// * `key`: int64
/// * `indices`: int32
/// * `values`: several, of types `fake_dtypes`
/// * `dtypes`: attribute, list(type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn ordered_map_stage(
    key: &Output,
    indices: &Output,
    values: &[Output],
    dtypes: &[DataType],
) -> OrderedMapStage {
    let mut node = NodeBuilder::new("OrderedMapStage").input(key).input(indices).list(values);
    node.set("dtypes", dtypes.to_vec().into());
    OrderedMapStage(node)
}

/// A `OrderedMapStage` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct OrderedMapStage(NodeBuilder);

impl OrderedMapStage {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> OrderedMapStage {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> OrderedMapStage {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> OrderedMapStage {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> OrderedMapStage {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> OrderedMapStage {
        OrderedMapStage(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `OrderedMapUnstage(key, indices) -> (values)`.
///
/// * `key`: int64
/// * `indices`: int32
/// * `dtypes`: attribute, list(type), at least 1 long
/// * gives `values`: several, of types `dtypes`
///
/// Gradients do not flow through it. Has state or effects.
pub fn ordered_map_unstage(
    key: &Output,
    indices: &Output,
    dtypes: &[DataType],
) -> OrderedMapUnstage {
    let mut node = NodeBuilder::new("OrderedMapUnstage").input(key).input(indices);
    node.set("dtypes", dtypes.to_vec().into());
    OrderedMapUnstage(node)
}

/// A `OrderedMapUnstage` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct OrderedMapUnstage(NodeBuilder);

impl OrderedMapUnstage {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> OrderedMapUnstage {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> OrderedMapUnstage {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> OrderedMapUnstage {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> OrderedMapUnstage {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> OrderedMapUnstage {
        OrderedMapUnstage(self.0.name(name))
    }

    /// Adds the node and gives `values`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `OrderedMapUnstageNoKey(indices) -> (key, values)`.
///
/// * `indices`: int32
/// * `dtypes`: attribute, list(type), at least 1 long
/// * gives `key`: int64
/// * gives `values`: several, of types `dtypes`
///
/// Gradients do not flow through it. Has state or effects.
pub fn ordered_map_unstage_no_key(indices: &Output, dtypes: &[DataType]) -> OrderedMapUnstageNoKey {
    let mut node = NodeBuilder::new("OrderedMapUnstageNoKey").input(indices);
    node.set("dtypes", dtypes.to_vec().into());
    OrderedMapUnstageNoKey(node)
}

/// A `OrderedMapUnstageNoKey` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct OrderedMapUnstageNoKey(NodeBuilder);

impl OrderedMapUnstageNoKey {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> OrderedMapUnstageNoKey {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> OrderedMapUnstageNoKey {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> OrderedMapUnstageNoKey {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> OrderedMapUnstageNoKey {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> OrderedMapUnstageNoKey {
        OrderedMapUnstageNoKey(self.0.name(name))
    }

    /// Adds the node and gives (`key`, `values`).
    pub fn build(self) -> Result<(Output, Vec<Output>)> {
        let operation = self.0.operation()?;
        Ok((only(operation.named_outputs("key")?)?, operation.named_outputs("values")?))
    }
}

/// `PaddingFIFOQueue() -> (handle)`.
///
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn padding_fifo_queue(graph: &Graph, component_types: &[DataType]) -> PaddingFIFOQueue {
    let mut node = NodeBuilder::in_graph(graph, "PaddingFIFOQueue");
    node.set("component_types", component_types.to_vec().into());
    PaddingFIFOQueue(node)
}

/// A `PaddingFIFOQueue` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct PaddingFIFOQueue(NodeBuilder);

impl PaddingFIFOQueue {
    /// The attribute `shapes`; an empty list unless set.
    pub fn shapes(mut self, value: &[PartialShape]) -> PaddingFIFOQueue {
        self.0.set("shapes", value.to_vec().into());
        self
    }

    /// The attribute `capacity`; `-1` unless set.
    pub fn capacity(mut self, value: i64) -> PaddingFIFOQueue {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> PaddingFIFOQueue {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> PaddingFIFOQueue {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> PaddingFIFOQueue {
        PaddingFIFOQueue(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `PaddingFIFOQueueV2() -> (handle)`.
///
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn padding_fifo_queue_v2(graph: &Graph, component_types: &[DataType]) -> PaddingFIFOQueueV2 {
    let mut node = NodeBuilder::in_graph(graph, "PaddingFIFOQueueV2");
    node.set("component_types", component_types.to_vec().into());
    PaddingFIFOQueueV2(node)
}

/// A `PaddingFIFOQueueV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct PaddingFIFOQueueV2(NodeBuilder);

impl PaddingFIFOQueueV2 {
    /// The attribute `shapes`; an empty list unless set.
    pub fn shapes(mut self, value: &[PartialShape]) -> PaddingFIFOQueueV2 {
        self.0.set("shapes", value.to_vec().into());
        self
    }

    /// The attribute `capacity`; `-1` unless set.
    pub fn capacity(mut self, value: i64) -> PaddingFIFOQueueV2 {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> PaddingFIFOQueueV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> PaddingFIFOQueueV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> PaddingFIFOQueueV2 {
        PaddingFIFOQueueV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `PartitionedCall(args) -> (output)`.
///
/// * `args`: several, of types `Tin`
/// * `Tout`: attribute, list(type), at least 0 long
/// * `f`: attribute, func
/// * gives `output`: several, of types `Tout`
///
/// Has no gradient.
pub fn partitioned_call(
    graph: &Graph,
    args: &[Output],
    tout: &[DataType],
    f: &Function,
) -> PartitionedCall {
    let mut node = NodeBuilder::in_graph(graph, "PartitionedCall").list(args);
    node.set("Tout", tout.to_vec().into());
    node.set("f", f.clone().into());
    PartitionedCall(node)
}

/// A `PartitionedCall` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct PartitionedCall(NodeBuilder);

impl PartitionedCall {
    /// The attribute `config`; `""` unless set.
    pub fn config(mut self, value: &str) -> PartitionedCall {
        self.0.set("config", text(value));
        self
    }

    /// The attribute `config_proto`; `""` unless set.
    pub fn config_proto(mut self, value: &str) -> PartitionedCall {
        self.0.set("config_proto", text(value));
        self
    }

    /// The attribute `executor_type`; `""` unless set.
    pub fn executor_type(mut self, value: &str) -> PartitionedCall {
        self.0.set("executor_type", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> PartitionedCall {
        PartitionedCall(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `Print(input, data) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `data`: several, of types `U`
/// * gives `output`: `T` (any type)
///
/// Differentiable. Has state or effects.
pub fn print(input: &Output, data: &[Output]) -> Print {
    let node = NodeBuilder::new("Print").input(input).list(data);
    Print(node)
}

/// A `Print` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Print(NodeBuilder);

impl Print {
    /// The attribute `message`; `""` unless set.
    pub fn message(mut self, value: &str) -> Print {
        self.0.set("message", text(value));
        self
    }

    /// The attribute `first_n`; `-1` unless set.
    pub fn first_n(mut self, value: i64) -> Print {
        self.0.set("first_n", value.into());
        self
    }

    /// The attribute `summarize`; `3` unless set.
    pub fn summarize(mut self, value: i64) -> Print {
        self.0.set("summarize", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Print {
        Print(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `PrintV2(input) -> ()`.
///
/// * `input`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn print_v2(input: &Output) -> PrintV2 {
    let node = NodeBuilder::new("PrintV2").input(input);
    PrintV2(node)
}

/// A `PrintV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct PrintV2(NodeBuilder);

impl PrintV2 {
    /// The attribute `output_stream`; `"stderr"` unless set.
    pub fn output_stream(mut self, value: &str) -> PrintV2 {
        self.0.set("output_stream", text(value));
        self
    }

    /// The attribute `end`; `"\n"` unless set.
    pub fn end(mut self, value: &str) -> PrintV2 {
        self.0.set("end", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> PrintV2 {
        PrintV2(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `PriorityQueue() -> (handle)`.
///
/// * `shapes`: attribute, list(shape), at least 0 long
/// * gives `handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn priority_queue(graph: &Graph, shapes: &[PartialShape]) -> PriorityQueue {
    let mut node = NodeBuilder::in_graph(graph, "PriorityQueue");
    node.set("shapes", shapes.to_vec().into());
    PriorityQueue(node)
}

/// A `PriorityQueue` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct PriorityQueue(NodeBuilder);

impl PriorityQueue {
    /// The attribute `component_types`; an empty list unless set.
    pub fn component_types(mut self, value: &[DataType]) -> PriorityQueue {
        self.0.set("component_types", value.to_vec().into());
        self
    }

    /// The attribute `capacity`; `-1` unless set.
    pub fn capacity(mut self, value: i64) -> PriorityQueue {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> PriorityQueue {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> PriorityQueue {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> PriorityQueue {
        PriorityQueue(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `PriorityQueueV2() -> (handle)`.
///
/// * `shapes`: attribute, list(shape), at least 0 long
/// * gives `handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn priority_queue_v2(graph: &Graph, shapes: &[PartialShape]) -> PriorityQueueV2 {
    let mut node = NodeBuilder::in_graph(graph, "PriorityQueueV2");
    node.set("shapes", shapes.to_vec().into());
    PriorityQueueV2(node)
}

/// A `PriorityQueueV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct PriorityQueueV2(NodeBuilder);

impl PriorityQueueV2 {
    /// The attribute `component_types`; an empty list unless set.
    pub fn component_types(mut self, value: &[DataType]) -> PriorityQueueV2 {
        self.0.set("component_types", value.to_vec().into());
        self
    }

    /// The attribute `capacity`; `-1` unless set.
    pub fn capacity(mut self, value: i64) -> PriorityQueueV2 {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> PriorityQueueV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> PriorityQueueV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> PriorityQueueV2 {
        PriorityQueueV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `QueueClose(handle) -> ()`.
///
/// * `handle`: string, a reference
///
/// Gradients do not flow through it.
pub fn queue_close(handle: &Output) -> QueueClose {
    let node = NodeBuilder::new("QueueClose").input(handle);
    QueueClose(node)
}

/// A `QueueClose` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueClose(NodeBuilder);

impl QueueClose {
    /// The attribute `cancel_pending_enqueues`; `false` unless set.
    pub fn cancel_pending_enqueues(mut self, value: bool) -> QueueClose {
        self.0.set("cancel_pending_enqueues", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueClose {
        QueueClose(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `QueueCloseV2(handle) -> ()`.
///
/// * `handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn queue_close_v2(handle: &Output) -> QueueCloseV2 {
    let node = NodeBuilder::new("QueueCloseV2").input(handle);
    QueueCloseV2(node)
}

/// A `QueueCloseV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueCloseV2(NodeBuilder);

impl QueueCloseV2 {
    /// The attribute `cancel_pending_enqueues`; `false` unless set.
    pub fn cancel_pending_enqueues(mut self, value: bool) -> QueueCloseV2 {
        self.0.set("cancel_pending_enqueues", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueCloseV2 {
        QueueCloseV2(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `QueueDequeue(handle) -> (components)`.
///
/// * `handle`: string, a reference
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `components`: several, of types `component_types`
///
/// Gradients do not flow through it.
pub fn queue_dequeue(handle: &Output, component_types: &[DataType]) -> QueueDequeue {
    let mut node = NodeBuilder::new("QueueDequeue").input(handle);
    node.set("component_types", component_types.to_vec().into());
    QueueDequeue(node)
}

/// A `QueueDequeue` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueDequeue(NodeBuilder);

impl QueueDequeue {
    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> QueueDequeue {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueDequeue {
        QueueDequeue(self.0.name(name))
    }

    /// Adds the node and gives `components`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `QueueDequeueMany(handle, n) -> (components)`.
///
/// * `handle`: string, a reference
/// * `n`: int32
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `components`: several, of types `component_types`
///
/// Gradients do not flow through it.
pub fn queue_dequeue_many(
    handle: &Output,
    n: &Output,
    component_types: &[DataType],
) -> QueueDequeueMany {
    let mut node = NodeBuilder::new("QueueDequeueMany").input(handle).input(n);
    node.set("component_types", component_types.to_vec().into());
    QueueDequeueMany(node)
}

/// A `QueueDequeueMany` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueDequeueMany(NodeBuilder);

impl QueueDequeueMany {
    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> QueueDequeueMany {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueDequeueMany {
        QueueDequeueMany(self.0.name(name))
    }

    /// Adds the node and gives `components`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `QueueDequeueManyV2(handle, n) -> (components)`.
///
/// * `handle`: resource
/// * `n`: int32
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `components`: several, of types `component_types`
///
/// Gradients do not flow through it. Has state or effects.
pub fn queue_dequeue_many_v2(
    handle: &Output,
    n: &Output,
    component_types: &[DataType],
) -> QueueDequeueManyV2 {
    let mut node = NodeBuilder::new("QueueDequeueManyV2").input(handle).input(n);
    node.set("component_types", component_types.to_vec().into());
    QueueDequeueManyV2(node)
}

/// A `QueueDequeueManyV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueDequeueManyV2(NodeBuilder);

impl QueueDequeueManyV2 {
    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> QueueDequeueManyV2 {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueDequeueManyV2 {
        QueueDequeueManyV2(self.0.name(name))
    }

    /// Adds the node and gives `components`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `QueueDequeueUpTo(handle, n) -> (components)`.
///
/// * `handle`: string, a reference
/// * `n`: int32
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `components`: several, of types `component_types`
///
/// Gradients do not flow through it.
pub fn queue_dequeue_up_to(
    handle: &Output,
    n: &Output,
    component_types: &[DataType],
) -> QueueDequeueUpTo {
    let mut node = NodeBuilder::new("QueueDequeueUpTo").input(handle).input(n);
    node.set("component_types", component_types.to_vec().into());
    QueueDequeueUpTo(node)
}

/// A `QueueDequeueUpTo` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueDequeueUpTo(NodeBuilder);

impl QueueDequeueUpTo {
    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> QueueDequeueUpTo {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueDequeueUpTo {
        QueueDequeueUpTo(self.0.name(name))
    }

    /// Adds the node and gives `components`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `QueueDequeueUpToV2(handle, n) -> (components)`.
///
/// * `handle`: resource
/// * `n`: int32
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `components`: several, of types `component_types`
///
/// Gradients do not flow through it. Has state or effects.
pub fn queue_dequeue_up_to_v2(
    handle: &Output,
    n: &Output,
    component_types: &[DataType],
) -> QueueDequeueUpToV2 {
    let mut node = NodeBuilder::new("QueueDequeueUpToV2").input(handle).input(n);
    node.set("component_types", component_types.to_vec().into());
    QueueDequeueUpToV2(node)
}

/// A `QueueDequeueUpToV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueDequeueUpToV2(NodeBuilder);

impl QueueDequeueUpToV2 {
    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> QueueDequeueUpToV2 {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueDequeueUpToV2 {
        QueueDequeueUpToV2(self.0.name(name))
    }

    /// Adds the node and gives `components`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `QueueDequeueV2(handle) -> (components)`.
///
/// * `handle`: resource
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `components`: several, of types `component_types`
///
/// Gradients do not flow through it. Has state or effects.
pub fn queue_dequeue_v2(handle: &Output, component_types: &[DataType]) -> QueueDequeueV2 {
    let mut node = NodeBuilder::new("QueueDequeueV2").input(handle);
    node.set("component_types", component_types.to_vec().into());
    QueueDequeueV2(node)
}

/// A `QueueDequeueV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueDequeueV2(NodeBuilder);

impl QueueDequeueV2 {
    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> QueueDequeueV2 {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueDequeueV2 {
        QueueDequeueV2(self.0.name(name))
    }

    /// Adds the node and gives `components`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `QueueEnqueue(handle, components) -> ()`.
///
/// * `handle`: string, a reference
/// * `components`: several, of types `Tcomponents`
///
/// Gradients do not flow through it.
pub fn queue_enqueue(handle: &Output, components: &[Output]) -> QueueEnqueue {
    let node = NodeBuilder::new("QueueEnqueue").input(handle).list(components);
    QueueEnqueue(node)
}

/// A `QueueEnqueue` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueEnqueue(NodeBuilder);

impl QueueEnqueue {
    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> QueueEnqueue {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueEnqueue {
        QueueEnqueue(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `QueueEnqueueMany(handle, components) -> ()`.
///
/// * `handle`: string, a reference
/// * `components`: several, of types `Tcomponents`
///
/// Gradients do not flow through it.
pub fn queue_enqueue_many(handle: &Output, components: &[Output]) -> QueueEnqueueMany {
    let node = NodeBuilder::new("QueueEnqueueMany").input(handle).list(components);
    QueueEnqueueMany(node)
}

/// A `QueueEnqueueMany` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueEnqueueMany(NodeBuilder);

impl QueueEnqueueMany {
    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> QueueEnqueueMany {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueEnqueueMany {
        QueueEnqueueMany(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `QueueEnqueueManyV2(handle, components) -> ()`.
///
/// * `handle`: resource
/// * `components`: several, of types `Tcomponents`
///
/// Gradients do not flow through it. Has state or effects.
pub fn queue_enqueue_many_v2(handle: &Output, components: &[Output]) -> QueueEnqueueManyV2 {
    let node = NodeBuilder::new("QueueEnqueueManyV2").input(handle).list(components);
    QueueEnqueueManyV2(node)
}

/// A `QueueEnqueueManyV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueEnqueueManyV2(NodeBuilder);

impl QueueEnqueueManyV2 {
    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> QueueEnqueueManyV2 {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueEnqueueManyV2 {
        QueueEnqueueManyV2(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `QueueEnqueueV2(handle, components) -> ()`.
///
/// * `handle`: resource
/// * `components`: several, of types `Tcomponents`
///
/// Gradients do not flow through it. Has state or effects.
pub fn queue_enqueue_v2(handle: &Output, components: &[Output]) -> QueueEnqueueV2 {
    let node = NodeBuilder::new("QueueEnqueueV2").input(handle).list(components);
    QueueEnqueueV2(node)
}

/// A `QueueEnqueueV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueEnqueueV2(NodeBuilder);

impl QueueEnqueueV2 {
    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> QueueEnqueueV2 {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueEnqueueV2 {
        QueueEnqueueV2(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `QueueIsClosed(handle) -> (is_closed)`.
///
/// * `handle`: string, a reference
/// * gives `is_closed`: bool
///
/// Gradients do not flow through it.
pub fn queue_is_closed(handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("QueueIsClosed").input(handle);
    ForOutput(node)
}

/// `QueueIsClosedV2(handle) -> (is_closed)`.
///
/// * `handle`: resource
/// * gives `is_closed`: bool
///
/// Gradients do not flow through it. Has state or effects.
pub fn queue_is_closed_v2(handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("QueueIsClosedV2").input(handle);
    ForOutput(node)
}

/// `QueueSize(handle) -> (size)`.
///
/// * `handle`: string, a reference
/// * gives `size`: int32
///
/// Gradients do not flow through it.
pub fn queue_size(handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("QueueSize").input(handle);
    ForOutput(node)
}

/// `QueueSizeV2(handle) -> (size)`.
///
/// * `handle`: resource
/// * gives `size`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn queue_size_v2(handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("QueueSizeV2").input(handle);
    ForOutput(node)
}

/// `RandomShuffleQueue() -> (handle)`.
///
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn random_shuffle_queue(graph: &Graph, component_types: &[DataType]) -> RandomShuffleQueue {
    let mut node = NodeBuilder::in_graph(graph, "RandomShuffleQueue");
    node.set("component_types", component_types.to_vec().into());
    RandomShuffleQueue(node)
}

/// A `RandomShuffleQueue` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RandomShuffleQueue(NodeBuilder);

impl RandomShuffleQueue {
    /// The attribute `shapes`; an empty list unless set.
    pub fn shapes(mut self, value: &[PartialShape]) -> RandomShuffleQueue {
        self.0.set("shapes", value.to_vec().into());
        self
    }

    /// The attribute `capacity`; `-1` unless set.
    pub fn capacity(mut self, value: i64) -> RandomShuffleQueue {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `min_after_dequeue`; `0` unless set.
    pub fn min_after_dequeue(mut self, value: i64) -> RandomShuffleQueue {
        self.0.set("min_after_dequeue", value.into());
        self
    }

    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> RandomShuffleQueue {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> RandomShuffleQueue {
        self.0.set("seed2", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> RandomShuffleQueue {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> RandomShuffleQueue {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RandomShuffleQueue {
        RandomShuffleQueue(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `RandomShuffleQueueV2() -> (handle)`.
///
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn random_shuffle_queue_v2(
    graph: &Graph,
    component_types: &[DataType],
) -> RandomShuffleQueueV2 {
    let mut node = NodeBuilder::in_graph(graph, "RandomShuffleQueueV2");
    node.set("component_types", component_types.to_vec().into());
    RandomShuffleQueueV2(node)
}

/// A `RandomShuffleQueueV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RandomShuffleQueueV2(NodeBuilder);

impl RandomShuffleQueueV2 {
    /// The attribute `shapes`; an empty list unless set.
    pub fn shapes(mut self, value: &[PartialShape]) -> RandomShuffleQueueV2 {
        self.0.set("shapes", value.to_vec().into());
        self
    }

    /// The attribute `capacity`; `-1` unless set.
    pub fn capacity(mut self, value: i64) -> RandomShuffleQueueV2 {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `min_after_dequeue`; `0` unless set.
    pub fn min_after_dequeue(mut self, value: i64) -> RandomShuffleQueueV2 {
        self.0.set("min_after_dequeue", value.into());
        self
    }

    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> RandomShuffleQueueV2 {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> RandomShuffleQueueV2 {
        self.0.set("seed2", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> RandomShuffleQueueV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> RandomShuffleQueueV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RandomShuffleQueueV2 {
        RandomShuffleQueueV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `RefEnter(data) -> (output)`.
///
/// * `data`: `T` (any type), a reference
/// * `frame_name`: attribute, string
/// * gives `output`: `T` (any type), a reference
///
/// Has no gradient.
pub fn ref_enter(data: &Output, frame_name: &str) -> RefEnter {
    let mut node = NodeBuilder::new("RefEnter").input(data);
    node.set("frame_name", text(frame_name));
    RefEnter(node)
}

/// A `RefEnter` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RefEnter(NodeBuilder);

impl RefEnter {
    /// The attribute `is_constant`; `false` unless set.
    pub fn is_constant(mut self, value: bool) -> RefEnter {
        self.0.set("is_constant", value.into());
        self
    }

    /// The attribute `parallel_iterations`; `10` unless set.
    pub fn parallel_iterations(mut self, value: i64) -> RefEnter {
        self.0.set("parallel_iterations", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RefEnter {
        RefEnter(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `RefExit(data) -> (output)`.
///
/// * `data`: `T` (any type), a reference
/// * gives `output`: `T` (any type), a reference
///
/// Has no gradient.
pub fn ref_exit(data: &Output) -> ForOutput {
    let node = NodeBuilder::new("RefExit").input(data);
    ForOutput(node)
}

/// `RefIdentity(input) -> (output)`.
///
/// * `input`: `T` (any type), a reference
/// * gives `output`: `T` (any type), a reference
///
/// Differentiable.
pub fn ref_identity(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("RefIdentity").input(input);
    ForOutput(node)
}

/// `RefMerge(inputs) -> (output, value_index)`.
///
/// * `inputs`: `N` values of `T` (any type), a reference
/// * gives `output`: `T` (any type), a reference
/// * gives `value_index`: int32
///
/// Differentiable.
pub fn ref_merge(inputs: &[Output]) -> RefMerge {
    let node = NodeBuilder::new("RefMerge").list(inputs);
    RefMerge(node)
}

/// A `RefMerge` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RefMerge(NodeBuilder);

impl RefMerge {
    /// Names the node.
    pub fn name(self, name: &str) -> RefMerge {
        RefMerge(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `value_index`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `RefNextIteration(data) -> (output)`.
///
/// * `data`: `T` (any type), a reference
/// * gives `output`: `T` (any type), a reference
///
/// Has no gradient.
pub fn ref_next_iteration(data: &Output) -> ForOutput {
    let node = NodeBuilder::new("RefNextIteration").input(data);
    ForOutput(node)
}

/// `RefSelect(index, inputs) -> (output)`.
///
/// * `index`: int32
/// * `inputs`: `N` values of `T` (any type), a reference
/// * gives `output`: `T` (any type), a reference
///
/// Has no gradient.
pub fn ref_select(index: &Output, inputs: &[Output]) -> ForOutput {
    let node = NodeBuilder::new("RefSelect").input(index).list(inputs);
    ForOutput(node)
}

/// `RefSwitch(data, pred) -> (output_false, output_true)`.
///
/// * `data`: `T` (any type), a reference
/// * `pred`: bool
/// * gives `output_false`: `T` (any type), a reference
/// * gives `output_true`: `T` (any type), a reference
///
/// Differentiable.
pub fn ref_switch(data: &Output, pred: &Output) -> RefSwitch {
    let node = NodeBuilder::new("RefSwitch").input(data).input(pred);
    RefSwitch(node)
}

/// A `RefSwitch` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RefSwitch(NodeBuilder);

impl RefSwitch {
    /// Names the node.
    pub fn name(self, name: &str) -> RefSwitch {
        RefSwitch(self.0.name(name))
    }

    /// Adds the node and gives (`output_false`, `output_true`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `ResourceAccumulatorApplyGradient(handle, local_step, gradient) -> ()`.
///
/// * `handle`: resource
/// * `local_step`: int64
/// * `gradient`: `dtype` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_accumulator_apply_gradient(
    handle: &Output,
    local_step: &Output,
    gradient: &Output,
) -> ForOperation {
    let node = NodeBuilder::new("ResourceAccumulatorApplyGradient")
        .input(handle)
        .input(local_step)
        .input(gradient);
    ForOperation(node)
}

/// `ResourceAccumulatorNumAccumulated(handle) -> (num_accumulated)`.
///
/// * `handle`: resource
/// * gives `num_accumulated`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_accumulator_num_accumulated(handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("ResourceAccumulatorNumAccumulated").input(handle);
    ForOutput(node)
}

/// `ResourceAccumulatorSetGlobalStep(handle, new_global_step) -> ()`.
///
/// * `handle`: resource
/// * `new_global_step`: int64
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_accumulator_set_global_step(
    handle: &Output,
    new_global_step: &Output,
) -> ForOperation {
    let node =
        NodeBuilder::new("ResourceAccumulatorSetGlobalStep").input(handle).input(new_global_step);
    ForOperation(node)
}

/// `ResourceAccumulatorTakeGradient(handle, num_required) -> (average)`.
///
/// * `handle`: resource
/// * `num_required`: int32
/// * `dtype`: attribute, type, one of float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64
/// * gives `average`: `dtype` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_accumulator_take_gradient(
    handle: &Output,
    num_required: &Output,
    dtype: DataType,
) -> ForOutput {
    let mut node =
        NodeBuilder::new("ResourceAccumulatorTakeGradient").input(handle).input(num_required);
    node.set("dtype", dtype.into());
    ForOutput(node)
}

/// `ResourceConditionalAccumulator() -> (handle)`.
///
/// * `dtype`: attribute, type, one of float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64
/// * `shape`: attribute, shape
/// * gives `handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_conditional_accumulator(
    graph: &Graph,
    dtype: DataType,
    shape: &PartialShape,
) -> ResourceConditionalAccumulator {
    let mut node = NodeBuilder::in_graph(graph, "ResourceConditionalAccumulator");
    node.set("dtype", dtype.into());
    node.set("shape", shape.clone().into());
    ResourceConditionalAccumulator(node)
}

/// A `ResourceConditionalAccumulator` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceConditionalAccumulator(NodeBuilder);

impl ResourceConditionalAccumulator {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> ResourceConditionalAccumulator {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> ResourceConditionalAccumulator {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `reduction_type`; `"MEAN"` unless set.
    pub fn reduction_type(mut self, value: &str) -> ResourceConditionalAccumulator {
        self.0.set("reduction_type", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceConditionalAccumulator {
        ResourceConditionalAccumulator(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `SparseAccumulatorApplyGradient(handle, local_step, gradient_indices, gradient_values, gradient_shape) -> ()`.
///
/// * `handle`: string, a reference
/// * `local_step`: int64
/// * `gradient_indices`: int64
/// * `gradient_values`: `dtype` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `gradient_shape`: int64
/// * `has_known_shape`: attribute, bool
///
/// Gradients do not flow through it.
pub fn sparse_accumulator_apply_gradient(
    handle: &Output,
    local_step: &Output,
    gradient_indices: &Output,
    gradient_values: &Output,
    gradient_shape: &Output,
    has_known_shape: bool,
) -> ForOperation {
    let mut node = NodeBuilder::new("SparseAccumulatorApplyGradient")
        .input(handle)
        .input(local_step)
        .input(gradient_indices)
        .input(gradient_values)
        .input(gradient_shape);
    node.set("has_known_shape", has_known_shape.into());
    ForOperation(node)
}

/// `SparseAccumulatorTakeGradient(handle, num_required) -> (indices, values, shape)`.
///
/// * `handle`: string, a reference
/// * `num_required`: int32
/// * `dtype`: attribute, type, one of float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64
/// * gives `indices`: int64
/// * gives `values`: `dtype` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `shape`: int64
///
/// Gradients do not flow through it.
pub fn sparse_accumulator_take_gradient(
    handle: &Output,
    num_required: &Output,
    dtype: DataType,
) -> SparseAccumulatorTakeGradient {
    let mut node =
        NodeBuilder::new("SparseAccumulatorTakeGradient").input(handle).input(num_required);
    node.set("dtype", dtype.into());
    SparseAccumulatorTakeGradient(node)
}

/// A `SparseAccumulatorTakeGradient` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseAccumulatorTakeGradient(NodeBuilder);

impl SparseAccumulatorTakeGradient {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseAccumulatorTakeGradient {
        SparseAccumulatorTakeGradient(self.0.name(name))
    }

    /// Adds the node and gives (`indices`, `values`, `shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `SparseConditionalAccumulator() -> (handle)`.
///
/// * `dtype`: attribute, type, one of float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64
/// * `shape`: attribute, shape
/// * gives `handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn sparse_conditional_accumulator(
    graph: &Graph,
    dtype: DataType,
    shape: &PartialShape,
) -> SparseConditionalAccumulator {
    let mut node = NodeBuilder::in_graph(graph, "SparseConditionalAccumulator");
    node.set("dtype", dtype.into());
    node.set("shape", shape.clone().into());
    SparseConditionalAccumulator(node)
}

/// A `SparseConditionalAccumulator` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseConditionalAccumulator(NodeBuilder);

impl SparseConditionalAccumulator {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> SparseConditionalAccumulator {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> SparseConditionalAccumulator {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `reduction_type`; `"MEAN"` unless set.
    pub fn reduction_type(mut self, value: &str) -> SparseConditionalAccumulator {
        self.0.set("reduction_type", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseConditionalAccumulator {
        SparseConditionalAccumulator(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Stack() -> (handle)`.
///
/// * `elem_type`: attribute, type
/// * gives `handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn stack(graph: &Graph, elem_type: DataType) -> Stack {
    let mut node = NodeBuilder::in_graph(graph, "Stack");
    node.set("elem_type", elem_type.into());
    Stack(node)
}

/// A `Stack` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Stack(NodeBuilder);

impl Stack {
    /// The attribute `stack_name`; `""` unless set.
    pub fn stack_name(mut self, value: &str) -> Stack {
        self.0.set("stack_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Stack {
        Stack(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StackClose(handle) -> ()`.
///
/// * `handle`: string, a reference
///
/// Gradients do not flow through it.
pub fn stack_close(handle: &Output) -> ForOperation {
    let node = NodeBuilder::new("StackClose").input(handle);
    ForOperation(node)
}

/// `StackCloseV2(handle) -> ()`.
///
/// * `handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn stack_close_v2(handle: &Output) -> ForOperation {
    let node = NodeBuilder::new("StackCloseV2").input(handle);
    ForOperation(node)
}

/// `StackPop(handle) -> (elem)`.
///
/// * `handle`: string, a reference
/// * `elem_type`: attribute, type
/// * gives `elem`: `elem_type` (any type)
///
/// Gradients do not flow through it.
pub fn stack_pop(handle: &Output, elem_type: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("StackPop").input(handle);
    node.set("elem_type", elem_type.into());
    ForOutput(node)
}

/// `StackPopV2(handle) -> (elem)`.
///
/// * `handle`: resource
/// * `elem_type`: attribute, type
/// * gives `elem`: `elem_type` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn stack_pop_v2(handle: &Output, elem_type: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("StackPopV2").input(handle);
    node.set("elem_type", elem_type.into());
    ForOutput(node)
}

/// `StackPush(handle, elem) -> (output)`.
///
/// * `handle`: string, a reference
/// * `elem`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Gradients do not flow through it.
pub fn stack_push(handle: &Output, elem: &Output) -> StackPush {
    let node = NodeBuilder::new("StackPush").input(handle).input(elem);
    StackPush(node)
}

/// A `StackPush` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StackPush(NodeBuilder);

impl StackPush {
    /// The attribute `swap_memory`; `false` unless set.
    pub fn swap_memory(mut self, value: bool) -> StackPush {
        self.0.set("swap_memory", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StackPush {
        StackPush(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StackPushV2(handle, elem) -> (output)`.
///
/// * `handle`: resource
/// * `elem`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn stack_push_v2(handle: &Output, elem: &Output) -> StackPushV2 {
    let node = NodeBuilder::new("StackPushV2").input(handle).input(elem);
    StackPushV2(node)
}

/// A `StackPushV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StackPushV2(NodeBuilder);

impl StackPushV2 {
    /// The attribute `swap_memory`; `false` unless set.
    pub fn swap_memory(mut self, value: bool) -> StackPushV2 {
        self.0.set("swap_memory", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StackPushV2 {
        StackPushV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StackV2(max_size) -> (handle)`.
///
/// * `max_size`: int32
/// * `elem_type`: attribute, type
/// * gives `handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn stack_v2(max_size: &Output, elem_type: DataType) -> StackV2 {
    let mut node = NodeBuilder::new("StackV2").input(max_size);
    node.set("elem_type", elem_type.into());
    StackV2(node)
}

/// A `StackV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StackV2(NodeBuilder);

impl StackV2 {
    /// The attribute `stack_name`; `""` unless set.
    pub fn stack_name(mut self, value: &str) -> StackV2 {
        self.0.set("stack_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StackV2 {
        StackV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Stage(values) -> ()`.
///
/// * `values`: several, of types `dtypes`
///
/// Gradients do not flow through it. Has state or effects.
pub fn stage(values: &[Output]) -> Stage {
    let node = NodeBuilder::new("Stage").list(values);
    Stage(node)
}

/// A `Stage` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Stage(NodeBuilder);

impl Stage {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> Stage {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> Stage {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> Stage {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> Stage {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Stage {
        Stage(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `StageClear() -> ()`.
///
/// * `dtypes`: attribute, list(type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn stage_clear(graph: &Graph, dtypes: &[DataType]) -> StageClear {
    let mut node = NodeBuilder::in_graph(graph, "StageClear");
    node.set("dtypes", dtypes.to_vec().into());
    StageClear(node)
}

/// A `StageClear` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StageClear(NodeBuilder);

impl StageClear {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> StageClear {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> StageClear {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> StageClear {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> StageClear {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StageClear {
        StageClear(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `StagePeek(index) -> (values)`.
///
/// * `index`: int32
/// * `dtypes`: attribute, list(type), at least 1 long
/// * gives `values`: several, of types `dtypes`
///
/// Gradients do not flow through it. Has state or effects.
pub fn stage_peek(index: &Output, dtypes: &[DataType]) -> StagePeek {
    let mut node = NodeBuilder::new("StagePeek").input(index);
    node.set("dtypes", dtypes.to_vec().into());
    StagePeek(node)
}

/// A `StagePeek` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StagePeek(NodeBuilder);

impl StagePeek {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> StagePeek {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> StagePeek {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> StagePeek {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> StagePeek {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StagePeek {
        StagePeek(self.0.name(name))
    }

    /// Adds the node and gives `values`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `StageSize() -> (size)`.
///
/// * `dtypes`: attribute, list(type)
/// * gives `size`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn stage_size(graph: &Graph, dtypes: &[DataType]) -> StageSize {
    let mut node = NodeBuilder::in_graph(graph, "StageSize");
    node.set("dtypes", dtypes.to_vec().into());
    StageSize(node)
}

/// A `StageSize` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StageSize(NodeBuilder);

impl StageSize {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> StageSize {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> StageSize {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> StageSize {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> StageSize {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StageSize {
        StageSize(self.0.name(name))
    }

    /// Adds the node and gives `size`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StatefulPartitionedCall(args) -> (output)`.
///
/// * `args`: several, of types `Tin`
/// * `Tout`: attribute, list(type), at least 0 long
/// * `f`: attribute, func
/// * gives `output`: several, of types `Tout`
///
/// Has no gradient. Has state or effects.
pub fn stateful_partitioned_call(
    graph: &Graph,
    args: &[Output],
    tout: &[DataType],
    f: &Function,
) -> StatefulPartitionedCall {
    let mut node = NodeBuilder::in_graph(graph, "StatefulPartitionedCall").list(args);
    node.set("Tout", tout.to_vec().into());
    node.set("f", f.clone().into());
    StatefulPartitionedCall(node)
}

/// A `StatefulPartitionedCall` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatefulPartitionedCall(NodeBuilder);

impl StatefulPartitionedCall {
    /// The attribute `config`; `""` unless set.
    pub fn config(mut self, value: &str) -> StatefulPartitionedCall {
        self.0.set("config", text(value));
        self
    }

    /// The attribute `config_proto`; `""` unless set.
    pub fn config_proto(mut self, value: &str) -> StatefulPartitionedCall {
        self.0.set("config_proto", text(value));
        self
    }

    /// The attribute `executor_type`; `""` unless set.
    pub fn executor_type(mut self, value: &str) -> StatefulPartitionedCall {
        self.0.set("executor_type", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatefulPartitionedCall {
        StatefulPartitionedCall(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `StatelessCase(branch_index, input) -> (output)`.
///
/// * `branch_index`: int32
/// * `input`: several, of types `Tin`
/// * `Tout`: attribute, list(type), at least 0 long
/// * `branches`: attribute, list(func), at least 1 long
/// * gives `output`: several, of types `Tout`
///
/// Has no gradient.
pub fn stateless_case(
    branch_index: &Output,
    input: &[Output],
    tout: &[DataType],
    branches: &[Function],
) -> StatelessCase {
    let mut node = NodeBuilder::new("StatelessCase").input(branch_index).list(input);
    node.set("Tout", tout.to_vec().into());
    node.set("branches", branches.to_vec().into());
    StatelessCase(node)
}

/// A `StatelessCase` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessCase(NodeBuilder);

impl StatelessCase {
    /// The attribute `output_shapes`; an empty list unless set.
    pub fn output_shapes(mut self, value: &[PartialShape]) -> StatelessCase {
        self.0.set("output_shapes", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessCase {
        StatelessCase(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `StatelessIf(cond, input) -> (output)`.
///
/// * `cond`: `Tcond` (any type)
/// * `input`: several, of types `Tin`
/// * `Tout`: attribute, list(type), at least 0 long
/// * `then_branch`: attribute, func
/// * `else_branch`: attribute, func
/// * gives `output`: several, of types `Tout`
///
/// Has no gradient.
pub fn stateless_if(
    cond: &Output,
    input: &[Output],
    tout: &[DataType],
    then_branch: &Function,
    else_branch: &Function,
) -> StatelessIf {
    let mut node = NodeBuilder::new("StatelessIf").input(cond).list(input);
    node.set("Tout", tout.to_vec().into());
    node.set("then_branch", then_branch.clone().into());
    node.set("else_branch", else_branch.clone().into());
    StatelessIf(node)
}

/// A `StatelessIf` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessIf(NodeBuilder);

impl StatelessIf {
    /// The attribute `output_shapes`; an empty list unless set.
    pub fn output_shapes(mut self, value: &[PartialShape]) -> StatelessIf {
        self.0.set("output_shapes", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessIf {
        StatelessIf(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `StatelessWhile(input) -> (output)`.
///
/// * `input`: several, of types `T`
/// * `cond`: attribute, func
/// * `body`: attribute, func
/// * gives `output`: several, of types `T`
///
/// Has no gradient.
pub fn stateless_while(
    graph: &Graph,
    input: &[Output],
    cond: &Function,
    body: &Function,
) -> StatelessWhile {
    let mut node = NodeBuilder::in_graph(graph, "StatelessWhile").list(input);
    node.set("cond", cond.clone().into());
    node.set("body", body.clone().into());
    StatelessWhile(node)
}

/// A `StatelessWhile` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessWhile(NodeBuilder);

impl StatelessWhile {
    /// The attribute `output_shapes`; an empty list unless set.
    pub fn output_shapes(mut self, value: &[PartialShape]) -> StatelessWhile {
        self.0.set("output_shapes", value.to_vec().into());
        self
    }

    /// The attribute `parallel_iterations`; `10` unless set.
    pub fn parallel_iterations(mut self, value: i64) -> StatelessWhile {
        self.0.set("parallel_iterations", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessWhile {
        StatelessWhile(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `Switch(data, pred) -> (output_false, output_true)`.
///
/// * `data`: `T` (any type)
/// * `pred`: bool
/// * gives `output_false`: `T` (any type)
/// * gives `output_true`: `T` (any type)
///
/// Differentiable.
pub fn switch(data: &Output, pred: &Output) -> Switch {
    let node = NodeBuilder::new("Switch").input(data).input(pred);
    Switch(node)
}

/// A `Switch` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Switch(NodeBuilder);

impl Switch {
    /// Names the node.
    pub fn name(self, name: &str) -> Switch {
        Switch(self.0.name(name))
    }

    /// Adds the node and gives (`output_false`, `output_true`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `TensorArray(size) -> (handle)`.
///
/// * `size`: int32
/// * `dtype`: attribute, type
/// * gives `handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn tensor_array(size: &Output, dtype: DataType) -> TensorArray {
    let mut node = NodeBuilder::new("TensorArray").input(size);
    node.set("dtype", dtype.into());
    TensorArray(node)
}

/// A `TensorArray` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArray(NodeBuilder);

impl TensorArray {
    /// The attribute `dynamic_size`; `false` unless set.
    pub fn dynamic_size(mut self, value: bool) -> TensorArray {
        self.0.set("dynamic_size", value.into());
        self
    }

    /// The attribute `clear_after_read`; `true` unless set.
    pub fn clear_after_read(mut self, value: bool) -> TensorArray {
        self.0.set("clear_after_read", value.into());
        self
    }

    /// The attribute `tensor_array_name`; `""` unless set.
    pub fn tensor_array_name(mut self, value: &str) -> TensorArray {
        self.0.set("tensor_array_name", text(value));
        self
    }

    /// The attribute `element_shape`; `<unknown>` unless set.
    pub fn element_shape(mut self, value: &PartialShape) -> TensorArray {
        self.0.set("element_shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArray {
        TensorArray(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `TensorArrayClose(handle) -> ()`.
///
/// * `handle`: string, a reference
///
/// Gradients do not flow through it.
pub fn tensor_array_close(handle: &Output) -> ForOperation {
    let node = NodeBuilder::new("TensorArrayClose").input(handle);
    ForOperation(node)
}

/// `TensorArrayCloseV2(handle) -> ()`.
///
/// * `handle`: string
///
/// Gradients do not flow through it.
pub fn tensor_array_close_v2(handle: &Output) -> ForOperation {
    let node = NodeBuilder::new("TensorArrayCloseV2").input(handle);
    ForOperation(node)
}

/// `TensorArrayCloseV3(handle) -> ()`.
///
/// * `handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn tensor_array_close_v3(handle: &Output) -> ForOperation {
    let node = NodeBuilder::new("TensorArrayCloseV3").input(handle);
    ForOperation(node)
}

/// `TensorArrayConcat(handle, flow_in) -> (value, lengths)`.
///
/// * `handle`: string, a reference
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
/// * gives `lengths`: int64
///
/// Differentiable.
pub fn tensor_array_concat(
    handle: &Output,
    flow_in: &Output,
    dtype: DataType,
) -> TensorArrayConcat {
    let mut node = NodeBuilder::new("TensorArrayConcat").input(handle).input(flow_in);
    node.set("dtype", dtype.into());
    TensorArrayConcat(node)
}

/// A `TensorArrayConcat` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayConcat(NodeBuilder);

impl TensorArrayConcat {
    /// The attribute `element_shape_except0`; `<unknown>` unless set.
    pub fn element_shape_except0(mut self, value: &PartialShape) -> TensorArrayConcat {
        self.0.set("element_shape_except0", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayConcat {
        TensorArrayConcat(self.0.name(name))
    }

    /// Adds the node and gives (`value`, `lengths`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `TensorArrayConcatV2(handle, flow_in) -> (value, lengths)`.
///
/// * `handle`: string
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
/// * gives `lengths`: int64
///
/// Differentiable.
pub fn tensor_array_concat_v2(
    handle: &Output,
    flow_in: &Output,
    dtype: DataType,
) -> TensorArrayConcatV2 {
    let mut node = NodeBuilder::new("TensorArrayConcatV2").input(handle).input(flow_in);
    node.set("dtype", dtype.into());
    TensorArrayConcatV2(node)
}

/// A `TensorArrayConcatV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayConcatV2(NodeBuilder);

impl TensorArrayConcatV2 {
    /// The attribute `element_shape_except0`; `<unknown>` unless set.
    pub fn element_shape_except0(mut self, value: &PartialShape) -> TensorArrayConcatV2 {
        self.0.set("element_shape_except0", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayConcatV2 {
        TensorArrayConcatV2(self.0.name(name))
    }

    /// Adds the node and gives (`value`, `lengths`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `TensorArrayConcatV3(handle, flow_in) -> (value, lengths)`.
///
/// * `handle`: resource
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
/// * gives `lengths`: int64
///
/// Differentiable. Has state or effects.
pub fn tensor_array_concat_v3(
    handle: &Output,
    flow_in: &Output,
    dtype: DataType,
) -> TensorArrayConcatV3 {
    let mut node = NodeBuilder::new("TensorArrayConcatV3").input(handle).input(flow_in);
    node.set("dtype", dtype.into());
    TensorArrayConcatV3(node)
}

/// A `TensorArrayConcatV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayConcatV3(NodeBuilder);

impl TensorArrayConcatV3 {
    /// The attribute `element_shape_except0`; `<unknown>` unless set.
    pub fn element_shape_except0(mut self, value: &PartialShape) -> TensorArrayConcatV3 {
        self.0.set("element_shape_except0", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayConcatV3 {
        TensorArrayConcatV3(self.0.name(name))
    }

    /// Adds the node and gives (`value`, `lengths`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `TensorArrayGather(handle, indices, flow_in) -> (value)`.
///
/// * `handle`: string, a reference
/// * `indices`: int32
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
///
/// Differentiable.
pub fn tensor_array_gather(
    handle: &Output,
    indices: &Output,
    flow_in: &Output,
    dtype: DataType,
) -> TensorArrayGather {
    let mut node =
        NodeBuilder::new("TensorArrayGather").input(handle).input(indices).input(flow_in);
    node.set("dtype", dtype.into());
    TensorArrayGather(node)
}

/// A `TensorArrayGather` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayGather(NodeBuilder);

impl TensorArrayGather {
    /// The attribute `element_shape`; `<unknown>` unless set.
    pub fn element_shape(mut self, value: &PartialShape) -> TensorArrayGather {
        self.0.set("element_shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayGather {
        TensorArrayGather(self.0.name(name))
    }

    /// Adds the node and gives `value`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `TensorArrayGatherV2(handle, indices, flow_in) -> (value)`.
///
/// * `handle`: string
/// * `indices`: int32
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
///
/// Differentiable.
pub fn tensor_array_gather_v2(
    handle: &Output,
    indices: &Output,
    flow_in: &Output,
    dtype: DataType,
) -> TensorArrayGatherV2 {
    let mut node =
        NodeBuilder::new("TensorArrayGatherV2").input(handle).input(indices).input(flow_in);
    node.set("dtype", dtype.into());
    TensorArrayGatherV2(node)
}

/// A `TensorArrayGatherV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayGatherV2(NodeBuilder);

impl TensorArrayGatherV2 {
    /// The attribute `element_shape`; `<unknown>` unless set.
    pub fn element_shape(mut self, value: &PartialShape) -> TensorArrayGatherV2 {
        self.0.set("element_shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayGatherV2 {
        TensorArrayGatherV2(self.0.name(name))
    }

    /// Adds the node and gives `value`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `TensorArrayGatherV3(handle, indices, flow_in) -> (value)`.
///
/// * `handle`: resource
/// * `indices`: int32
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
///
/// Differentiable. Has state or effects.
pub fn tensor_array_gather_v3(
    handle: &Output,
    indices: &Output,
    flow_in: &Output,
    dtype: DataType,
) -> TensorArrayGatherV3 {
    let mut node =
        NodeBuilder::new("TensorArrayGatherV3").input(handle).input(indices).input(flow_in);
    node.set("dtype", dtype.into());
    TensorArrayGatherV3(node)
}

/// A `TensorArrayGatherV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayGatherV3(NodeBuilder);

impl TensorArrayGatherV3 {
    /// The attribute `element_shape`; `<unknown>` unless set.
    pub fn element_shape(mut self, value: &PartialShape) -> TensorArrayGatherV3 {
        self.0.set("element_shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayGatherV3 {
        TensorArrayGatherV3(self.0.name(name))
    }

    /// Adds the node and gives `value`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `TensorArrayGrad(handle, flow_in) -> (grad_handle)`.
///
/// * `handle`: string
/// * `flow_in`: float
/// * `source`: attribute, string
/// * gives `grad_handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn tensor_array_grad(handle: &Output, flow_in: &Output, source: &str) -> ForOutput {
    let mut node = NodeBuilder::new("TensorArrayGrad").input(handle).input(flow_in);
    node.set("source", text(source));
    ForOutput(node)
}

/// `TensorArrayGradV2(handle, flow_in) -> (grad_handle)`.
///
/// * `handle`: string
/// * `flow_in`: float
/// * `source`: attribute, string
/// * gives `grad_handle`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn tensor_array_grad_v2(handle: &Output, flow_in: &Output, source: &str) -> ForOutput {
    let mut node = NodeBuilder::new("TensorArrayGradV2").input(handle).input(flow_in);
    node.set("source", text(source));
    ForOutput(node)
}

/// `TensorArrayGradV3(handle, flow_in) -> (grad_handle, flow_out)`.
///
/// * `handle`: resource
/// * `flow_in`: float
/// * `source`: attribute, string
/// * gives `grad_handle`: resource
/// * gives `flow_out`: float
///
/// Gradients do not flow through it. Has state or effects.
pub fn tensor_array_grad_v3(handle: &Output, flow_in: &Output, source: &str) -> TensorArrayGradV3 {
    let mut node = NodeBuilder::new("TensorArrayGradV3").input(handle).input(flow_in);
    node.set("source", text(source));
    TensorArrayGradV3(node)
}

/// A `TensorArrayGradV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayGradV3(NodeBuilder);

impl TensorArrayGradV3 {
    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayGradV3 {
        TensorArrayGradV3(self.0.name(name))
    }

    /// Adds the node and gives (`grad_handle`, `flow_out`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `TensorArrayGradWithShape(handle, flow_in, shape_to_prepend) -> (grad_handle, flow_out)`.
///
/// * `handle`: resource
/// * `flow_in`: float
/// * `shape_to_prepend`: int32
/// * `source`: attribute, string
/// * gives `grad_handle`: resource
/// * gives `flow_out`: float
///
/// Gradients do not flow through it. Has state or effects.
pub fn tensor_array_grad_with_shape(
    handle: &Output,
    flow_in: &Output,
    shape_to_prepend: &Output,
    source: &str,
) -> TensorArrayGradWithShape {
    let mut node = NodeBuilder::new("TensorArrayGradWithShape")
        .input(handle)
        .input(flow_in)
        .input(shape_to_prepend);
    node.set("source", text(source));
    TensorArrayGradWithShape(node)
}

/// A `TensorArrayGradWithShape` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayGradWithShape(NodeBuilder);

impl TensorArrayGradWithShape {
    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayGradWithShape {
        TensorArrayGradWithShape(self.0.name(name))
    }

    /// Adds the node and gives (`grad_handle`, `flow_out`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `TensorArrayPack(handle, flow_in) -> (value)`.
///
/// * `handle`: string, a reference
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
///
/// Has no gradient.
pub fn tensor_array_pack(handle: &Output, flow_in: &Output, dtype: DataType) -> TensorArrayPack {
    let mut node = NodeBuilder::new("TensorArrayPack").input(handle).input(flow_in);
    node.set("dtype", dtype.into());
    TensorArrayPack(node)
}

/// A `TensorArrayPack` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayPack(NodeBuilder);

impl TensorArrayPack {
    /// The attribute `element_shape`; `<unknown>` unless set.
    pub fn element_shape(mut self, value: &PartialShape) -> TensorArrayPack {
        self.0.set("element_shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayPack {
        TensorArrayPack(self.0.name(name))
    }

    /// Adds the node and gives `value`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `TensorArrayRead(handle, index, flow_in) -> (value)`.
///
/// * `handle`: string, a reference
/// * `index`: int32
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
///
/// Differentiable.
pub fn tensor_array_read(
    handle: &Output,
    index: &Output,
    flow_in: &Output,
    dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("TensorArrayRead").input(handle).input(index).input(flow_in);
    node.set("dtype", dtype.into());
    ForOutput(node)
}

/// `TensorArrayReadV2(handle, index, flow_in) -> (value)`.
///
/// * `handle`: string
/// * `index`: int32
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
///
/// Differentiable.
pub fn tensor_array_read_v2(
    handle: &Output,
    index: &Output,
    flow_in: &Output,
    dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("TensorArrayReadV2").input(handle).input(index).input(flow_in);
    node.set("dtype", dtype.into());
    ForOutput(node)
}

/// `TensorArrayReadV3(handle, index, flow_in) -> (value)`.
///
/// * `handle`: resource
/// * `index`: int32
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
///
/// Differentiable. Has state or effects.
pub fn tensor_array_read_v3(
    handle: &Output,
    index: &Output,
    flow_in: &Output,
    dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("TensorArrayReadV3").input(handle).input(index).input(flow_in);
    node.set("dtype", dtype.into());
    ForOutput(node)
}

/// `TensorArrayScatter(handle, indices, value, flow_in) -> (flow_out)`.
///
/// * `handle`: string, a reference
/// * `indices`: int32
/// * `value`: `T` (any type)
/// * `flow_in`: float
/// * gives `flow_out`: float
///
/// Differentiable.
pub fn tensor_array_scatter(
    handle: &Output,
    indices: &Output,
    value: &Output,
    flow_in: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorArrayScatter")
        .input(handle)
        .input(indices)
        .input(value)
        .input(flow_in);
    ForOutput(node)
}

/// `TensorArrayScatterV2(handle, indices, value, flow_in) -> (flow_out)`.
///
/// * `handle`: string
/// * `indices`: int32
/// * `value`: `T` (any type)
/// * `flow_in`: float
/// * gives `flow_out`: float
///
/// Differentiable.
pub fn tensor_array_scatter_v2(
    handle: &Output,
    indices: &Output,
    value: &Output,
    flow_in: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorArrayScatterV2")
        .input(handle)
        .input(indices)
        .input(value)
        .input(flow_in);
    ForOutput(node)
}

/// `TensorArrayScatterV3(handle, indices, value, flow_in) -> (flow_out)`.
///
/// * `handle`: resource
/// * `indices`: int32
/// * `value`: `T` (any type)
/// * `flow_in`: float
/// * gives `flow_out`: float
///
/// Differentiable. Has state or effects.
pub fn tensor_array_scatter_v3(
    handle: &Output,
    indices: &Output,
    value: &Output,
    flow_in: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorArrayScatterV3")
        .input(handle)
        .input(indices)
        .input(value)
        .input(flow_in);
    ForOutput(node)
}

/// `TensorArraySize(handle, flow_in) -> (size)`.
///
/// * `handle`: string, a reference
/// * `flow_in`: float
/// * gives `size`: int32
///
/// Gradients do not flow through it.
pub fn tensor_array_size(handle: &Output, flow_in: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorArraySize").input(handle).input(flow_in);
    ForOutput(node)
}

/// `TensorArraySizeV2(handle, flow_in) -> (size)`.
///
/// * `handle`: string
/// * `flow_in`: float
/// * gives `size`: int32
///
/// Gradients do not flow through it.
pub fn tensor_array_size_v2(handle: &Output, flow_in: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorArraySizeV2").input(handle).input(flow_in);
    ForOutput(node)
}

/// `TensorArraySizeV3(handle, flow_in) -> (size)`.
///
/// * `handle`: resource
/// * `flow_in`: float
/// * gives `size`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn tensor_array_size_v3(handle: &Output, flow_in: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorArraySizeV3").input(handle).input(flow_in);
    ForOutput(node)
}

/// `TensorArraySplit(handle, value, lengths, flow_in) -> (flow_out)`.
///
/// * `handle`: string, a reference
/// * `value`: `T` (any type)
/// * `lengths`: int64
/// * `flow_in`: float
/// * gives `flow_out`: float
///
/// Differentiable.
pub fn tensor_array_split(
    handle: &Output,
    value: &Output,
    lengths: &Output,
    flow_in: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorArraySplit")
        .input(handle)
        .input(value)
        .input(lengths)
        .input(flow_in);
    ForOutput(node)
}

/// `TensorArraySplitV2(handle, value, lengths, flow_in) -> (flow_out)`.
///
/// * `handle`: string
/// * `value`: `T` (any type)
/// * `lengths`: int64
/// * `flow_in`: float
/// * gives `flow_out`: float
///
/// Differentiable.
pub fn tensor_array_split_v2(
    handle: &Output,
    value: &Output,
    lengths: &Output,
    flow_in: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorArraySplitV2")
        .input(handle)
        .input(value)
        .input(lengths)
        .input(flow_in);
    ForOutput(node)
}

/// `TensorArraySplitV3(handle, value, lengths, flow_in) -> (flow_out)`.
///
/// * `handle`: resource
/// * `value`: `T` (any type)
/// * `lengths`: int64
/// * `flow_in`: float
/// * gives `flow_out`: float
///
/// Differentiable. Has state or effects.
pub fn tensor_array_split_v3(
    handle: &Output,
    value: &Output,
    lengths: &Output,
    flow_in: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorArraySplitV3")
        .input(handle)
        .input(value)
        .input(lengths)
        .input(flow_in);
    ForOutput(node)
}

/// `TensorArrayUnpack(handle, value, flow_in) -> (flow_out)`.
///
/// * `handle`: string, a reference
/// * `value`: `T` (any type)
/// * `flow_in`: float
/// * gives `flow_out`: float
///
/// Has no gradient.
pub fn tensor_array_unpack(handle: &Output, value: &Output, flow_in: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorArrayUnpack").input(handle).input(value).input(flow_in);
    ForOutput(node)
}

/// `TensorArrayV2(size) -> (handle)`.
///
/// * `size`: int32
/// * `dtype`: attribute, type
/// * gives `handle`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn tensor_array_v2(size: &Output, dtype: DataType) -> TensorArrayV2 {
    let mut node = NodeBuilder::new("TensorArrayV2").input(size);
    node.set("dtype", dtype.into());
    TensorArrayV2(node)
}

/// A `TensorArrayV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayV2(NodeBuilder);

impl TensorArrayV2 {
    /// The attribute `element_shape`; `<unknown>` unless set.
    pub fn element_shape(mut self, value: &PartialShape) -> TensorArrayV2 {
        self.0.set("element_shape", value.clone().into());
        self
    }

    /// The attribute `dynamic_size`; `false` unless set.
    pub fn dynamic_size(mut self, value: bool) -> TensorArrayV2 {
        self.0.set("dynamic_size", value.into());
        self
    }

    /// The attribute `clear_after_read`; `true` unless set.
    pub fn clear_after_read(mut self, value: bool) -> TensorArrayV2 {
        self.0.set("clear_after_read", value.into());
        self
    }

    /// The attribute `tensor_array_name`; `""` unless set.
    pub fn tensor_array_name(mut self, value: &str) -> TensorArrayV2 {
        self.0.set("tensor_array_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayV2 {
        TensorArrayV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `TensorArrayV3(size) -> (handle, flow)`.
///
/// * `size`: int32
/// * `dtype`: attribute, type
/// * gives `handle`: resource
/// * gives `flow`: float
///
/// Gradients do not flow through it. Has state or effects.
pub fn tensor_array_v3(size: &Output, dtype: DataType) -> TensorArrayV3 {
    let mut node = NodeBuilder::new("TensorArrayV3").input(size);
    node.set("dtype", dtype.into());
    TensorArrayV3(node)
}

/// A `TensorArrayV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayV3(NodeBuilder);

impl TensorArrayV3 {
    /// The attribute `element_shape`; `<unknown>` unless set.
    pub fn element_shape(mut self, value: &PartialShape) -> TensorArrayV3 {
        self.0.set("element_shape", value.clone().into());
        self
    }

    /// The attribute `dynamic_size`; `false` unless set.
    pub fn dynamic_size(mut self, value: bool) -> TensorArrayV3 {
        self.0.set("dynamic_size", value.into());
        self
    }

    /// The attribute `clear_after_read`; `true` unless set.
    pub fn clear_after_read(mut self, value: bool) -> TensorArrayV3 {
        self.0.set("clear_after_read", value.into());
        self
    }

    /// The attribute `identical_element_shapes`; `false` unless set.
    pub fn identical_element_shapes(mut self, value: bool) -> TensorArrayV3 {
        self.0.set("identical_element_shapes", value.into());
        self
    }

    /// The attribute `tensor_array_name`; `""` unless set.
    pub fn tensor_array_name(mut self, value: &str) -> TensorArrayV3 {
        self.0.set("tensor_array_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayV3 {
        TensorArrayV3(self.0.name(name))
    }

    /// Adds the node and gives (`handle`, `flow`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `TensorArrayWrite(handle, index, value, flow_in) -> (flow_out)`.
///
/// * `handle`: string, a reference
/// * `index`: int32
/// * `value`: `T` (any type)
/// * `flow_in`: float
/// * gives `flow_out`: float
///
/// Differentiable.
pub fn tensor_array_write(
    handle: &Output,
    index: &Output,
    value: &Output,
    flow_in: &Output,
) -> ForOutput {
    let node =
        NodeBuilder::new("TensorArrayWrite").input(handle).input(index).input(value).input(flow_in);
    ForOutput(node)
}

/// `TensorArrayWriteV2(handle, index, value, flow_in) -> (flow_out)`.
///
/// * `handle`: string
/// * `index`: int32
/// * `value`: `T` (any type)
/// * `flow_in`: float
/// * gives `flow_out`: float
///
/// Differentiable.
pub fn tensor_array_write_v2(
    handle: &Output,
    index: &Output,
    value: &Output,
    flow_in: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorArrayWriteV2")
        .input(handle)
        .input(index)
        .input(value)
        .input(flow_in);
    ForOutput(node)
}

/// `TensorArrayWriteV3(handle, index, value, flow_in) -> (flow_out)`.
///
/// * `handle`: resource
/// * `index`: int32
/// * `value`: `T` (any type)
/// * `flow_in`: float
/// * gives `flow_out`: float
///
/// Differentiable. Has state or effects.
pub fn tensor_array_write_v3(
    handle: &Output,
    index: &Output,
    value: &Output,
    flow_in: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorArrayWriteV3")
        .input(handle)
        .input(index)
        .input(value)
        .input(flow_in);
    ForOutput(node)
}

/// `TensorListConcat(input_handle) -> (tensor, lengths)`.
///
/// * `input_handle`: variant
/// * `element_dtype`: attribute, type
/// * gives `tensor`: `element_dtype` (any type)
/// * gives `lengths`: int64
///
/// Differentiable.
pub fn tensor_list_concat(input_handle: &Output, element_dtype: DataType) -> TensorListConcat {
    let mut node = NodeBuilder::new("TensorListConcat").input(input_handle);
    node.set("element_dtype", element_dtype.into());
    TensorListConcat(node)
}

/// A `TensorListConcat` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorListConcat(NodeBuilder);

impl TensorListConcat {
    /// The attribute `element_shape`; `<unknown>` unless set.
    pub fn element_shape(mut self, value: &PartialShape) -> TensorListConcat {
        self.0.set("element_shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorListConcat {
        TensorListConcat(self.0.name(name))
    }

    /// Adds the node and gives (`tensor`, `lengths`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `TensorListConcatLists(input_a, input_b) -> (output)`.
///
/// * `input_a`: variant
/// * `input_b`: variant
/// * `element_dtype`: attribute, type
/// * gives `output`: variant
///
/// Gradients do not flow through it.
pub fn tensor_list_concat_lists(
    input_a: &Output,
    input_b: &Output,
    element_dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("TensorListConcatLists").input(input_a).input(input_b);
    node.set("element_dtype", element_dtype.into());
    ForOutput(node)
}

/// `TensorListConcatV2(input_handle, element_shape, leading_dims) -> (tensor, lengths)`.
///
/// * `input_handle`: variant
/// * `element_shape`: `shape_type` (int32, int64)
/// * `leading_dims`: int64
/// * `element_dtype`: attribute, type
/// * gives `tensor`: `element_dtype` (any type)
/// * gives `lengths`: int64
///
/// Differentiable.
pub fn tensor_list_concat_v2(
    input_handle: &Output,
    element_shape: &Output,
    leading_dims: &Output,
    element_dtype: DataType,
) -> TensorListConcatV2 {
    let mut node = NodeBuilder::new("TensorListConcatV2")
        .input(input_handle)
        .input(element_shape)
        .input(leading_dims);
    node.set("element_dtype", element_dtype.into());
    TensorListConcatV2(node)
}

/// A `TensorListConcatV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorListConcatV2(NodeBuilder);

impl TensorListConcatV2 {
    /// Names the node.
    pub fn name(self, name: &str) -> TensorListConcatV2 {
        TensorListConcatV2(self.0.name(name))
    }

    /// Adds the node and gives (`tensor`, `lengths`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `TensorListElementShape(input_handle) -> (element_shape)`.
///
/// * `input_handle`: variant
/// * `shape_type`: attribute, type, one of int32, int64
/// * gives `element_shape`: `shape_type` (int32, int64)
///
/// Gradients do not flow through it.
pub fn tensor_list_element_shape(input_handle: &Output, shape_type: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("TensorListElementShape").input(input_handle);
    node.set("shape_type", shape_type.into());
    ForOutput(node)
}

/// `TensorListFromTensor(tensor, element_shape) -> (output_handle)`.
///
/// * `tensor`: `element_dtype` (any type)
/// * `element_shape`: `shape_type` (int32, int64)
/// * gives `output_handle`: variant
///
/// Differentiable.
pub fn tensor_list_from_tensor(tensor: &Output, element_shape: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorListFromTensor").input(tensor).input(element_shape);
    ForOutput(node)
}

/// `TensorListGather(input_handle, indices, element_shape) -> (values)`.
///
/// * `input_handle`: variant
/// * `indices`: int32
/// * `element_shape`: int32
/// * `element_dtype`: attribute, type
/// * gives `values`: `element_dtype` (any type)
///
/// Differentiable.
pub fn tensor_list_gather(
    input_handle: &Output,
    indices: &Output,
    element_shape: &Output,
    element_dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("TensorListGather")
        .input(input_handle)
        .input(indices)
        .input(element_shape);
    node.set("element_dtype", element_dtype.into());
    ForOutput(node)
}

/// `TensorListGetItem(input_handle, index, element_shape) -> (item)`.
///
/// * `input_handle`: variant
/// * `index`: int32
/// * `element_shape`: `Tshape` (int32, int64)
/// * `element_dtype`: attribute, type
/// * gives `item`: `element_dtype` (any type)
///
/// Differentiable.
pub fn tensor_list_get_item(
    input_handle: &Output,
    index: &Output,
    element_shape: &Output,
    element_dtype: DataType,
) -> ForOutput {
    let mut node =
        NodeBuilder::new("TensorListGetItem").input(input_handle).input(index).input(element_shape);
    node.set("element_dtype", element_dtype.into());
    ForOutput(node)
}

/// `TensorListLength(input_handle) -> (length)`.
///
/// * `input_handle`: variant
/// * gives `length`: int32
///
/// Gradients do not flow through it.
pub fn tensor_list_length(input_handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorListLength").input(input_handle);
    ForOutput(node)
}

/// `TensorListPopBack(input_handle, element_shape) -> (output_handle, tensor)`.
///
/// * `input_handle`: variant
/// * `element_shape`: int32
/// * `element_dtype`: attribute, type
/// * gives `output_handle`: variant
/// * gives `tensor`: `element_dtype` (any type)
///
/// Differentiable.
pub fn tensor_list_pop_back(
    input_handle: &Output,
    element_shape: &Output,
    element_dtype: DataType,
) -> TensorListPopBack {
    let mut node = NodeBuilder::new("TensorListPopBack").input(input_handle).input(element_shape);
    node.set("element_dtype", element_dtype.into());
    TensorListPopBack(node)
}

/// A `TensorListPopBack` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorListPopBack(NodeBuilder);

impl TensorListPopBack {
    /// Names the node.
    pub fn name(self, name: &str) -> TensorListPopBack {
        TensorListPopBack(self.0.name(name))
    }

    /// Adds the node and gives (`output_handle`, `tensor`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `TensorListPushBack(input_handle, tensor) -> (output_handle)`.
///
/// * `input_handle`: variant
/// * `tensor`: `element_dtype` (any type)
/// * gives `output_handle`: variant
///
/// Differentiable.
pub fn tensor_list_push_back(input_handle: &Output, tensor: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorListPushBack").input(input_handle).input(tensor);
    ForOutput(node)
}

/// `TensorListPushBackBatch(input_handles, tensor) -> (output_handles)`.
///
/// * `input_handles`: variant
/// * `tensor`: `element_dtype` (any type)
/// * gives `output_handles`: variant
///
/// Gradients do not flow through it.
pub fn tensor_list_push_back_batch(input_handles: &Output, tensor: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorListPushBackBatch").input(input_handles).input(tensor);
    ForOutput(node)
}

/// `TensorListReserve(element_shape, num_elements) -> (handle)`.
///
/// * `element_shape`: `shape_type` (int32, int64)
/// * `num_elements`: int32
/// * `element_dtype`: attribute, type
/// * gives `handle`: variant
///
/// Gradients do not flow through it.
pub fn tensor_list_reserve(
    element_shape: &Output,
    num_elements: &Output,
    element_dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("TensorListReserve").input(element_shape).input(num_elements);
    node.set("element_dtype", element_dtype.into());
    ForOutput(node)
}

/// `TensorListResize(input_handle, size) -> (output_handle)`.
///
/// * `input_handle`: variant
/// * `size`: int32
/// * gives `output_handle`: variant
///
/// Differentiable.
pub fn tensor_list_resize(input_handle: &Output, size: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorListResize").input(input_handle).input(size);
    ForOutput(node)
}

/// `TensorListScatter(tensor, indices, element_shape) -> (output_handle)`.
///
/// * `tensor`: `element_dtype` (any type)
/// * `indices`: int32
/// * `element_shape`: `shape_type` (int32, int64)
/// * gives `output_handle`: variant
///
/// Differentiable.
pub fn tensor_list_scatter(tensor: &Output, indices: &Output, element_shape: &Output) -> ForOutput {
    let node =
        NodeBuilder::new("TensorListScatter").input(tensor).input(indices).input(element_shape);
    ForOutput(node)
}

/// `TensorListScatterIntoExistingList(input_handle, tensor, indices) -> (output_handle)`.
///
/// * `input_handle`: variant
/// * `tensor`: `element_dtype` (any type)
/// * `indices`: int32
/// * gives `output_handle`: variant
///
/// Differentiable.
pub fn tensor_list_scatter_into_existing_list(
    input_handle: &Output,
    tensor: &Output,
    indices: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorListScatterIntoExistingList")
        .input(input_handle)
        .input(tensor)
        .input(indices);
    ForOutput(node)
}

/// `TensorListScatterV2(tensor, indices, element_shape, num_elements) -> (output_handle)`.
///
/// * `tensor`: `element_dtype` (any type)
/// * `indices`: int32
/// * `element_shape`: `shape_type` (int32, int64)
/// * `num_elements`: int32
/// * gives `output_handle`: variant
///
/// Differentiable.
pub fn tensor_list_scatter_v2(
    tensor: &Output,
    indices: &Output,
    element_shape: &Output,
    num_elements: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorListScatterV2")
        .input(tensor)
        .input(indices)
        .input(element_shape)
        .input(num_elements);
    ForOutput(node)
}

/// `TensorListSetItem(input_handle, index, item) -> (output_handle)`.
///
/// * `input_handle`: variant
/// * `index`: int32
/// * `item`: `element_dtype` (any type)
/// * gives `output_handle`: variant
///
/// Differentiable.
pub fn tensor_list_set_item(
    input_handle: &Output,
    index: &Output,
    item: &Output,
) -> TensorListSetItem {
    let node = NodeBuilder::new("TensorListSetItem").input(input_handle).input(index).input(item);
    TensorListSetItem(node)
}

/// A `TensorListSetItem` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorListSetItem(NodeBuilder);

impl TensorListSetItem {
    /// The attribute `resize_if_index_out_of_bounds`; `false` unless set.
    pub fn resize_if_index_out_of_bounds(mut self, value: bool) -> TensorListSetItem {
        self.0.set("resize_if_index_out_of_bounds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorListSetItem {
        TensorListSetItem(self.0.name(name))
    }

    /// Adds the node and gives `output_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `TensorListSplit(tensor, element_shape, lengths) -> (output_handle)`.
///
/// * `tensor`: `element_dtype` (any type)
/// * `element_shape`: `shape_type` (int32, int64)
/// * `lengths`: int64
/// * gives `output_handle`: variant
///
/// Differentiable.
pub fn tensor_list_split(tensor: &Output, element_shape: &Output, lengths: &Output) -> ForOutput {
    let node =
        NodeBuilder::new("TensorListSplit").input(tensor).input(element_shape).input(lengths);
    ForOutput(node)
}

/// `TensorListStack(input_handle, element_shape) -> (tensor)`.
///
/// * `input_handle`: variant
/// * `element_shape`: int32
/// * `element_dtype`: attribute, type
/// * gives `tensor`: `element_dtype` (any type)
///
/// Differentiable.
pub fn tensor_list_stack(
    input_handle: &Output,
    element_shape: &Output,
    element_dtype: DataType,
) -> TensorListStack {
    let mut node = NodeBuilder::new("TensorListStack").input(input_handle).input(element_shape);
    node.set("element_dtype", element_dtype.into());
    TensorListStack(node)
}

/// A `TensorListStack` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorListStack(NodeBuilder);

impl TensorListStack {
    /// The attribute `num_elements`; `-1` unless set.
    pub fn num_elements(mut self, value: i64) -> TensorListStack {
        self.0.set("num_elements", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorListStack {
        TensorListStack(self.0.name(name))
    }

    /// Adds the node and gives `tensor`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `TensorMapErase(input_handle, key) -> (output_handle)`.
///
/// * `input_handle`: variant
/// * `key`: `key_dtype` (any type)
/// * `value_dtype`: attribute, type
/// * gives `output_handle`: variant
///
/// Differentiable.
pub fn tensor_map_erase(input_handle: &Output, key: &Output, value_dtype: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("TensorMapErase").input(input_handle).input(key);
    node.set("value_dtype", value_dtype.into());
    ForOutput(node)
}

/// `TensorMapHasKey(input_handle, key) -> (has_key)`.
///
/// * `input_handle`: variant
/// * `key`: `key_dtype` (any type)
/// * gives `has_key`: bool
///
/// Gradients do not flow through it.
pub fn tensor_map_has_key(input_handle: &Output, key: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorMapHasKey").input(input_handle).input(key);
    ForOutput(node)
}

/// `TensorMapInsert(input_handle, key, value) -> (output_handle)`.
///
/// * `input_handle`: variant
/// * `key`: `key_dtype` (any type)
/// * `value`: `value_dtype` (any type)
/// * gives `output_handle`: variant
///
/// Has no gradient.
pub fn tensor_map_insert(input_handle: &Output, key: &Output, value: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorMapInsert").input(input_handle).input(key).input(value);
    ForOutput(node)
}

/// `TensorMapLookup(input_handle, key) -> (value)`.
///
/// * `input_handle`: variant
/// * `key`: `key_dtype` (any type)
/// * `value_dtype`: attribute, type
/// * gives `value`: `value_dtype` (any type)
///
/// Differentiable.
pub fn tensor_map_lookup(input_handle: &Output, key: &Output, value_dtype: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("TensorMapLookup").input(input_handle).input(key);
    node.set("value_dtype", value_dtype.into());
    ForOutput(node)
}

/// `TensorMapSize(input_handle) -> (size)`.
///
/// * `input_handle`: variant
/// * gives `size`: int32
///
/// Gradients do not flow through it.
pub fn tensor_map_size(input_handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorMapSize").input(input_handle);
    ForOutput(node)
}

/// `TensorMapStackKeys(input_handle) -> (keys)`.
///
/// * `input_handle`: variant
/// * `key_dtype`: attribute, type
/// * gives `keys`: `key_dtype` (any type)
///
/// Gradients do not flow through it.
pub fn tensor_map_stack_keys(input_handle: &Output, key_dtype: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("TensorMapStackKeys").input(input_handle);
    node.set("key_dtype", key_dtype.into());
    ForOutput(node)
}

/// `Timestamp() -> (ts)`.
///
/// * gives `ts`: double
///
/// Gradients do not flow through it. Has state or effects.
pub fn timestamp(graph: &Graph) -> ForOutput {
    let node = NodeBuilder::in_graph(graph, "Timestamp");
    ForOutput(node)
}

/// `ToBool(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: bool
///
/// Gradients do not flow through it.
pub fn to_bool(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("ToBool").input(input);
    ForOutput(node)
}

/// `Unstage() -> (values)`.
///
/// * `dtypes`: attribute, list(type), at least 1 long
/// * gives `values`: several, of types `dtypes`
///
/// Gradients do not flow through it. Has state or effects.
pub fn unstage(graph: &Graph, dtypes: &[DataType]) -> Unstage {
    let mut node = NodeBuilder::in_graph(graph, "Unstage");
    node.set("dtypes", dtypes.to_vec().into());
    Unstage(node)
}

/// A `Unstage` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Unstage(NodeBuilder);

impl Unstage {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> Unstage {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> Unstage {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> Unstage {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> Unstage {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Unstage {
        Unstage(self.0.name(name))
    }

    /// Adds the node and gives `values`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `While(input) -> (output)`.
///
/// * `input`: several, of types `T`
/// * `cond`: attribute, func
/// * `body`: attribute, func
/// * gives `output`: several, of types `T`
///
/// Has no gradient. Has state or effects.
pub fn while_(graph: &Graph, input: &[Output], cond: &Function, body: &Function) -> While {
    let mut node = NodeBuilder::in_graph(graph, "While").list(input);
    node.set("cond", cond.clone().into());
    node.set("body", body.clone().into());
    While(node)
}

/// A `While` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct While(NodeBuilder);

impl While {
    /// The attribute `output_shapes`; an empty list unless set.
    pub fn output_shapes(mut self, value: &[PartialShape]) -> While {
        self.0.set("output_shapes", value.to_vec().into());
        self
    }

    /// The attribute `parallel_iterations`; `10` unless set.
    pub fn parallel_iterations(mut self, value: i64) -> While {
        self.0.set("parallel_iterations", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> While {
        While(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
