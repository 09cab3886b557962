//! The final report of a run: one HTML file that needs nothing else.
//!
//! Styles, pictures and a small script for the pointer are inside; without the script everything can still be
//! read. Light or dark as the reader's system is, on paper and on a telephone. What matters most comes first:
//! why it failed, or how good the model is; then how it learned; then what the cluster did for it.

mod chart;
mod checkpoints;
mod cluster;
mod comparison;
mod curves;
mod evaluations;
mod faults;
mod headline;
mod html;
mod lanes;
mod learning;
mod next;
mod rate;
mod settings;
mod staleness;
mod throughput;
mod time_split;
mod timeline;
mod traffic;

pub(crate) use chart::shape;
pub use comparison::html as comparison;

use crate::amounts;
use crate::record::Run;
use html::escape;

/// Up to this many workers have a line each; more are shown by their middle and their spread.
const SINGLE_LINES: usize = chart::Colour::COUNT;
/// Up to this many have a row each; more are shown by examples.
const SINGLE_ROWS: usize = 12;

/// The report of a run, over or not.
pub fn html(run: &Run) -> String {
    let title = match run.metrics().first() {
        Some(metric) => {
            format!("{}: {} {}", run.name(), metric.name, amounts::figures(metric.last().value, 4))
        }
        None => run.name(),
    };
    let sections = [
        section("Learning", &learning::html(run)),
        section("Cluster", &cluster::html(run)),
        section("Throughput", &throughput::html(run)),
        section("Where time went", &time_split::html(run)),
        section("Bytes moved", &traffic::html(run)),
        section("Staleness", &staleness::html(run)),
        section("Losses after faults", &faults::html(run)),
        section("Checkpoints", &checkpoints::html(run)),
        section("What happened when", &timeline::html(run)),
        section("Job", &settings::html(run)),
        section("How to go on", &next::html(run)),
    ];
    page(&title, &(headline::html(run) + &sections.concat() + &footer(run)))
}

/// A whole page, with everything it needs.
fn page(title: &str, inside: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>\n{}</style>\n\
         </head>\n<body>\n<main>\n{inside}</main>\n<script>\n{}</script>\n</body>\n</html>\n",
        escape(title),
        include_str!("report/page.css"),
        include_str!("report/hover.js"),
    )
}

fn section(title: &str, inside: &str) -> String {
    match inside.is_empty() {
        true => String::new(),
        false => format!("<section>\n<h2>{title}</h2>\n{inside}</section>\n"),
    }
}

fn footer(run: &Run) -> String {
    let times = match (run.first_time(), run.last_time()) {
        (Some(first), Some(last)) => {
            format!(" From {} to {}.", amounts::date(first), amounts::date(last))
        }
        _ => String::new(),
    };
    let files = escape(&run.folder.join("tasks").display().to_string());
    format!("<footer>Made by Downpour from <code>{files}</code>.{times}</footer>\n")
}

#[cfg(test)]
mod tests;
