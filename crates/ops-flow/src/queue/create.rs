//! Operations that make a queue, or find the shared one.

use std::time::{SystemTime, UNIX_EPOCH};

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{DataType, Philox, Result, Status};

use super::core::{Kind, Queue, QueueSpec};
use super::store::Store;
use crate::handle::{Place, set_handle, unique_number};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "FIFOQueueV2() -> (handle: resource) @stateful
            component_types: list(type) >= 1
            shapes: list(shape) >= 0 = []
            capacity: int = -1
            container: string = ''
            shared_name: string = ''",
        "FIFOQueue() -> (handle: Ref(string)) @stateful
            component_types: list(type) >= 1
            shapes: list(shape) >= 0 = []
            capacity: int = -1
            container: string = ''
            shared_name: string = ''",
        "PaddingFIFOQueueV2() -> (handle: resource) @stateful
            component_types: list(type) >= 1
            shapes: list(shape) >= 0 = []
            capacity: int = -1
            container: string = ''
            shared_name: string = ''",
        "PaddingFIFOQueue() -> (handle: Ref(string)) @stateful
            component_types: list(type) >= 1
            shapes: list(shape) >= 0 = []
            capacity: int = -1
            container: string = ''
            shared_name: string = ''",
        "RandomShuffleQueueV2() -> (handle: resource) @stateful
            component_types: list(type) >= 1
            shapes: list(shape) >= 0 = []
            capacity: int = -1
            min_after_dequeue: int = 0
            seed: int = 0
            seed2: int = 0
            container: string = ''
            shared_name: string = ''",
        "RandomShuffleQueue() -> (handle: Ref(string)) @stateful
            component_types: list(type) >= 1
            shapes: list(shape) >= 0 = []
            capacity: int = -1
            min_after_dequeue: int = 0
            seed: int = 0
            seed2: int = 0
            container: string = ''
            shared_name: string = ''",
        "PriorityQueueV2() -> (handle: resource) @stateful
            component_types: list(type) >= 0 = []
            shapes: list(shape) >= 0
            capacity: int = -1
            container: string = ''
            shared_name: string = ''",
        "PriorityQueue() -> (handle: Ref(string)) @stateful
            component_types: list(type) >= 0 = []
            shapes: list(shape) >= 0
            capacity: int = -1
            container: string = ''
            shared_name: string = ''",
    ] {
        let spec = OpSpec::new(signature)?.shape(handle_shape).not_differentiable();
        registry.add(spec, make_create)?;
    }
    registry.add(
        OpSpec::new("FakeQueue(resource: resource) -> (handle: Ref(string)) @stateful")?
            .not_differentiable(),
        |_| Ok(KernelBox::cheap(fake)),
    )
}

/// A scalar for resource handles, a pair of strings for the older ones.
pub(crate) fn handle_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let is_resource = cx.node().output_dtype(0) == DataType::Resource;
    cx.set_output(
        0,
        if is_resource { PartialShape::scalar() } else { PartialShape::vector(Some(2)) },
    );
    Ok(())
}

struct Create {
    place: Place,
    spec: QueueSpec,
}

fn make_create(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let place = Place::by_node_name(build.node())?;
    let capacity = build.int("capacity")?;
    let capacity =
        if capacity < 0 { i32::MAX } else { i32::try_from(capacity).unwrap_or(i32::MAX) };
    let mut dtypes = build.dtypes("component_types")?;
    let mut shapes = build.shapes("shapes")?;
    let op = build.op_name();
    let kind = match op.strip_suffix("V2").unwrap_or(op) {
        "FIFOQueue" => Kind::Fifo,
        "PaddingFIFOQueue" => Kind::Padding,
        "PriorityQueue" => {
            dtypes.insert(0, DataType::Int64);
            if !shapes.is_empty() {
                shapes.insert(0, PartialShape::scalar());
            }
            Kind::Priority
        }
        _ => {
            let min = build.int("min_after_dequeue")?;
            if min < 0 {
                return Err(Status::invalid_argument(format!(
                    "min_after_dequeue {min} must be >= 0"
                )));
            }
            if min >= capacity as i64 {
                return Err(Status::invalid_argument(format!(
                    "min_after_dequeue {min} must be < capacity {capacity}"
                )));
            }
            let (seed, seed2) = (build.int("seed")?, build.int("seed2")?);
            Kind::Shuffle { min_after_dequeue: min as i32, seed, seed2 }
        }
    };
    let spec = QueueSpec { kind, name: place.name.clone(), capacity, dtypes, shapes };
    spec.validate()?;
    Ok(KernelBox::new(Create { place, spec }))
}

