//! One server's part of every vector: what each command means, and how the answers of several servers become one.

use std::collections::BTreeMap;

use downpour_tensor::{Result, Status};

use crate::{Command, Vector};

/// A part of every vector, in memory.
#[derive(Clone, Debug, Default)]
pub struct Shard {
    length: usize,
    vectors: BTreeMap<Vector, Vec<f64>>,
}

impl Shard {
    /// A shard of this many elements, all zero.
    pub fn new(length: usize) -> Shard {
        Shard { length, vectors: BTreeMap::new() }
    }

    /// Elements of each vector here.
    pub fn len(&self) -> usize {
        self.length
    }

    /// True when this shard holds no elements.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// A vector's part; nothing if it was never written and so is zero.
    pub fn read(&self, vector: Vector) -> Option<&[f64]> {
        self.vectors.get(&vector).map(Vec::as_slice)
    }

    /// Overwrites a vector's part, which must have this shard's length.
    pub fn write(&mut self, vector: Vector, values: &[f64]) -> Result<()> {
        if values.len() != self.length {
            return Err(Status::invalid_argument(format!(
                "{vector} has {} elements on this shard, not {}",
                self.length,
                values.len()
            )));
        }
        self.edit(vector).copy_from_slice(values);
        Ok(())
    }

    fn edit(&mut self, vector: Vector) -> &mut Vec<f64> {
        self.vectors.entry(vector).or_insert_with(|| vec![0.0; self.length])
    }

    /// Runs commands in order. The answers are sums over this shard, to be given to [`merge`]: for a norm the sum of squares.
    pub fn execute(&mut self, commands: &[Command]) -> Vec<f64> {
        let mut answers = Vec::new();
        for command in commands {
            match command {
                Command::Copy { from, to } => self.combine(*to, &[(1.0, *from)]),
                Command::Scale { vector, by } => self.combine(*vector, &[(*by, *vector)]),
                Command::Axpy { by, from, to } => self.combine(*to, &[(1.0, *to), (*by, *from)]),
                Command::Multiply { from, to } => self.multiply(*from, *to),
                Command::Combine { to, terms } => self.combine(*to, terms),
                Command::Dot { a, b } => answers.push(self.dot(*a, *b)),
                Command::Norm { vector } => answers.push(self.dot(*vector, *vector)),
            }
        }
        answers
    }

    fn combine(&mut self, to: Vector, terms: &[(f64, Vector)]) {
        let mut sum = vec![0.0; self.length];
        for (factor, vector) in terms {
            let values = self.read(*vector).unwrap_or(&[]);
            sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += factor * value);
        }
        self.vectors.insert(to, sum);
    }

    fn multiply(&mut self, from: Vector, to: Vector) {
        match self.read(from).map(<[f64]>::to_vec) {
            Some(factors) => {
                self.edit(to).iter_mut().zip(factors).for_each(|(value, factor)| *value *= factor);
            }
            None => self.edit(to).fill(0.0),
        }
    }

    fn dot(&self, a: Vector, b: Vector) -> f64 {
        let (a, b) = (self.read(a).unwrap_or(&[]), self.read(b).unwrap_or(&[]));
        // Lanes keep the error of a long sum small, and vectorize.
        let mut lanes = [0.0; 8];
        for (a, b) in a.chunks(8).zip(b.chunks(8)) {
            lanes.iter_mut().zip(a).zip(b).for_each(|((lane, a), b)| *lane += a * b);
        }
        lanes.iter().sum()
    }
}

/// The answers of the whole space from the sums of its shards: one list per shard, in any order.
pub fn merge(commands: &[Command], shards: &[Vec<f64>]) -> Result<Vec<f64>> {
    let asked: Vec<&Command> = commands.iter().filter(|command| command.answers()).collect();
    let mut answers = vec![0.0; asked.len()];
    for sums in shards {
        if sums.len() != asked.len() {
            return Err(Status::internal(format!(
                "a server answered {} of {} commands",
                sums.len(),
                asked.len()
            )));
        }
        answers.iter_mut().zip(sums).for_each(|(answer, sum)| *answer += sum);
    }
    for (answer, command) in answers.iter_mut().zip(asked) {
        if matches!(command, Command::Norm { .. }) {
            *answer = answer.sqrt();
        }
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;

    const P: Vector = Vector::Point(Side::A);
    const G: Vector = Vector::Gradient(Side::A);
    const D: Vector = Vector::Direction;

    #[test]
    fn every_command() {
        let mut shard = Shard::new(2);
        shard.write(P, &[1.0, 2.0]).unwrap();
        shard.write(G, &[3.0, -1.0]).unwrap();
        assert!(shard.write(D, &[1.0]).is_err());
        let answers = shard.execute(&[
            Command::Dot { a: P, b: G },
            Command::Dot { a: P, b: D },
            Command::Copy { from: P, to: D },
            Command::Scale { vector: D, by: 3.0 },
            Command::Axpy { by: -1.0, from: G, to: D },
            Command::Norm { vector: D },
            Command::Multiply { from: G, to: P },
            Command::Combine { to: G, terms: vec![(2.0, G), (1.0, P)] },
        ]);
        assert_eq!(answers, [1.0, 0.0, 49.0]);
        assert_eq!(shard.read(D), Some(&[0.0, 7.0][..]));
        assert_eq!(shard.read(P), Some(&[3.0, -2.0][..]));
        assert_eq!(shard.read(G), Some(&[9.0, -4.0][..]));
        shard.execute(&[
            Command::Multiply { from: Vector::Step(0), to: P },
            Command::Combine { to: G, terms: vec![] },
        ]);
        assert_eq!(shard.read(P), Some(&[0.0, 0.0][..]));
        assert_eq!(shard.read(G), Some(&[0.0, 0.0][..]));
    }

    #[test]
    fn answers_of_shards_become_one() {
        let commands = [
            Command::Dot { a: P, b: G },
            Command::Copy { from: P, to: D },
            Command::Norm { vector: P },
        ];
        let merged = merge(&commands, &[vec![1.0, 9.0], vec![2.0, 16.0]]).unwrap();
        assert_eq!(merged, [3.0, 5.0]);
        assert!(merge(&commands, &[vec![1.0, 9.0], vec![2.0]]).is_err());
    }
}
