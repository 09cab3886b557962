//! The program of a fused operation, and its text in the attribute `program`.

use downpour_tensor::{Result, Status};

use super::rows::fusable;

/// Where a step's operand comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    /// The node's input with this index.
    Input(usize),
    /// The result of an earlier step.
    Step(usize),
    /// A number known when the graph was built.
    Constant(f64),
}

/// One operation of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub op: String,
    pub operands: Vec<Operand>,
}

impl Step {
    pub fn new(op: &str, operands: impl Into<Vec<Operand>>) -> Step {
        Step { op: op.to_string(), operands: operands.into() }
    }
}

/// The attribute's value for these steps.
pub fn program(steps: &[Step]) -> Vec<String> {
    let operand = |operand: &Operand| match operand {
        Operand::Input(i) => format!(" i{i}"),
        Operand::Step(i) => format!(" s{i}"),
        Operand::Constant(c) => format!(" c{c}"),
    };
    let line =
        |step: &Step| step.op.clone() + &step.operands.iter().map(operand).collect::<String>();
    steps.iter().map(line).collect()
}

/// Reads a program back and checks every operation, operand and index.
pub(super) fn parse(program: &[String], inputs: usize) -> Result<Vec<Step>> {
    if program.is_empty() {
        return Err(Status::invalid_argument("the attribute 'program' has no steps"));
    }
    program.iter().enumerate().map(|(i, line)| parse_step(line, i, inputs)).collect()
}

fn parse_step(line: &str, index: usize, inputs: usize) -> Result<Step> {
    let wrong = |what: &str| {
        Status::invalid_argument(format!("step {index} of 'program', \"{line}\": {what}"))
    };
    let mut words = line.split_ascii_whitespace();
    let op = words.next().ok_or_else(|| wrong("names no operation"))?;
    let arity = fusable(op).ok_or_else(|| wrong("cannot be fused"))?.arity;
    let operands = words
        .map(|word| {
            let (kind, rest) = word.split_at_checked(1).ok_or_else(|| wrong("bad operand"))?;
            let operand = match kind {
                "i" => rest.parse().ok().filter(|i| *i < inputs).map(Operand::Input),
                "s" => rest.parse().ok().filter(|i| *i < index).map(Operand::Step),
                "c" => rest.parse().ok().map(Operand::Constant),
                _ => None,
            };
            operand.ok_or_else(|| wrong("bad operand"))
        })
        .collect::<Result<Vec<Operand>>>()?;
    if operands.len() != arity {
        return Err(wrong("wrong number of operands"));
    }
    Ok(Step::new(op, operands))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        let steps = [
            Step::new("Sub", [Operand::Input(1), Operand::Constant(-0.25)]),
            Step::new("Exp", [Operand::Step(0)]),
            Step::new("Mul", [Operand::Step(1), Operand::Constant(f64::INFINITY)]),
        ];
        assert_eq!(parse(&program(&steps), 2).unwrap(), steps);
    }

    #[test]
    fn bad_programs_are_refused() {
        for line in
            ["", "Nothing i0", "Exp", "Exp i0 i0", "Exp i1", "Exp s0", "Exp x", "Exp é", "Exp i-1"]
        {
            assert!(parse(&[line.to_string()], 1).is_err(), "{line}");
        }
        assert!(parse(&[], 1).is_err());
    }
}
