//! A chart at one size, as SVG.

use std::fmt::Write;

use super::super::html::escape;
use super::scale::Scale;
use super::{Chart, Look, Mark, Series, Xy, hover, shape};

const TOP: f64 = 26.0;
const BOTTOM: f64 = 40.0;
const RIGHT: f64 = 14.0;
/// Width of a letter of an axis label.
const LETTER: f64 = 6.9;

/// The two scales of a drawn chart and its edges.
pub struct Frame {
    pub x: Scale,
    pub y: Scale,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl Frame {
    fn new(chart: &Chart, width: f64, height: f64) -> Frame {
        let points = || chart.series.iter().flat_map(|series| series.pieces.iter().flatten());
        let marked = chart.marks.iter().map(|mark| match mark {
            Mark::Best { x, .. } | Mark::Bad { x, .. } | Mark::Moment { x, .. } => *x,
        });
        // Columns stand on both sides of their value.
        let columns = chart.series.iter().filter(|series| series.look == Look::Columns);
        let columns = columns.flat_map(|series| series.pieces.iter().flatten());
        let sides = columns.flat_map(|point| [point.0 - 0.6, point.0 + 0.6]);
        let xs = points()
            .map(|point| point.0)
            .chain(sides)
            .chain(chart.bands.iter().flat_map(|band| &band.points).map(|point| point.0));
        let banded =
            chart.bands.iter().flat_map(|band| &band.points).flat_map(|point| [point.1, point.2]);
        let ys = points().map(|point| point.1).chain(banded);
        let x =
            Scale::fit(&chart.x, xs.chain(marked), (width / 95.0).clamp(4.0, 9.0) as usize, true);
        let y = Scale::fit(&chart.y, ys, (height / 55.0) as usize, false);
        let longest = y.ticks.iter().map(|tick| tick.label.chars().count()).max().unwrap_or(1);
        let (left, right) = (longest as f64 * LETTER + 12.0, width - RIGHT);
        let (top, bottom) = (TOP, height - BOTTOM);
        Frame { x: x.between(left, right), y: y.between(bottom, top), left, right, top, bottom }
    }

    fn place(&self, point: Xy) -> Xy {
        (self.x.place(point.0), self.y.place(point.1))
    }

    /// The parts of a piece that can be drawn, no denser than the paper.
    pub fn drawn(&self, piece: &[Xy]) -> Vec<Vec<Xy>> {
        let columns = (self.right - self.left) as usize;
        let shown = |point: &Xy| point.0.is_finite() && self.y.shows(point.1);
        let runs = piece.split(|point| !shown(point)).filter(|run| !run.is_empty());
        runs.map(|run| shape::thin(run, self.x.low(), self.x.high(), columns)).collect()
    }
}

/// Draws a chart.
pub fn svg(chart: &Chart, width: u32, height: u32) -> String {
    let frame = Frame::new(chart, f64::from(width), f64::from(height));
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg class=\"chart\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\" \
         data-edges=\"{:.0} {:.0}\" data-x=\"{}\" data-hover=\"{}\">",
        escape(&chart.description()),
        frame.top,
        frame.bottom,
        escape(&chart.x.label),
        escape(&hover::data(chart, &frame)),
    );
    axes(chart, &frame, &mut out);
    bands(chart, &frame, &mut out);
    for series in chart.series.iter().filter(|series| series.look == Look::Faint) {
        line(series, &frame, &mut out);
    }
    for series in chart.series.iter().filter(|series| series.look != Look::Faint) {
        line(series, &frame, &mut out);
    }
    marks(chart, &frame, &mut out);
    out.push_str("</svg>");
    out
}

fn axes(chart: &Chart, frame: &Frame, out: &mut String) {
    let (left, right, bottom) = (frame.left, frame.right, frame.bottom);
    for tick in &frame.y.ticks {
        let y = frame.y.place(tick.value);
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{left:.1}\" x2=\"{right:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            left - 7.0,
            y + 4.0,
            escape(&tick.label)
        );
    }
    let _ = write!(
        out,
        "<line class=\"axis\" x1=\"{left:.1}\" x2=\"{right:.1}\" y1=\"{bottom:.1}\" y2=\"{bottom:.1}\"/>"
    );
    for tick in &frame.x.ticks {
        let x = frame.x.place(tick.value);
        // A label at the edge must not leave the paper.
        let half = tick.label.chars().count() as f64 * LETTER / 2.0;
        let text_x = x.min(right + RIGHT - half).max(half);
        let _ = write!(
            out,
            "<line class=\"axis\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{bottom:.1}\" y2=\"{:.1}\"/>\
             <text x=\"{text_x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom + 4.0,
            bottom + 17.0,
            escape(&tick.label)
        );
    }
    let scale = if chart.y.logarithmic { " (logarithmic)" } else { "" };
    let _ = write!(
        out,
        "<text class=\"label\" x=\"2\" y=\"12\">{}{scale}</text>\
         <text class=\"label\" x=\"{right:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
        escape(&chart.y.label),
        bottom + 35.0,
        escape(&chart.x.label)
    );
}

