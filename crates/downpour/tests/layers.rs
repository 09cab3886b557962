//! Layers: shapes behind them, what they refuse, and what training and evaluation do differently.

use downpour::layers::{
    Activation, BatchNorm, Conv2d, Dense, Dropout, Flatten, GlobalAveragePool, Gru, Layer, Lstm,
    MultiHeadAttention, Pool2d, Recurrent, ResidualBlock,
};
use downpour::{DataType, Graph, Optimizer, Result, Session, initializers as init, losses, tensor};

#[test]
fn shapes_behind_layers_are_known() -> Result<()> {
    let graph = Graph::new();
    let images =
        graph.placeholder("images", DataType::Float, [None, Some(28), Some(28), Some(1)])?;
    let conv = Conv2d::new(1, 8, (5, 5)).strides(2, 2).build(&graph, "conv")?;
    let y = conv.apply(&images, true)?;
    assert_eq!(y.shape().to_string(), "[?,12,12,8]");
    assert_eq!(y.name(), "conv/BiasAdd:0");
    let pooled = Pool2d::average(3, 3).strides(2, 2).same().apply(&y, true)?;
    assert_eq!(pooled.shape().to_string(), "[?,6,6,8]");
    assert_eq!(Flatten.apply(&pooled, true)?.shape().to_string(), "[?,288]");
    let block = ResidualBlock::new(&graph, "block", 8, 16, 2)?;
    let y = block.apply(&pooled, true)?;
    assert_eq!(y.shape().to_string(), "[?,3,3,16]");
    assert_eq!(GlobalAveragePool.apply(&y, true)?.shape().to_string(), "[?,16]");
    let sequence = graph.placeholder("sequence", DataType::Float, [None, Some(5), Some(3)])?;
    let lstm = Lstm::new(&graph, "lstm", 3, 4, init::glorot_uniform())?;
    assert_eq!(lstm.apply(&sequence, true)?.shape().to_string(), "[?,4]");
    let gru = Gru::new(&graph, "gru", 3, 4, init::glorot_uniform())?;
    assert_eq!(gru.unroll(&sequence)?.0.len(), 5);
    let wide = Dense::new(3, 8).activation(Activation::Swish).build(&graph, "wide")?;
    let wide = wide.apply(&sequence, true)?;
    assert_eq!(wide.shape().to_string(), "[?,5,8]");
    let attention = MultiHeadAttention::new(8, 2).build(&graph, "attention")?;
    assert_eq!(attention.apply(&wide, true)?.shape().to_string(), "[?,5,8]");
    Ok(())
}

#[test]
fn what_does_not_fit_a_layer_is_refused_by_its_name() -> Result<()> {
    let graph = Graph::new();
    let x = graph.placeholder("x", DataType::Float, [None, Some(7)])?;
    let dense = Dense::new(8, 2).build(&graph, "top")?;
    let refused = dense.apply(&x, true).unwrap_err();
    assert!(
        refused.message().contains("'top'") && refused.message().contains("[?,7]"),
        "{refused}"
    );
    assert!(MultiHeadAttention::new(8, 3).build(&graph, "a").is_err());
    assert!(Dropout::new(1.0).apply(&x, true).is_err());
    let lstm = Lstm::new(&graph, "lstm", 7, 2, init::zeros())?;
    assert!(lstm.apply(&x, true).unwrap_err().message().contains("[batch, time, inputs]"));
    let labels = graph.constant([0.5f32])?;
    assert!(losses::sparse_softmax_cross_entropy(&x, &labels).is_err());
    Ok(())
}

#[test]
fn averages_follow_in_training_and_are_used_in_evaluation() -> Result<()> {
    let graph = Graph::new();
    let x = graph.placeholder("x", DataType::Float, [None, Some(1)])?;
    let norm = BatchNorm::new(1).momentum(0.5).epsilon(0.0).build(&graph, "norm")?;
    let trained = norm.apply(&x, true)?;
    let evaluated = norm.apply(&x, false)?;
    let loss = trained.square()?.mean_all()?;
    let train = Optimizer::gradient_descent(0.0).minimize(&loss, None)?;
    let session = Session::local(&graph)?;
    session.run(&[], &[&graph.initialize_variables()?])?;
    let fed = tensor([[1.0f32], [3.0]])?;
    session.run(&[(&x, fed.clone())], &[&train])?;
    // The mean went from 0 half-way to 2, the variance from 1 half-way to 1.
    let value = session.fetch(&[(&x, fed.clone())], &evaluated)?;
    assert_eq!(value.as_slice::<f32>()?, &[0.0, 2.0]);
    assert_eq!(session.fetch(&[(&x, fed)], &trained)?.as_slice::<f32>()?, &[-1.0, 1.0]);
    Ok(())
}
