//! Named resources of a device (variables, queues, tables), grouped in containers.

use std::any::{Any, type_name};
use std::collections::HashMap;
use std::sync::Arc;

use downpour_tensor::{DataType, ResourceHandle, Result, Status, Tensor};
use parking_lot::RwLock;

/// Something with an identity that outlives a step.
pub trait Resource: Any + Send + Sync {
    /// One line for a person: what this is.
    fn describe(&self) -> String;

    /// Returns the table that this is, if it is one that is filled once.
    fn as_initializable_table(&self) -> Option<&dyn InitializableTable> {
        None
    }
}

/// A lookup table that is filled once, as families see it whose operations fill it.
pub trait InitializableTable: Send + Sync {
    /// Returns the types of keys and values.
    fn types(&self) -> (DataType, DataType);

    /// Returns whether the table was filled.
    fn is_initialized(&self) -> bool;

    /// Fills the table with a vector of keys and one of values.
    fn initialize(&self, keys: &Tensor, values: &Tensor) -> Result<()>;
}

/// What TensorFlow calls the container of resources that name none.
pub const DEFAULT_CONTAINER: &str = "localhost";

type Key = (u64, String);
type Stored = (Arc<dyn Any + Send + Sync>, Arc<dyn Resource>);

#[derive(Default)]
pub struct ResourceManager {
    containers: RwLock<HashMap<String, HashMap<Key, Stored>>>,
}

fn container_name(container: &str) -> &str {
    if container.is_empty() { DEFAULT_CONTAINER } else { container }
}

/// Identifies a resource type inside handles; stable for the life of the process.
fn type_code<T>() -> u64 {
    // FNV-1a: short, and independent of the hasher's random seed.
    type_name::<T>().bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ byte as u64).wrapping_mul(0x0100_0000_01b3)
    })
}

impl ResourceManager {
    pub fn new() -> ResourceManager {
        ResourceManager::default()
    }

    /// The resource of this type and name; NOT_FOUND names what is missing.
    pub fn lookup<T: Resource>(&self, container: &str, name: &str) -> Result<Arc<T>> {
        let container = container_name(container);
        self.get::<T>(container, name).ok_or_else(|| {
            let short = type_name::<T>().rsplit("::").next().unwrap_or_default();
            Status::not_found(format!("Resource {container}/{name}/{short} does not exist."))
        })
    }

    fn get<T: Resource>(&self, container: &str, name: &str) -> Option<Arc<T>> {
        let containers = self.containers.read();
        let (any, _) = containers.get(container)?.get(&(type_code::<T>(), name.to_string()))?;
        any.clone().downcast::<T>().ok()
    }

    /// The resource a handle names.
    pub fn lookup_handle<T: Resource>(&self, handle: &ResourceHandle) -> Result<Arc<T>> {
        if handle.hash_code != 0 && handle.hash_code != type_code::<T>() {
            return Err(Status::invalid_argument(format!(
                "Trying to access resource {} of type {} as a {}",
                handle.name,
                handle.type_name,
                type_name::<T>()
            )));
        }
        self.lookup(&handle.container, &handle.name)
    }

    /// The resource a handle names, whatever it is.
    pub fn lookup_any(&self, handle: &ResourceHandle) -> Result<Arc<dyn Resource>> {
        let (container, name) = (container_name(&handle.container), &handle.name);
        let containers = self.containers.read();
        let found =
            containers.get(container).and_then(|c| c.get(&(handle.hash_code, name.clone())));
        found.map(|(_, resource)| resource.clone()).ok_or_else(|| {
            Status::not_found(format!("Resource {container}/{name} does not exist."))
        })
    }

    pub fn lookup_or_create<T: Resource>(
        &self,
        container: &str,
        name: &str,
        make: impl FnOnce() -> Result<T>,
    ) -> Result<Arc<T>> {
        let container = container_name(container);
        if let Some(found) = self.get(container, name) {
            return Ok(found);
        }
        let mut containers = self.containers.write();
        let entries = containers.entry(container.to_string()).or_default();
        let key = (type_code::<T>(), name.to_string());
        if let Some((any, _)) = entries.get(&key)
            && let Ok(found) = any.clone().downcast::<T>()
        {
            return Ok(found);
        }
        let made = Arc::new(make()?);
        entries.insert(key, (made.clone(), made.clone()));
        Ok(made)
    }

