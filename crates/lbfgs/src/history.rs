//! The pairs that L-BFGS remembers, by their inner products alone.
//!
//! The pairs live in slots on the servers; there is one slot more than pairs are kept, so that a new pair is written where no
//! kept one is. Here are the inner products of all their vectors and the current gradient, from which the two-loop
//! recursion gives the direction as a combination of those same vectors.

use downpour_tensor::{Result, Status};

use crate::{Command, Vector};

/// Kept slots and inner products.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// Pairs that may be kept.
    capacity: usize,
    /// Slots of the kept pairs, oldest first.
    slots: Vec<u32>,
    /// Inner products of steps, changes and the gradient, by `index`.
    products: Vec<f64>,
}

/// A vector of the basis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Basis {
    Step(u32),
    Change(u32),
    Gradient,
}

impl History {
    pub(crate) fn new(capacity: usize, slots: Vec<u32>) -> Result<History> {
        let mut sorted = slots.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let inside = sorted.iter().all(|slot| *slot as usize <= capacity);
        if slots.len() > capacity || sorted.len() != slots.len() || !inside {
            return Err(Status::invalid_argument(format!(
                "L-BFGS: the slots {slots:?} are no history of {capacity} pairs; was the state saved with another setting?"
            )));
        }
        let width = 2 * (capacity + 1) + 1;
        Ok(History { capacity, slots, products: vec![0.0; width * width] })
    }

    pub(crate) fn slots(&self) -> &[u32] {
        &self.slots
    }

    pub(crate) fn clear(&mut self) {
        self.slots.clear();
    }

    /// The slot in which no kept pair lives.
    pub(crate) fn free_slot(&self) -> u32 {
        (0..).find(|slot| !self.slots.contains(slot)).unwrap_or(0)
    }

    /// Keeps the pair in a slot; the oldest makes place.
    pub(crate) fn keep(&mut self, slot: u32) {
        self.slots.push(slot);
        if self.slots.len() > self.capacity {
            self.slots.remove(0);
        }
    }

    fn width(&self) -> usize {
        2 * (self.capacity + 1) + 1
    }

    fn index(&self, vector: Basis) -> usize {
        match vector {
            Basis::Step(slot) => slot as usize,
            Basis::Change(slot) => self.capacity + 1 + slot as usize,
            Basis::Gradient => 2 * (self.capacity + 1),
        }
    }

    pub(crate) fn product(&self, a: Basis, b: Basis) -> f64 {
        self.products[self.index(a) * self.width() + self.index(b)]
    }

    /// Kept steps, kept changes, and the gradient.
    fn basis(&self) -> Vec<Basis> {
        let steps = self.slots.iter().map(|&slot| Basis::Step(slot));
        let changes = self.slots.iter().map(|&slot| Basis::Change(slot));
        steps.chain(changes).chain([Basis::Gradient]).collect()
    }

    /// The pairs whose product is to be asked for when these vectors are new (or all vectors are): each once.
    pub(crate) fn unknown(&self, new: &[Basis]) -> Vec<(Basis, Basis)> {
        let mut pairs = Vec::new();
        let old: Vec<Basis> = self.basis().into_iter().filter(|b| !new.contains(b)).collect();
        for (i, &a) in new.iter().enumerate() {
            pairs.extend(new[i..].iter().chain(&old).map(|&b| (a, b)));
        }
        pairs
    }

    /// Every vector there is, when nothing is known.
    pub(crate) fn everything(&self) -> Vec<Basis> {
        self.basis()
    }

    /// The commands that answer the products of these pairs.
    pub(crate) fn questions(pairs: &[(Basis, Basis)], gradient: Vector) -> Vec<Command> {
        let name = |basis: Basis| match basis {
            Basis::Step(slot) => Vector::Step(slot),
            Basis::Change(slot) => Vector::Change(slot),
            Basis::Gradient => gradient,
        };
        pairs.iter().map(|&(a, b)| Command::Dot { a: name(a), b: name(b) }).collect()
    }

    /// Takes the answers in.
    pub(crate) fn learn(&mut self, pairs: &[(Basis, Basis)], answers: &[f64]) -> Result<()> {
        if pairs.len() != answers.len() {
            return Err(Status::internal(format!(
                "{} inner products were asked for and {} given",
                pairs.len(),
                answers.len()
            )));
        }
        let width = self.width();
        for (&(a, b), &answer) in pairs.iter().zip(answers) {
            let (a, b) = (self.index(a), self.index(b));
            self.products[a * width + b] = answer;
            self.products[b * width + a] = answer;
        }
        Ok(())
    }

    /// The direction of descent as a combination of the basis: the two-loop recursion, in which every vector is the list
    /// of its coefficients and every inner product a sum over known ones.
    pub(crate) fn direction(&self) -> Vec<(f64, Basis)> {
        let basis = self.basis();
        let pairs = self.slots.len();
        let mut coefficients = vec![0.0; basis.len()];
        coefficients[2 * pairs] = 1.0;
        let product_with = |coefficients: &[f64], other: Basis| -> f64 {
            coefficients.iter().zip(&basis).map(|(c, &b)| c * self.product(b, other)).sum()
        };
        let curvature = |slot: u32| self.product(Basis::Step(slot), Basis::Change(slot));

        let mut taken = vec![0.0; pairs];
        for (i, &slot) in self.slots.iter().enumerate().rev() {
            taken[i] = product_with(&coefficients, Basis::Step(slot)) / curvature(slot);
            coefficients[pairs + i] -= taken[i];
        }
        if let Some(&newest) = self.slots.last() {
            let change = Basis::Change(newest);
            let scale = curvature(newest) / self.product(change, change);
            coefficients.iter_mut().for_each(|c| *c *= scale);
        }
        for (i, &slot) in self.slots.iter().enumerate() {
            let given = product_with(&coefficients, Basis::Change(slot)) / curvature(slot);
            coefficients[i] += taken[i] - given;
        }
        coefficients.into_iter().zip(basis).map(|(c, b)| (-c, b)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_go_round_and_one_is_always_free() {
        let mut history = History::new(2, Vec::new()).unwrap();
        let mut seen = Vec::new();
        for _ in 0..5 {
            let free = history.free_slot();
            assert!(!history.slots().contains(&free) && free <= 2);
            seen.push(free);
            history.keep(free);
        }
        assert_eq!(seen, [0, 1, 2, 0, 1]);
        assert_eq!(history.slots(), [0, 1]);
        let mut none = History::new(0, Vec::new()).unwrap();
        none.keep(none.free_slot());
        assert!(none.slots().is_empty());
    }

    #[test]
    fn impossible_slots_are_refused() {
        for bad in [vec![3], vec![0, 0], vec![0, 1, 2]] {
            assert!(History::new(2, bad).is_err());
        }
        assert!(History::new(2, vec![2, 0]).is_ok());
    }

    #[test]
    fn each_unknown_product_is_asked_once() {
        let history = History::new(3, vec![0, 2]).unwrap();
        let all = history.unknown(&history.everything());
        assert_eq!(all.len(), 5 * 6 / 2);
        let some = history.unknown(&[Basis::Step(1), Basis::Change(1), Basis::Gradient]);
        assert_eq!(some.len(), 6 + 3 * 4);
    }

    #[test]
    fn without_pairs_it_is_straight_downhill() {
        let history = History::new(3, Vec::new()).unwrap();
        assert_eq!(history.direction(), [(-1.0, Basis::Gradient)]);
    }
}
