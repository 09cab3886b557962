//! The operations that fill a shape with a distribution without parameters: uniform and normal
//! numbers, truncated normal ones, and integers over their type's full range. Each distribution comes in
//! forms that differ in where the generator's state is.

use downpour_graph::{OpSpec, ShapeFn};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, KernelFactory, OpContext, Registry};
use downpour_tensor::{DataType, Result, Tensor};

use crate::fill::{Kind, fill_kind};
use crate::source::{self, Source};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    const FLOATS: &str = "{half, bfloat16, float, double}";
    const INTEGERS: &str = "{int32, int64, uint32, uint64}";
    macro_rules! kernel {
        ($kind:ident, $source:expr) => {
            |build| kernel(build, Kind::$kind, $source)
        };
    }
    let mut node = |name: &str, kernel: KernelFactory| {
        let signature = format!(
            "{name}(shape: T) -> (output: dtype) @stateful
                seed: int = 0
                seed2: int = 0
                dtype: {FLOATS}
                T: {{int32, int64}}"
        );
        add(registry, &signature, source::node_shape, kernel)
    };
    node("RandomUniform", |b| kernel(b, Kind::Uniform, Source::node(b)?))?;
    node("RandomStandardNormal", |b| kernel(b, Kind::Normal, Source::node(b)?))?;
    node("TruncatedNormal", |b| kernel(b, Kind::TruncatedNormal, Source::node(b)?))?;

    let mut seed = |name: &str, types: &str, default: &str, seeds: &str, kernel: KernelFactory| {
        let signature = format!(
            "{name}(shape: T, seed: Tseed) -> (output: dtype)
                dtype: {types} = {default}
                T: {{int32, int64}} = int32
                Tseed: {seeds} = int64"
        );
        add(registry, &signature, source::seed_shape, kernel)
    };
    const SEEDS: &str = "{int32, int64}";
    seed("StatelessRandomUniform", FLOATS, "float", SEEDS, kernel!(Uniform, Source::Seed))?;
    seed("StatelessRandomNormal", FLOATS, "float", SEEDS, kernel!(Normal, Source::Seed))?;
    let truncated: KernelFactory = kernel!(TruncatedNormal, Source::Seed);
    seed("StatelessTruncatedNormal", FLOATS, "float", SEEDS, truncated)?;
    let full: KernelFactory = kernel!(FullInt, Source::Seed);
    seed("StatelessRandomUniformFullInt", INTEGERS, "uint64", INTEGERS, full)?;

    let mut keyed = |name: &str, types: &str, default: &str, kernel: KernelFactory| {
        let signature = format!(
            "{name}(shape: Tshape, key: uint64, counter: uint64, alg: int32) -> (output: dtype)
                dtype: {types} = {default}
                Tshape: {{int32, int64}} = int32"
        );
        add(registry, &signature, source::key_counter_shape, kernel)
    };
    keyed("StatelessRandomUniformV2", FLOATS, "float", kernel!(Uniform, Source::KeyCounter))?;
    keyed("StatelessRandomNormalV2", FLOATS, "float", kernel!(Normal, Source::KeyCounter))?;
    let truncated: KernelFactory = kernel!(TruncatedNormal, Source::KeyCounter);
    keyed("StatelessTruncatedNormalV2", FLOATS, "float", truncated)?;
    let full: KernelFactory = kernel!(FullInt, Source::KeyCounter);
    keyed("StatelessRandomUniformFullIntV2", INTEGERS, "uint64", full)?;

    let mut variable = |name: &str, default: &str, kernel: KernelFactory| {
        let signature = format!(
            "{name}(resource: resource, algorithm: int64, shape: shape_dtype) -> (output: dtype) @stateful
                dtype: type = {default}
                shape_dtype: type = int64"
        );
        add(registry, &signature, source::variable_shape, kernel)
    };
    variable("StatefulUniform", "float", kernel!(Uniform, Source::Variable))?;
    variable("StatefulStandardNormalV2", "float", kernel!(Normal, Source::Variable))?;
    variable("StatefulTruncatedNormal", "float", kernel!(TruncatedNormal, Source::Variable))?;
    variable("StatefulUniformFullInt", "uint64", kernel!(FullInt, Source::Variable))?;
    add(
        registry,
        "StatefulStandardNormal(resource: resource, shape: shape_dtype) -> (output: dtype) @stateful
            dtype: type = float
            shape_dtype: type = int64",
        source::tagged_variable_shape,
        kernel!(Normal, Source::TaggedVariable),
    )
}

fn add(
    registry: &mut Registry,
    signature: &str,
    shape: ShapeFn,
    kernel: KernelFactory,
) -> Result<()> {
    registry.add(OpSpec::new(signature)?.shape(shape).not_differentiable(), kernel)
}

fn kernel(build: &KernelBuild<'_>, kind: Kind, source: Source) -> Result<KernelBox> {
    Ok(KernelBox::new(Elementary { kind, dtype: build.dtype("dtype")?, source }))
}

struct Elementary {
    kind: Kind,
    dtype: DataType,
    source: Source,
}

impl Kernel for Elementary {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let shape = self.source.shape(cx)?;
        // Room for the output is checked before any state moves on.
        let philox = match shape.elements() {
            0 if matches!(self.source, Source::Seed) => {
                cx.set_output(0, Tensor::new(self.dtype, &shape)?);
                return Ok(());
            }
            values => self.source.philox(cx, values)?,
        };
        let name = cx.node().op_name();
        let output = fill_kind(name, self.kind, self.dtype, cx.parallel(), philox, &shape)?;
        cx.set_output(0, output);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn two_zero_seeds_are_unforeseeable_and_others_repeat() {
        let run = |seed: i64| {
            OpTest::new(register, "RandomUniform")
                .attr("seed", seed)
                .attr("dtype", DataType::Float)
                .input(Tensor::vector(&[8i32]).unwrap())
                .run_one()
                .unwrap()
                .as_slice::<f32>()
                .unwrap()
                .to_vec()
        };
        assert_ne!(run(0), run(0));
        assert_eq!(run(5), run(5));
    }

    #[test]
    fn bad_inputs_are_refused() {
        let keyed = |key: &[u64], counter: &[u64], algorithm: i32| {
            OpTest::new(register, "StatelessRandomUniformV2")
                .input(Tensor::vector(&[2i32]).unwrap())
                .input(Tensor::vector(key).unwrap())
                .input(Tensor::vector(counter).unwrap())
                .input(Tensor::scalar(algorithm))
                .run_values()
                .map(drop)
        };
        assert!(keyed(&[1], &[1, 2], 1).is_ok());
        assert!(keyed(&[1, 2], &[1, 2], 1).is_err());
        assert!(keyed(&[1], &[1], 1).is_err());
        assert!(keyed(&[1], &[1, 2], 9).unwrap_err().message().contains("algorithm id: 9"));
        let shaped = |shape: Tensor| {
            OpTest::new(register, "RandomUniform")
                .attr("dtype", DataType::Float)
                .input(shape)
                .run_values()
                .map(drop)
        };
        assert!(shaped(Tensor::scalar(3i32)).is_err());
        assert!(shaped(Tensor::vector(&[-1i32]).unwrap()).is_err());
        assert!(shaped(Tensor::vector(&[1i64 << 40, 1 << 40]).unwrap()).is_err());
        assert!(shaped(Tensor::vector(&[1i64 << 44]).unwrap()).is_err());
    }
}