impl QueueSpec {
    fn validate(&self) -> Result<()> {
        if self.dtypes.is_empty() {
            return Err(Status::invalid_argument(format!(
                "Empty component types for queue {}",
                self.name
            )));
        }
        let counts_differ = self.shapes.len() != self.dtypes.len();
        if self.kind == Kind::Padding {
            if counts_differ {
                return Err(Status::invalid_argument(format!(
                    "Shapes must be provided for all components, but received {} dtypes and {} \
                     shapes.",
                    self.dtypes.len(),
                    self.shapes.len()
                )));
            }
            return match self.shapes.iter().find(|s| s.rank().is_none()) {
                Some(_) => {
                    Err(Status::invalid_argument("PaddingFIFOQueue needs shapes of known rank"))
                }
                None => Ok(()),
            };
        }
        if !self.shapes.is_empty() && counts_differ {
            return Err(Status::invalid_argument(format!(
                "Different number of component types.  Types: {}, Shapes: {}",
                types_text(&self.dtypes),
                shapes_text(&self.shapes)
            )));
        }
        match self.shapes.iter().find(|s| !s.is_fully_known()) {
            Some(shape) => Err(Status::invalid_argument(format!(
                "{} needs fully defined shapes, got {shape}",
                self.kind.name()
            ))),
            None => Ok(()),
        }
    }

    fn store(&self) -> Store {
        match self.kind {
            Kind::Fifo | Kind::Padding => Store::fifo(),
            Kind::Priority => Store::priority(),
            Kind::Shuffle { seed: 0, seed2: 0, .. } => {
                // Nobody asked for an order that can be repeated.
                let clock = SystemTime::now().duration_since(UNIX_EPOCH);
                let nanos = clock.map_or(0, |d| d.as_nanos() as u64);
                Store::shuffle(Philox::new(nanos, unique_number()))
            }
            Kind::Shuffle { seed, seed2, .. } => {
                Store::shuffle(Philox::new(seed as u64, seed2 as u64))
            }
        }
    }

    /// Refuses a shared queue that is not what this node asks for.
    fn check_shared(&self, shared: &QueueSpec, op: &str) -> Result<()> {
        let name = &self.name;
        let refuse = |what: String| Err(Status::invalid_argument(what));
        if self.kind.name() != shared.kind.name() {
            return refuse(format!("Expected {}, found {op}", shared.kind.name()));
        }
        if self.capacity != shared.capacity {
            return refuse(format!(
                "Shared queue '{name}' has capacity {} but requested capacity was {}",
                shared.capacity, self.capacity
            ));
        }
        if let (
            Kind::Shuffle { min_after_dequeue: had, seed: seed_had, seed2: seed2_had },
            Kind::Shuffle { min_after_dequeue, seed, seed2 },
        ) = (shared.kind, self.kind)
        {
            if had != min_after_dequeue {
                return refuse(format!(
                    "Shared queue '{name}' has min_after_dequeue {had} but requested \
                     min_after_dequeue was {min_after_dequeue}."
                ));
            }
            if (seed != 0 || seed2 != 0) && (seed, seed2) != (seed_had, seed2_had) {
                return refuse(format!(
                    "Shared queue '{name}' has random seeds ({seed_had}, {seed2_had}) but \
                     requested seeds are ({seed}, {seed2})."
                ));
            }
        }
        if self.dtypes != shared.dtypes {
            return refuse(format!(
                "Shared queue '{name}' has component types {} but requested component types were \
                 {}",
                types_text(&shared.dtypes),
                types_text(&self.dtypes)
            ));
        }
        let agree = match self.kind {
            Kind::Padding => {
                self.shapes.iter().zip(&shared.shapes).all(|(a, b)| a.is_compatible(b))
            }
            _ => self.shapes == shared.shapes,
        };
        if !agree {
            return refuse(format!(
                "Shared queue '{name}' has component shapes {} but requested component shapes \
                 were {}",
                shapes_text(&shared.shapes),
                shapes_text(&self.shapes)
            ));
        }
        Ok(())
    }
}

pub(crate) fn types_text(dtypes: &[DataType]) -> String {
    let names: Vec<&str> = dtypes.iter().map(|d| d.name()).collect();
    names.join(", ")
}

pub(crate) fn shapes_text(shapes: &[PartialShape]) -> String {
    let shapes: Vec<String> = shapes.iter().map(|s| s.to_string()).collect();
    format!("[{}]", shapes.join(", "))
}

impl Kernel for Create {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let queue =
            cx.resources().lookup_or_create(&self.place.container, &self.place.name, || {
                Ok(Queue::new(self.spec.clone(), self.spec.store()))
            })?;
        self.spec.check_shared(&queue.spec, cx.node().op_name())?;
        set_handle::<Queue>(cx, &self.place)?;
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

fn fake(cx: &mut OpContext<'_>) -> Result<()> {
    let handle = cx.handle(0)?;
    let place = Place { container: handle.container.clone(), name: handle.name.clone() };
    set_handle::<Queue>(cx, &place)?;
    Ok(())
}
