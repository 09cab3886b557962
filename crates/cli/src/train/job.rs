//! What a job's file says, checked before anything is started.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use downpour::models::{Cnn, Lstm, Mlp, ResNet, WideAndDeep};
use downpour::training::Model;
use downpour_tensor::{Result, Status};
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::data::ImagesTable;
use super::mistake::Text;
use super::optimizer::OptimizerTable;
use super::precision::PrecisionName;
use super::sandblaster::SandblasterTable;
use super::strategy::ClusterTable;

/// A job: model, data, optimizer, how long, and on which cluster.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The run's folder is called after it.
    pub name: String,
    /// One line for people.
    #[serde(default)]
    pub about: String,
    pub model: Spanned<toml::Table>,
    pub data: DataTable,
    pub optimizer: OptimizerTable,
    /// Other optimizers for the variables of some scopes: `[optimizer_for.SCOPE]`.
    #[serde(default)]
    pub optimizer_for: BTreeMap<String, OptimizerTable>,
    #[serde(default)]
    pub train: TrainTable,
    #[serde(default)]
    pub cluster: ClusterTable,
    #[serde(default, skip_serializing_if = "SandblasterTable::is_usual")]
    pub sandblaster: SandblasterTable,
}

/// Where examples come from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataTable {
    /// `mnist` or `adult`, which come with Downpour, or a format: `idx`, `csv`, `parquet`, `tfrecord`, `images`.
    pub source: Spanned<String>,
    /// The folder of `mnist` or `adult`, where it is not found by itself.
    #[serde(default)]
    pub folder: Option<PathBuf>,
    /// Files to train on: a path, a pattern or a URL. For `idx` by column, as `image=...,label=...`; for `images` a
    /// folder that has a folder for each class.
    #[serde(default)]
    pub train: Option<String>,
    /// Files to measure the model on. Without them a part of the training data is kept for that.
    #[serde(default)]
    pub evaluate: Option<String>,
    /// Which part of the data is kept for measuring: one in so many examples.
    #[serde(default = "one_in_five")]
    pub keep_one_in: u64,
    /// The columns to read; all if none are named. Of CSV files with their types (`float`, `int64`, `string`);
    /// Parquet files have types of their own, which hold. Of TFRecord files these are the features, with their sizes
    /// (`float[28, 28]`).
    #[serde(default)]
    pub columns: BTreeMap<String, String>,
    /// How images are loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub images: Option<ImagesTable>,
    /// Examples in a batch.
    #[serde(default = "batch")]
    pub batch: usize,
    /// Examples that are held to choose the next from; 0 keeps the order.
    #[serde(default = "shuffle")]
    pub shuffle: usize,
}

fn batch() -> usize {
    64
}

fn shuffle() -> usize {
    10_000
}

fn one_in_five() -> u64 {
    5
}

/// How long to train, and what happens on the way.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrainTable {
    /// Global steps.
    pub steps: i64,
    /// Ends earlier after so many seconds.
    pub seconds: Option<f64>,
    /// Measures the model every so many steps; 0 only at the end.
    pub evaluate_every: i64,
    /// Saves a checkpoint every so many steps.
    pub checkpoint_every: i64,
    /// How many checkpoints are kept.
    pub keep: usize,
    /// A measure whose best checkpoint is kept besides.
    pub keep_best: Option<String>,
    /// Ends when this measure has not become better in `patience` evaluations.
    pub early_stopping: Option<String>,
    pub patience: u32,
    pub seed: Option<i64>,
    /// What the model is computed in.
    pub precision: PrecisionName,
    /// `dynamic`, `none` or a number, for 16 bits; else what suits the precision.
    pub loss_scale: Option<toml::Value>,
    /// Records the timeline of this step.
    pub profile_at: Option<i64>,
    /// Writes the distributions of variables into the event files.
    pub histograms: bool,
}