fn bands(chart: &Chart, frame: &Frame, out: &mut String) {
    for band in &chart.bands {
        let shown = |point: &&(f64, f64, f64)| {
            point.0.is_finite() && frame.y.shows(point.1) && frame.y.shows(point.2)
        };
        let points: Vec<_> = band.points.iter().filter(shown).collect();
        if points.len() < 2 {
            continue;
        }
        let upper = points.iter().map(|point| frame.place((point.0, point.2)));
        let lower = points.iter().rev().map(|point| frame.place((point.0, point.1)));
        let path = path(upper.chain(lower));
        let _ = write!(
            out,
            "<path class=\"band\" style=\"fill:{}\" d=\"{path}Z\"/>",
            band.colour.css()
        );
    }
}

fn columns(series: &Series, frame: &Frame, out: &mut String) {
    let bottom = frame.y.place(0.0);
    let shown = |point: &&Xy| point.0.is_finite() && frame.y.shows(point.1);
    for point in series.pieces.iter().flatten().filter(shown) {
        let (left, top) = frame.place((point.0 - 0.4, point.1));
        let (right, _) = frame.place((point.0 + 0.4, point.1));
        let _ = write!(
            out,
            "<rect class=\"column\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" style=\"fill:{}\"/>",
            (right - left).max(1.0),
            (bottom - top).max(0.0),
            series.colour.css()
        );
    }
}

fn line(series: &Series, frame: &Frame, out: &mut String) {
    if series.look == Look::Columns {
        return columns(series, frame, out);
    }
    let points: usize = series.pieces.iter().map(Vec::len).sum();
    let class = match series.look {
        Look::Line | Look::Dotted | Look::Columns => "line",
        // More points than columns: a cloud behind the line, not a wall.
        Look::Faint if points > 2 * (frame.right - frame.left) as usize => "faint dense",
        Look::Faint => "faint",
        Look::Dashed => "line dashed",
        Look::Pointed => "line pointed",
    };
    let colour = series.colour.css();
    let runs: Vec<Vec<Xy>> = series.pieces.iter().flat_map(|piece| frame.drawn(piece)).collect();
    let mut all = String::new();
    for run in runs.iter().filter(|run| run.len() > 1) {
        all.push_str(&path(run.iter().map(|point| frame.place(*point))));
    }
    if !all.is_empty() {
        let _ = write!(out, "<path class=\"{class}\" style=\"stroke:{colour}\" d=\"{all}\"/>");
    }
    // A run of one point would not be seen as a line.
    let dotted = |run: &&Vec<Xy>| match series.look {
        Look::Dotted => run.len() <= 60,
        Look::Faint | Look::Columns => false,
        Look::Line | Look::Dashed | Look::Pointed => run.len() == 1,
    };
    for point in runs.iter().filter(dotted).flatten() {
        let (x, y) = frame.place(*point);
        let _ =
            write!(out, "<circle r=\"2.6\" cx=\"{x:.1}\" cy=\"{y:.1}\" style=\"fill:{colour}\"/>");
    }
}

fn marks(chart: &Chart, frame: &Frame, out: &mut String) {
    let anchored = |x: f64| match x {
        x if x > frame.right - 84.0 => ("end", -8.0),
        _ => ("start", 8.0),
    };
    for mark in &chart.marks {
        match mark {
            Mark::Best { x, y, text } => {
                let (x, y) = frame.place((*x, *y));
                let (anchor, away) = anchored(x);
                // Below a point near the upper edge, above others.
                let text_y = if y < frame.top + 24.0 { y + 20.0 } else { y - 11.0 };
                let _ = write!(
                    out,
                    "<circle class=\"best\" r=\"5.5\" cx=\"{x:.1}\" cy=\"{y:.1}\"/>\
                     <text class=\"best\" x=\"{:.1}\" y=\"{text_y:.1}\" text-anchor=\"{anchor}\">{}</text>",
                    x + away,
                    escape(text)
                );
            }
            Mark::Bad { x, text } => {
                let (x, y) = (frame.x.place(*x), frame.top + 5.0);
                let _ = write!(
                    out,
                    "<path class=\"bad\" d=\"M{:.1} {:.1}l8 8m0 -8l-8 8\"><title>{}</title></path>",
                    x - 4.0,
                    y - 4.0,
                    escape(text)
                );
            }
            Mark::Moment { x, text } => {
                let x = frame.x.place(*x);
                let _ = write!(
                    out,
                    "<line class=\"moment\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"><title>{}</title></line>",
                    frame.top,
                    frame.bottom,
                    escape(text)
                );
            }
        }
    }
}

fn path(points: impl Iterator<Item = Xy>) -> String {
    let mut path = String::new();
    for (index, (x, y)) in points.enumerate() {
        let letter = if index == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{letter}{x:.1} {y:.1}");
    }
    path
}
