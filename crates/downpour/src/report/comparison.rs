//! The page that compares runs: the same paper, ink and charts as a run's own report.

mod aid;
mod bars;
mod learning;
mod looks;
mod table;

use super::chart::Colour;
use super::html::{escape, prose};
use super::{page, section, staleness};
use crate::amounts;
use crate::comparison::{Comparison, Figures, Stale};
use looks::{Looks, looks};

/// Further from the reference than this, examples differ so much that losses cannot be compared.
const SAME_EXAMPLES: f64 = 0.1;

/// The page of a comparison.
pub fn html(comparison: &Comparison) -> String {
    let figures = comparison.figures();
    let looks = looks(comparison);
    let title = title(comparison);
    let sections = [
        section("What came of it", &table::outcome(comparison, &figures)),
        section("Learning", &learning::html(comparison, &looks)),
        section("What it cost", &table::cost(&figures)),
        section("Bytes moved", &bars::bytes(&figures, &looks)),
        section("Staleness", &histograms(&figures, &looks)),
        section("Throughput", &learning::throughput(comparison, &looks)),
        section("Where time went", &bars::time(&figures)),
        section("How to read this", &aid::html(comparison, &figures)),
    ];
    let head = format!(
        "<header>\n<h1>{}</h1>\n<p class=\"subtitle\">{}</p>\n</header>\n{}",
        escape(&title),
        escape(&subtitle(comparison)),
        warnings(comparison, &figures)
    );
    let runs: Vec<String> = comparison
        .runs()
        .iter()
        .map(|run| format!("<code>{}</code>", escape(&run.folder.display().to_string())))
        .collect();
    let foot = format!("<footer>Made by Downpour from {}.</footer>\n", runs.join(", "));
    page(&title, &(head + &sections.concat() + &foot))
}

fn title(comparison: &Comparison) -> String {
    amounts::count(comparison.runs().len() as u64, "run") + " compared"
}

/// What all of them have in common.
fn subtitle(comparison: &Comparison) -> String {
    let job = comparison.runs().first().map(|run| run.job()).unwrap_or_default();
    let differs: Vec<String> = comparison.differences().into_iter().map(|(key, _)| key).collect();
    let common =
        ["model", "data", "optimizer"].iter().filter(|key| !differs.contains(&key.to_string()));
    let told: Vec<&str> = common.filter_map(|key| job.get(*key)).map(String::as_str).collect();
    told.join(" · ")
}

/// What makes the comparison less than fair.
fn warnings(comparison: &Comparison, figures: &[Figures]) -> String {
    let mut all = Vec::new();
    for (key, values) in comparison.differences() {
        let values =
            values.into_iter().map(|(value, runs)| format!("{value} ({})", runs.join(", ")));
        let values: Vec<String> = values.collect();
        all.push(format!("The runs differ in their {key}: {}.", values.join("; ")));
    }
    let open: Vec<&str> =
        figures.iter().filter(|one| !one.ended).map(|one| one.name.as_str()).collect();
    if !open.is_empty() {
        all.push(format!("Not finished, or failed: {}.", open.join(", ")));
    }
    if let Some(reference) = figures.get(comparison.reference()).filter(|one| one.examples > 0) {
        let differs = |one: &&Figures| {
            (one.examples as f64 / reference.examples as f64 - 1.0).abs() > SAME_EXAMPLES
        };
        let told = |one: &Figures| {
            let times = one.examples as f64 / reference.examples as f64;
            format!("{} ({} times)", one.name, amounts::figures(times, 2))
        };
        let others: Vec<String> = figures.iter().filter(differs).map(told).collect();
        if !others.is_empty() {
            all.push(format!(
                "Not as many examples as {} trained on: {}. Compare their final figures with care.",
                reference.name,
                others.join(", ")
            ));
        }
    }
    let boxed = |text: &String| format!("<div class=\"box warn\"><p>{}</p></div>\n", prose(text));
    all.iter().map(boxed).collect()
}

fn histograms(figures: &[Figures], looks: &[Looks]) -> String {
    let mut charts = String::new();
    let (mut never, mut unknown) = (Vec::new(), Vec::new());
    for (one, looks) in figures.iter().zip(looks) {
        match &one.staleness {
            Stale::Never => never.push(one.name.as_str()),
            Stale::Unknown => unknown.push(one.name.as_str()),
            Stale::Counted(staleness) => {
                let colour = match looks.colour {
                    Colour::Ink => Colour::Numbered(7),
                    colour => colour,
                };
                let mut chart = staleness::chart(staleness, colour);
                chart.title = format!("{}: {}", one.name, one.staleness.words());
                charts.push_str(&chart.figure());
            }
        }
    }
    let mut words = String::from(
        "<p>By how many updates the parameters had changed since those a gradient was computed from, when it was \
         applied; counted at the servers.</p>\n",
    );
    if !charts.is_empty() {
        words.push_str(&format!("<div class=\"grid\">\n{charts}</div>\n"));
    }
    let mut note = |names: &[&str], what: &str| {
        if !names.is_empty() {
            let names = escape(&names.join(", "));
            words.push_str(&format!("<p class=\"note\">{what}: {names}.</p>\n"));
        }
    };
    note(&never, "Never stale");
    note(&unknown, "Not known, because variables are read and changed inside of one graph");
    words
}

#[cfg(test)]
mod tests;
