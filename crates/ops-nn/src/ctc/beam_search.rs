//! Beam search over label sequences: the most probable ones, summed over all their alignments.

use std::collections::HashMap;

use downpour_tensor::{Charge, CountedVec, Result};

use super::paths::Check;
use super::{Real, log_add};

/// What a map of children takes for each: key, value and control byte, in a table of which half may be empty.
const BYTES_PER_CHILD: usize = 2 * (2 * size_of::<usize>() + 1);

/// Logarithms of the probability of a sequence: of alignments that end in a blank, that end in
/// its last label, and of both.
#[derive(Clone, Copy)]
struct Probability<T> {
    total: T,
    blank: T,
    label: T,
}

impl<T: Real> Probability<T> {
    fn none() -> Probability<T> {
        let zero = T::neg_infinity();
        Probability { total: zero, blank: zero, label: zero }
    }
}

/// Label sequences, each with the logarithm of its probability.
type Paths<T> = Vec<(Vec<i64>, T)>;

/// A label sequence: that of its parent and one more label.
struct Entry<T> {
    parent: Option<usize>,
    label: usize,
    children: HashMap<usize, usize>,
    old: Probability<T>,
    new: Probability<T>,
}

impl<T: Real> Entry<T> {
    fn is_active(&self) -> bool {
        self.new.total != T::neg_infinity()
    }
}

pub(super) struct BeamSearch<T> {
    width: usize,
    blank: usize,
    entries: CountedVec<Entry<T>>,
    children: Charge,
    /// The sequences kept, at most `width` of them.
    leaves: CountedVec<usize>,
    /// The place in `leaves` of the least probable one, when it is known.
    bottom: Option<usize>,
}

impl<T: Real> BeamSearch<T> {
    /// The blank is the last class.
    pub fn new(classes: usize, width: usize) -> Result<BeamSearch<T>> {
        let start = Probability { total: T::zero(), blank: T::zero(), label: T::neg_infinity() };
        let root = Entry {
            parent: None,
            label: usize::MAX,
            children: HashMap::new(),
            old: Probability::none(),
            new: start,
        };
        Ok(BeamSearch {
            width,
            blank: classes - 1,
            entries: CountedVec::from_vec(vec![root])?,
            children: Charge::default(),
            leaves: CountedVec::from_vec(vec![0])?,
            bottom: None,
        })
    }

    /// Goes on by one step whose classes have these logits. It takes time and memory with the number of sequences kept,
    /// which may be any, so both are looked at for each.
    pub fn step(&mut self, logits: &[T], check: Check<'_>) -> Result<()> {
        let max = logits.iter().copied().fold(T::neg_infinity(), T::max);
        let sum = logits.iter().fold(T::zero(), |sum, &v| sum + (v - max).exp());
        let norm = max + sum.ln();

        let branches = self.sorted()?;
        for &b in branches.iter() {
            self.entries[b].old = self.entries[b].new;
        }
        for &b in branches.iter() {
            self.stay(b, logits, norm);
        }
        self.leaves = branches.try_clone()?;
        self.bottom = None;
        for &b in branches.iter() {
            check()?;
            if !self.is_candidate(self.entries[b].old.total) {
                continue;
            }
            for (label, &logit) in logits[..self.blank].iter().enumerate() {
                self.grow(b, label, logit - norm, check)?;
            }
        }
        Ok(())
    }

    /// The sequence stays as it is: a blank, its last label again, or that label for the first time.
    fn stay(&mut self, b: usize, logits: &[T], norm: T) {
        let entry = &self.entries[b];
        let mut new = entry.new;
        if let Some(parent) = entry.parent {
            let (parent, label) = (&self.entries[parent], entry.label);
            if parent.is_active() {
                // After the same label only a blank makes it a new one.
                let previous =
                    if label == parent.label { parent.old.blank } else { parent.old.total };
                new.label = log_add(new.label, previous);
            }
            new.label = new.label + logits[label] - norm;
        }
        new.blank = entry.old.total + logits[self.blank] - norm;
        new.total = log_add(new.blank, new.label);
        self.entries[b].new = new;
    }

