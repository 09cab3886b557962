//! Small models, one per kind of layer.

use std::path::Path;

use downpour::layers::{
    Activation, BatchNorm, Conv2d, Dense, Dropout, Embedding, Flatten, GlobalAveragePool, Gru,
    Layer, Lstm, MultiHeadAttention, Pool2d, Recurrent, ResidualBlock, Sequential,
};
use downpour::{Graph, Optimizer, Output, Result, Tensor, initializers as init, losses};

use crate::write::write;

/// Numbers both sides can compute: sin(0.37 * i).
pub fn waves(shape: &[usize]) -> Result<Tensor> {
    let count: usize = shape.iter().product();
    let values: Vec<f32> = (0..count).map(|i| (0.37 * i as f64).sin() as f32).collect();
    Tensor::from_vec(shape, values)
}

fn cnn(graph: &Graph) -> Result<Output> {
    let images = graph.constant(waves(&[4, 8, 8, 2])?)?;
    let model = Sequential::new()
        .add(
            Conv2d::new(2, 5, (3, 3))
                .same()
                .activation(Activation::Relu)
                .kernel_initializer(init::glorot_uniform().seed(1))
                .build(graph, "conv")?,
        )
        .add(BatchNorm::new(5).build(graph, "norm")?)
        .add(Pool2d::max(2, 2))
        .add(Flatten)
        .add(
            Dense::new(80, 3)
                .kernel_initializer(init::glorot_uniform().seed(2))
                .build(graph, "logits")?,
        );
    let logits = model.apply(&images, true)?;
    losses::mean(&losses::sparse_softmax_cross_entropy(&logits, &graph.constant([0i32, 2, 1, 1])?)?)
}

fn mlp(graph: &Graph) -> Result<Output> {
    let x = graph.constant(waves(&[6, 4])?)?;
    let hidden = Dense::new(4, 8).activation(Activation::Gelu);
    let hidden = hidden.kernel_initializer(init::he_normal().seed(1)).build(graph, "hidden")?;
    let norm = BatchNorm::new(8).momentum(0.9).build(graph, "norm")?;
    let top = Dense::new(8, 1).kernel_initializer(init::he_normal().seed(2)).build(graph, "top")?;
    let model = Sequential::new().add(hidden).add(norm).add(Dropout::new(0.25).seed(5)).add(top);
    let y = model.apply(&x, true)?;
    losses::mean(&losses::squared_error(&y, &graph.constant(waves(&[6, 1])?)?)?)
}

fn recurrent(graph: &Graph, cell: impl Recurrent) -> Result<Output> {
    let words = graph.constant([[0i32, 3, 1], [2, 2, 4]])?;
    let table = Embedding::new(graph, "words", 5, 4, init::random_uniform(-1.0, 1.0).seed(9))?;
    let (outputs, _) = cell.unroll(&table.apply(&words, true)?)?;
    let top = Dense::new(6, 2).kernel_initializer(init::glorot_uniform().seed(3));
    let logits = top.build(graph, "top")?.apply(&Output::stack(&outputs, 1)?, true)?;
    losses::mean(&losses::sigmoid_cross_entropy(&logits, &graph.constant(waves(&[2, 3, 2])?)?)?)
}

fn attention(graph: &Graph) -> Result<Output> {
    let x = graph.constant(waves(&[2, 3, 4])?)?;
    let layer = MultiHeadAttention::new(4, 2).initializer(init::glorot_uniform().seed(4));
    let layer = layer.build(graph, "attention")?;
    let ahead = graph.constant([[true, false, false], [true, true, false], [true, true, true]])?;
    let y = layer.attend(&x, &x, &x, Some(&ahead))?;
    losses::mean(&losses::huber(&y, &graph.constant(0.5f32)?, 0.2)?)
}

fn residual(graph: &Graph) -> Result<Output> {
    let images = graph.constant(waves(&[2, 6, 6, 3])?)?;
    let model = Sequential::new()
        .add(ResidualBlock::new(graph, "one", 3, 3, 1)?)
        .add(ResidualBlock::new(graph, "two", 3, 5, 2)?)
        .add(GlobalAveragePool);
    losses::mean(&losses::squared_error(&model.apply(&images, true)?, &graph.constant(0.3f32)?)?)
}

type Build = fn(&Graph) -> Result<Output>;

/// Writes all models.
pub fn write_all(folder: &Path, steps: usize) -> Result<()> {
    let models: [(&str, Build); 6] = [
        ("layers_cnn", cnn),
        ("layers_mlp", mlp),
        ("layers_lstm", |graph| {
            let start = init::glorot_uniform().seed(8);
            recurrent(graph, Lstm::new(graph, "lstm", 4, 6, start)?)
        }),
        ("layers_gru", |graph| {
            recurrent(graph, Gru::new(graph, "gru", 4, 6, init::glorot_uniform().seed(8))?)
        }),
        ("layers_attention", attention),
        ("layers_residual", residual),
    ];
    for (name, build) in models {
        let graph = Graph::new();
        graph.set_seed(23);
        let loss = build(&graph)?;
        let train = Optimizer::gradient_descent(0.1).minimize(&loss, None)?;
        write(folder, name, &graph, &train, &loss, steps)?;
    }
    Ok(())
}
