//! Elementary functions of complex numbers. Both types compute in double precision.

use downpour_tensor::{Complex64, Complex128};

use super::Function;

fn one() -> Complex128 {
    Complex128::new(1.0, 0.0)
}

/// e^z - 1, accurate for small z: e^x cos y - 1 = expm1(x) cos y - 2 sin^2(y/2).
fn exp_m1(z: Complex128) -> Complex128 {
    let half_sine = (z.im / 2.0).sin();
    let re = z.re.exp_m1() * z.im.cos() - 2.0 * half_sine * half_sine;
    Complex128::new(re, z.re.exp() * z.im.sin())
}

/// log(1 + z), accurate for small z: |1 + z|^2 - 1 = x (2 + x) + y^2.
fn log_1p(z: Complex128) -> Complex128 {
    let excess = z.re * (2.0 + z.re) + z.im * z.im;
    let re = if excess.abs() < 0.5 { 0.5 * excess.ln_1p() } else { (one() + z).norm().ln() };
    Complex128::new(re, z.im.atan2(1.0 + z.re))
}

fn log(z: Complex128) -> Complex128 {
    Complex128::new(z.norm().ln(), z.im.atan2(z.re))
}

fn power(base: Complex128, exponent: Complex128) -> Complex128 {
    if exponent.re == 0.0 && exponent.im == 0.0 {
        return one();
    }
    if base.re == 0.0 && base.im == 0.0 {
        return Complex128::new(0.0, 0.0);
    }
    (log(base) * exponent).exp()
}

/// The tangents saturate: sinh and cosh overflow long before their quotient stops being 1.
fn tanh(z: Complex128) -> Complex128 {
    if z.re.abs() > 350.0 {
        return Complex128::new(z.re.signum(), 0.0f64.copysign((2.0 * z.im).sin()));
    }
    z.tanh()
}

fn tan(z: Complex128) -> Complex128 {
    let t = tanh(Complex128::new(-z.im, z.re));
    Complex128::new(t.im, -t.re)
}

macro_rules! complex_functions {
    ($t:ident, $wide:expr, $narrow:expr) => {
        impl Function for $t {
            fn exp(self) -> Self {
                $narrow($wide(self).exp())
            }
            fn exp_m1(self) -> Self {
                $narrow(exp_m1($wide(self)))
            }
            fn log(self) -> Self {
                $narrow(log($wide(self)))
            }
            fn log_1p(self) -> Self {
                $narrow(log_1p($wide(self)))
            }
            fn sqrt(self) -> Self {
                $narrow($wide(self).sqrt())
            }
            fn sin(self) -> Self {
                $narrow($wide(self).sin())
            }
            fn cos(self) -> Self {
                $narrow($wide(self).cos())
            }
            fn tan(self) -> Self {
                $narrow(tan($wide(self)))
            }
            fn asin(self) -> Self {
                $narrow($wide(self).asin())
            }
            fn acos(self) -> Self {
                $narrow($wide(self).acos())
            }
            fn atan(self) -> Self {
                $narrow($wide(self).atan())
            }
            fn sinh(self) -> Self {
                $narrow($wide(self).sinh())
            }
            fn cosh(self) -> Self {
                $narrow($wide(self).cosh())
            }
            fn tanh(self) -> Self {
                $narrow(tanh($wide(self)))
            }
            fn asinh(self) -> Self {
                $narrow($wide(self).asinh())
            }
            fn acosh(self) -> Self {
                $narrow($wide(self).acosh())
            }
            fn atanh(self) -> Self {
                $narrow($wide(self).atanh())
            }
            fn sigmoid(self) -> Self {
                $narrow(one() / (one() + (-$wide(self)).exp()))
            }
            fn power(self, exponent: Self) -> Self {
                $narrow(power($wide(self), $wide(exponent)))
            }
        }
    };
}

fn widened(z: Complex64) -> Complex128 {
    Complex128::new(z.re as f64, z.im as f64)
}

fn narrowed(z: Complex128) -> Complex64 {
    Complex64::new(z.re as f32, z.im as f32)
}

fn unchanged(z: Complex128) -> Complex128 {
    z
}

complex_functions!(Complex64, widened, narrowed);
complex_functions!(Complex128, unchanged, unchanged);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_arguments_keep_their_digits() {
        let z = Complex128::new(1e-12, 2e-12);
        assert!((Function::exp_m1(z) - z).norm() < 1e-22);
        assert!((Function::log_1p(z) - z).norm() < 1e-22);
    }

    #[test]
    fn powers_of_zero() {
        let zero = Complex64::new(0.0, 0.0);
        assert_eq!(zero.power(zero), Complex64::new(1.0, 0.0));
        assert_eq!(zero.power(Complex64::new(2.0, 0.0)), zero);
    }
}
