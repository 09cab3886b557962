//! The gradient of RGBToHSV, channel by channel.
//!
//! Among equal channels the earlier one counts as the largest and the later one as the smallest.

use downpour_graph::{Attrs, Endpoint, Gradient, GradientContext};
use downpour_tensor::Result;

/// One colour channel of the input.
#[derive(Clone, Copy)]
struct Channel {
    value: Endpoint,
    /// 1 where the channel is the pixel's largest or smallest, else 0.
    largest: Endpoint,
    smallest: Endpoint,
    /// 1 where the channel is above 0.
    lit: Endpoint,
}

pub(super) fn rgb_to_hsv(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let colors = unpack(cx, cx.input(0))?;
    let [_, saturation, value] = unpack(cx, cx.output(0))?;
    let [grad_hue, grad_saturation, grad_value] = unpack(cx, grad)?;
    let mut channels = Vec::with_capacity(3);
    for i in 0..3 {
        channels.push(channel(cx, &colors, i)?);
    }
    // The difference of largest and smallest, squared and inverted.
    let saturation = cx.op("Square", &[saturation])?;
    let value = cx.op("Square", &[value])?;
    let (inverse_saturation, inverse_value) = (inverse(cx, saturation)?, inverse(cx, value)?);
    let range = cx.op("Mul", &[inverse_saturation, inverse_value])?;
    let mut grads = Vec::with_capacity(3);
    for i in 0..3 {
        let (own, next, last) = (channels[i], channels[(i + 1) % 3], channels[(i + 2) % 3]);
        let hue = hue_by(cx, own, next, last, range)?;
        let saturation = saturation_by(cx, own, next, last)?;
        let from_hue = cx.op("Mul", &[grad_hue, hue])?;
        let from_saturation = cx.op("Mul", &[grad_saturation, saturation])?;
        let from_value = cx.op("Mul", &[grad_value, own.largest])?;
        grads.push(cx.op("AddN", &[from_value, from_saturation, from_hue])?);
    }
    let attrs = Attrs::new().with("axis", -1i64);
    Ok(vec![Gradient::Dense(cx.op_with("Pack", &grads, attrs)?)])
}

fn unpack(cx: &mut GradientContext<'_, '_>, image: Endpoint) -> Result<[Endpoint; 3]> {
    let attrs = Attrs::new().with("num", 3i64).with("axis", -1i64);
    let node = cx.node_with("Unpack", &[image], attrs)?;
    Ok([0, 1, 2].map(|port| Endpoint { node, port }))
}

/// 1/x, and 0 for 0.
fn inverse(cx: &mut GradientContext<'_, '_>, x: Endpoint) -> Result<Endpoint> {
    let one = cx.number(1.0, x)?;
    cx.op("DivNoNan", &[one, x])
}

fn product(cx: &mut GradientContext<'_, '_>, factors: &[Endpoint]) -> Result<Endpoint> {
    let mut product = factors[0];
    for factor in &factors[1..] {
        product = cx.op("Mul", &[product, *factor])?;
    }
    Ok(product)
}

fn channel(cx: &mut GradientContext<'_, '_>, colors: &[Endpoint; 3], i: usize) -> Result<Channel> {
    let value = colors[i];
    let attrs = Attrs::new().with("DstT", cx.dtype(value));
    // Against each other channel, a tie goes to the earlier one as largest and the later as smallest.
    let mut both = |earlier: &str, later: &str| {
        let mut tests = Vec::with_capacity(2);
        for (other, &color) in colors.iter().enumerate().filter(|(other, _)| *other != i) {
            let test = if i < other { earlier } else { later };
            tests.push(cx.op(test, &[value, color])?);
        }
        let all = cx.op("LogicalAnd", &tests)?;
        cx.op_with("Cast", &[all], attrs.clone())
    };
    let largest = both("GreaterEqual", "Greater")?;
    let smallest = both("Less", "LessEqual")?;
    let zero = cx.number(0.0, value)?;
    let lit = cx.op("Greater", &[value, zero])?;
    let lit = cx.op_with("Cast", &[lit], attrs)?;
    Ok(Channel { value, largest, smallest, lit })
}

/// Saturation is 1 - smallest / largest.
fn saturation_by(
    cx: &mut GradientContext<'_, '_>,
    own: Channel,
    next: Channel,
    last: Channel,
) -> Result<Endpoint> {
    let mut of_others = |pick: fn(&Channel) -> Endpoint| {
        let a = cx.op("Mul", &[pick(&next), next.value])?;
        let b = cx.op("Mul", &[pick(&last), last.value])?;
        cx.op("AddV2", &[a, b])
    };
    let (smallest, largest) = (of_others(|c| c.smallest)?, of_others(|c| c.largest)?);
    let square = cx.op("Square", &[own.value])?;
    let inverse_square = inverse(cx, square)?;
    let as_largest = product(cx, &[own.largest, smallest, inverse_square])?;
    let inverse_largest = inverse(cx, largest)?;
    let as_smallest = product(cx, &[own.smallest, inverse_largest])?;
    let slope = cx.op("Sub", &[as_largest, as_smallest])?;
    cx.op("Mul", &[own.lit, slope])
}

/// Where the own channel is the largest, hue is (next - last) / (6 range) and a constant.
fn hue_by(
    cx: &mut GradientContext<'_, '_>,
    own: Channel,
    next: Channel,
    last: Channel,
    range: Endpoint,
) -> Result<Endpoint> {
    let apart = cx.op("Sub", &[last.value, next.value])?;
    let back = cx.op("Neg", &[apart])?;
    let inverse_apart = inverse(cx, apart)?;
    let inverse_back = inverse(cx, back)?;
    let mut inverse_square = |other: Channel| {
        let difference = cx.op("Sub", &[own.value, other.value])?;
        let square = cx.op("Square", &[difference])?;
        inverse(cx, square)
    };
    let (to_next, to_last) = (inverse_square(next)?, inverse_square(last)?);
    let terms = [
        product(cx, &[own.lit, own.largest, apart, range])?,
        product(cx, &[next.lit, next.largest, own.smallest, apart, to_next])?,
        {
            let term = product(cx, &[next.lit, next.largest, last.smallest, inverse_back])?;
            cx.op("Neg", &[term])?
        },
        product(cx, &[last.lit, last.largest, own.smallest, apart, to_last])?,
        product(cx, &[last.lit, last.largest, next.smallest, inverse_apart])?,
    ];
    let sum = cx.op("AddN", &terms)?;
    let sixth = cx.number(1.0 / 6.0, sum)?;
    cx.op("Mul", &[sum, sixth])
}
