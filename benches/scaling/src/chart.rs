//! The table as a picture: how step times grow with the number of workers.

use std::fmt::Write;

/// One way to train: its name, and for each number of workers the model's and the simulation's seconds.
pub struct Line {
    /// For the legend.
    pub name: String,
    /// Workers, model, simulation.
    pub points: Vec<(usize, f64, f64)>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 300.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 40.0;
const COLORS: [&str; 10] = [
    "#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f",
    "#bcbd22", "#17becf",
];

/// An SVG with both axes logarithmic: lines are the model, dots the simulation.
pub fn svg(lines: &[Line]) -> String {
    let all = || lines.iter().flat_map(|line| &line.points);
    let times = || all().flat_map(|(_, model, simulated)| [*model, *simulated]);
    let (low, high) = (times().fold(f64::MAX, f64::min), times().fold(f64::MIN, f64::max));
    let (low, high) = ((low * 0.9).log10(), (high * 1.1).log10());
    let most = all().map(|point| point.0).max().unwrap_or(1) as f64;
    let least = all().map(|point| point.0).min().unwrap_or(1) as f64;
    let x = |workers: usize| {
        let place = (workers as f64 / least).log10() / (most / least).log10().max(1e-9);
        LEFT + place * (WIDTH - LEFT - RIGHT)
    };
    let y =
        |time: f64| HEIGHT - BOTTOM - (time.log10() - low) / (high - low) * (HEIGHT - TOP - BOTTOM);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\" fill=\"#444\">\n"
    );
    let mut put = |text: String| {
        // Writing to a string does not fail.
        let _ = writeln!(out, "{text}");
    };
    for time in [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0] {
        if (low..=high).contains(&f64::log10(time)) {
            let (y, end) = (y(time), WIDTH - RIGHT);
            put(format!("<path d=\"M{LEFT} {y:.1}H{end:.1}\" stroke=\"#ddd\"/>"));
            put(format!(
                "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{time} s</text>",
                LEFT - 6.0,
                y + 4.0
            ));
        }
    }
    for (index, line) in lines.iter().enumerate() {
        let color = COLORS[index % COLORS.len()];
        let path: Vec<String> = line
            .points
            .iter()
            .map(|(n, model, _)| format!("{:.1} {:.1}", x(*n), y(*model)))
            .collect();
        put(format!(
            "<path d=\"M{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
            path.join("L")
        ));
        for (n, _, simulated) in &line.points {
            put(format!(
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{color}\"/>",
                x(*n),
                y(*simulated)
            ));
            if index == 0 {
                put(format!(
                    "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{n} workers</text>",
                    x(*n),
                    HEIGHT - 15.0
                ));
            }
        }
        let row = TOP + 16.0 * index as f64 + 10.0;
        let left = WIDTH - RIGHT + 30.0;
        put(format!("<circle cx=\"{left}\" cy=\"{:.1}\" r=\"4\" fill=\"{color}\"/>", row - 4.0));
        put(format!("<text x=\"{}\" y=\"{row:.1}\">{}</text>", left + 10.0, line.name));
    }
    out.push_str("</svg>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_inside() {
        let points = vec![(10, 0.5, 0.6), (1000, 5.0, 4.0)];
        let picture = svg(&[Line { name: "a way".to_string(), points }]);
        assert_eq!(picture.matches("<circle").count(), 3);
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
    }
}
