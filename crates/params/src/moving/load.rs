//! What a variable costs the server it is on.

use std::collections::BTreeMap;
use std::time::Duration;

use downpour_tensor::Tensor;

use crate::gradient::{Gradient, Named};

/// What a variable has cost since its server began to count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Bytes of gradients.
    pub received: u64,
    /// Bytes of values.
    pub sent: u64,
    /// Time spent on changing it: its share of the updates it was in.
    pub applying: Duration,
}

impl Load {
    /// What has come since an earlier count of the same variable. A server that has begun anew counts from nothing.
    pub fn since(self, before: Load) -> Load {
        let anew = self.received < before.received
            || self.sent < before.sent
            || self.applying < before.applying;
        let before = if anew { Load::default() } else { before };
        Load {
            received: self.received - before.received,
            sent: self.sent - before.sent,
            applying: self.applying - before.applying,
        }
    }
}

fn bytes_of(tensor: &Tensor) -> u64 {
    tensor.bytes().map_or(0, |bytes| bytes.len() as u64)
}

/// Bytes of each gradient.
pub(crate) fn sizes(gradients: &[Named<Gradient>]) -> Vec<Named<u64>> {
    let size = |gradient: &Gradient| match gradient {
        Gradient::Dense(value) => bytes_of(value),
        Gradient::Sparse { indices, rows } => bytes_of(indices) + bytes_of(rows),
    };
    gradients.iter().map(|(name, gradient)| (name.clone(), size(gradient))).collect()
}

/// By variable.
#[derive(Default)]
pub(crate) struct Loads(pub BTreeMap<String, Load>);

impl Loads {
    pub fn received(&mut self, sizes: &[Named<u64>]) {
        for (name, bytes) in sizes {
            self.of(name).received += bytes;
        }
    }

    pub fn sent<'v>(&mut self, values: impl IntoIterator<Item = &'v Named<Tensor>>) {
        for (name, value) in values {
            self.of(name).sent += bytes_of(value);
        }
    }

    /// An update took so long: each variable in it a part that is as large as its gradient.
    pub fn applied(&mut self, sizes: &[Named<u64>], took: Duration) {
        let all: u64 = sizes.iter().map(|(_, bytes)| bytes).sum();
        for (name, bytes) in sizes {
            let share = *bytes as f64 / all.max(1) as f64;
            self.of(name).applying += took.mul_f64(share);
        }
    }

    fn of(&mut self, name: &str) -> &mut Load {
        if !self.0.contains_key(name) {
            self.0.insert(name.to_string(), Load::default());
        }
        self.0.entry(name.to_string()).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_is_shared_by_its_variables_and_a_new_count_begins_with_nothing() {
        let mut loads = Loads::default();
        let sizes = [("a".to_string(), 30), ("b".to_string(), 10)];
        loads.received(&sizes);
        loads.applied(&sizes, Duration::from_millis(8));
        loads.sent(&[("b".to_string(), Tensor::vector(&[1f32, 2.0]).unwrap())]);
        let (a, b) = (loads.0["a"], loads.0["b"]);
        assert_eq!((a.received, a.sent, a.applying), (30, 0, Duration::from_millis(6)));
        assert_eq!((b.received, b.sent, b.applying), (10, 8, Duration::from_millis(2)));
        let more = Load { received: 35, ..a };
        assert_eq!(more.since(a), Load { received: 5, ..Load::default() });
        assert_eq!(b.since(a), b);
    }
}
