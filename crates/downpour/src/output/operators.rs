//! `+ - * /` and unary minus on values, with values, numbers and results on the right.
//!
//! Numbers are `f64` or `i64` only: with one type of each kind the compiler knows what `&x * 0.5` gives.

use std::ops::{Add, Div, Mul, Neg, Sub};

use downpour_tensor::Result;

use super::Output;
use crate::into_tensor::number;
use crate::node_builder::NodeBuilder;

/// `name` is what TensorFlow calls the nodes of its operators.
fn binary(op: &'static str, name: &str, a: &Output, b: &Output) -> Result<Output> {
    NodeBuilder::new(op).input(a).input(b).name(name).output()
}

impl Output {
    /// A scalar constant of this value's type.
    pub fn scalar_like(&self, value: f64) -> Result<Output> {
        self.graph.constant(number(value, self.dtype()).map_err(|e| e.context(self.name()))?)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $op:literal $name:literal;)*) => {$(
        operators!(@values $trait $method $op $name; &Output, Output);
        operators!(@numbers $trait $method; f64, i64);
    )*};
    (@values $trait:ident $method:ident $op:literal $name:literal; $($left:ty),*) => {$(
        impl $trait<&Output> for $left {
            type Output = Result<Output>;
            fn $method(self, other: &Output) -> Result<Output> {
                binary($op, $name, &self, other)
            }
        }
        impl $trait<Output> for $left {
            type Output = Result<Output>;
            fn $method(self, other: Output) -> Result<Output> {
                binary($op, $name, &self, &other)
            }
        }
        impl $trait<Result<Output>> for $left {
            type Output = Result<Output>;
            fn $method(self, other: Result<Output>) -> Result<Output> {
                binary($op, $name, &self, &other?)
            }
        }
    )*};
    (@numbers $trait:ident $method:ident; $($number:ty),*) => {$(
        impl $trait<$number> for &Output {
            type Output = Result<Output>;
            fn $method(self, other: $number) -> Result<Output> {
                self.$method(&self.scalar_like(other as f64)?)
            }
        }
        impl $trait<$number> for Output {
            type Output = Result<Output>;
            fn $method(self, other: $number) -> Result<Output> {
                (&self).$method(other)
            }
        }
        impl $trait<&Output> for $number {
            type Output = Result<Output>;
            fn $method(self, other: &Output) -> Result<Output> {
                other.scalar_like(self as f64)?.$method(other)
            }
        }
        impl $trait<Output> for $number {
            type Output = Result<Output>;
            fn $method(self, other: Output) -> Result<Output> {
                self.$method(&other)
            }
        }
    )*};
}

operators! {
    Add add "AddV2" "add";
    Sub sub "Sub" "sub";
    Mul mul "Mul" "mul";
    Div div "RealDiv" "truediv";
}

impl Neg for &Output {
    type Output = Result<Output>;
    fn neg(self) -> Result<Output> {
        NodeBuilder::new("Neg").input(self).output()
    }
}

impl Neg for Output {
    type Output = Result<Output>;
    fn neg(self) -> Result<Output> {
        -&self
    }
}