impl Default for TrainTable {
    fn default() -> TrainTable {
        TrainTable {
            steps: 1000,
            seconds: None,
            evaluate_every: 0,
            checkpoint_every: 1000,
            keep: 5,
            keep_best: None,
            early_stopping: None,
            patience: 5,
            seed: None,
            precision: PrecisionName::Float32,
            loss_scale: None,
            profile_at: Some(100),
            histograms: false,
        }
    }
}

impl Job {
    /// Reads a job; mistakes are shown with the line they are in.
    pub fn parse(text: &str, file: &str) -> Result<Job> {
        let place = Text { text, file };
        let job: Job = toml::from_str(text).map_err(|e| place.broken(&e))?;
        job.check(&place)?;
        Ok(job)
    }

    fn check(&self, place: &Text<'_>) -> Result<()> {
        if self.name.is_empty() || self.name.contains(['/', '\\']) || self.name.starts_with('.') {
            return Err(
                place.at_key("name", "is the name of a folder: letters, digits, '-' and '_'")
            );
        }
        if self.data.batch == 0 {
            return Err(place.at_key("batch", "must be at least 1"));
        }
        if self.data.keep_one_in < 2 {
            return Err(place.at_key("keep_one_in", "must be at least 2: the rest is trained on"));
        }
        let seconds = self.train.seconds.map(Duration::try_from_secs_f64);
        if seconds.is_some_and(|seconds| seconds.is_err()) {
            return Err(place.at_key("seconds", "must be a number of seconds"));
        }
        if self.train.steps < 1 {
            return Err(place.at_key("steps", "must be at least 1"));
        }
        if self.train.checkpoint_every < 1 {
            return Err(place.at_key("checkpoint_every", "must be at least 1"));
        }
        self.train.check_precision(place)?;
        self.cluster.check(place)?;
        self.sandblaster.check(place)?;
        super::data::check(&self.data, place)?;
        self.optimizer.check(place)?;
        for (scope, optimizer) in &self.optimizer_for {
            optimizer.check(place)?;
            if optimizer.clip_norm.is_some() {
                let why =
                    format!("is taken over all gradients: set it in [optimizer], not for {scope}");
                return Err(place.at_key("clip_norm", &why));
            }
        }
        self.read_model(place).map(drop)
    }

    /// The model the job describes.
    pub fn model(&self) -> Result<Box<dyn Model>> {
        self.read_model(&Text { text: "", file: &self.name })
    }

    fn read_model(&self, place: &Text<'_>) -> Result<Box<dyn Model>> {
        let mut table = self.model.get_ref().clone();
        let span = self.model.span();
        let kind = table.remove("kind");
        let kind = kind.as_ref().and_then(toml::Value::as_str).ok_or_else(|| {
            place.at(span.clone(), "", &format!("the model needs a kind: one of {KINDS}"))
        })?;
        fn read<M: Model + serde::de::DeserializeOwned + 'static>(
            table: toml::Table,
        ) -> std::result::Result<Box<dyn Model>, toml::de::Error> {
            table.try_into::<M>().map(|model| Box::new(model) as Box<dyn Model>)
        }
        let read = match kind {
            "mlp" => read::<Mlp>,
            "cnn" => read::<Cnn>,
            "resnet" => read::<ResNet>,
            "lstm" => read::<Lstm>,
            "wide_and_deep" => read::<WideAndDeep>,
            other => {
                let why = format!("there is no model '{other}': the kinds are {KINDS}");
                return Err(place.at(span, "kind", &why));
            }
        };
        // The parser does not say which key has a value it cannot take: it is the one without which it can.
        let is_wrong = |key: &&String| {
            let mut others = table.clone();
            others.remove(*key);
            read(others).is_ok()
        };
        read(table.clone()).map_err(|e| match table.keys().find(is_wrong) {
            Some(key) => place.at(span, key, e.message()),
            None => place.in_table(span, &e),
        })
    }

    /// The job as a file, with everything that flags have changed.
    pub fn to_text(&self) -> Result<String> {
        toml::to_string(self).map_err(|e| Status::internal(format!("cannot write the job: {e}")))
    }
}

const KINDS: &str = "mlp, cnn, resnet, lstm, wide_and_deep";
