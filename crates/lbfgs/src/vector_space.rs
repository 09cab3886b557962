//! Vectors that live elsewhere, and what can be commanded of them.

use std::fmt;
use std::future::Future;

use downpour_tensor::Result;
use serde::{Deserialize, Serialize};

/// One of two places for points and their gradients: while one holds where we are, the other takes what is tried.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub enum Side {
    /// Where the starting point is put.
    #[default]
    A,
    /// The other one.
    B,
}

impl Side {
    /// The other place.
    pub fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }
}

/// A vector of the size of all parameters, by its role. `Display` gives its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Vector {
    /// Parameters.
    Point(Side),
    /// The gradient at the point of the same side.
    Gradient(Side),
    /// Where the line search goes.
    Direction,
    /// A step taken earlier: the difference of two points.
    Step(u32),
    /// What the gradient changed by over that step.
    Change(u32),
}

impl fmt::Display for Vector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Vector::Point(Side::A) => f.write_str("point/a"),
            Vector::Point(Side::B) => f.write_str("point/b"),
            Vector::Gradient(Side::A) => f.write_str("gradient/a"),
            Vector::Gradient(Side::B) => f.write_str("gradient/b"),
            Vector::Direction => f.write_str("direction"),
            Vector::Step(slot) => write!(f, "step/{slot}"),
            Vector::Change(slot) => write!(f, "change/{slot}"),
        }
    }
}

/// What a server does with its parts of vectors. All of it is element by element, or a sum over elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// `to = from`.
    Copy {
        /// What is read.
        from: Vector,
        /// What is written.
        to: Vector,
    },
    /// `vector = by · vector`.
    Scale {
        /// What is changed.
        vector: Vector,
        /// The factor.
        by: f64,
    },
    /// `to = to + by · from`.
    Axpy {
        /// The factor.
        by: f64,
        /// What is added.
        from: Vector,
        /// What is changed.
        to: Vector,
    },
    /// `to = to · from`, element by element.
    Multiply {
        /// The factors.
        from: Vector,
        /// What is changed.
        to: Vector,
    },
    /// `to = Σ factor · vector`; zeros without terms. `to` may be among the terms.
    Combine {
        /// What is written.
        to: Vector,
        /// Factors and vectors.
        terms: Vec<(f64, Vector)>,
    },
    /// Answers `Σ a · b`.
    Dot {
        /// One vector.
        a: Vector,
        /// The other, or the same.
        b: Vector,
    },
    /// Answers the Euclidean length.
    Norm {
        /// The vector.
        vector: Vector,
    },
}

impl Command {
    /// True for the commands that answer with a number.
    pub fn answers(&self) -> bool {
        matches!(self, Command::Dot { .. } | Command::Norm { .. })
    }
}

/// The parameters' space as a coordinator sees it: it commands, and gets numbers.
///
/// Futures are `Send`, so that an optimization can run on any executor, over a network or simulated.
pub trait VectorSpace: Send {
    /// Runs commands in order, each on every server, and gives the answers of those that answer, in order. All commands
    /// of a call can travel in one message to each server: none needs an answer of another.
    ///
    /// Sums are to be kept in float64, whatever the elements are: the direction is made of their differences.
    ///
    /// A vector that has never been written is zero. [`Lbfgs`](crate::Lbfgs) sends only commands that can be repeated: what is
    /// written is not read by the same call before. A call that failed, on some servers or all, may be made again.
    fn execute(&mut self, commands: &[Command]) -> impl Future<Output = Result<Vec<f64>>> + Send;

    /// The loss at a point over the whole batch; its gradient is left in `gradient`.
    fn evaluate(
        &mut self,
        point: Vector,
        gradient: Vector,
    ) -> impl Future<Output = Result<f64>> + Send;
}
