//! A session's ConfigProto as our options.

use std::time::Duration;

use downpour_runtime::{GraphOptions, SessionOptions};
use downpour_wire::proto::{ConfigProto, optimizer_options, rewriter_config};

/// The options a client's config asks for. Fields that only concern devices we do not have are ignored.
pub fn session_options(config: &ConfigProto) -> SessionOptions {
    let threads = |n: i32| usize::try_from(n).unwrap_or(0);
    // A negative inter-op count asks for the caller's thread alone.
    let inter_op = if config.inter_op_parallelism_threads < 0 {
        1
    } else {
        threads(config.inter_op_parallelism_threads)
    };
    SessionOptions {
        inter_op,
        intra_op: threads(config.intra_op_parallelism_threads),
        isolate_state: config.isolate_session_state,
        soft_placement: config.allow_soft_placement,
        step_timeout: u64::try_from(config.operation_timeout_in_ms)
            .ok()
            .filter(|ms| *ms > 0)
            .map(Duration::from_millis),
        graph: graph_options(config),
    }
}

fn graph_options(config: &ConfigProto) -> GraphOptions {
    let mut options = GraphOptions::default();
    let Some(graph) = &config.graph_options else { return options };
    if let Some(optimizer) = &graph.optimizer_options
        && optimizer.opt_level == optimizer_options::Level::L0 as i32
    {
        options.constant_folding = optimizer.do_constant_folding;
        options.common_subexpressions = optimizer.do_common_subexpression_elimination;
        options.dependencies = false;
        options.fusion = false;
    }
    if let Some(rewrite) = &graph.rewrite_options {
        let off = rewriter_config::Toggle::Off as i32;
        options.constant_folding &= rewrite.constant_folding != off;
        options.common_subexpressions &= rewrite.common_subgraph_elimination != off;
        options.dependencies &= rewrite.dependency_optimization != off;
        options.fusion &= rewrite.remapping != off;
        if rewrite.disable_meta_optimizer {
            options = GraphOptions {
                constant_folding: false,
                common_subexpressions: false,
                dependencies: false,
                fusion: false,
            };
        }
    }
    options
}
