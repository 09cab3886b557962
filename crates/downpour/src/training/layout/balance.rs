//! A layout that evens out what was measured.
//!
//! First whole variables go from the busiest place to the idlest, as long as that helps; then, if it is not enough,
//! variables that may be cut are cut anew, the costliest first, by what their rows have cost. Costs of rows of one part
//! are taken to be equal: what that gets wrong the next measurement shows.
//!
//! Nothing moves unless the busiest place has a quarter more than the mean, and unless it then has a tenth less than
//! before: what is nearly even stays as it is.

use std::ops::Range;

use super::Part;
use crate::training::strategy::Balance;

/// The busiest place may have so much more than the mean.
const UNEVEN: f64 = 1.25;
/// This is even enough.
const EVEN: f64 = 1.1;
/// A move must bring the busiest down to this of what it had.
const WORTH: f64 = 0.9;

/// A variable as it is, with what its parts have cost.
#[derive(Clone, Debug)]
pub(crate) struct Weighed {
    pub rows: usize,
    /// Its rows may be in several places.
    pub may_cut: bool,
    /// In the order of their rows and of their places.
    pub parts: Vec<(Part, u64)>,
}

/// A better layout.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Evened {
    pub parts: Vec<Vec<Part>>,
    /// What each place has cost, and would have.
    pub before: Vec<u64>,
    pub after: Vec<u64>,
}

impl Weighed {
    fn cost(&self) -> u64 {
        self.parts.iter().map(|(_, cost)| cost).sum()
    }

    fn range(&self, part: &Part) -> Range<usize> {
        part.rows.clone().unwrap_or(0..self.rows)
    }

    /// Cut so that places get these shares of its cost.
    fn cut(&self, shares: &[u64]) -> Vec<(Part, u64)> {
        let mut cut = Vec::new();
        let (mut wanted, mut from) = (0, 0);
        for (place, share) in shares.iter().enumerate() {
            wanted += share;
            let last = shares[place + 1..].iter().all(|share| *share == 0);
            let end = if last { self.rows } else { self.row_at(wanted).max(from) };
            if *share > 0 && end > from {
                let part = Part { place, rows: Some(from..end) };
                let cost = self.cost_before(end) - self.cost_before(from);
                cut.push((part, cost));
                from = end;
            }
        }
        if let [(only, _)] = &mut cut[..] {
            only.rows = None;
        }
        cut
    }

    /// The first row before which so much of the cost is.
    fn row_at(&self, wanted: u64) -> usize {
        let mut sum = 0;
        for (part, cost) in &self.parts {
            let range = self.range(part);
            if sum + cost >= wanted && *cost > 0 {
                let rows = u128::from(wanted - sum) * range.len() as u128 / u128::from(*cost);
                return range.start + rows as usize;
            }
            sum += cost;
        }
        self.rows
    }

    fn cost_before(&self, row: usize) -> u64 {
        let before = |(part, cost): &(Part, u64)| {
            let range = self.range(part);
            let rows = row.clamp(range.start, range.end) - range.start;
            (u128::from(*cost) * rows as u128 / range.len().max(1) as u128) as u64
        };
        self.parts.iter().map(before).sum()
    }
}

/// What each place has.
fn costs(variables: &[Weighed], places: usize) -> Vec<u64> {
    let mut costs = vec![0; places];
    for (part, cost) in variables.iter().flat_map(|variable| &variable.parts) {
        costs[part.place] += cost;
    }
    costs
}

fn busiest(costs: &[u64]) -> u64 {
    costs.iter().copied().max().unwrap_or(0)
}

/// A better layout, if there is one that is worth moving for.
pub(crate) fn even_out(variables: &[Weighed], places: usize) -> Option<Evened> {
    let before = costs(variables, places);
    let mean = before.iter().sum::<u64>() as f64 / places.max(1) as f64;
    if places < 2 || busiest(&before) as f64 <= UNEVEN * mean {
        return None;
    }
    let mut variables = variables.to_vec();
    move_whole(&mut variables, places);
    let mut order: Vec<usize> = (0..variables.len()).collect();
    order.sort_by_key(|&index| (std::cmp::Reverse(variables[index].cost()), index));
    for index in order {
        let now = costs(&variables, places);
        if busiest(&now) as f64 <= EVEN * mean {
            break;
        }
        let variable = &variables[index];
        if !variable.may_cut || variable.rows < 2 {
            continue;
        }
        let mut others = now.clone();
        variable.parts.iter().for_each(|(part, cost)| others[part.place] -= cost);
        let cut = variable.cut(&Balance::of(others).fill(variable.cost()));
        let kept = std::mem::replace(&mut variables[index].parts, cut);
        if busiest(&costs(&variables, places)) >= busiest(&now) {
            variables[index].parts = kept;
        }
    }
    let after = costs(&variables, places);
    let worth = busiest(&after) as f64 <= WORTH * busiest(&before) as f64;
    let parts = |variable: Weighed| variable.parts.into_iter().map(|(part, _)| part).collect();
    worth.then(|| Evened { parts: variables.into_iter().map(parts).collect(), before, after })
}

