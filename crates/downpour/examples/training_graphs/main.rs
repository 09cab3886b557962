//! Builds one small training graph per optimizer and writes them for TensorFlow to run and compare with.
//!
//! `training_graphs FOLDER STEPS` writes `NAME.pb` (the GraphDef) and `NAME.json` (names, and the losses of
//! STEPS steps run here). `tests/system/library.py` runs the same graphs in TensorFlow, and the same model
//! with TensorFlow's own optimizers.

mod write;

use std::path::Path;

use downpour::optimizer::{Adadelta, Adagrad, Adam, AdamW, AmsGrad, Ftrl, Momentum, RmsProp};
use downpour::{
    DataType, Graph, Optimizer, Output, Result, Schedule, Status, clip_by_global_norm,
    initializers as init, tensor,
};

use write::write;

fn optimizers() -> Vec<(&'static str, Optimizer)> {
    let adam = Adam::default();
    let shrinking = Ftrl { l1: 0.01, l2: 0.02, l2_shrinkage: 0.1, ..Ftrl::default() };
    vec![
        ("gradient_descent", Optimizer::gradient_descent(0.1)),
        ("momentum", Optimizer::momentum(0.05, 0.9)),
        ("nesterov", Optimizer::new(0.05, Momentum { momentum: 0.9, nesterov: true })),
        ("adagrad", Optimizer::new(0.1, Adagrad::default())),
        ("adam", Optimizer::new(0.01, adam)),
        ("adamw", Optimizer::new(0.01, AdamW { adam, weight_decay: 0.1 })),
        ("amsgrad", Optimizer::new(0.01, AmsGrad { adam })),
        ("rms_prop", Optimizer::new(0.01, RmsProp { momentum: 0.5, ..RmsProp::default() })),
        (
            "centered_rms_prop",
            Optimizer::new(0.01, RmsProp { centered: true, ..RmsProp::default() }),
        ),
        ("adadelta", Optimizer::new(1.0, Adadelta::default())),
        ("ftrl", Optimizer::new(0.1, Ftrl { l1: 0.01, l2: 0.02, ..Ftrl::default() })),
        ("ftrl_shrinkage", Optimizer::new(0.1, shrinking)),
        ("ftrl_beta", Optimizer::new(0.1, Ftrl { beta: 0.5, ..Ftrl::default() })),
    ]
}

fn schedules() -> Vec<(&'static str, Schedule)> {
    let exponential = |staircase| Schedule::Exponential {
        rate: 0.1,
        decay_steps: 7.0,
        decay_rate: 0.9,
        staircase,
    };
    let polynomial =
        |cycle| Schedule::Polynomial { rate: 0.1, decay_steps: 12.0, end: 0.01, power: 2.0, cycle };
    let restarts = |t_mul| Schedule::CosineRestarts {
        rate: 0.1,
        first_decay_steps: 5.0,
        t_mul,
        m_mul: 0.8,
        alpha: 0.1,
    };
    vec![
        ("exponential", exponential(false)),
        ("exponential_staircase", exponential(true)),
        (
            "piecewise",
            Schedule::Piecewise { boundaries: vec![5, 20], values: vec![0.1, 0.05, 0.01] },
        ),
        ("polynomial", polynomial(false)),
        ("polynomial_cycle", polynomial(true)),
        ("cosine", Schedule::Cosine { rate: 0.1, decay_steps: 20.0, alpha: 0.05 }),
        ("cosine_restarts", restarts(2.0)),
        ("cosine_restarts_equal", restarts(1.0)),
        (
            "inverse_time",
            Schedule::InverseTime {
                rate: 0.1,
                decay_steps: 4.0,
                decay_rate: 0.5,
                staircase: false,
            },
        ),
        ("warm_up", Schedule::warm_up(6, exponential(false))),
    ]
}

