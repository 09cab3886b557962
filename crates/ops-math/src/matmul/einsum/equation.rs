//! Reading an equation such as `ab...,bc->a...c`.

use std::collections::BTreeMap;
use std::ops::Range;

use downpour_tensor::{Result, Status};

use super::Resolved;

/// A named axis, or one that an ellipsis stands for (counted from the last).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Label {
    Named(char),
    Broadcast(usize),
}

impl Label {
    pub fn is_broadcast(self) -> bool {
        matches!(self, Label::Broadcast(_))
    }
}

/// The labels of one operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Subscript {
    pub labels: Vec<Label>,
    /// Number of labels before the ellipsis, if there is one.
    pub ellipsis: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Equation {
    pub text: String,
    pub inputs: Vec<Subscript>,
    pub output: Subscript,
}

impl Subscript {
    fn parse(text: &str) -> Result<Subscript> {
        let periods = text.matches('.').count();
        if periods != 0 && periods != 3 {
            return Err(Status::invalid_argument(format!(
                "Expected at most one ellipsis (...), but found {periods} periods (.) in the input \
                 subscript: {text}"
            )));
        }
        let ellipsis = text.find("...").map(|at| text[..at].chars().count());
        if periods == 3 && ellipsis.is_none() {
            return Err(Status::invalid_argument(format!(
                "Periods found outside of ellipsis in subscript: {text}"
            )));
        }
        let labels = text.chars().filter(|&c| c != '.').map(Label::Named).collect();
        Ok(Subscript { labels, ellipsis })
    }

    /// The axis of each label and the axes of the ellipsis in operand `i` of this rank.
    pub fn axes(&self, rank: usize, i: usize) -> Result<(Vec<usize>, Range<usize>)> {
        let named = self.labels.len();
        let Some(before) = self.ellipsis else {
            if rank != named {
                return Err(Status::invalid_argument(format!(
                    "Einsum: Expected input {i} to have rank {named} but got: {rank}"
                )));
            }
            return Ok(((0..named).collect(), 0..0));
        };
        if rank < named {
            return Err(Status::invalid_argument(format!(
                "Einsum: Expected input {i} to have rank at least {named} but got: {rank}"
            )));
        }
        let after = named - before;
        let axes = (0..before).chain(rank - after..rank).collect();
        Ok((axes, before..rank - after))
    }

    /// One label per axis, with `broadcast` axes in the ellipsis' place.
    fn expand(&self, broadcast: usize) -> Vec<Label> {
        let mut labels = self.labels.clone();
        if let Some(at) = self.ellipsis {
            labels.splice(at..at, (0..broadcast).rev().map(Label::Broadcast));
        }
        labels
    }
}

impl Equation {
    pub fn parse(text: &str) -> Result<Equation> {
        let sides: Vec<&str> = text.split("->").collect();
        let [left, right] = sides[..] else {
            return Err(Status::invalid_argument(format!(
                "Expecting exactly one '->' in einsum equation: {text}"
            )));
        };
        let inputs: Vec<Subscript> =
            left.split(',').map(Subscript::parse).collect::<Result<_>>()?;
        if inputs.len() > 2 {
            return Err(Status::invalid_argument(format!(
                "Expecting 1 or 2 input subscripts in equation '{text}' but got: {}",
                inputs.len()
            )));
        }
        Ok(Equation { text: text.to_string(), inputs, output: Subscript::parse(right)? })
    }

    pub fn wrong_inputs(&self, got: usize) -> Status {
        Status::invalid_argument(format!(
            "Expected {} inputs for equation {} but got: {got}",
            self.inputs.len(),
            self.text
        ))
    }

    pub fn unknown_label(&self, label: Label) -> Status {
        let name = match label {
            Label::Named(c) => c.to_string(),
            Label::Broadcast(_) => "...".to_string(),
        };
        Status::invalid_argument(format!(
            "Einsum output subscripts for equation '{}' has label '{name}' which is not present in \
             the input subscripts",
            self.text
        ))
    }

    /// Expands ellipses for these shapes and checks that every label has one size.
    pub fn resolve(&self, shapes: &[&[usize]]) -> Result<Resolved> {
        if shapes.len() != self.inputs.len() {
            return Err(self.wrong_inputs(shapes.len()));
        }
        let mut sizes: BTreeMap<Label, usize> = BTreeMap::new();
        let mut inputs = Vec::new();
        let mut most = 0;
        for (i, (subscript, dims)) in self.inputs.iter().zip(shapes).enumerate() {
            let (axes, ellipsis) = subscript.axes(dims.len(), i)?;
            for (&label, axis) in subscript.labels.iter().zip(axes) {
                let expected = *sizes.entry(label).or_insert(dims[axis]);
                if expected != dims[axis] {
                    return Err(Status::invalid_argument(format!(
                        "Einsum: Expected dimension {expected} at axis {axis} of the input shaped \
                         {:?} but got dimension {}",
                        dims, dims[axis]
                    )));
                }
            }
            most = most.max(ellipsis.len());
            inputs.push(subscript.expand(ellipsis.len()));
        }
        if most > 0 && self.output.ellipsis.is_none() {
            return Err(no_output_ellipsis(most));
        }
        if let Some(&label) = self.output.labels.iter().find(|l| !sizes.contains_key(l)) {
            return Err(self.unknown_label(label));
        }
        Ok(Resolved { inputs, output: self.output.expand(most) })
    }
}

pub(super) fn no_output_ellipsis(axes: usize) -> Status {
    Status::invalid_argument(format!(
        "Einsum: Output contains {axes} broadcasting dimension(s) but no ellipsis (...) was found \
         in the output subscripts."
    ))
}
