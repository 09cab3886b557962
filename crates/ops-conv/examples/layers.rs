//! Times the layers of a small convolutional network, forward and both gradients.
//!
//! `cargo run --release -p downpour-ops-conv --example layers [threads]`

use std::sync::Arc;
use std::time::Instant;

use downpour_graph::{Attrs, Graph, GraphBuilder, OpSpec};
use downpour_runtime::{
    CancellationToken, ComputePool, KernelBox, OpContext, Parallel, Registry, ResourceManager,
    Step, StepConfig, Value,
};
use downpour_tensor::{Result, Tensor};

struct Bench {
    registry: Registry,
    step: Arc<Step>,
}

impl Bench {
    fn run(&self, label: &str, op: &str, inputs: &[Tensor], attrs: Attrs, work: f64) -> Result<()> {
        let mut graph = Graph::new();
        let mut builder = GraphBuilder::new(&mut graph, self.registry.ops());
        let mut ends = Vec::new();
        for input in inputs {
            ends.push(builder.op("Source", &[], Attrs::new().with("dtype", input.dtype()))?);
        }
        let id = builder.add_named("layer", op, &ends, attrs)?;
        let node = Arc::new(graph.node(id).clone());
        let KernelBox::Sync(kernel) = self.registry.make_kernel(&node, None)? else {
            return Ok(());
        };
        // Processor time, so that a busy machine does not distort the result.
        let mut runs = 0;
        let mut began = 0.0;
        let mut spent = 0.0;
        while runs < 4 || spent < 0.5 {
            if runs == 2 {
                began = processor_seconds();
            }
            let mut values: Vec<Value> = inputs.iter().cloned().map(Value::Tensor).collect();
            let mut cx = OpContext::new(&node, &self.step, &mut values);
            kernel.compute(&mut cx)?;
            drop(cx.into_outputs());
            runs += 1;
            spent = if runs > 2 { processor_seconds() - began } else { 0.0 };
        }
        let best = spent / (runs - 2) as f64;
        println!("{label:<44} {:8.3} ms {:8.1} Gflop/s", best * 1e3, work / best / 1e9);
        Ok(())
    }
}

fn wall_seconds() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Processor time of this thread; with more than one thread this is not the whole cost.
fn processor_seconds() -> f64 {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|s| s.split_whitespace().next()?.parse::<f64>().ok())
        .map_or_else(wall_seconds, |ns| ns / 1e9)
}

fn random(dims: &[usize]) -> Result<Tensor> {
    let mut state = 1u32;
    Tensor::build(dims, |out: &mut [f32]| {
        for v in out {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            *v = (state >> 8) as f32 / (1 << 24) as f32 - 0.5;
        }
    })
}

fn sizes(dims: &[usize]) -> Result<Tensor> {
    Tensor::vector(&dims.iter().map(|&d| d as i32).collect::<Vec<_>>())
}

fn main() -> Result<()> {
    let threads = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(1);
    let mut registry = Registry::new();
    downpour_ops_conv::register(&mut registry)?;
    registry.add_without_kernel(OpSpec::new("Source() -> (output: dtype)\n dtype: type")?)?;
    let pool = ComputePool::new(threads).expect("threads for the benchmark");
    let step = Step::new(StepConfig {
        id: 1,
        resources: Arc::new(ResourceManager::new()),
        parallel: Parallel::new(pool, threads),
        cancellation: CancellationToken::new(),
        device: "/job:localhost/replica:0/task:0/device:CPU:0".into(),
        trace: None,
        rendezvous: None,
    });
    let bench = Bench { registry, step };
    for (batch, size, kernel, input, output, stride) in [
        (64, 28usize, 5, 1, 32, 1),
        (64, 14, 5, 32, 64, 1),
        (16, 56, 3, 64, 64, 1),
        (16, 56, 1, 64, 256, 1),
        (16, 28, 3, 128, 128, 2),
        (8, 224, 7, 3, 64, 2),
    ] {
        let out = size.div_ceil(stride);
        let x_dims = [batch, size, size, input];
        let w_dims = [kernel, kernel, input, output];
        let (x, w) = (random(&x_dims)?, random(&w_dims)?);
        let dy = random(&[batch, out, out, output])?;
        let attrs = Attrs::new()
            .with("strides", vec![1, stride as i64, stride as i64, 1])
            .with("padding", "SAME");
        let work = 2.0 * (batch * out * out * output * kernel * kernel * input) as f64;
        let name = format!("{kernel}x{kernel}x{input}x{output}/{stride} on {batch}x{size}x{size}");
        let run = |pass: &str, op: &str, inputs: &[Tensor]| {
            bench.run(&format!("{name} {pass}"), op, inputs, attrs.clone(), work)
        };
        run("forward", "Conv2D", &[x.clone(), w.clone()])?;
        run("input gradient", "Conv2DBackpropInput", &[sizes(&x_dims)?, w, dy.clone()])?;
        run("filter gradient", "Conv2DBackpropFilter", &[x, sizes(&w_dims)?, dy])?;
    }
    let window = Attrs::new()
        .with("ksize", vec![1i64, 2, 2, 1])
        .with("strides", vec![1i64, 2, 2, 1])
        .with("padding", "SAME");
    let (x, y) = (random(&[64, 28, 28, 32])?, random(&[64, 14, 14, 32])?);
    let ops = (64 * 28 * 28 * 32) as f64;
    bench.run(
        "max 2x2 on 64x28x28x32",
        "MaxPool",
        std::slice::from_ref(&x),
        window.clone(),
        ops,
    )?;
    bench.run(
        "max 2x2 gradient",
        "MaxPoolGrad",
        &[x.clone(), y.clone(), y.clone()],
        window.clone(),
        ops,
    )?;
    bench.run("mean 2x2", "AvgPool", std::slice::from_ref(&x), window.clone(), ops)?;
    bench.run("mean 2x2 gradient", "AvgPoolGrad", &[sizes(x.dims())?, y], window, ops)?;
    let depthwise = Attrs::new().with("strides", vec![1i64, 1, 1, 1]).with("padding", "SAME");
    let dims = [16, 56, 56, 128];
    let (x, w) = (random(&dims)?, random(&[3, 3, 128, 1])?);
    let work = 2.0 * 9.0 * x.len() as f64;
    let run = |pass: &str, op: &str, inputs: &[Tensor]| {
        bench.run(
            &format!("depthwise 3x3 on 16x56x56x128 {pass}"),
            op,
            inputs,
            depthwise.clone(),
            work,
        )
    };
    run("forward", "DepthwiseConv2dNative", &[x.clone(), w.clone()])?;
    run("input gradient", "DepthwiseConv2dNativeBackpropInput", &[sizes(&dims)?, w, x.clone()])?;
    run(
        "filter gradient",
        "DepthwiseConv2dNativeBackpropFilter",
        &[x.clone(), sizes(&[3, 3, 128, 1])?, x],
    )?;
    Ok(())
}
