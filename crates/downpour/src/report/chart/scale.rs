//! From values to places on the paper.

use super::ticks::{self, Tick};
use super::{Axis, Unit};

/// One axis, fitted to its values.
#[derive(Clone, Debug)]
pub struct Scale {
    low: f64,
    high: f64,
    logarithmic: bool,
    /// Values beyond the ends are not shown at all.
    cut: bool,
    from: f64,
    to: f64,
    pub ticks: Vec<Tick>,
}

impl Scale {
    /// Fits an axis to values; those that cannot be shown are left out. `snug` axes end with the data,
    /// others at a tick.
    pub fn fit(axis: &Axis, values: impl Iterator<Item = f64>, ticks: usize, snug: bool) -> Scale {
        let limit =
            |value: &f64| axis.range.is_none_or(|(low, high)| *value >= low && *value <= high);
        let ends = axis.range.into_iter().flat_map(|(low, high)| [low, high]);
        let shown = values
            .filter(limit)
            .chain(ends)
            .filter(|value| value.is_finite() && (*value > 0.0 || !axis.logarithmic));
        let range = shown.fold(None, |range: Option<(f64, f64)>, value| match range {
            None => Some((value, value)),
            Some((low, high)) => Some((low.min(value), high.max(value))),
        });
        let (mut low, mut high) =
            range.unwrap_or(if axis.logarithmic { (0.1, 1.0) } else { (0.0, 1.0) });
        if axis.from_zero && !axis.logarithmic {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        if axis.logarithmic {
            // In logarithms: the quotient of two numbers need not be one.
            let room = (0.04 * (high.ln() - low.ln())).max(0.18);
            low = (low.ln() - room).exp().max(f64::MIN_POSITIVE);
            high = (high.ln() + room).exp().min(f64::MAX);
        } else if low == high {
            let room = if low == 0.0 || snug { 1.0 } else { low.abs() * 0.05 };
            (low, high) = (low - room, high + room);
            if axis.from_zero || axis.unit == Unit::Count || axis.unit == Unit::Seconds {
                low = low.max(0.0);
            }
        }
        let mut made = ticks::ticks(axis, low, high, ticks);
        if !snug && !axis.logarithmic {
            let step = made.step;
            (low, high) = ((low / step + 1e-9).floor() * step, (high / step - 1e-9).ceil() * step);
            if let Some((least, most)) = axis.bounds {
                (low, high) = (low.max(least), high.min(most));
            }
            made = ticks::with_step(axis, low, high, step);
        }
        Scale {
            low,
            high,
            logarithmic: axis.logarithmic,
            cut: axis.range.is_some(),
            from: 0.0,
            to: 1.0,
            ticks: made.ticks,
        }
    }

    /// Lays the axis between two places.
    pub fn between(mut self, from: f64, to: f64) -> Scale {
        (self.from, self.to) = (from, to);
        self
    }

    pub fn low(&self) -> f64 {
        self.low
    }

    pub fn high(&self) -> f64 {
        self.high
    }

    pub fn shows(&self, value: f64) -> bool {
        let positive = !self.logarithmic || value > 0.0;
        value.is_finite() && positive && (!self.cut || (self.low..=self.high).contains(&value))
    }

    /// The place of a value, on the axis even if the value is not.
    pub fn place(&self, value: f64) -> f64 {
        let share = match self.logarithmic {
            true => {
                let from = self.low.ln();
                (value.max(f64::MIN_POSITIVE).ln() - from) / (self.high.ln() - from)
            }
            false => (value - self.low) / (self.high - self.low),
        };
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 };
        self.from + share * (self.to - self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_placed_between_the_ends() {
        let scale =
            Scale::fit(&Axis::default(), [2.0, 9.0].into_iter(), 5, false).between(100.0, 0.0);
        assert_eq!((scale.low(), scale.high()), (2.0, 10.0));
        assert_eq!([2.0, 6.0, 10.0, 99.0].map(|value| scale.place(value)), [100.0, 50.0, 0.0, 0.0]);
    }

    #[test]
    fn one_value_none_and_odd_ones_still_give_an_axis() {
        for values in
            [vec![], vec![3.0], vec![0.0], vec![f64::NAN, f64::INFINITY], vec![-1e300, 1e300]]
        {
            for logarithmic in [false, true] {
                for snug in [false, true] {
                    let axis = Axis { logarithmic, ..Axis::default() };
                    let scale = Scale::fit(&axis, values.iter().copied(), 5, snug);
                    assert!(scale.low() < scale.high(), "{values:?} {scale:?}");
                    assert!(scale.place(3.0).is_finite() && scale.ticks.len() < 20, "{scale:?}");
                }
            }
        }
    }

    #[test]
    fn a_range_leaves_the_rest_out() {
        let axis = Axis { range: Some((0.9, 0.98)), ..Axis::default() };
        let scale = Scale::fit(&axis, [0.1, 0.95, 7.0].into_iter(), 4, false);
        assert_eq!((scale.low(), scale.high()), (0.9, 0.98));
        assert!(scale.shows(0.95) && !scale.shows(0.1) && !scale.shows(7.0));
    }

    #[test]
    fn a_logarithmic_axis_is_even_in_decades() {
        let axis = Axis { logarithmic: true, ..Axis::default() };
        let scale = Scale::fit(&axis, [0.001, 1.0, 0.0, -5.0].into_iter(), 5, false);
        let step = scale.place(0.01) - scale.place(0.001);
        assert!((scale.place(1.0) - scale.place(0.1) - step).abs() < 1e-9);
        assert!(!scale.shows(0.0) && scale.shows(1e-9));
    }
}
