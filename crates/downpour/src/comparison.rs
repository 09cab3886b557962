//! Several runs side by side: what each made of its examples, its time and the network.
//!
//! Meant for runs of one job that differ in how it is trained (`downpour compare`); runs that differ in more are
//! compared all the same, and the page says in what they differ.

mod curve;
mod figures;
mod json;
#[cfg(test)]
pub(crate) mod tests;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use crate::record::Run;
pub(crate) use curve::{Progressed, between, curve, final_loss};
pub use figures::{Figures, Stale};
pub(crate) use text::difference;

/// Runs to compare, in the order they are shown.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    runs: Vec<Run>,
}

/// What the job says that makes two runs comparable.
const ALIKE: [&str; 4] = ["model", "data", "optimizer", "precision"];

impl Comparison {
    /// Of runs that were read.
    pub fn new(runs: Vec<Run>) -> Comparison {
        Comparison { runs }
    }

    /// Reads the runs in some folders.
    pub fn read<P: AsRef<Path>>(folders: impl IntoIterator<Item = P>) -> io::Result<Comparison> {
        let runs = folders.into_iter().map(|folder| Run::read(folder.as_ref()));
        Ok(Comparison { runs: runs.collect::<io::Result<_>>()? })
    }

    /// The runs.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// What each run is called: its folder, with as much of the path as tells it from the others.
    pub fn names(&self) -> Vec<String> {
        let names: Vec<String> = self.runs.iter().map(Run::name).collect();
        let unique = names.iter().collect::<BTreeSet<_>>().len() == names.len();
        match unique {
            true => names,
            false => self.runs.iter().map(|run| run.folder.display().to_string()).collect(),
        }
    }

    /// The run the others are measured by: one process alone, or the first.
    pub fn reference(&self) -> usize {
        self.runs.iter().position(|run| strategy(run) == "local").unwrap_or(0)
    }

    /// The figures of every run.
    pub fn figures(&self) -> Vec<Figures> {
        let named = self.runs.iter().zip(self.names());
        named.map(|(run, name)| Figures::of(run, name)).collect()
    }

    /// A loss that about half of the runs come down to: how long each took to reach it can be compared.
    pub fn goal(&self) -> Option<f64> {
        let last = self.runs.iter().filter_map(|run| final_loss(&curve(run)));
        let mut last: Vec<f64> = last.filter(|loss| loss.is_finite()).collect();
        last.sort_by(f64::total_cmp);
        let middle = *last.get(last.len() / 2)?;
        // A round number a little above, which noise does not hide.
        let unit = 10f64.powf((middle.abs().max(1e-12)).log10().floor() - 1.0);
        Some((1.05 * middle / unit).ceil() * unit)
    }

    /// What differs between the runs that should not: the setting, and the values with who has them.
    pub fn differences(&self) -> Vec<(String, BTreeMap<String, Vec<String>>)> {
        let names = self.names();
        let mut found = Vec::new();
        for key in ALIKE {
            let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for (run, name) in self.runs.iter().zip(&names) {
                if let Some(value) = run.job().remove(key) {
                    values.entry(value).or_default().push(name.clone());
                }
            }
            if values.len() > 1 {
                found.push((key.to_string(), values));
            }
        }
        found
    }

    /// A table for terminals.
    pub fn text(&self) -> String {
        text::table(self)
    }

    /// Everything for programs.
    pub fn json(&self) -> serde_json::Value {
        json::json(self)
    }
}

/// The first word of a run's strategy, as `synchronous`.
pub(crate) fn strategy(run: &Run) -> String {
    let whole = run.job().remove("strategy").unwrap_or_default();
    whole.split(',').next().unwrap_or_default().trim().replace('-', "_")
}