/// Whole variables go from the busiest place to the idlest, each time the one that helps most.
fn move_whole(variables: &mut [Weighed], places: usize) {
    for _ in 0..variables.len() * 2 {
        let now = costs(variables, places);
        let place = |key: fn(&(usize, &u64)) -> u64| now.iter().enumerate().min_by_key(key);
        let (Some((busy, most)), Some((idle, least))) =
            (place(|(_, cost)| u64::MAX - **cost), place(|(_, cost)| **cost))
        else {
            return;
        };
        let after = |cost: u64| (most - cost).max(least + cost);
        let candidates = variables.iter().enumerate().filter_map(|(index, variable)| {
            let [(Part { place, rows: None }, cost)] = &variable.parts[..] else { return None };
            (*place == busy && *cost > 0).then(|| (after(*cost), index))
        });
        match candidates.min() {
            Some((reached, index)) if reached < *most => variables[index].parts[0].0.place = idle,
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn whole(place: usize, cost: u64) -> Weighed {
        Weighed { rows: 10, may_cut: false, parts: vec![(Part { place, rows: None }, cost)] }
    }

    #[test]
    fn what_is_nearly_even_stays() {
        assert_eq!(even_out(&[whole(0, 100), whole(1, 80)], 2), None);
        // One that cannot be cut is as bad anywhere.
        assert_eq!(even_out(&[whole(0, 100)], 2), None);
        assert_eq!(even_out(&[whole(0, 0), whole(1, 0)], 2), None);
        assert_eq!(even_out(&[whole(0, 100), whole(0, 100)], 1), None);
    }

    #[test]
    fn whole_variables_go_to_the_idle() {
        let evened = even_out(&[whole(0, 100), whole(0, 90), whole(1, 10)], 2).unwrap();
        assert_eq!((evened.before, evened.after), (vec![190, 10], vec![100, 100]));
        assert_eq!(evened.parts[1][0].place, 1);
    }

    #[test]
    fn hot_rows_are_shared() {
        // A table on both, of which the first part is hot.
        let part = |place, rows| Part { place, rows: Some(rows) };
        let table = Weighed {
            rows: 100,
            may_cut: true,
            parts: vec![(part(0, 0..50), 900), (part(1, 50..100), 100)],
        };
        let evened = even_out(&[table, whole(1, 1)], 2).unwrap();
        assert_eq!(evened.parts[0], [part(0, 0..27), part(1, 27..100)]);
        assert!(busiest(&evened.after) < 520, "{evened:?}");
        let hot = Weighed { may_cut: true, ..whole(1, 1000) };
        let evened = even_out(&[hot], 2).unwrap();
        assert_eq!(evened.parts[0], [part(0, 0..5), part(1, 5..10)]);
    }

    fn variables() -> impl Strategy<Value = (usize, Vec<Weighed>)> {
        let one = |places: usize| {
            (1usize..50, any::<bool>(), 0..places, prop::collection::vec(0u64..1000, places))
                .prop_map(|(rows, may_cut, place, costs)| {
                    let shares: Vec<u64> = costs.iter().map(|cost| cost % 3).collect();
                    let even = Weighed { rows, may_cut, parts: whole(place, 100).parts };
                    let cut = if may_cut { even.cut(&shares) } else { Vec::new() };
                    let parts = if cut.is_empty() { even.parts.clone() } else { cut };
                    let parts = parts.into_iter().zip(costs).map(|((part, _), cost)| (part, cost));
                    Weighed { parts: parts.collect(), ..even }
                })
        };
        (2usize..5)
            .prop_flat_map(move |places| (Just(places), prop::collection::vec(one(places), 1..8)))
    }

    proptest! {
        #[test]
        fn every_row_is_in_one_place_and_the_busiest_has_less((places, variables) in variables()) {
            let Some(evened) = even_out(&variables, places) else { return Ok(()) };
            prop_assert!(busiest(&evened.after) < busiest(&evened.before));
            for (parts, variable) in evened.parts.iter().zip(&variables) {
                let mut next = 0;
                for part in parts {
                    prop_assert!(part.place < places);
                    let rows = part.rows.clone().unwrap_or(0..variable.rows);
                    prop_assert_eq!(rows.start, next);
                    prop_assert!(rows.end > rows.start);
                    next = rows.end;
                }
                prop_assert_eq!(next, variable.rows);
                prop_assert!(parts.is_sorted_by(|a, b| a.place < b.place));
                prop_assert!(parts.len() == 1 || variable.may_cut);
                prop_assert!(parts.len() > 1 || parts[0].rows.is_none());
            }
        }
    }
}
