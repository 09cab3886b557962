//! The inverse of the normal distribution function.

use super::{polynomial, ratio};

/// exp(-2): below this the approximation works on the logarithm.
const TAIL: f64 = 0.135_335_283_236_612_7;

/// The x at which a standard normal variable lies below x with probability p.
pub(crate) fn ndtri(p: f64) -> f64 {
    if p == 0.0 {
        return f64::NEG_INFINITY;
    }
    if p == 1.0 {
        return f64::INFINITY;
    }
    let lower = p <= 1.0 - TAIL;
    let b = if lower { p } else { 1.0 - p };
    if b > TAIL {
        let c = b - 0.5;
        let square = c * c;
        let q = polynomial(square, &CENTRE_P) / polynomial(square, &CENTRE_Q);
        return (c + c * square * q) * 2.506_628_274_631_000_7;
    }
    let x = (-2.0 * b.ln()).sqrt();
    let z = 1.0 / x;
    let correction = if x < 8.0 { ratio(z, &TAIL_P, &TAIL_Q) } else { ratio(z, &FAR_P, &FAR_Q) };
    let magnitude = x - x.ln() / x - z * correction;
    if lower { -magnitude } else { magnitude }
}

pub(crate) fn erfinv(x: f64) -> f64 {
    ndtri(0.5 * x + 0.5) * std::f64::consts::FRAC_1_SQRT_2
}

const CENTRE_P: [f64; 5] = [
    -59.96335010141079,
    98.00107541859997,
    -56.67628574690703,
    13.931260938727968,
    -1.2391658386738125,
];
const CENTRE_Q: [f64; 9] = [
    1.0,
    1.9544885833814176,
    4.676279128988815,
    86.36024213908905,
    -225.46268785411937,
    200.26021238006066,
    -82.03722561683334,
    15.90562251262117,
    -1.1833162112133,
];
const TAIL_P: [f64; 9] = [
    4.0554489230596245,
    31.525109459989388,
    57.16281922464213,
    44.08050738932008,
    14.684956192885803,
    2.1866330685079025,
    -0.1402560791713545,
    -0.03504246268278482,
    -0.0008574567851546854,
];
const TAIL_Q: [f64; 9] = [
    1.0,
    15.779988325646675,
    45.39076351288792,
    41.3172038254672,
    15.04253856929075,
    2.504649462083094,
    -0.14218292285478779,
    -0.03808064076915783,
    -0.0009332594808954574,
];
const FAR_P: [f64; 9] = [
    3.2377489177694603,
    6.915228890689842,
    3.9388102529247444,
    1.3330346081580755,
    0.20148538954917908,
    0.012371663481782003,
    0.00030158155350823543,
    2.6580697468673755e-06,
    6.239745391849833e-09,
];
const FAR_Q: [f64; 9] = [
    1.0,
    6.02427039364742,
    3.6798356385616087,
    1.3770209948908132,
    0.21623699359449663,
    0.013420400608854318,
    0.00032801446468212774,
    2.8924786474538068e-06,
    6.790194080099813e-09,
];