/// A table of rows whose numbers repeat, and a dense layer behind it.
fn loss(graph: &Graph) -> Result<Output> {
    let table = graph.variable(
        "table",
        [6, 4],
        DataType::Float,
        init::random_uniform(-1.0, 1.0).seed(1),
    )?;
    let kernel =
        graph.variable("dense/kernel", [4, 3], DataType::Float, init::glorot_uniform().seed(2))?;
    let bias = graph.variable("dense/bias", [3], DataType::Float, init::zeros())?;
    let rows = table.gather(&graph.constant([0i32, 2, 2, 5, 0])?)?;
    let hidden = (rows.matmul(&kernel.value())? + bias.value())?.tanh()?;
    let wanted = graph.constant([
        [0.5f32, -0.5, 0.1],
        [0.2, 0.3, -0.9],
        [0.0, 0.6, 0.4],
        [-0.3, 0.8, 0.7],
        [0.9, -0.1, -0.2],
    ])?;
    hidden.squared_difference(&wanted)?.mean_all()
}

/// A variable by every initializer with numbers, for comparing bits.
fn first_values(graph: &Graph) -> Result<()> {
    let all = [
        ("random_uniform", init::random_uniform(-2.0, 3.0)),
        ("random_normal", init::random_normal(0.5, 2.0)),
        ("truncated_normal", init::truncated_normal(0.5, 2.0)),
        ("glorot_uniform", init::glorot_uniform()),
        ("glorot_normal", init::glorot_normal()),
        ("he_uniform", init::he_uniform()),
        ("he_normal", init::he_normal()),
        ("lecun_uniform", init::lecun_uniform()),
        ("lecun_normal", init::lecun_normal()),
        ("orthogonal", init::orthogonal(1.5)),
        ("identity", init::identity(2.0)),
        ("zeros", init::zeros()),
        ("ones", init::ones()),
    ];
    for (i, (name, initializer)) in all.into_iter().enumerate() {
        graph.variable(name, [30, 20], DataType::Float, initializer.seed(i as i64))?;
    }
    graph.variable("kernel", [3, 3, 8, 4], DataType::Float, init::he_normal().seed(99)).map(drop)
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = || Status::invalid_argument("usage: training_graphs FOLDER STEPS");
    let [folder, steps] = arguments.as_slice() else { return Err(usage()) };
    let (folder, steps) = (Path::new(folder), steps.parse().map_err(|_| usage())?);
    for (name, optimizer) in optimizers() {
        let graph = Graph::new();
        graph.set_seed(17);
        let loss = loss(&graph)?;
        let train = optimizer.minimize(&loss, Some(&graph.global_step()?))?;
        write(folder, name, &graph, &train, &loss, steps)?;
    }
    for (name, schedule) in schedules() {
        let graph = Graph::new();
        let step = graph.global_step()?;
        let rate = schedule.build(&step.value())?;
        let count = step.assign_add(&graph.constant(tensor(1i64)?)?)?;
        write(folder, &format!("schedule_{name}"), &graph, &count, &rate, steps)?;
    }
    let graph = Graph::new();
    graph.set_seed(17);
    let loss = loss(&graph)?;
    let optimizer = Optimizer::adagrad(Schedule::warm_up(5, 0.2));
    let found = optimizer.compute_gradients(&loss, &graph.trainable_variables())?;
    let (gradients, variables): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let (clipped, _) = clip_by_global_norm(&gradients, 0.3)?;
    let pairs: Vec<_> = clipped.into_iter().zip(variables).collect();
    let train = optimizer.apply_gradients(&pairs, Some(&graph.global_step()?))?;
    write(folder, "clipped_adagrad", &graph, &train, &loss, steps)?;
    let graph = Graph::new();
    graph.set_seed(1234);
    first_values(&graph)?;
    let step = graph.global_step()?;
    let same = step.assign_add(&graph.constant(1i64)?)?;
    write(folder, "initializers", &graph, &same, &step.value().cast(DataType::Float)?, 1)
}
