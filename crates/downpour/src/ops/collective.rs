//! Operations of the family `collective`. Generated from their definitions by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these a family needs depends on its operations
use super::support::*;

/// `CollectiveAllToAllV2(input, group_size, group_key, instance_key, ordering_token) -> (data)`.
///
/// * `input`: `T` (bfloat16, float, half, double, int32, int64)
/// * `group_size`: int32
/// * `group_key`: int32
/// * `instance_key`: int32
/// * `ordering_token`: `Nordering_token` values of resource
/// * gives `data`: `T` (bfloat16, float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_all_to_all_v2(
    input: &Output,
    group_size: &Output,
    group_key: &Output,
    instance_key: &Output,
    ordering_token: &[Output],
) -> CollectiveAllToAllV2 {
    let node = NodeBuilder::new("CollectiveAllToAllV2")
        .input(input)
        .input(group_size)
        .input(group_key)
        .input(instance_key)
        .list(ordering_token);
    CollectiveAllToAllV2(node)
}

/// A `CollectiveAllToAllV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveAllToAllV2(NodeBuilder);

impl CollectiveAllToAllV2 {
    /// The attribute `communication_hint`; `"auto"` unless set.
    pub fn communication_hint(mut self, value: &str) -> CollectiveAllToAllV2 {
        self.0.set("communication_hint", text(value));
        self
    }

    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveAllToAllV2 {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// The attribute `is_stateless`; `false` unless set.
    pub fn is_stateless(mut self, value: bool) -> CollectiveAllToAllV2 {
        self.0.set("is_stateless", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveAllToAllV2 {
        CollectiveAllToAllV2(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `CollectiveAllToAllV3(input, communicator, group_assignment) -> (data)`.
///
/// * `input`: `T` (bfloat16, float, half, double, int32, int64)
/// * `communicator`: resource
/// * `group_assignment`: int32
/// * gives `data`: `T` (bfloat16, float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_all_to_all_v3(
    input: &Output,
    communicator: &Output,
    group_assignment: &Output,
) -> CollectiveAllToAllV3 {
    let node = NodeBuilder::new("CollectiveAllToAllV3")
        .input(input)
        .input(communicator)
        .input(group_assignment);
    CollectiveAllToAllV3(node)
}

/// A `CollectiveAllToAllV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveAllToAllV3(NodeBuilder);

impl CollectiveAllToAllV3 {
    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveAllToAllV3 {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveAllToAllV3 {
        CollectiveAllToAllV3(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `CollectiveAssignGroupV2(group_assignment, device_index, base_key) -> (group_size, group_key)`.
///
/// * `group_assignment`: int32
/// * `device_index`: int32
/// * `base_key`: int32
/// * gives `group_size`: int32
/// * gives `group_key`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_assign_group_v2(
    group_assignment: &Output,
    device_index: &Output,
    base_key: &Output,
) -> CollectiveAssignGroupV2 {
    let node = NodeBuilder::new("CollectiveAssignGroupV2")
        .input(group_assignment)
        .input(device_index)
        .input(base_key);
    CollectiveAssignGroupV2(node)
}

/// A `CollectiveAssignGroupV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveAssignGroupV2(NodeBuilder);

impl CollectiveAssignGroupV2 {
    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveAssignGroupV2 {
        CollectiveAssignGroupV2(self.0.name(name))
    }

    /// Adds the node and gives (`group_size`, `group_key`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `CollectiveBcastRecv() -> (data)`.
///
/// * `T`: attribute, type, one of bool, float, half, double, int32, int64
/// * `group_size`: attribute, int
/// * `group_key`: attribute, int
/// * `instance_key`: attribute, int
/// * `shape`: attribute, shape
/// * gives `data`: `T` (bool, float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_bcast_recv(
    graph: &Graph,
    t: DataType,
    group_size: i64,
    group_key: i64,
    instance_key: i64,
    shape: &PartialShape,
) -> CollectiveBcastRecv {
    let mut node = NodeBuilder::in_graph(graph, "CollectiveBcastRecv");
    node.set("T", t.into());
    node.set("group_size", group_size.into());
    node.set("group_key", group_key.into());
    node.set("instance_key", instance_key.into());
    node.set("shape", shape.clone().into());
    CollectiveBcastRecv(node)
}

/// A `CollectiveBcastRecv` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveBcastRecv(NodeBuilder);

impl CollectiveBcastRecv {
    /// The attribute `communication_hint`; `"auto"` unless set.
    pub fn communication_hint(mut self, value: &str) -> CollectiveBcastRecv {
        self.0.set("communication_hint", text(value));
        self
    }

    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveBcastRecv {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveBcastRecv {
        CollectiveBcastRecv(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `CollectiveBcastRecvV2(group_size, group_key, instance_key, shape) -> (data)`.
///
/// * `group_size`: int32
/// * `group_key`: int32
/// * `instance_key`: int32
/// * `shape`: `Tshape` (int32, int64)
/// * `T`: attribute, type, one of bool, float, half, double, int32, int64
/// * gives `data`: `T` (bool, float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_bcast_recv_v2(
    group_size: &Output,
    group_key: &Output,
    instance_key: &Output,
    shape: &Output,
    t: DataType,
) -> CollectiveBcastRecvV2 {
    let mut node = NodeBuilder::new("CollectiveBcastRecvV2")
        .input(group_size)
        .input(group_key)
        .input(instance_key)
        .input(shape);
    node.set("T", t.into());
    CollectiveBcastRecvV2(node)
}

/// A `CollectiveBcastRecvV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveBcastRecvV2(NodeBuilder);

impl CollectiveBcastRecvV2 {
    /// The attribute `communication_hint`; `"auto"` unless set.
    pub fn communication_hint(mut self, value: &str) -> CollectiveBcastRecvV2 {
        self.0.set("communication_hint", text(value));
        self
    }

    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveBcastRecvV2 {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveBcastRecvV2 {
        CollectiveBcastRecvV2(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `CollectiveBcastSend(input) -> (data)`.
///
/// * `input`: `T` (bool, float, half, double, int32, int64)
/// * `group_size`: attribute, int
/// * `group_key`: attribute, int
/// * `instance_key`: attribute, int
/// * `shape`: attribute, shape
/// * gives `data`: `T` (bool, float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_bcast_send(
    input: &Output,
    group_size: i64,
    group_key: i64,
    instance_key: i64,
    shape: &PartialShape,
) -> CollectiveBcastSend {
    let mut node = NodeBuilder::new("CollectiveBcastSend").input(input);
    node.set("group_size", group_size.into());
    node.set("group_key", group_key.into());
    node.set("instance_key", instance_key.into());
    node.set("shape", shape.clone().into());
    CollectiveBcastSend(node)
}

/// A `CollectiveBcastSend` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveBcastSend(NodeBuilder);

impl CollectiveBcastSend {
    /// The attribute `communication_hint`; `"auto"` unless set.
    pub fn communication_hint(mut self, value: &str) -> CollectiveBcastSend {
        self.0.set("communication_hint", text(value));
        self
    }

    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveBcastSend {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveBcastSend {
        CollectiveBcastSend(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `CollectiveBcastSendV2(input, group_size, group_key, instance_key) -> (data)`.
///
/// * `input`: `T` (bool, float, half, double, int32, int64)
/// * `group_size`: int32
/// * `group_key`: int32
/// * `instance_key`: int32
/// * gives `data`: `T` (bool, float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_bcast_send_v2(
    input: &Output,
    group_size: &Output,
    group_key: &Output,
    instance_key: &Output,
) -> CollectiveBcastSendV2 {
    let node = NodeBuilder::new("CollectiveBcastSendV2")
        .input(input)
        .input(group_size)
        .input(group_key)
        .input(instance_key);
    CollectiveBcastSendV2(node)
}

/// A `CollectiveBcastSendV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveBcastSendV2(NodeBuilder);

impl CollectiveBcastSendV2 {
    /// The attribute `communication_hint`; `"auto"` unless set.
    pub fn communication_hint(mut self, value: &str) -> CollectiveBcastSendV2 {
        self.0.set("communication_hint", text(value));
        self
    }

    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveBcastSendV2 {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveBcastSendV2 {
        CollectiveBcastSendV2(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `CollectiveGather(input) -> (data)`.
///
/// * `input`: `T` (float, half, double, int32, int64)
/// * `group_size`: attribute, int
/// * `group_key`: attribute, int
/// * `instance_key`: attribute, int
/// * `shape`: attribute, shape
/// * gives `data`: `T` (float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_gather(
    input: &Output,
    group_size: i64,
    group_key: i64,
    instance_key: i64,
    shape: &PartialShape,
) -> CollectiveGather {
    let mut node = NodeBuilder::new("CollectiveGather").input(input);
    node.set("group_size", group_size.into());
    node.set("group_key", group_key.into());
    node.set("instance_key", instance_key.into());
    node.set("shape", shape.clone().into());
    CollectiveGather(node)
}

/// A `CollectiveGather` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveGather(NodeBuilder);

impl CollectiveGather {
    /// The attribute `communication_hint`; `"auto"` unless set.
    pub fn communication_hint(mut self, value: &str) -> CollectiveGather {
        self.0.set("communication_hint", text(value));
        self
    }

    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveGather {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveGather {
        CollectiveGather(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `CollectiveGatherV2(input, group_size, group_key, instance_key, ordering_token) -> (data)`.
///
/// * `input`: `T` (float, half, double, int32, int64)
/// * `group_size`: int32
/// * `group_key`: int32
/// * `instance_key`: int32
/// * `ordering_token`: `Nordering_token` values of resource
/// * gives `data`: `T` (float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_gather_v2(
    input: &Output,
    group_size: &Output,
    group_key: &Output,
    instance_key: &Output,
    ordering_token: &[Output],
) -> CollectiveGatherV2 {
    let node = NodeBuilder::new("CollectiveGatherV2")
        .input(input)
        .input(group_size)
        .input(group_key)
        .input(instance_key)
        .list(ordering_token);
    CollectiveGatherV2(node)
}

/// A `CollectiveGatherV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveGatherV2(NodeBuilder);

impl CollectiveGatherV2 {
    /// The attribute `communication_hint`; `"auto"` unless set.
    pub fn communication_hint(mut self, value: &str) -> CollectiveGatherV2 {
        self.0.set("communication_hint", text(value));
        self
    }

    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveGatherV2 {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// The attribute `is_stateless`; `false` unless set.
    pub fn is_stateless(mut self, value: bool) -> CollectiveGatherV2 {
        self.0.set("is_stateless", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveGatherV2 {
        CollectiveGatherV2(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `CollectiveInitializeCommunicator(group_key, rank, group_size) -> (communicator)`.
///
/// * `group_key`: int32
/// * `rank`: int32
/// * `group_size`: int32
/// * gives `communicator`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_initialize_communicator(
    group_key: &Output,
    rank: &Output,
    group_size: &Output,
) -> CollectiveInitializeCommunicator {
    let node = NodeBuilder::new("CollectiveInitializeCommunicator")
        .input(group_key)
        .input(rank)
        .input(group_size);
    CollectiveInitializeCommunicator(node)
}

/// A `CollectiveInitializeCommunicator` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveInitializeCommunicator(NodeBuilder);

impl CollectiveInitializeCommunicator {
    /// The attribute `communication_hint`; `"auto"` unless set.
    pub fn communication_hint(mut self, value: &str) -> CollectiveInitializeCommunicator {
        self.0.set("communication_hint", text(value));
        self
    }

    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveInitializeCommunicator {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveInitializeCommunicator {
        CollectiveInitializeCommunicator(self.0.name(name))
    }

    /// Adds the node and gives `communicator`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `CollectiveReduce(input) -> (data)`.
///
/// * `input`: `T` (bfloat16, float, half, double, int32, int64)
/// * `group_size`: attribute, int
/// * `group_key`: attribute, int
/// * `instance_key`: attribute, int
/// * `merge_op`: attribute, string, one of `"Min"`, `"Max"`, `"Mul"`, `"Add"`
/// * `final_op`: attribute, string, one of `"Id"`, `"Div"`
/// * `subdiv_offsets`: attribute, list(int)
/// * gives `data`: `T` (bfloat16, float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_reduce(
    input: &Output,
    group_size: i64,
    group_key: i64,
    instance_key: i64,
    merge_op: &str,
    final_op: &str,
    subdiv_offsets: &[i64],
) -> CollectiveReduce {
    let mut node = NodeBuilder::new("CollectiveReduce").input(input);
    node.set("group_size", group_size.into());
    node.set("group_key", group_key.into());
    node.set("instance_key", instance_key.into());
    node.set("merge_op", text(merge_op));
    node.set("final_op", text(final_op));
    node.set("subdiv_offsets", subdiv_offsets.to_vec().into());
    CollectiveReduce(node)
}

/// A `CollectiveReduce` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveReduce(NodeBuilder);

impl CollectiveReduce {
    /// The attribute `wait_for`; an empty list unless set.
    pub fn wait_for(mut self, value: &[i64]) -> CollectiveReduce {
        self.0.set("wait_for", value.to_vec().into());
        self
    }

    /// The attribute `communication_hint`; `"auto"` unless set.
    pub fn communication_hint(mut self, value: &str) -> CollectiveReduce {
        self.0.set("communication_hint", text(value));
        self
    }

    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveReduce {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveReduce {
        CollectiveReduce(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `CollectiveReduceScatterV2(input, group_size, group_key, instance_key, ordering_token) -> (data)`.
///
/// * `input`: `T` (bfloat16, float, half, double, int32, int64)
/// * `group_size`: int32
/// * `group_key`: int32
/// * `instance_key`: int32
/// * `ordering_token`: `Nordering_token` values of resource
/// * `merge_op`: attribute, string, one of `"Min"`, `"Max"`, `"Mul"`, `"Add"`
/// * `final_op`: attribute, string, one of `"Id"`, `"Div"`
/// * gives `data`: `T` (bfloat16, float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_reduce_scatter_v2(
    input: &Output,
    group_size: &Output,
    group_key: &Output,
    instance_key: &Output,
    ordering_token: &[Output],
    merge_op: &str,
    final_op: &str,
) -> CollectiveReduceScatterV2 {
    let mut node = NodeBuilder::new("CollectiveReduceScatterV2")
        .input(input)
        .input(group_size)
        .input(group_key)
        .input(instance_key)
        .list(ordering_token);
    node.set("merge_op", text(merge_op));
    node.set("final_op", text(final_op));
    CollectiveReduceScatterV2(node)
}

/// A `CollectiveReduceScatterV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveReduceScatterV2(NodeBuilder);

impl CollectiveReduceScatterV2 {
    /// The attribute `communication_hint`; `"auto"` unless set.
    pub fn communication_hint(mut self, value: &str) -> CollectiveReduceScatterV2 {
        self.0.set("communication_hint", text(value));
        self
    }

    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveReduceScatterV2 {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// The attribute `is_stateless`; `false` unless set.
    pub fn is_stateless(mut self, value: bool) -> CollectiveReduceScatterV2 {
        self.0.set("is_stateless", value.into());
        self
    }

    /// The attribute `max_subdivs_per_device`; `-1` unless set.
    pub fn max_subdivs_per_device(mut self, value: i64) -> CollectiveReduceScatterV2 {
        self.0.set("max_subdivs_per_device", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveReduceScatterV2 {
        CollectiveReduceScatterV2(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `CollectiveReduceV2(input, group_size, group_key, instance_key, ordering_token) -> (data)`.
///
/// * `input`: `T` (bfloat16, float, half, double, int32, int64)
/// * `group_size`: int32
/// * `group_key`: int32
/// * `instance_key`: int32
/// * `ordering_token`: `Nordering_token` values of resource
/// * `merge_op`: attribute, string, one of `"Min"`, `"Max"`, `"Mul"`, `"Add"`
/// * `final_op`: attribute, string, one of `"Id"`, `"Div"`
/// * gives `data`: `T` (bfloat16, float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_reduce_v2(
    input: &Output,
    group_size: &Output,
    group_key: &Output,
    instance_key: &Output,
    ordering_token: &[Output],
    merge_op: &str,
    final_op: &str,
) -> CollectiveReduceV2 {
    let mut node = NodeBuilder::new("CollectiveReduceV2")
        .input(input)
        .input(group_size)
        .input(group_key)
        .input(instance_key)
        .list(ordering_token);
    node.set("merge_op", text(merge_op));
    node.set("final_op", text(final_op));
    CollectiveReduceV2(node)
}

/// A `CollectiveReduceV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveReduceV2(NodeBuilder);

impl CollectiveReduceV2 {
    /// The attribute `communication_hint`; `"auto"` unless set.
    pub fn communication_hint(mut self, value: &str) -> CollectiveReduceV2 {
        self.0.set("communication_hint", text(value));
        self
    }

    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveReduceV2 {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// The attribute `is_stateless`; `false` unless set.
    pub fn is_stateless(mut self, value: bool) -> CollectiveReduceV2 {
        self.0.set("is_stateless", value.into());
        self
    }

    /// The attribute `max_subdivs_per_device`; `-1` unless set.
    pub fn max_subdivs_per_device(mut self, value: i64) -> CollectiveReduceV2 {
        self.0.set("max_subdivs_per_device", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveReduceV2 {
        CollectiveReduceV2(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `CollectiveReduceV3(input, communicator, group_assignment) -> (data)`.
///
/// * `input`: `T` (bfloat16, float, half, double, int32, int64)
/// * `communicator`: resource
/// * `group_assignment`: int32
/// * `reduction`: attribute, string, one of `"Min"`, `"Max"`, `"Mul"`, `"Add"`
/// * gives `data`: `T` (bfloat16, float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_reduce_v3(
    input: &Output,
    communicator: &Output,
    group_assignment: &Output,
    reduction: &str,
) -> CollectiveReduceV3 {
    let mut node = NodeBuilder::new("CollectiveReduceV3")
        .input(input)
        .input(communicator)
        .input(group_assignment);
    node.set("reduction", text(reduction));
    CollectiveReduceV3(node)
}

/// A `CollectiveReduceV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveReduceV3(NodeBuilder);

impl CollectiveReduceV3 {
    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveReduceV3 {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveReduceV3 {
        CollectiveReduceV3(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
