//! Clipping of values and gradients, by TensorFlow's formulas.

use downpour_tensor::{Result, Status};

use crate::gradients::Gradient;
use crate::node_builder::NodeBuilder;
use crate::ops;
use crate::output::Output;

impl Output {
    /// Every element between two numbers.
    pub fn clip_by_value(&self, least: f64, most: f64) -> Result<Output> {
        let (least, most) = (self.scalar_like(least)?, self.scalar_like(most)?);
        NodeBuilder::new("ClipByValue").input(self).input(&least).input(&most).output()
    }

    /// Scaled down so that its L2 norm is at most this.
    pub fn clip_by_norm(&self, norm: f64) -> Result<Output> {
        let _scope = self.graph().name_scope("clip_by_norm")?;
        let norm = self.scalar_like(norm.max(0.0))?;
        let squares = (self * self)?;
        let rank = squares.known_rank("clip_by_norm")? as i32;
        let sum = squares.reduce_sum(&(0..rank).collect::<Vec<i32>>(), true)?;
        let positive = sum.greater(&sum.scalar_like(0.0)?)?;
        // The square root has no slope at zero: it is not taken there.
        let safe = positive.select(&sum, &sum.ones_like()?)?;
        let length = positive.select(&safe.sqrt()?, &sum)?;
        ((self * &norm)? / length.maximum(&norm)?)?.identity()
    }
}

/// Every element of a gradient between two numbers.
pub fn clip_by_value(gradient: &Gradient, least: f64, most: f64) -> Result<Gradient> {
    Ok(gradient.with_values(gradient.values().clip_by_value(least, most)?))
}

/// A gradient scaled down so that its L2 norm is at most this.
pub fn clip_by_norm(gradient: &Gradient, norm: f64) -> Result<Gradient> {
    Ok(gradient.with_values(gradient.values().clip_by_norm(norm)?))
}

/// The L2 norm of all gradients together.
pub fn global_norm(gradients: &[Option<Gradient>]) -> Result<Output> {
    let some: Vec<&Gradient> = gradients.iter().flatten().collect();
    let Some(first) = some.first() else {
        return Err(Status::invalid_argument("global_norm: there is no gradient to measure"));
    };
    let graph = first.values().graph().clone();
    let _scope = graph.name_scope("global_norm")?;
    let mut halves = Vec::with_capacity(some.len());
    for gradient in some {
        let _beside = graph.colocate_with(&gradient.values().op())?;
        halves.push(NodeBuilder::new("L2Loss").input(gradient.values()).output()?);
    }
    let half = Output::stack(&halves, 0)?.sum_all()?;
    (half * 2.0)?.sqrt()
}

/// All gradients scaled down together so that their joint L2 norm is at most this; and the norm they had.
/// A norm that is no number makes all of them NaN, so that it shows.
pub fn clip_by_global_norm(
    gradients: &[Option<Gradient>],
    norm: f64,
) -> Result<(Vec<Option<Gradient>>, Output)> {
    let had = global_norm(gradients)?;
    let graph = had.graph().clone();
    let _scope = graph.name_scope("clip_by_global_norm")?;
    let limit = had.scalar_like(norm)?;
    let one = had.scalar_like(1.0)?;
    let finite = (&limit * (&one / &had)?.minimum(&(&one / &limit)?)?)?;
    // Zero for every number, NaN for what is none.
    let check = ops::sub(&had, &had).build()?;
    let scale = (finite + check)?;
    let mut clipped = Vec::with_capacity(gradients.len());
    for gradient in gradients {
        clipped.push(match gradient {
            None => None,
            Some(gradient) => {
                let values = gradient.values();
                let _beside = graph.colocate_with(&values.op())?;
                Some(gradient.with_values((values * scale.cast(values.dtype())?)?.identity()?))
            }
        });
    }
    Ok((clipped, had))
}
