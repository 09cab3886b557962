//! RunMetadata: what a traced step did, in the form TensorFlow's timeline draws.

use downpour_graph::passes::ABSORBED;
use downpour_runtime::{NodeTrace, OutputTrace, StepTrace};
use downpour_wire::{proto, shape_to_proto};

/// The statistics of one device.
pub fn step_stats(trace: &StepTrace, device: &str) -> proto::StepStats {
    let node_stats = trace.nodes().iter().flat_map(with_absorbed).collect();
    let device =
        proto::DeviceStepStats { device: device.to_string(), node_stats, ..Default::default() };
    proto::StepStats { dev_stats: vec![device] }
}

/// A node and those that were fused into it, which the client knows by their own names.
fn with_absorbed(node: &NodeTrace) -> Vec<proto::NodeExecStats> {
    let own = node_stats(node);
    let absorbed = node.node.strings(ABSORBED).unwrap_or_default();
    let absorbed = absorbed.iter().map(|title| proto::NodeExecStats {
        node_name: title.split(' ').next().unwrap_or(title).to_string(),
        all_start_micros: own.all_start_micros,
        all_start_nanos: own.all_start_nanos,
        scheduled_micros: own.scheduled_micros,
        scheduled_nanos: own.scheduled_nanos,
        thread_id: own.thread_id,
        timeline_label: format!("{title}(in {})", node.node.name),
        ..Default::default()
    });
    absorbed.collect::<Vec<_>>().into_iter().chain([own]).collect()
}

fn node_stats(node: &NodeTrace) -> proto::NodeExecStats {
    let micros = |nanos: u64| (nanos / 1000) as i64;
    proto::NodeExecStats {
        node_name: node.node.name.clone(),
        all_start_micros: micros(node.start_nanos),
        op_end_rel_micros: micros(node.duration_nanos),
        all_end_rel_micros: micros(node.duration_nanos),
        all_start_nanos: node.start_nanos as i64,
        op_end_rel_nanos: node.duration_nanos as i64,
        all_end_rel_nanos: node.duration_nanos as i64,
        scheduled_micros: micros(node.start_nanos),
        scheduled_nanos: node.start_nanos as i64,
        thread_id: node.thread,
        timeline_label: label(node),
        memory: vec![allocator_memory(node)],
        output: node.outputs.iter().map(output).collect(),
        ..Default::default()
    }
}

/// `name = Operation(inputs)`: the timeline takes the operation from here.
fn label(node: &NodeTrace) -> String {
    let inputs = node.node.inputs.len();
    format!("{} = {}({inputs} inputs)", node.node.name, node.node.op_name())
}

fn allocator_memory(node: &NodeTrace) -> proto::AllocatorMemoryUsed {
    let bytes = node.outputs.iter().map(|o| o.bytes as i64).sum();
    proto::AllocatorMemoryUsed {
        allocator_name: "cpu".to_string(),
        total_bytes: bytes,
        peak_bytes: bytes,
        ..Default::default()
    }
}

fn output(output: &OutputTrace) -> proto::NodeOutput {
    proto::NodeOutput {
        slot: output.slot as i32,
        tensor_description: Some(proto::TensorDescription {
            dtype: output.dtype as i32,
            shape: Some(shape_to_proto(&output.shape)),
            allocation_description: Some(proto::AllocationDescription {
                requested_bytes: output.bytes as i64,
                allocated_bytes: output.bytes as i64,
                allocator_name: "cpu".to_string(),
                ..Default::default()
            }),
        }),
    }
}

/// Measured times and sizes per node, as ConfigProto.graph_options.build_cost_model asks.
pub fn cost_graph(trace: &StepTrace, device: &str) -> proto::CostGraphDef {
    let nodes = trace.nodes();
    let node = nodes
        .iter()
        .enumerate()
        .map(|(id, node)| proto::cost_graph_def::Node {
            name: node.node.name.clone(),
            device: device.to_string(),
            id: id as i32,
            output_info: node
                .outputs
                .iter()
                .map(|o| proto::cost_graph_def::node::OutputInfo {
                    size: o.bytes as i64,
                    alias_input_port: -1,
                    shape: Some(shape_to_proto(&o.shape)),
                    dtype: o.dtype as i32,
                })
                .collect(),
            compute_cost: (node.duration_nanos / 1000) as i64,
            compute_time: (node.duration_nanos / 1000) as i64,
            ..Default::default()
        })
        .collect();
    proto::CostGraphDef { node, cost: Vec::new() }
}
