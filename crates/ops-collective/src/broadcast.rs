//! `CollectiveBcastSend`, `CollectiveBcastRecv` and their second versions: all members get what the one that sends
//! has.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{AsyncContext, KernelBox, KernelBuild, Registry};
use downpour_tensor::{Result, Shape, Status};

use crate::call::{Collective, Told, timeout};
use crate::work::Work;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let told = "group_size: int
                group_key: int
                instance_key: int
                shape: shape";
    let rest = "communication_hint: string = 'auto'
                timeout_seconds: float = 0.0";
    let kinds = "T: {bool, float, half, double, int32, int64}";
    let first = format!("{kinds}\n{told}\n{rest}");
    let signature =
        format!("CollectiveBcastSend(input: T) -> (data: T) @stateful @distributed\n{first}");
    registry.add(
        OpSpec::new(&signature)?.shape(shapes::from_shape_attr).not_differentiable(),
        send_first,
    )?;
    let signature = format!("CollectiveBcastRecv() -> (data: T) @stateful @distributed\n{first}");
    registry.add(
        OpSpec::new(&signature)?.shape(shapes::from_shape_attr).not_differentiable(),
        receive_first,
    )?;
    let signature = format!(
        "CollectiveBcastSendV2(input: T, group_size: int32, group_key: int32, instance_key: int32) -> (data: T) @stateful @distributed
        {kinds}
        {rest}"
    );
    registry
        .add(OpSpec::new(&signature)?.shape(shapes::unchanged).not_differentiable(), send_second)?;
    let signature = format!(
        "CollectiveBcastRecvV2(group_size: int32, group_key: int32, instance_key: int32, shape: Tshape) -> (data: T) @stateful @distributed
        {kinds}
        Tshape: {{int32, int64}} = int32
        {rest}"
    );
    let spec = OpSpec::new(&signature)?.shape(|cx| {
        let shape = cx.shape_from_input(3)?;
        cx.set_output(0, shape);
        Ok(())
    });
    registry.add(spec.not_differentiable(), receive_second)
}

/// The shape that the first version was built with.
fn declared(build: &KernelBuild<'_>) -> Result<Shape> {
    let shape = build.shape("shape")?;
    shape.to_shape().ok_or_else(|| {
        Status::invalid_argument(format!(
            "{} '{}' must know its shape, and has {shape}",
            build.op_name(),
            build.name
        ))
    })
}

fn send_first(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let shape = declared(build)?;
    let work = move |cx: &AsyncContext| {
        let input = cx.input(0);
        if *input.shape() != shape {
            return Err(Status::invalid_argument(format!(
                "Declared shape of op {} does not match shape of input: {shape} and {}",
                cx.node().name,
                input.shape()
            )));
        }
        Ok(Work::Send(input.clone()))
    };
    let told = Told::by_attributes(build)?;
    Ok(KernelBox::asynchronous(Collective { told, timeout: timeout(build)?, work }))
}

fn receive_first(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let (shape, dtype) = (declared(build)?, build.output_dtype(0));
    let work = move |_: &AsyncContext| Ok(Work::Receive(dtype, shape.clone()));
    let told = Told::by_attributes(build)?;
    Ok(KernelBox::asynchronous(Collective { told, timeout: timeout(build)?, work }))
}

fn send_second(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let work = |cx: &AsyncContext| Ok(Work::Send(cx.input(0).clone()));
    let told = Told::Inputs(1);
    Ok(KernelBox::asynchronous(Collective { told, timeout: timeout(build)?, work }))
}

fn receive_second(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let dtype = build.output_dtype(0);
    let work = move |cx: &AsyncContext| {
        let sizes = cx.input(3);
        if sizes.rank() != 1 {
            let text = format!("shape must be a vector, got shape {}", sizes.shape());
            return Err(Status::invalid_argument(text));
        }
        Ok(Work::Receive(dtype, Shape::from_i64(&sizes.to_i64_vec()?)?))
    };
    let told = Told::Inputs(0);
    Ok(KernelBox::asynchronous(Collective { told, timeout: timeout(build)?, work }))
}
