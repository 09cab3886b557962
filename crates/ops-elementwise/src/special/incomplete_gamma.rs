//! The regularised incomplete gamma functions P(a, x) and Q(a, x) = 1 - P, and dP/da.
//!
//! A power series serves x <= 1 or x <= a, a continued fraction the rest. Both run on numbers that
//! carry their derivative by a along, so that value and derivative share one code.

use super::digamma;

/// More terms than any sensible argument needs; a bound for the others.
const MAX_TERMS: usize = 5000;

/// A value with its derivative by a.
#[derive(Clone, Copy)]
struct Dual {
    value: f64,
    slope: f64,
}

impl Dual {
    fn constant(value: f64) -> Dual {
        Dual { value, slope: 0.0 }
    }

    fn plus(self, other: Dual) -> Dual {
        Dual { value: self.value + other.value, slope: self.slope + other.slope }
    }

    fn times(self, other: Dual) -> Dual {
        let slope = self.slope * other.value + self.value * other.slope;
        Dual { value: self.value * other.value, slope }
    }

    fn inverse(self) -> Dual {
        let value = 1.0 / self.value;
        Dual { value, slope: -self.slope * value * value }
    }
}

/// x^a e^-x / gamma(a), with its derivative.
fn prefactor(a: f64, x: f64) -> Dual {
    let log = a * x.ln() - x - libm::lgamma(a);
    let value = if log < -f64::MAX.ln() || log.is_nan() { 0.0 } else { log.exp() };
    let slope = if value == 0.0 { 0.0 } else { value * (x.ln() - digamma(a)) };
    Dual { value, slope }
}

/// P(a, x) as a series.
fn series(a: f64, x: f64) -> Dual {
    let front = prefactor(a, x);
    if front.value == 0.0 {
        return Dual::constant(0.0);
    }
    let mut term = Dual { value: a, slope: 1.0 }.inverse();
    let mut sum = term;
    for k in 1..MAX_TERMS {
        let divisor = Dual { value: a + k as f64, slope: 1.0 };
        term = term.times(Dual::constant(x)).times(divisor.inverse());
        sum = sum.plus(term);
        let value_done = term.value <= f64::EPSILON / 4.0 * sum.value;
        if value_done && term.slope.abs() <= f64::EPSILON / 4.0 * sum.slope.abs() {
            break;
        }
    }
    front.times(sum)
}

/// Q(a, x) as a continued fraction, evaluated from the front (Lentz's method).
fn fraction(a: f64, x: f64) -> Dual {
    if x == f64::INFINITY {
        return Dual::constant(0.0);
    }
    let front = prefactor(a, x);
    if front.value == 0.0 {
        return Dual::constant(0.0);
    }
    const TINY: f64 = 1e-300;
    let guarded = |d: Dual| if d.value == 0.0 { Dual { value: TINY, slope: d.slope } } else { d };
    let mut b = Dual { value: x + 1.0 - a, slope: -1.0 };
    let mut d = guarded(b).inverse();
    let mut c = Dual::constant(1.0 / TINY);
    let mut h = d;
    for k in 1..MAX_TERMS {
        let n = k as f64;
        let numerator = Dual { value: -n * (n - a), slope: n };
        b = b.plus(Dual::constant(2.0));
        d = guarded(numerator.times(d).plus(b)).inverse();
        c = guarded(b.plus(numerator.times(c.inverse())));
        let step = d.times(c);
        let before = h;
        h = h.times(step);
        let value_done = (step.value - 1.0).abs() <= f64::EPSILON;
        if value_done && (h.slope - before.slope).abs() <= 1e-16 * h.slope.abs().max(1e-3) {
            break;
        }
    }
    front.times(h)
}

/// P(a, x) with its derivative by a.
fn lower(a: f64, x: f64) -> Dual {
    if x == 0.0 {
        return Dual::constant(0.0);
    }
    if x < 0.0 || a <= 0.0 || a.is_nan() || x.is_nan() {
        return Dual { value: f64::NAN, slope: f64::NAN };
    }
    if x > 1.0 && x > a {
        let q = fraction(a, x);
        return Dual { value: 1.0 - q.value, slope: -q.slope };
    }
    series(a, x)
}

pub(crate) fn igamma(a: f64, x: f64) -> f64 {
    lower(a, x).value
}

pub(crate) fn igamma_grad_a(a: f64, x: f64) -> f64 {
    lower(a, x).slope
}

pub(crate) fn igammac(a: f64, x: f64) -> f64 {
    if x < 0.0 || a <= 0.0 || a.is_nan() || x.is_nan() {
        return f64::NAN;
    }
    if x < 1.0 || x < a { 1.0 - series(a, x).value } else { fraction(a, x).value }
}
