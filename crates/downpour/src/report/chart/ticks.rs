//! Where an axis has its ticks, and what they say: round numbers, round times, powers of ten.

use super::{Axis, Unit};
use crate::amounts;

/// A place on an axis with its words.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    pub value: f64,
    pub label: String,
}

pub struct Ticks {
    /// The distance of two; 0 on logarithmic axes.
    pub step: f64,
    pub ticks: Vec<Tick>,
}

const TIMES: [f64; 18] = [
    1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0, 7200.0,
    10_800.0, 21_600.0, 43_200.0, 86_400.0,
];

/// About `count` ticks between two ends.
pub fn ticks(axis: &Axis, low: f64, high: f64, count: usize) -> Ticks {
    if axis.logarithmic {
        return Ticks { step: 0.0, ticks: powers(low, high, count) };
    }
    let wanted = (high / count.max(1) as f64 - low / count.max(1) as f64).max(f64::MIN_POSITIVE);
    let step = match axis.unit {
        Unit::Seconds => match TIMES.iter().find(|step| **step >= wanted) {
            Some(step) if wanted > 0.5 => *step,
            _ if wanted <= 0.5 => round(wanted),
            _ => round(wanted / 86_400.0) * 86_400.0,
        },
        Unit::Count => round(wanted).max(1.0),
        Unit::Number | Unit::Share => round(wanted),
    };
    with_step(axis, low, high, step)
}

/// Ticks at the multiples of a step.
pub fn with_step(axis: &Axis, low: f64, high: f64, step: f64) -> Ticks {
    let slack = 1e-6;
    let (first, last) = ((low / step - slack).ceil(), (high / step + slack).floor());
    let number = (last - first).clamp(0.0, 40.0) as usize;
    let values = (0..=number).map(|index| (first + index as f64) * step);
    let largest = low.abs().max(high.abs());
    let label = |value: f64| match axis.unit {
        Unit::Seconds => time(value, step),
        Unit::Count | Unit::Number => decimal(value, step, largest),
        Unit::Share => format!("{} %", decimal(100.0 * value, 100.0 * step, 100.0 * largest)),
    };
    Ticks { step, ticks: values.map(|value| Tick { value, label: label(value) }).collect() }
}

/// The next of 1, 2, 5 times a power of ten.
fn round(wanted: f64) -> f64 {
    let power = 10f64.powf(wanted.log10().floor());
    let times = [1.0, 2.0, 5.0, 10.0].into_iter().find(|times| times * power >= wanted * 0.999);
    times.unwrap_or(10.0) * power
}

/// All labels of an axis have the same unit and number of decimals, and no more than it needs.
fn decimal(value: f64, step: f64, largest: f64) -> String {
    let value = if value.abs() < step * 1e-6 { 0.0 } else { value };
    match largest {
        _ if step < 9e-5 || largest >= 1e12 => amounts::figures(value, 3),
        size if size >= 1e9 => shortened(value, 1e9, step, "G"),
        size if size >= 1e6 && step >= 1e4 => shortened(value, 1e6, step, "M"),
        size if size >= 2e4 && step >= 100.0 => shortened(value, 1e3, step, "k"),
        _ if step >= 1.0 => amounts::grouped(value.round() as i64),
        _ => {
            let decimals = (-(step * 1.0001).log10().floor()) as usize;
            format!("{value:.decimals$}")
        }
    }
}

fn shortened(value: f64, unit: f64, step: f64, letter: &str) -> String {
    let decimals = (-(step / unit * 1.0001).log10().floor()).clamp(0.0, 3.0) as usize;
    match value == 0.0 {
        true => "0".into(),
        false => format!("{:.decimals$}{letter}", value / unit),
    }
}

