//! DrawBoundingBoxes and DrawBoundingBoxesV2.

use downpour_graph::{OpSpec, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status};

use crate::convolution::{narrowed, widened};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "DrawBoundingBoxes(images: T, boxes: float) -> (output: T)
            T: {float, half} = float",
        "DrawBoundingBoxesV2(images: T, boxes: float, colors: float) -> (output: T)
            T: {float, half} = float",
    ] {
        let spec = OpSpec::new(signature)?.shape(shape).not_differentiable();
        registry.add(spec, |_| Ok(KernelBox::function(draw)))?;
    }
    Ok(())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let images = cx.with_rank(0, 4)?;
    cx.with_rank(1, 3)?;
    cx.set_output(0, images);
    Ok(())
}

/// Yellow, blue, red, lime, purple, olive, maroon, navy, aqua, fuchsia.
const COLORS: [[f32; 4]; 10] = [
    [1.0, 1.0, 0.0, 1.0],
    [0.0, 0.0, 1.0, 1.0],
    [1.0, 0.0, 0.0, 1.0],
    [0.0, 1.0, 0.0, 1.0],
    [0.5, 0.0, 0.5, 1.0],
    [0.5, 0.5, 0.0, 1.0],
    [0.5, 0.0, 0.0, 1.0],
    [0.0, 0.0, 0.5, 1.0],
    [0.0, 1.0, 1.0, 1.0],
    [1.0, 0.0, 1.0, 1.0],
];

fn draw(cx: &mut OpContext<'_>) -> Result<()> {
    let images = cx.take(0);
    let boxes = cx.input(1);
    let invalid =
        |what: String| Status::invalid_argument(format!("{}: {what}", cx.node().op_name()));
    let &[batch, height, width, depth] = images.dims() else {
        return Err(invalid("The rank of the images should be 4".into()));
    };
    let &[box_batch, count, four] = boxes.dims() else {
        return Err(invalid("The rank of the boxes tensor should be 3".into()));
    };
    if batch != box_batch {
        return Err(invalid("The batch sizes should be the same".into()));
    }
    if ![1, 3, 4].contains(&depth) {
        return Err(invalid("Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)".into()));
    }
    if four != 4 {
        return Err(invalid(format!(
            "The size of the third dimension of the box must be 4. Received: {four}"
        )));
    }
    let colors = colors(cx, depth)?;
    let dtype = images.dtype();
    let wide = if dtype == DataType::Half { widened(&images)? } else { images };
    let mut canvas = wide.into_unique()?;
    let out = canvas.as_mut_slice::<f32>().expect("into_unique gave the only owner");
    if !out.is_empty() {
        let boxes = boxes.as_slice::<f32>()?;
        for (n, image) in out.chunks_exact_mut(height * width * depth).enumerate() {
            for b in 0..count {
                let corners = &boxes[(n * count + b) * 4..][..4];
                outline(image, [height, width], corners, &colors[b % colors.len()][..depth]);
            }
        }
    }
    let output = if dtype == DataType::Half { narrowed(&canvas, dtype)? } else { canvas };
    cx.set_output(0, output);
    Ok(())
}

/// The colours of the boxes in turn: those given, or the ten defaults (white in grey images).
fn colors(cx: &OpContext<'_>, depth: usize) -> Result<Vec<Vec<f32>>> {
    if cx.inputs_len() == 3 {
        let colors = cx.input(2);
        if colors.rank() != 2 {
            return Err(
                cx.bad_input(2, format!("colors must be a 2-D matrix, got {}", colors.shape()))
            );
        }
        if colors.dims()[1] < depth {
            return Err(
                cx.bad_input(2, "colors must have equal or more channels than the image provided")
            );
        }
        if !colors.is_empty() {
            let rows = colors.as_slice::<f32>()?.chunks_exact(colors.dims()[1]);
            return Ok(rows.map(|row| row.to_vec()).collect());
        }
    }
    Ok(COLORS.iter().map(|c| if depth == 1 { vec![1.0] } else { c.to_vec() }).collect())
}

fn outline(image: &mut [f32], [height, width]: [usize; 2], corners: &[f32], color: &[f32]) {
    let (last_row, last_column) = (height as i64 - 1, width as i64 - 1);
    let row = |v: f32| (v * last_row as f32) as i64;
    let column = |v: f32| (v * last_column as f32) as i64;
    let (top, left) = (row(corners[0]), column(corners[1]));
    let (bottom, right) = (row(corners[2]), column(corners[3]));
    let inverted = top > bottom || left > right;
    if inverted || top > last_row || bottom < 0 || left > last_column || right < 0 {
        return;
    }
    let depth = color.len();
    let mut dot = |y: i64, x: i64| {
        let at = (y as usize * width + x as usize) * depth;
        image[at..at + depth].copy_from_slice(color);
    };
    let columns = left.max(0)..=right.min(last_column);
    let rows = top.max(0)..=bottom.min(last_row);
    for y in [top, bottom] {
        if (0..=last_row).contains(&y) {
            columns.clone().for_each(|x| dot(y, x));
        }
    }
    for x in [left, right] {
        if (0..=last_column).contains(&x) {
            rows.clone().for_each(|y| dot(y, x));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    fn draw_on(dims: [usize; 4], corners: [f32; 4]) -> OpTest {
        let count = dims.iter().product();
        OpTest::new(register, "DrawBoundingBoxes")
            .input(Tensor::from_vec(dims, vec![0f32; count]).unwrap())
            .input(Tensor::from_slice([dims[0], 1, 4], &corners.repeat(dims[0])).unwrap())
    }

    #[test]
    fn edges_inside_are_drawn() {
        let out = draw_on([1, 3, 3, 1], [0.0, 0.0, 1.0, 1.0]).run_one().unwrap();
        assert_eq!(out.as_slice::<f32>().unwrap(), &[1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
        let out = draw_on([1, 3, 3, 1], [0.5, -9.0, 9.0, 0.5]).run_one().unwrap();
        assert_eq!(out.as_slice::<f32>().unwrap(), &[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
        let none = draw_on([1, 2, 2, 1], [1.0, 1.0, 0.0, 0.0]).run_one().unwrap();
        assert_eq!(none.as_slice::<f32>().unwrap(), &[0.0; 4]);
    }

    #[test]
    fn empty_images_and_strange_boxes() {
        assert!(draw_on([1, 0, 0, 3], [0.0, 0.0, 1.0, 1.0]).run().is_ok());
        assert!(draw_on([1, 2, 2, 2], [0.0, 0.0, 1.0, 1.0]).run().is_err());
        let huge = [f32::NAN, f32::NEG_INFINITY, f32::INFINITY, f32::MAX];
        assert!(draw_on([1, 2, 2, 3], huge).run().is_ok());
    }
}
