//! Seeds of random operations, by TensorFlow's rules.

/// The graph seed TensorFlow takes when only an operation has one.
const DEFAULT_GRAPH_SEED: i64 = 87654321;
/// Seeds are kept below this.
const LIMIT: i64 = i32::MAX as i64;

/// The attributes `seed` and `seed2` of a random operation, as `tf.compat.v1.get_seed` derives them.
/// `nodes` is how many nodes the graph has: the operation's seed when only the graph has one.
pub(crate) fn seeds(graph: Option<i64>, operation: Option<i64>, nodes: usize) -> (i64, i64) {
    let (first, second) = match (graph, operation) {
        (None, None) => return (0, 0),
        (None, Some(operation)) => (DEFAULT_GRAPH_SEED, operation),
        (Some(graph), operation) => (graph, operation.unwrap_or(nodes as i64)),
    };
    match (first.rem_euclid(LIMIT), second.rem_euclid(LIMIT)) {
        // Two zeros would mean "no seed at all".
        (0, 0) => (0, LIMIT),
        seeds => seeds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_as_tensorflow_derives_them() {
        assert_eq!(seeds(None, None, 5), (0, 0));
        assert_eq!(seeds(None, Some(3), 5), (87654321, 3));
        assert_eq!(seeds(Some(7), Some(3), 5), (7, 3));
        assert_eq!(seeds(Some(7), None, 5), (7, 5));
        assert_eq!(seeds(Some(0), Some(0), 5), (0, 2147483647));
        assert_eq!(seeds(Some(-1), Some(2147483647), 5), (2147483646, 0));
    }
}