    /// Considers the sequence of `b` followed by `label`, unless it is kept already.
    fn grow(&mut self, b: usize, label: usize, log_probability: T, check: Check<'_>) -> Result<()> {
        let child = self.entries[b].children.get(&label).copied();
        if child.is_some_and(|c| self.entries[c].is_active()) {
            return Ok(());
        }
        let entry = &self.entries[b];
        let previous = if label == entry.label { entry.old.blank } else { entry.old.total };
        let total = log_probability + previous;
        if !self.is_candidate(total) {
            if let Some(c) = child {
                self.entries[c].old = Probability::none();
                self.entries[c].new = Probability::none();
            }
            return Ok(());
        }
        // To find the least probable one all are looked at.
        check()?;
        let new = Probability { total, blank: T::neg_infinity(), label: total };
        let child = match child {
            Some(child) => child,
            None => {
                self.children.grow(BYTES_PER_CHILD)?;
                self.entries.push(Entry {
                    parent: Some(b),
                    label,
                    children: HashMap::new(),
                    old: Probability::none(),
                    new,
                })?;
                let added = self.entries.len() - 1;
                self.entries[b].children.insert(label, added);
                added
            }
        };
        self.entries[child].new = new;
        if self.leaves.len() == self.width {
            let bottom = self.bottom();
            let dropped = std::mem::replace(&mut self.leaves[bottom], child);
            self.entries[dropped].new = Probability::none();
        } else {
            self.leaves.push(child)?;
        }
        self.bottom = None;
        Ok(())
    }

    /// True when a sequence of this probability would be kept.
    fn is_candidate(&mut self, total: T) -> bool {
        total > T::neg_infinity()
            && (self.leaves.len() < self.width || {
                let bottom = self.bottom();
                total > self.entries[self.leaves[bottom]].new.total
            })
    }

    fn bottom(&mut self) -> usize {
        if let Some(bottom) = self.bottom {
            return bottom;
        }
        let mut bottom = 0;
        for i in 1..self.leaves.len() {
            let total = |i: usize| self.entries[self.leaves[i]].new.total;
            if total(i) < total(bottom) {
                bottom = i;
            }
        }
        self.bottom = Some(bottom);
        bottom
    }

    /// The sequences kept, most probable first.
    fn sorted(&self) -> Result<CountedVec<usize>> {
        let mut leaves = self.leaves.try_clone()?;
        let total = |i: usize| self.entries[i].new.total;
        leaves
            .sort_by(|&a, &b| total(b).partial_cmp(&total(a)).unwrap_or(std::cmp::Ordering::Equal));
        Ok(leaves)
    }

    /// The `count` most probable sequences with the logarithm of their probability, or `None` when
    /// fewer are kept.
    pub fn top_paths(&self, count: usize, merge_repeated: bool) -> Result<Option<Paths<T>>> {
        let leaves = self.sorted()?;
        let path =
            |&leaf: &usize| (self.labels(leaf, merge_repeated), self.entries[leaf].new.total);
        Ok(leaves.get(..count).map(|leaves| leaves.iter().map(path).collect()))
    }

    fn labels(&self, leaf: usize, merge_repeated: bool) -> Vec<i64> {
        let mut labels = Vec::new();
        let mut at = &self.entries[leaf];
        let mut last = usize::MAX;
        while let Some(parent) = at.parent {
            if !merge_repeated || at.label != last {
                labels.push(at.label as i64);
            }
            last = at.label;
            at = &self.entries[parent];
        }
        labels.reverse();
        labels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Graves' example, in which the best path is blank twice but label a has more alignments.
    #[test]
    fn alignments_add_up() {
        let mut search = BeamSearch::<f64>::new(2, 2).unwrap();
        search.step(&[0.3f64.ln(), 0.7f64.ln()], &|| Ok(())).unwrap();
        search.step(&[0.4f64.ln(), 0.6f64.ln()], &|| Ok(())).unwrap();
        let paths = search.top_paths(2, false).unwrap().unwrap();
        assert_eq!(paths[0].0, [0]);
        assert!((paths[0].1.exp() - 0.58).abs() < 1e-6);
        assert_eq!(paths[1].0, [0i64; 0]);
        assert!((paths[1].1.exp() - 0.42).abs() < 1e-6);
        assert!(search.top_paths(4, false).unwrap().is_none());
    }

    #[test]
    fn a_search_nobody_waits_for_ends() {
        let cancelled = || Err(downpour_tensor::Status::cancelled(""));
        let mut search = BeamSearch::<f64>::new(2, 2).unwrap();
        assert!(search.step(&[0.0, 0.0], &cancelled).is_err());
    }

    #[test]
    fn what_a_search_keeps_is_counted() {
        let mut search = BeamSearch::<f64>::new(5, 1 << 20).unwrap();
        (0..3).for_each(|_| search.step(&[0.0; 5], &|| Ok(())).unwrap());
        assert_eq!(search.children.bytes(), (search.entries.len() - 1) * BYTES_PER_CHILD);
    }
}
