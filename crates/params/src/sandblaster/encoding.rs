//! Commands and vectors as they travel.

use downpour_lbfgs::{Command, Settings, Side, Vector};
use downpour_tensor::{Result, Status};

use super::messages::CommandMessage;

/// Numbers below this are vectors without a slot.
const FIRST_SLOT: u32 = 16;

/// One slot more than pairs are kept.
const SLOTS: u32 = Settings::MAX_HISTORY as u32 + 1;

/// A vector's number.
pub(crate) fn number(vector: Vector) -> u32 {
    match vector {
        Vector::Parameters => 0,
        Vector::Point(Side::A) => 1,
        Vector::Point(Side::B) => 2,
        Vector::Gradient(Side::A) => 3,
        Vector::Gradient(Side::B) => 4,
        Vector::Direction => 5,
        // Slots beyond the last that is taken arrive as none: the server refuses them.
        Vector::Step(slot) => FIRST_SLOT + 2 * slot.min(SLOTS),
        Vector::Change(slot) => FIRST_SLOT + 2 * slot.min(SLOTS) + 1,
    }
}

/// The vector of a number.
pub(crate) fn vector(number: u32) -> Result<Vector> {
    Ok(match number {
        0 => Vector::Parameters,
        1 => Vector::Point(Side::A),
        2 => Vector::Point(Side::B),
        3 => Vector::Gradient(Side::A),
        4 => Vector::Gradient(Side::B),
        5 => Vector::Direction,
        slotted if slotted >= FIRST_SLOT && (slotted - FIRST_SLOT) / 2 < SLOTS => {
            let slot = (slotted - FIRST_SLOT) / 2;
            if slotted.is_multiple_of(2) { Vector::Step(slot) } else { Vector::Change(slot) }
        }
        other => {
            return Err(Status::invalid_argument(format!("there is no vector number {other}")));
        }
    })
}

/// A command as a message.
pub(crate) fn encoded(command: &Command) -> CommandMessage {
    let (kind, vectors, factors) = match command {
        Command::Copy { from, to } => (1, vec![*from, *to], vec![]),
        Command::Scale { vector, by } => (2, vec![*vector], vec![*by]),
        Command::Axpy { by, from, to } => (3, vec![*from, *to], vec![*by]),
        Command::Multiply { from, to } => (4, vec![*from, *to], vec![]),
        Command::Combine { to, terms } => {
            let vectors = std::iter::once(*to).chain(terms.iter().map(|term| term.1));
            (5, vectors.collect(), terms.iter().map(|term| term.0).collect())
        }
        Command::Dot { a, b } => (6, vec![*a, *b], vec![]),
        Command::Norm { vector } => (7, vec![*vector], vec![]),
    };
    CommandMessage { kind, vectors: vectors.into_iter().map(number).collect(), factors }
}

/// The command of a message.
pub(crate) fn decoded(message: &CommandMessage) -> Result<Command> {
    let vectors = message.vectors.iter().map(|&number| vector(number));
    let vectors: Vec<Vector> = vectors.collect::<Result<_>>()?;
    Ok(match (message.kind, &vectors[..], &message.factors[..]) {
        (1, &[from, to], []) => Command::Copy { from, to },
        (2, &[vector], &[by]) => Command::Scale { vector, by },
        (3, &[from, to], &[by]) => Command::Axpy { by, from, to },
        (4, &[from, to], []) => Command::Multiply { from, to },
        (5, [to, from @ ..], factors) if from.len() == factors.len() => {
            let terms = factors.iter().copied().zip(from.iter().copied()).collect();
            Command::Combine { to: *to, terms }
        }
        (6, &[a, b], []) => Command::Dot { a, b },
        (7, &[vector], []) => Command::Norm { vector },
        _ => {
            return Err(Status::invalid_argument(format!(
                "no command of kind {} has {} vectors and {} factors; is the coordinator newer?",
                message.kind,
                vectors.len(),
                message.factors.len()
            )));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vector_and_command_comes_back() {
        let mut vectors: Vec<Vector> = (0..6).map(|number| vector(number).unwrap()).collect();
        for slot in [0, 1, SLOTS - 1] {
            vectors.extend([Vector::Step(slot), Vector::Change(slot)]);
        }
        for &a in &vectors {
            assert_eq!(vector(number(a)).unwrap(), a);
            let b = Vector::Direction;
            for command in [
                Command::Copy { from: a, to: b },
                Command::Scale { vector: a, by: 2.5 },
                Command::Axpy { by: -1.0, from: a, to: b },
                Command::Multiply { from: a, to: b },
                Command::Combine { to: b, terms: vec![(1.0, a), (0.5, b)] },
                Command::Combine { to: b, terms: vec![] },
                Command::Dot { a, b },
                Command::Norm { vector: a },
            ] {
                assert_eq!(decoded(&encoded(&command)).unwrap(), command);
            }
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for odd in [6, FIRST_SLOT - 1, FIRST_SLOT + 2 * SLOTS, u32::MAX] {
            assert!(vector(odd).is_err());
        }
        assert!(vector(number(Vector::Step(u32::MAX))).is_err());
        for (kind, vectors, factors) in [
            (1, vec![1], vec![]),
            (5, vec![], vec![]),
            (5, vec![1], vec![1.0]),
            (9, vec![], vec![]),
        ] {
            assert!(decoded(&CommandMessage { kind, vectors, factors }).is_err());
        }
    }
}
