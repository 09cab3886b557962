//! Who takes part: nodes, in the order of the devices they were meant for.

use std::cmp::Ordering;

use downpour_graph::{DeviceName, MEMBER_DEVICE, Node};

/// A member of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// The rank it was given, if it was.
    pub rank: Option<usize>,
    /// The device its program has put it on; the master may have moved it to where its group meets.
    device: DeviceName,
    name: String,
}

impl Member {
    pub fn of(node: &Node, rank: Option<usize>) -> Member {
        let moved = node.attrs.get(MEMBER_DEVICE).and_then(|_| node.string(MEMBER_DEVICE).ok());
        let device = moved.unwrap_or_else(|| node.device.clone());
        // A name that says nothing sorts by the node's own.
        let device = DeviceName::parse(&device).unwrap_or_default();
        Member { rank, device, name: node.name.clone() }
    }

    /// For people.
    pub fn describe(&self) -> String {
        let place = match self.device.is_open() {
            true => String::new(),
            false => format!(" on {}", self.device),
        };
        match self.rank {
            Some(rank) => format!("'{}'{place} (rank {rank})", self.name),
            None => format!("'{}'{place}", self.name),
        }
    }
}

impl Ord for Member {
    /// Ranks count first; then devices, as TensorFlow has it; and names, in which numbers count as numbers.
    fn cmp(&self, other: &Member) -> Ordering {
        let key = |m: &Member| (m.rank, m.device.clone());
        key(self).cmp(&key(other)).then_with(|| natural(&self.name).cmp(&natural(&other.name)))
    }
}

impl PartialOrd for Member {
    fn partial_cmp(&self, other: &Member) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A name with the number at its end apart: `x_2` is before `x_10`.
fn natural(name: &str) -> (&str, u64, &str) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem.strip_suffix('_').unwrap_or(stem), name[stem.len()..].parse().unwrap_or(0), name)
}

#[cfg(test)]
mod tests {
    use super::natural;

    #[test]
    fn numbers_at_the_end_of_names_count_as_numbers() {
        let mut names = ["x_10", "y", "x_2", "x"];
        names.sort_by(|a, b| natural(a).cmp(&natural(b)));
        assert_eq!(names, ["x", "x_2", "x_10", "y"]);
    }
}
