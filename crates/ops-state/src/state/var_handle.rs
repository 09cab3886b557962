//! VarHandleOp, _VarHandlesOp: handles of resource variables.
//!
//! A handle only names a variable; assigning makes it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use downpour_graph::{OpSpec, PartialShape, shapes};
use downpour_runtime::{
    Kernel, KernelBox, KernelBuild, OpContext, Registry, ResourceManager, Variable,
};
use downpour_tensor::{DataType, DtypeAndShape, Result, Status, Tensor};

/// The name by which a client asks for a new variable on every run.
const ANONYMOUS: &str = "cd2c89b7-88b7-44c8-ad83-06c2a9158347";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "VarHandleOp() -> (resource: resource) @stateful
                container: string = ''
                shared_name: string = ''
                debug_name: string = ''
                dtype: type
                shape: shape
                allowed_devices: list(string) = []",
        )?
        .shape(shapes::scalar),
        |build| Ok(KernelBox::new(VarHandle::new(build)?)),
    )?;
    registry.add(
        OpSpec::new(
            "_VarHandlesOp() -> (resources: N * resource) @stateful
                containers: list(string)
                shared_names: list(string)
                N: int >= 0
                dtypes: list(type)
                shapes: list(shape)",
        )?
        .shape(shapes::scalar),
        |build| Ok(KernelBox::new(VarHandles::new(build)?)),
    )
}

struct Declared {
    container: String,
    name: String,
    dtype: DataType,
    shape: PartialShape,
}

impl Declared {
    fn handle(&self, device: &str, name: &str) -> Tensor {
        let mut handle = ResourceManager::make_handle::<Variable>(device, &self.container, name);
        handle.dtypes_and_shapes =
            vec![DtypeAndShape { dtype: self.dtype, shape: self.shape.to_i64() }];
        Tensor::handle(handle)
    }
}

struct VarHandle {
    declared: Declared,
    debug_name: String,
    /// The handle never changes, so it is made once.
    handle: OnceLock<Tensor>,
}

impl VarHandle {
    fn new(build: &KernelBuild<'_>) -> Result<VarHandle> {
        let declared = Declared {
            container: build.string("container")?,
            name: build.string("shared_name")?,
            dtype: build.dtype("dtype")?,
            shape: build.shape("shape")?,
        };
        Ok(VarHandle { declared, debug_name: build.string("debug_name")?, handle: OnceLock::new() })
    }

    fn anonymous(&self, cx: &mut OpContext<'_>) -> Result<Tensor> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("_AnonymousVar{number}");
        let declared = &self.declared;
        let called = if self.debug_name.is_empty() { &name } else { &self.debug_name };
        let variable = Variable::new(called, declared.dtype, declared.shape.clone());
        cx.resources().create(&declared.container, &name, variable)?;
        Ok(declared.handle(cx.step().device(), &name))
    }
}

impl Kernel for VarHandle {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let declared = &self.declared;
        let handle = if declared.name == ANONYMOUS {
            self.anonymous(cx)?
        } else {
            let make = || declared.handle(cx.step().device(), &declared.name);
            self.handle.get_or_init(make).clone()
        };
        cx.set_output(0, handle);
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

struct VarHandles {
    declared: Vec<Declared>,
    handles: OnceLock<Vec<Tensor>>,
}

impl VarHandles {
    fn new(build: &KernelBuild<'_>) -> Result<VarHandles> {
        let containers = build.strings("containers")?;
        let names = build.strings("shared_names")?;
        let dtypes = build.dtypes("dtypes")?;
        let shapes = build.shapes("shapes")?;
        let count = build.output_types.len();
        let lengths = [containers.len(), names.len(), dtypes.len(), shapes.len()];
        if lengths.iter().any(|&length| length != count) {
            return Err(Status::invalid_argument(format!(
                "_VarHandlesOp has N={count} but {} containers, {} shared_names, {} dtypes and {} \
                 shapes",
                lengths[0], lengths[1], lengths[2], lengths[3]
            )));
        }
        let declared = containers.into_iter().zip(names).zip(dtypes).zip(shapes);
        let declared = declared.map(|(((container, name), dtype), shape)| Declared {
            container,
            name,
            dtype,
            shape,
        });
        Ok(VarHandles { declared: declared.collect(), handles: OnceLock::new() })
    }
}

impl Kernel for VarHandles {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let device = cx.step().device();
        let handles = self
            .handles
            .get_or_init(|| self.declared.iter().map(|d| d.handle(device, &d.name)).collect());
        for (i, handle) in handles.iter().enumerate() {
            cx.set_output(i, handle.clone());
        }
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use std::sync::Arc;

    fn handle(resources: &Arc<ResourceManager>, shared_name: &'static str) -> Tensor {
        OpTest::new(register, "VarHandleOp")
            .resources(resources)
            .attr("dtype", DataType::Float)
            .attr("shape", PartialShape::of([Some(2), None]))
            .attr("shared_name", shared_name)
            .run_one()
            .unwrap()
    }

    #[test]
    fn a_handle_names_and_describes_but_makes_nothing() {
        let resources = Arc::new(ResourceManager::new());
        let tensor = handle(&resources, "w");
        let [handle] = tensor.handles().unwrap() else { panic!("one handle") };
        assert_eq!((handle.container.as_str(), handle.name.as_str()), ("localhost", "w"));
        assert_eq!(handle.dtypes_and_shapes[0].shape, Some(vec![2, -1]));
        assert!(handle.device.ends_with("CPU:0"));
        assert!(resources.lookup_handle::<Variable>(handle).is_err());
    }

    #[test]
    fn anonymous_variables_are_new_each_time() {
        let resources = Arc::new(ResourceManager::new());
        let (a, b) = (handle(&resources, ANONYMOUS), handle(&resources, ANONYMOUS));
        let (a, b) = (&a.handles().unwrap()[0], &b.handles().unwrap()[0]);
        assert_ne!(a.name, b.name);
        assert!(!resources.lookup_handle::<Variable>(a).unwrap().is_initialized());
        assert_eq!(resources.lookup_handle::<Variable>(b).unwrap().dtype(), DataType::Float);
    }

    #[test]
    fn several_handles_at_once() {
        let test = |names: Vec<&'static str>| {
            OpTest::new(register, "_VarHandlesOp")
                .attr("N", 2i64)
                .attr("containers", vec!["", "box"])
                .attr("shared_names", names)
                .attr("dtypes", vec![DataType::Float, DataType::Int32])
                .attr("shapes", vec![PartialShape::scalar(), PartialShape::unknown()])
                .run()
        };
        let handles = test(vec!["a", "b"]).unwrap();
        assert_eq!(handles[1].handles().unwrap()[0].container, "box");
        assert_eq!(handles[1].handles().unwrap()[0].dtypes_and_shapes[0].shape, None);
        assert!(test(vec!["a"]).is_err());
    }
}
