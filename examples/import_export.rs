//! A trained model on its way to others: checkpoint, SavedModel, frozen graph, safetensors, and back into a session.
//!
//!     cargo run --release --example import_export

use downpour::data::{Dataset, Remainder};
use downpour::formats::checkpoints::{find_good, load};
use downpour::formats::safetensors;
use downpour::formats::saved_model::{SavedModel, freeze};
use downpour::training::{Built, Inputs, Trainer};
use downpour::wire::{Message, proto::GraphDef};
use downpour::{Graph, Optimizer, Result, Session, Status, Tensor, layers, losses, tensor};

/// Twice the first number and thrice the second; an output makes it a model for others.
fn sums(inputs: &Inputs) -> Result<Built> {
    let sum = layers::Dense::new(1).build(inputs.get("x")?)?;
    let loss = losses::mean_squared_error(inputs.get("y")?, &sum)?.mean()?;
    Ok(Built::new(loss).output("sum", &sum))
}

fn io(error: std::io::Error) -> Status {
    Status::internal(error.to_string())
}

fn main() -> Result<()> {
    let folder = tempfile::tempdir().map_err(io)?;
    let run = folder.path();
    let xs: Vec<f32> = (0..200).map(|i| (i as f32).sin()).collect();
    let ys: Vec<f32> = xs.chunks(2).map(|x| 2.0 * x[0] + 3.0 * x[1]).collect();
    let data = Dataset::from_tensors([
        ("x", Tensor::from_vec([100, 2], xs)?),
        ("y", Tensor::from_vec([100, 1], ys)?),
    ])?;
    let batches = data.repeat().batch(20, Remainder::Drop)?;
    let outcome = Trainer::new(sums, batches)
        .optimizer(Optimizer::gradient_descent(0.3))
        .folder(run)
        .steps(200)
        .train()?;

    // ANCHOR: checkpoint
    // A checkpoint in TensorFlow's format; every checksum is verified. TensorFlow's own are read the same way.
    let newest = find_good(&run.join("checkpoints"))?.good.expect("training ends with one");
    let checkpoint = load(&newest.prefix)?;
    for (name, value) in &checkpoint.tensors {
        println!("{name}: {} {}", value.dtype(), value.shape());
    }
    // ANCHOR_END: checkpoint

    // ANCHOR: saved_model
    // The SavedModel that training leaves, as TensorFlow Serving and tf.saved_model.load take it.
    let saved = SavedModel::open(&run.join(format!("export/{}", outcome.step)))?;
    let model = saved.model(&["serve"])?;
    let signature = &model.signatures["serving_default"];
    let (input, output) = (&signature.inputs["x"].name, &signature.outputs["sum"].name);
    // ANCHOR_END: saved_model

    // ANCHOR: frozen
    // A frozen graph needs no variables: their values have become constants. It is one file.
    let frozen = freeze(&model.graph, &model.variables, &[output])?;
    std::fs::write(run.join("sums.pb"), frozen.encode_to_vec()).map_err(io)?;

    // Any GraphDef becomes a graph again, also one that TensorFlow wrote.
    let bytes = std::fs::read(run.join("sums.pb")).map_err(io)?;
    let graph_def = GraphDef::decode(&bytes[..]).map_err(|e| Status::data_loss(e.to_string()))?;
    let graph = Graph::from_graph_def(&graph_def)?;
    let (x, sum) = (graph.output(input)?, graph.output(output)?);
    let session = Session::local(&graph)?;
    let result = session.fetch(&[(&x, tensor([[1.0f32, 1.0], [10.0, 0.0]])?)], &sum)?;
    println!("2 + 3 = {:.2?}", result.as_slice::<f32>()?);
    // ANCHOR_END: frozen

    // ANCHOR: safetensors
    // Weights alone, for other frameworks.
    let path = run.join("sums.safetensors");
    safetensors::write(&path, &model.variables, &Default::default())?;
    let weights = safetensors::read(&path)?;
    println!("kernel {:.2?}", weights["dense/kernel"].as_slice::<f32>()?);
    // ANCHOR_END: safetensors
    Ok(())
}
