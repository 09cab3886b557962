//! The forms one update rule comes in: dense or for chosen rows, on references or on resources.

use downpour_graph::{ArgType, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBuild, KernelFactory, Registry};
use downpour_tensor::{DataType, Result, Status};

use crate::state::handles::variable_shape;

const NUMBER_TYPES: &str = "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, \
    quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}";

/// All four forms; rules without some of them list their own.
pub(crate) const ALL_FORMS: &[&str] =
    &["Apply", "SparseApply", "ResourceApply", "ResourceSparseApply"];
pub(crate) const DENSE_FORMS: &[&str] = &["Apply", "ResourceApply"];

/// What the signatures of a rule's forms are made from.
pub(crate) struct Family {
    /// What follows the form's prefix, as in `ResourceSparseApply` + `Momentum`.
    pub name: &'static str,
    pub forms: &'static [&'static str],
    /// The updated variable and its slots.
    pub variables: &'static [&'static str],
    /// Everything else in order; `grad` stands for the gradient, behind which sparse forms have
    /// their indices.
    pub arguments: &'static [&'static str],
    /// What dense forms call the gradient.
    pub dense_gradient: &'static str,
    /// A boolean attribute with its default.
    pub option: Option<(&'static str, bool)>,
}

impl Default for Family {
    fn default() -> Family {
        Family {
            name: "",
            forms: ALL_FORMS,
            variables: &[],
            arguments: &[],
            dense_gradient: "grad",
            option: None,
        }
    }
}

impl Family {
    pub fn register(&self, registry: &mut Registry, kernel: KernelFactory) -> Result<()> {
        for form in self.forms {
            let spec = OpSpec::new(&self.signature(form))?.shape(shape);
            registry.add(spec, kernel)?;
        }
        Ok(())
    }

    fn signature(&self, form: &str) -> String {
        let is_resource = form.starts_with("Resource");
        let is_sparse = form.contains("Sparse");
        let mut args = Vec::new();
        for variable in self.variables {
            let ty = if is_resource { "resource" } else { "Ref(T)" };
            args.push(format!("{variable}: {ty}"));
        }
        for &argument in self.arguments {
            match argument {
                "grad" if is_sparse => {
                    args.extend(["grad: T".to_string(), "indices: Tindices".to_string()]);
                }
                "grad" => args.push(format!("{}: T", self.dense_gradient)),
                "global_step" => args.push("global_step: int64".to_string()),
                scalar => args.push(format!("{scalar}: T")),
            }
        }
        let mut lines = vec![format!(
            "{form}{}({}) -> {}",
            self.name,
            args.join(", "),
            if is_resource { "() @stateful" } else { "(out: Ref(T))" }
        )];
        lines.push(format!("T: {NUMBER_TYPES}"));
        if is_sparse {
            lines.push("Tindices: {int32, int64}".to_string());
        }
        lines.push("use_locking: bool = false".to_string());
        if let Some((option, default)) = self.option {
            lines.push(format!("{option}: bool = {default}"));
        }
        lines.join("\n")
    }
}

/// Where a node's inputs stand, and its option.
pub(crate) struct Layout {
    pub dtype: DataType,
    /// Names of all inputs, for messages.
    pub names: Vec<String>,
    pub scalars: Vec<usize>,
    pub gradient: usize,
    pub indices: Option<usize>,
    pub option: bool,
}

impl Layout {
    /// `option` names the family's boolean attribute, if it has one.
    pub fn new(build: &KernelBuild<'_>, option: Option<&str>) -> Result<Layout> {
        let inputs = &build.op.def.inputs;
        let mut layout = Layout {
            dtype: build.dtype("T")?,
            names: inputs.iter().map(|arg| arg.name.clone()).collect(),
            scalars: Vec::new(),
            gradient: 0,
            indices: None,
            option: option.map_or(Ok(false), |name| build.bool(name))?,
        };
        for (i, arg) in inputs.iter().enumerate() {
            match arg.name.as_str() {
                "grad" | "delta" => layout.gradient = i,
                "indices" => layout.indices = Some(i),
                _ if arg.is_ref || arg.ty == ArgType::Fixed(DataType::Resource) => {}
                _ => layout.scalars.push(i),
            }
        }
        Ok(layout)
    }
}

/// Variable, slots and gradient agree in shape; everything else is a scalar.
fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let node = cx.node();
    let mut shape = PartialShape::unknown();
    let mut rows: Option<(usize, usize)> = None;
    for (i, arg) in node.op.def.inputs.iter().enumerate() {
        match arg.name.as_str() {
            "indices" => {
                cx.with_rank(i, 1)?;
                rows = Some((i - 1, i));
            }
            "grad" | "delta" => {}
            _ if arg.is_ref || arg.ty == ArgType::Fixed(DataType::Resource) => {
                shape = cx.merge(&shape, &variable_shape(cx, i))?;
            }
            _ => {
                cx.with_rank(i, 0)?;
            }
        }
    }
    let gradient = node.op.def.inputs.iter().position(|a| a.name == "grad" || a.name == "delta");
    match (rows, gradient) {
        (Some((gradient, indices)), _) => {
            let dims = cx.input(gradient).dims();
            if dims.is_some_and(|dims| dims.is_empty()) {
                return Err(Status::invalid_argument(format!(
                    "Argument grad must not be a scalar for {}",
                    cx.describe()
                )));
            }
            cx.merge_dim(cx.input(indices).dim(0), cx.input(gradient).dim(0))?;
            if let Some(dims) = dims {
                let free = std::iter::once(None).chain(dims[1..].iter().copied());
                shape = cx.merge(&shape, &PartialShape::of(free))?;
            }
        }
        (None, Some(gradient)) => shape = cx.merge(&shape, cx.input(gradient))?,
        (None, None) => {}
    }
    cx.set_output(0, shape);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_follow_the_form() {
        let family = Family {
            name: "Momentum",
            variables: &["var", "accum"],
            arguments: &["lr", "grad", "momentum"],
            option: Some(("use_nesterov", false)),
            ..Family::default()
        };
        let first = |form| family.signature(form).lines().next().map(str::to_string).unwrap();
        assert_eq!(
            first("SparseApply"),
            "SparseApplyMomentum(var: Ref(T), accum: Ref(T), lr: T, grad: T, indices: Tindices, \
             momentum: T) -> (out: Ref(T))"
        );
        assert_eq!(
            first("ResourceApply"),
            "ResourceApplyMomentum(var: resource, accum: resource, lr: T, grad: T, momentum: T) -> \
             () @stateful"
        );
        assert!(family.signature("Apply").ends_with("use_nesterov: bool = false"));
    }
}
