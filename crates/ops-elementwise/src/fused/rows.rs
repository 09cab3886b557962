//! The operations a fused program may contain, with their rows.

pub use downpour_graph::passes::Fusable;
use downpour_tensor::DataType;

use crate::driver::{Row, Shapes};
use crate::math::Function;
use crate::ops::float_power;

/// How an operation may take part in a program, if it may. Only nodes whose type is float or double
/// are eligible.
pub fn fusable(op: &str) -> Option<Fusable> {
    let arity = match row::<f32>(op)? {
        AnyRow::One(_) => 1,
        AnyRow::Two(_) => 2,
        AnyRow::Three(_) => 3,
    };
    let attribute = matches!(op, "LeakyRelu" | "LeakyReluGrad").then_some("alpha");
    Some(Fusable { arity, attribute })
}

/// Returns the shapes that the first two operands of an operation may have, fused or not.
pub(super) fn operand_shapes(op: &str) -> Shapes {
    match op {
        "ReluGrad" | "Relu6Grad" | "LeakyReluGrad" | "EluGrad" | "SeluGrad" | "SoftplusGrad"
        | "SoftsignGrad" => Shapes::Same,
        "TanhGrad" | "SigmoidGrad" | "SqrtGrad" | "RsqrtGrad" | "ReciprocalGrad" | "InvGrad" => {
            Shapes::SameSize
        }
        _ => Shapes::Broadcast,
    }
}

/// A row of any number of operands.
#[derive(Clone, Copy)]
pub(super) enum AnyRow<T> {
    One(Row<T, T, 1>),
    Two(Row<T, T, 2>),
    Three(Row<T, T, 3>),
}

pub(super) trait FusedFloat: Function + From<f32> {
    const TYPE: DataType;
    fn row(op: &str) -> Option<AnyRow<Self>>;
    fn constant(value: f64) -> Self;
}

pub(super) fn row<T: FusedFloat>(op: &str) -> Option<AnyRow<T>> {
    T::row(op)
}

macro_rules! fused_rows {
    ($t:ident;
     one { $($name1:literal |$x1:ident| $body1:expr;)* }
     two { $($name2:literal |$x2:ident, $y2:ident| $body2:expr;)* }
     three { $($name3:literal |$x3:ident, $y3:ident, $z3:ident| $body3:expr;)* }) => {
        impl FusedFloat for $t {
            const TYPE: DataType = <$t as downpour_tensor::Element>::DTYPE;
            fn row(op: &str) -> Option<AnyRow<$t>> {
                Some(match op {
                    "Pow" => AnyRow::Two(float_power::<$t>),
                    $($name1 => AnyRow::One(row!($t => $t, |$x1| $body1)),)*
                    $($name2 => AnyRow::Two(row!($t => $t, |$x2, $y2| $body2)),)*
                    $($name3 => AnyRow::Three(row!($t => $t, |$x3, $y3, $z3| $body3)),)*
                    _ => return None,
                })
            }
            fn constant(value: f64) -> $t {
                value as $t
            }
        }
    };
}

macro_rules! for_both {
    ($($t:ident)*) => {$(
        fused_rows! {
            $t;
            one {
                "Abs" |x| x.abs();
                "Neg" |x| -x;
                "Square" |x| x * x;
                "Sqrt" |x| x.sqrt();
                "Rsqrt" |x| 1.0 / x.sqrt();
                "Reciprocal" |x| 1.0 / x;
                "Inv" |x| 1.0 / x;
                "Sign" |x| if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { x.abs() };
                "Exp" |x| Function::exp(x);
                "Expm1" |x| Function::exp_m1(x);
                "Log" |x| Function::log(x);
                "Log1p" |x| Function::log_1p(x);
                "Tanh" |x| Function::tanh(x);
                "Sigmoid" |x| Function::sigmoid(x);
                "Sin" |x| Function::sin(x);
                "Cos" |x| Function::cos(x);
                "Floor" |x| x.floor();
                "Ceil" |x| x.ceil();
                "Round" |x| x.round_ties_even();
                "Rint" |x| x.round_ties_even();
                "Relu" |x| if x < 0.0 { 0.0 } else { x };
                "Relu6" |x| {
                    let x = if x < 0.0 { 0.0 } else { x };
                    if x > 6.0 { 6.0 } else { x }
                };
                "Elu" |x| {
                    let below = Function::exp(x) - 1.0;
                    if x < 0.0 { below } else { x }
                };
                "Softsign" |x| x / (x.abs() + 1.0);
            }
            two {
                "Add" |x, y| x + y;
                "AddV2" |x, y| x + y;
                "Sub" |x, y| x - y;
                "Mul" |x, y| x * y;
                "Div" |x, y| x / y;
                "RealDiv" |x, y| x / y;
                "DivNoNan" |x, y| if y == 0.0 { 0.0 } else { x / y };
                "MulNoNan" |x, y| if y == 0.0 { 0.0 } else { x * y };
                "Xdivy" |x, y| if x == 0.0 { 0.0 } else { x / y };
                "Xlogy" |x, y| if x == 0.0 { 0.0 } else { x * Function::log(y) };
                "Maximum" |x, y| if x > y || x.is_nan() { x } else { y };
                "Minimum" |x, y| if x < y || x.is_nan() { x } else { y };
                "SquaredDifference" |x, y| (x - y) * (x - y);
                "TanhGrad" |y, dy| dy * (1.0 - y * y);
                "SigmoidGrad" |y, dy| dy * (y * (1.0 - y));
                "ReciprocalGrad" |y, dy| if dy == 0.0 { 0.0 } else { -(y * y) * dy };
                "SqrtGrad" |y, dy| if dy == 0.0 { 0.0 } else { (0.5 * dy) / y };
                "RsqrtGrad" |y, dy| if dy == 0.0 { 0.0 } else { -0.5 * ((dy * y) * (y * y)) };
                "ReluGrad" |g, x| g * (if x > 0.0 { 1.0 } else { 0.0 });
                "Relu6Grad" |g, x| g * (if x > 0.0 && x < 6.0 { 1.0 } else { 0.0 });
                "EluGrad" |g, y| if y < 0.0 { (y + 1.0) * g } else { g };
                "SoftplusGrad" |g, x| g / (Function::exp(-x) + 1.0);
                "LeakyRelu" |x, alpha| if x > 0.0 { x } else { x * alpha };
            }
            three {
                "LeakyReluGrad" |g, x, alpha| if x > 0.0 { g } else { g * alpha };
            }
        }
    )*};
}
for_both!(f32 f64);

impl<T> AnyRow<T> {
    /// Runs the row on as many of the operands as it has.
    pub(super) fn apply(self, operands: [&[T]; 3], out: &mut [T]) {
        let [a, b, c] = operands;
        match self {
            AnyRow::One(row) => row([a], out),
            AnyRow::Two(row) => row([a, b], out),
            AnyRow::Three(row) => row([a, b, c], out),
        }
    }
}
