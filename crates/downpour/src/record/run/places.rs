//! Where the variables live, and how evenly.

use std::collections::BTreeMap;

use super::super::VariablePlace;
use super::Run;

/// What one task holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    /// The task, as `ps/0`.
    pub task: String,
    /// How many variables it holds.
    pub variables: usize,
    /// Their bytes.
    pub bytes: u64,
}

/// All tasks that hold variables, and parameter servers that hold none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Servers {
    /// One for each task.
    pub places: Vec<Place>,
}

impl Run {
    /// Every variable with its task and bytes, as the chief placed them.
    pub fn variables(&self) -> &[VariablePlace] {
        self.latest_start(|start| !start.variables.is_empty())
            .map_or(&[], |start| start.variables.as_slice())
    }

    /// Variables and bytes of each parameter server.
    pub fn servers(&self) -> Servers {
        let mut held: BTreeMap<&str, Place> = BTreeMap::new();
        for variable in self.variables() {
            let place = held.entry(&variable.task).or_default();
            place.variables += 1;
            place.bytes = place.bytes.saturating_add(variable.bytes);
        }
        let mut places = Vec::new();
        for task in self.tasks() {
            let place = held.remove(task.name.as_str());
            if task.serves() || place.is_some() {
                places.push(Place { task: task.name.clone(), ..place.unwrap_or_default() });
            }
        }
        // Tasks that have not said a word yet.
        let rest = held.into_iter().map(|(task, place)| Place { task: task.to_string(), ..place });
        places.extend(rest);
        Servers { places }
    }
}

impl Servers {
    /// Bytes of all variables.
    pub fn bytes(&self) -> u64 {
        self.places.iter().fold(0, |sum, place| sum.saturating_add(place.bytes))
    }

    /// The largest share against an even one: 1 is balanced, 2 on two servers is everything on one.
    pub fn imbalance(&self) -> Option<f64> {
        let largest = self.places.iter().map(|place| place.bytes).max()?;
        let total = self.bytes();
        (total > 0).then(|| largest as f64 * self.places.len() as f64 / total as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Event, Started};
    use super::super::News;
    use super::super::testing::*;
    use super::*;

    #[test]
    fn idle_servers_are_counted() {
        let mut run = Run::default();
        run.take("ps-0", started("ps/0", 0.0, 0, 0));
        run.take("ps-1", started("ps/1", 0.0, 0, 0));
        let variable =
            |bytes| VariablePlace { name: "w".into(), shape: vec![], bytes, task: "ps/1".into() };
        let job = [("model".to_string(), "mlp".to_string())].into();
        let variables = vec![variable(300), variable(100)];
        let chief = Started { task: "worker/0".into(), job, variables, ..Started::default() };
        run.take("worker-0", News::Event(Event::Started(chief)));
        let servers = run.servers();
        assert_eq!(servers.places.iter().map(|place| place.bytes).collect::<Vec<_>>(), [0, 400]);
        assert_eq!(servers.imbalance(), Some(2.0));
    }
}