    /// Stores a new resource; ALREADY_EXISTS if there is one of this type and name.
    pub fn create<T: Resource>(&self, container: &str, name: &str, value: T) -> Result<Arc<T>> {
        let mut fresh = false;
        let stored = self.lookup_or_create(container, name, || {
            fresh = true;
            Ok(value)
        })?;
        if fresh {
            return Ok(stored);
        }
        Err(Status::already_exists(format!(
            "Resource {}/{name} already exists",
            container_name(container)
        )))
    }

    /// Removes a resource; those who still hold it keep it alive.
    pub fn delete<T: Resource>(&self, container: &str, name: &str) -> Result<()> {
        self.remove(container_name(container), type_code::<T>(), name)
    }

    pub fn delete_handle(&self, handle: &ResourceHandle) -> Result<()> {
        self.remove(container_name(&handle.container), handle.hash_code, &handle.name)
    }

    fn remove(&self, container: &str, code: u64, name: &str) -> Result<()> {
        let removed = self
            .containers
            .write()
            .get_mut(container)
            .and_then(|entries| entries.remove(&(code, name.to_string())));
        removed.map(drop).ok_or_else(|| {
            Status::not_found(format!("Resource {container}/{name} does not exist."))
        })
    }

    /// A handle by which graphs name a resource of type `T`.
    pub fn make_handle<T: Resource>(device: &str, container: &str, name: &str) -> ResourceHandle {
        ResourceHandle {
            device: device.to_string(),
            container: container_name(container).to_string(),
            name: name.to_string(),
            hash_code: type_code::<T>(),
            type_name: type_name::<T>().rsplit("::").next().unwrap_or_default().to_string(),
            dtypes_and_shapes: Vec::new(),
        }
    }

    /// Drops everything in these containers; with none named, everything.
    pub fn clear(&self, containers: &[String]) {
        // Resources are dropped after the lock is released: a drop may call back into us.
        let removed: Vec<_> = {
            let mut map = self.containers.write();
            if containers.is_empty() {
                map.drain().map(|(_, v)| v).collect()
            } else {
                containers.iter().filter_map(|c| map.remove(container_name(c))).collect()
            }
        };
        drop(removed);
    }

    /// One line per resource, sorted, for status pages and logs.
    pub fn describe(&self) -> Vec<String> {
        let containers = self.containers.read();
        let mut lines: Vec<String> = containers
            .iter()
            .flat_map(|(c, entries)| {
                entries.iter().map(move |((_, n), (_, r))| format!("{c}/{n}: {}", r.describe()))
            })
            .collect();
        lines.sort();
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counter(u32);
    impl Resource for Counter {
        fn describe(&self) -> String {
            format!("counter at {}", self.0)
        }
    }
    struct Other;
    impl Resource for Other {
        fn describe(&self) -> String {
            "other".into()
        }
    }

    #[test]
    fn names_are_per_container_and_type() {
        let m = ResourceManager::new();
        m.create("", "a", Counter(1)).unwrap();
        assert!(m.create("localhost", "a", Counter(2)).is_err());
        assert!(m.lookup::<Other>("", "a").is_err());
        m.create("box", "a", Counter(3)).unwrap();
        assert_eq!(m.lookup::<Counter>("box", "a").unwrap().0, 3);
        m.clear(&["box".into()]);
        assert!(m.lookup::<Counter>("box", "a").is_err());
        let handle = ResourceManager::make_handle::<Counter>("", "", "a");
        assert!(m.lookup_handle::<Other>(&handle).is_err());
        m.delete_handle(&handle).unwrap();
        assert!(m.delete_handle(&handle).is_err());
    }
}