fn time(value: f64, step: f64) -> String {
    match value {
        0.0 => "0".into(),
        _ if step < 1.0 => format!("{} s", amounts::figures(value, 3)),
        value if value < 60.0 && step < 60.0 => format!("{value:.0} s"),
        value if step < 60.0 => amounts::clock(value),
        value if step < 3600.0 && value < 3600.0 => format!("{:.0} min", value / 60.0),
        value if step < 3600.0 => {
            let minutes = (value / 60.0).round() as u64;
            format!("{}:{:02} h", minutes / 60, minutes % 60)
        }
        value if step < 86_400.0 => format!("{:.0} h", value / 3600.0),
        value => format!("{:.0} d", value / 86_400.0),
    }
}

/// Powers of ten; with fives and twos between them where there is room.
fn powers(low: f64, high: f64, count: usize) -> Vec<Tick> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let decades = high.log10() - low.log10();
    let room = count as f64 + 1.0;
    let times: &[f64] = match decades {
        decades if 3.0 * decades <= room => &[1.0, 2.0, 5.0],
        decades if 2.0 * decades <= room => &[1.0, 3.0],
        _ => &[1.0],
    };
    let every = ((decades / count.max(1) as f64).ceil() as i32).max(1);
    let powers = (first..=last).filter(|power| power.rem_euclid(every) == 0);
    let values = powers.flat_map(|power| times.iter().map(move |times| times * 10f64.powi(power)));
    let inside = values.filter(|value| *value >= low * 0.999 && *value <= high * 1.001);
    inside.map(|value| Tick { value, label: power_label(value) }).collect()
}

fn power_label(value: f64) -> String {
    match value {
        1000.0..1e6 => amounts::grouped(value.round() as i64),
        _ => amounts::figures(value, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, low: f64, high: f64, count: usize) -> Vec<String> {
        ticks(axis, low, high, count).ticks.into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn numbers_are_round_and_of_one_kind() {
        let axis = Axis::default();
        assert_eq!(labels(&axis, 0.0, 1.0, 5), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&axis, 0.912, 0.987, 4), ["0.92", "0.94", "0.96", "0.98"]);
        assert_eq!(labels(&axis, -1.0, 1.0, 4), ["-1.0", "-0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(&axis, 0.0, 47_000.0, 5), ["0", "10k", "20k", "30k", "40k"]);
        assert_eq!(labels(&axis, 0.0, 3.1e6, 3), ["0", "2M"]);
        assert_eq!(labels(&axis, 0.0, 4e-5, 4), ["0", "1e-5", "2e-5", "3e-5", "4e-5"]);
    }

    #[test]
    fn steps_are_whole() {
        let axis = Axis { unit: Unit::Count, ..Axis::default() };
        assert_eq!(labels(&axis, 0.0, 2.0, 10), ["0", "1", "2"]);
        assert_eq!(labels(&axis, 0.0, 4000.0, 4), ["0", "1,000", "2,000", "3,000", "4,000"]);
    }

    #[test]
    fn times_are_round() {
        let axis = Axis { unit: Unit::Seconds, ..Axis::default() };
        assert_eq!(labels(&axis, 0.0, 50.0, 5), ["0", "10 s", "20 s", "30 s", "40 s", "50 s"]);
        assert_eq!(labels(&axis, 0.0, 100.0, 4), ["0", "30 s", "01:00", "01:30"]);
        assert_eq!(labels(&axis, 0.0, 5000.0, 4), ["0", "30 min", "1:00 h"]);
        assert_eq!(labels(&axis, 0.0, 4e5, 4), ["0", "2 d", "4 d"]);
        assert_eq!(labels(&axis, 0.0, 1.0, 2), ["0", "0.5 s", "1 s"]);
    }

    #[test]
    fn powers_have_as_many_steps_between_them_as_fit() {
        let axis = Axis { logarithmic: true, ..Axis::default() };
        assert_eq!(labels(&axis, 0.03, 2.5, 6), ["0.05", "0.1", "0.2", "0.5", "1", "2"]);
        assert_eq!(labels(&axis, 1e-4, 1e4, 4), ["0.0001", "0.01", "1", "100", "10,000"]);
        assert!(labels(&axis, 1e-300, 1e300, 5).len() <= 7);
    }
}
