//! Losses against numbers computed elsewhere, their slopes where formulas are delicate, and what they refuse.

use downpour::{
    DataType, Gradient, Graph, Output, Result, Session, gradients, losses, metrics, tensor,
};

fn run(output: &Output) -> Result<Vec<f32>> {
    Ok(Session::local(output.graph())?.fetch(&[], output)?.as_slice::<f32>()?.to_vec())
}

fn near(a: &[f32], b: &[f32]) {
    let close = a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-5 * b.abs().max(1.0));
    assert!(a.len() == b.len() && close, "{a:?} is not {b:?}");
}

fn slope(y: &Output, x: &Output) -> Result<Vec<f32>> {
    let found = gradients(&[y], &[x])?;
    run(&found[0].as_ref().map(Gradient::to_dense).expect("it depends on it")?)
}

#[test]
fn cross_entropies_of_classes() -> Result<()> {
    let graph = Graph::new();
    let logits = graph.constant([[2.0f32, -1.0, 0.5], [0.0, 0.0, 0.0], [-100.0, 100.0, 0.0]])?;
    let expected = [0.2413113f32, 1.0986123, 0.0];
    for dtype in [DataType::UInt8, DataType::Int32, DataType::Int64] {
        let labels = graph.constant([[0i32], [2], [1]])?.cast(dtype)?;
        let loss = losses::sparse_softmax_cross_entropy(&labels, &logits)?;
        near(&run(loss.per_example())?, &expected);
        near(&run(&loss.mean()?)?, &[expected.iter().sum::<f32>() / 3.0]);
        let doubled = loss.weighted(&graph.constant([2.0f32, 0.0, 0.0])?)?;
        near(&run(&doubled.sum()?)?, &[2.0 * expected[0]]);
    }
    let soft = graph.constant([[0.5f32, 0.5, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])?;
    near(
        &run(losses::softmax_cross_entropy(&soft, &logits)?.per_example())?,
        &[1.7413113, 1.0986123, 0.0],
    );
    let refused = losses::sparse_softmax_cross_entropy(&soft, &logits).unwrap_err();
    assert!(refused.message().contains("numbers of classes"), "{refused}");
    let refused = losses::softmax_cross_entropy(&graph.constant([0i32])?, &logits).unwrap_err();
    assert!(refused.message().contains("sparse_softmax_cross_entropy"), "{refused}");
    Ok(())
}

#[test]
fn losses_of_two_classes_and_their_slopes() -> Result<()> {
    let graph = Graph::new();
    let logits = graph.constant([2.0f32, -1.0, 0.0, -200.0])?;
    let labels = graph.constant([[1i64], [0], [1], [1]])?;
    let loss = losses::sigmoid_cross_entropy(&labels, &logits)?;
    near(&run(loss.per_example())?, &[0.126_928, 0.313_261_7, std::f32::consts::LN_2, 200.0]);
    let sigmoid = |x: f32| 1.0 / (1.0 + (-x).exp());
    let wanted = [sigmoid(2.0) - 1.0, sigmoid(-1.0), -0.5, -1.0];
    near(&slope(&loss.sum()?, &logits)?, &wanted);
    near(&run(losses::hinge(&labels, &logits)?.per_example())?, &[0.0, 0.0, 1.0, 201.0]);
    let refused = losses::hinge(&graph.constant([1i64, 0])?, &logits).unwrap_err();
    assert!(refused.message().contains("[4]") && refused.message().contains("[2]"), "{refused}");
    Ok(())
}

#[test]
fn losses_of_numbers() -> Result<()> {
    let graph = Graph::new();
    let (a, b) = (graph.constant([0.1f32, -0.3, 2.0, 0.0])?, graph.constant([0.0f32; 4])?);
    near(&run(losses::huber(&b, &a, 0.5)?.per_example())?, &[0.005, 0.045, 0.875, 0.0]);
    assert!(losses::huber(&b, &a, 0.0).is_err());
    let (a, b) =
        (graph.constant([[1.0f32, 3.0], [2.0, 2.0]])?, graph.constant([[0i32, 0], [2, 0]])?);
    near(&run(losses::mean_squared_error(&b, &a)?.per_example())?, &[5.0, 2.0]);
    near(&run(losses::absolute_difference(&b, &a)?.per_example())?, &[2.0, 1.0]);
    near(&run(&losses::l2(&a, 0.1)?)?, &[0.9]);
    Ok(())
}

#[test]
fn losses_of_distances() -> Result<()> {
    let graph = Graph::new();
    let points = graph.constant([[0.0f32, 0.0], [1.0, 0.0], [1.5, 0.0], [0.0, 3.0], [0.2, 0.1]])?;
    let labels = graph.constant([0i32, 0, 1, 1, 1])?;
    near(&run(&losses::triplet_semi_hard(&labels, &points, 1.0)?)?, &[3.0]);
    let alone = graph.constant([0i32, 1, 2, 3, 4])?;
    near(&run(&losses::triplet_semi_hard(&alone, &points, 1.0)?)?, &[0.0]);
    let (a, b) = (
        graph.constant([[0.0f32, 0.0], [3.0, 4.0]])?,
        graph.constant([[0.0f32, 1.0], [3.0, 4.0]])?,
    );
    near(&run(losses::triplet(&a, &b, &a, 0.5)?.per_example())?, &[1.5, 0.5]);
    let same = losses::contrastive(&graph.constant([1i32, 1])?, &a, &b, 2.0)?;
    near(&run(same.per_example())?, &[1.0, 0.0]);
    let other = losses::contrastive(&graph.constant([0i32, 0])?, &a, &b, 2.0)?;
    near(&run(other.per_example())?, &[1.0, 4.0]);
    // Equal embeddings have no direction to move in, but no slope of NaN either.
    assert!(slope(&other.sum()?, &a)?.iter().all(|slope| slope.is_finite()));
    Ok(())
}

#[test]
fn measures_of_classifiers() -> Result<()> {
    let graph = Graph::new();
    let logits = graph.constant([[0.1f32, 0.2, 0.7], [0.5, 0.3, 0.2], [0.3, 0.4, 0.3]])?;
    let labels = graph.constant(tensor([2i32, 1, 0])?)?.cast(DataType::UInt8)?;
    let values = |metric| match metric {
        downpour::Metric::Mean(value) => run(&value),
        _ => panic!("it is a mean"),
    };
    assert_eq!(values(metrics::accuracy(&labels, &logits)?)?, [1.0, 0.0, 0.0]);
    assert_eq!(values(metrics::top_k(&labels, &logits, 2)?)?, [1.0, 1.0, 1.0]);
    let scores = graph.constant([0.9f32, 0.4, 0.6])?;
    let labels = graph.constant([1i64, 0, 0])?;
    assert_eq!(values(metrics::binary_accuracy(&labels, &scores, 0.5)?)?, [1.0, 1.0, 0.0]);
    Ok(())
}
