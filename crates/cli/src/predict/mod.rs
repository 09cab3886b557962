//! `downpour predict`: what a trained model says of the examples in a file.

mod input;
mod output;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use downpour::{Graph, Output, Session};
use downpour_data::Remainder;
use downpour_formats::saved_model::{Model, SERVE, SavedModel, Signature, freeze};
use downpour_tensor::{Result, Status, Tensor};

/// Examples that are looked at together.
const BATCH: usize = 256;

#[derive(Args)]
pub struct PredictArgs {
    /// A SavedModel, or the folder of a run (its newest export is used).
    model: PathBuf,
    /// Examples: a CSV file whose header names the model's inputs, or an IDX file (.gz too) for a model with
    /// one input.
    input: String,
    /// Which outputs to print (default: all).
    #[arg(long, value_name = "NAME")]
    output: Vec<String>,
    /// Which signature of the model to use.
    #[arg(long, default_value = "serving_default")]
    signature: String,
    /// Only the first so many examples.
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Print a JSON object per example instead of CSV.
    #[arg(long)]
    json: bool,
}

pub fn run(args: PredictArgs) -> Result<()> {
    let folder = find_model(&args.model)?;
    let model = SavedModel::open(&folder)?.model(&[SERVE])?;
    let signature = choose(&model, &args.signature)?;
    let wanted = output::choose(signature, &args.output)?;
    let tensors: Vec<&str> =
        wanted.iter().map(|(_, spec)| spec.name.trim_end_matches(":0")).collect();
    let graph = Graph::from_graph_def(&freeze(&model.graph, &model.variables, &tensors)?)?;
    let fed: Vec<(&String, Output)> = signature
        .inputs
        .iter()
        .map(|(name, spec)| Ok((name, graph.output(&spec.name)?)))
        .collect::<Result<_>>()?;
    let fetched = tensors.iter().map(|name| graph.output(name)).collect::<Result<Vec<_>>>()?;
    let session = Session::local(&graph)?;
    let mut examples = input::open(&args.input, signature)?;
    if let Some(limit) = args.limit {
        examples = examples.take(limit);
    }
    let names: Vec<&str> = wanted.iter().map(|(name, _)| name.as_str()).collect();
    let mut print = output::Printer::new(names, args.json);
    let mut batches = examples.batch(BATCH, Remainder::Keep)?.iterate()?;
    while let Some(batch) = batches.next()? {
        let feeds: Vec<(&Output, Tensor)> = fed
            .iter()
            .map(|(name, output)| Ok((output, batch.get(name)?.clone())))
            .collect::<Result<_>>()?;
        let fetches: Vec<&dyn downpour::Fetch> =
            fetched.iter().map(|output| output as &dyn downpour::Fetch).collect();
        let values = session.run(&feeds, &fetches)?;
        let text = print.rows(&values)?;
        let mut out = std::io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => return Ok(()),
            Err(e) => return Err(Status::internal(format!("cannot write: {e}"))),
            Ok(()) => {}
        }
    }
    Ok(())
}

fn choose<'m>(model: &'m Model, name: &str) -> Result<&'m Signature> {
    model.signatures.get(name).ok_or_else(|| {
        let known: Vec<&str> = model.signatures.keys().map(String::as_str).collect();
        Status::not_found(format!(
            "the model has no signature '{name}'\nhint: choose another with --signature: {}",
            known.join(", ")
        ))
    })
}

/// The model itself, or the one with the highest number inside of it or of its folder `export`.
fn find_model(path: &Path) -> Result<PathBuf> {
    let is_model = |folder: &Path| folder.join(downpour_formats::saved_model::MODEL_FILE).is_file();
    if is_model(path) {
        return Ok(path.to_path_buf());
    }
    let versions = |folder: PathBuf| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries
            .filter_map(|entry| {
                Some((entry.file_name().to_str()?.parse::<u64>().ok()?, entry.path()))
            })
            .filter(|(_, folder)| is_model(folder))
            .max()
    };
    let newest = versions(path.to_path_buf()).or_else(|| versions(path.join("export")));
    newest.map(|(_, folder)| folder).ok_or_else(|| {
        Status::not_found(format!(
            "there is no model in {}\nhint: give the folder of a SavedModel, or of a run of `downpour train` that has \
             ended",
            path.display()
        ))
    })
}
