//! Every loss on its own, and metrics over steps.

use std::path::Path;

use downpour::metrics::{self, Curve, Metric};
use downpour::{DataType, Graph, Output, Result, Tensor, losses};

use crate::layers::waves;
use crate::write::write;

fn every_loss(graph: &Graph) -> Result<Vec<(&'static str, Output)>> {
    let a = graph.constant(waves(&[4, 3])?)?;
    let b = (a.cos()? * 2.0)?;
    let c = (&a + 0.25)?.square()?;
    let bits = graph.constant(Tensor::from_vec([4, 3], [0f32, 1.0, 1.0].repeat(4))?)?;
    let classes = graph.constant([2i64, 0, 1, 2])?;
    let weights = graph.constant(Tensor::from_vec([4, 1], vec![1.0f32, 0.0, 2.0, 0.5])?)?;
    let squared = losses::squared_error(&a, &b)?;
    let weighted = losses::weighted_mean(&squared, &weights)?;
    let mut all = vec![("weighted", weighted)];
    for (name, loss) in [
        ("softmax", losses::softmax_cross_entropy(&b, &a.softmax()?)?),
        ("sparse_softmax", losses::sparse_softmax_cross_entropy(&b, &classes)?),
        ("sigmoid", losses::sigmoid_cross_entropy(&b, &bits)?),
        ("squared", squared),
        ("absolute", losses::absolute_error(&a, &b)?),
        ("hinge", losses::hinge(&b, &bits)?),
        ("huber", losses::huber(&a, &b, 0.5)?),
        ("triplet", losses::triplet(&a, &b, &c, 0.4)?),
        ("contrastive", losses::contrastive(&c, &bits, 1.5)?),
    ] {
        all.push((name, losses::mean(&loss)?));
    }
    Ok(all)
}

/// Predictions and labels that differ from step to step.
fn every_metric(graph: &Graph) -> Result<(Output, Vec<(&'static str, Metric)>)> {
    let step = graph.global_step()?.value().cast(DataType::Float)?;
    let predictions = (graph.constant(waves(&[20])?)? + (step * 0.3)?)?.sin()?.sigmoid()?;
    let labels = graph.constant(waves(&[20])?)?.greater(&graph.constant(0.1f32)?)?;
    let half = graph.constant(0.5f32)?;
    let guesses = predictions.greater(&half)?;
    let all = vec![
        ("mean", metrics::mean("mean", &predictions)?),
        ("accuracy", metrics::accuracy("accuracy", &labels, &guesses)?),
        ("precision", metrics::precision("precision", &labels, &guesses)?),
        ("recall", metrics::recall("recall", &labels, &guesses)?),
        ("auc", metrics::auc("auc", &labels, &predictions, 200, Curve::Roc)?),
        ("pr", metrics::auc("pr", &labels, &predictions, 50, Curve::PrecisionRecall)?),
    ];
    Ok((predictions, all))
}

/// Writes all losses and metrics.
pub fn write_all(folder: &Path, steps: usize) -> Result<()> {
    let count = every_loss(&Graph::new())?.len();
    for i in 0..count {
        let graph = Graph::new();
        let (name, loss) = every_loss(&graph)?.swap_remove(i);
        let nothing = graph.group("nothing", &[])?;
        write(folder, &format!("loss_{name}"), &graph, &nothing, &loss, 1)?;
    }
    let count = every_metric(&Graph::new())?.1.len();
    for i in 0..count {
        let graph = Graph::new();
        let (name, metric) = every_metric(&graph)?.1.swap_remove(i);
        let step = graph.global_step()?;
        let next = {
            let _after = graph.control_dependencies(&[&metric.update])?;
            step.assign_add(&graph.constant(1i64)?)?
        };
        write(folder, &format!("metric_{name}"), &graph, &next, &metric.value, steps)?;
    }
    Ok(())
}
