//! Which nodes lie between the `x`s and the `y`s, and how many gradients each waits for.

use std::collections::{HashMap, HashSet, VecDeque};

use super::units::{Level, Unit};
use super::{Differentiate, is_trainable};
use crate::graph::Graph;
use crate::node::Endpoint;

/// What lies on a path of trainable values from an `x` to a `y`.
pub(super) struct Between {
    pub units: Vec<Unit>,
    /// How many edges lead from each unit to another one between.
    pub pending: HashMap<Unit, usize>,
    /// The units of the `y`s that an `x` leads to, each once.
    pub reached_ys: Vec<Unit>,
    /// Units of `x`s with no other `x` before them: nothing behind them is of interest.
    pub stops: HashSet<Unit>,
}

impl Between {
    pub fn find(graph: &Graph, wanted: &Differentiate, level: Level<'_>) -> Between {
        let from: Vec<Unit> = wanted.xs.iter().filter_map(|end| level.unit(end.node)).collect();
        let mut reached = Consumers::find(graph, level).reached(&from);
        let mut reached_ys = Vec::new();
        for unit in wanted.ys.iter().filter_map(|y| level.unit(y.node)) {
            if reached.contains(&unit) && !reached_ys.contains(&unit) {
                reached_ys.push(unit);
            }
        }
        let mut units = Vec::new();
        let mut queue: VecDeque<Unit> = reached_ys.iter().copied().collect();
        while let Some(unit) = queue.pop_front() {
            if reached.remove(&unit) {
                units.push(unit);
                queue.extend(sources(graph, unit, level));
            }
        }
        let inside: HashSet<Unit> = units.iter().copied().collect();
        let mut pending = HashMap::new();
        for &unit in &units {
            for source in sources(graph, unit, level).filter(|source| inside.contains(source)) {
                *pending.entry(source).or_insert(0) += 1;
            }
        }
        let depends = |unit: Unit| sources(graph, unit, level).any(|s| pending.contains_key(&s));
        let stops = from.into_iter().filter(|unit| !depends(*unit)).collect();
        Between { units, pending, reached_ys, stops }
    }
}

/// The units a unit takes values from, one for each value.
pub(super) fn sources<'a>(
    graph: &Graph,
    unit: Unit,
    level: Level<'a>,
) -> impl Iterator<Item = Unit> + use<'a> {
    level.inputs(graph, unit).into_iter().filter_map(move |end| level.unit(end.node))
}

/// Where trainable values lead.
struct Consumers(HashMap<Unit, Vec<Unit>>);

impl Consumers {
    fn find(graph: &Graph, level: Level<'_>) -> Consumers {
        let mut consumers: HashMap<Unit, Vec<Unit>> = HashMap::new();
        for (id, node) in graph.nodes() {
            let Some(consumer) = level.unit(id) else { continue };
            for end in &node.inputs {
                if let Some(source) = level.unit(end.node)
                    && source != consumer
                    && is_trainable(graph.edge_type(*end).dtype)
                {
                    consumers.entry(source).or_default().push(consumer);
                }
            }
        }
        Consumers(consumers)
    }

    /// Everything that some units lead to, those included.
    fn reached(&self, from: &[Unit]) -> HashSet<Unit> {
        let mut reached = HashSet::new();
        let mut queue = from.to_vec();
        while let Some(unit) = queue.pop() {
            if reached.insert(unit) {
                queue.extend(self.0.get(&unit).into_iter().flatten());
            }
        }
        reached
    }
}

/// By value of `from`: which of `to` it leads to.
pub(super) fn dependencies(
    graph: &Graph,
    from: &[Endpoint],
    to: &[Endpoint],
    level: Level<'_>,
) -> Vec<Vec<bool>> {
    let consumers = Consumers::find(graph, level);
    let row = |from: &Endpoint| -> Vec<bool> {
        let trains = |end: &Endpoint| is_trainable(graph.edge_type(*end).dtype);
        let unit = level.unit(from.node).filter(|_| trains(from));
        let Some(unit) = unit else { return vec![false; to.len()] };
        let reached = consumers.reached(&[unit]);
        let leads = |end: &Endpoint| level.unit(end.node).is_some_and(|u| reached.contains(&u));
        to.iter().map(|end| trains(end) && leads(end)).collect()
    };
    from.iter().map(row).collect()
}

/// Of the variables of a loop, those through which gradients flow: an arriving gradient reaches them
/// after some iterations, and they depend on something wanted after some iterations.
pub(super) fn flowing(depends: &[Vec<bool>], arriving: &[bool], wanted: &[bool]) -> Vec<bool> {
    let (mut down, mut up) = (arriving.to_vec(), wanted.to_vec());
    loop {
        let mut changed = false;
        for (from, row) in depends.iter().enumerate() {
            for (to, _) in row.iter().enumerate().filter(|(_, leads)| **leads) {
                changed |= (down[to] && !down[from]) || (up[from] && !up[to]);
                down[from] |= down[to];
                up[to] |= up[from];
            }
        }
        if !changed {
            return down.iter().zip(&up).map(|(down, up)| *down && *up).collect();
        }
    }
}
