//! SampleDistortedBoundingBox, its second version and the stateless one: a random part of an image that shows enough
//! of an object.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{CountedVec, RealNumber, Result, Status, Tensor, dispatch_integer};

use crate::generator::Generator;
use crate::philox::{Philox, Singles};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let attrs = "aspect_ratio_range: list(float) = [0.75, 1.33]
        area_range: list(float) = [0.05, 1.0]
        max_attempts: int = 100
        use_image_if_no_bounding_boxes: bool = false";
    let outputs = "(begin: T, size: T, bboxes: float)";
    let types = "T: {uint8, int8, int16, int32, int64}";
    for signature in [
        format!(
            "SampleDistortedBoundingBox(image_size: T, bounding_boxes: float) -> {outputs} @stateful
            {types}
            seed: int = 0
            seed2: int = 0
            min_object_covered: float = 0.1
            {attrs}"
        ),
        format!(
            "SampleDistortedBoundingBoxV2(image_size: T, bounding_boxes: float, min_object_covered: float) -> {outputs} @stateful
            {types}
            seed: int = 0
            seed2: int = 0
            {attrs}"
        ),
        format!(
            "StatelessSampleDistortedBoundingBox(image_size: T, bounding_boxes: float, min_object_covered: float, seed: Tseed) -> {outputs}
            {types}
            Tseed: {{int32, int64}}
            {attrs}"
        ),
    ] {
        let spec = OpSpec::new(&signature)?.shape(shape).not_differentiable();
        registry.add(spec, |build| Ok(KernelBox::new(Sample::new(build)?)))?;
    }
    Ok(())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (size, boxes) = (cx.with_rank(0, 1)?, cx.with_rank(1, 3)?);
    cx.merge_dim(size.dim(0), Some(3))?;
    cx.merge_dim(boxes.dim(2), Some(4))?;
    if cx.inputs().len() > 2 {
        cx.with_rank(2, 0)?;
    }
    if cx.inputs().len() > 3 {
        let seed = cx.with_rank(3, 1)?;
        cx.merge_dim(seed.dim(0), Some(2))?;
    }
    cx.set_output(0, PartialShape::vector(Some(3)));
    cx.set_output(1, PartialShape::vector(Some(3)));
    cx.set_output(2, PartialShape::of([Some(1), Some(1), Some(4)]));
    Ok(())
}

struct Sample {
    /// None in the stateless operation.
    generator: Option<Generator>,
    /// None where it is an input.
    covered: Option<f32>,
    aspect_ratio: [f32; 2],
    area: [f32; 2],
    attempts: u64,
    whole_without_boxes: bool,
}

/// A part of an image, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Rectangle {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

impl Rectangle {
    fn area(self) -> f32 {
        let side = |low: i32, high: i32| high.wrapping_sub(low);
        side(self.left, self.right).wrapping_mul(side(self.top, self.bottom)) as f32
    }

    fn intersection(self, other: Rectangle) -> Rectangle {
        let both = Rectangle {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        };
        let empty = both.left > both.right || both.top > both.bottom;
        if empty { Rectangle::default() } else { both }
    }
}

impl Sample {
    fn new(build: &KernelBuild<'_>) -> Result<Sample> {
        let invalid = |what: String| Err(Status::invalid_argument(what));
        let covered = match build.get("min_object_covered") {
            Some(_) => Some(checked_cover(build.float("min_object_covered")?)?),
            None => None,
        };
        let range = |name: &str, word: &str| match build.floats(name)?[..] {
            [low, high] => Ok([low, high]),
            _ => Err(Status::invalid_argument(format!(
                "{word} range field must specify 2 dimensions"
            ))),
        };
        let aspect_ratio = range("aspect_ratio_range", "Aspect ratio")?;
        if !aspect_ratio.iter().all(|&v| v > 0.0) {
            let [low, high] = aspect_ratio;
            return invalid(format!("Aspect ratio range must be non-negative: [{low}, {high}]"));
        }
        let area = range("area_range", "Area")?;
        let [low, high] = area;
        if !area.iter().all(|&v| v > 0.0) {
            return invalid(format!("Area range must be non-negative: [{low}, {high}]"));
        }
        if !area.iter().all(|&v| v <= 1.0) {
            return invalid(format!(
                "Area range must be less then or equal to 1.0: [{low}, {high}]"
            ));
        }
        let attempts = build.int("max_attempts")? as i32;
        if attempts <= 0 {
            return invalid(format!("Max attempts must be non-negative: {attempts}"));
        }
        let generator = match build.get("seed") {
            Some(_) => Some(Generator::new(build)?),
            None => None,
        };
        Ok(Sample {
            generator,
            covered,
            aspect_ratio,
            area,
            attempts: attempts as u64,
            whole_without_boxes: build.bool("use_image_if_no_bounding_boxes")?,
        })
    }
}

fn checked_cover(covered: f32) -> Result<f32> {
    if covered >= 0.0 {
        return Ok(covered);
    }
    Err(Status::invalid_argument(format!("Min object covered must be non-negative: {covered}")))
}

impl Kernel for Sample {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let philox = match &self.generator {
            // TensorFlow sets aside four numbers for each attempt.
            Some(generator) => generator.reserve(self.attempts),
            None => Philox::from_seed(cx.input(3))?,
        };
        let [width, height] = image_size(cx.input(0))?;
        let input = cx.input(1);
        if input.rank() != 3 {
            return Err(Status::invalid_argument(format!(
                "input boxes must be 3-dimensional [batch, num_boxes, coords]: {}",
                input.shape()
            )));
        }
        if input.dims()[2] != 4 {
            return Err(Status::invalid_argument(format!(
                "bounding boxes must have shape [4] or [*, 4], got {}",
                input.shape()
            )));
        }
        let covered = match self.covered {
            Some(covered) => covered,
            None if cx.input(2).rank() != 0 => {
                return Err(Status::invalid_argument(format!(
                    "min_object_covered must be 0-D, got shape {}",
                    cx.input(2).shape()
                )));
            }
            None => checked_cover(cx.input(2).to_scalar::<f32>()?)?,
        };
        let whole = Rectangle { left: 0, top: 0, right: width, bottom: height };
        let mut boxes = rectangles(input.as_slice::<f32>()?, width, height)?;
        if boxes.is_empty() {
            if !self.whole_without_boxes {
                return Err(Status::invalid_argument(
                    "No bounding boxes provided as input. One must enable \
                     use_image_if_no_bounding_boxes if you wish to not provide any bounding boxes.",
                ));
            }
            boxes.push(whole)?;
        }
        let mut random = Singles::new(philox);
        let mut found = None;
        for attempt in 0..self.attempts {
            if attempt % 1024 == 0 {
                cx.check_cancelled()?;
            }
            let [low, high] = self.aspect_ratio;
            let ratio = random.float() * (high - low) + low;
            if let Some(part) = random_part(width, height, self.area, ratio, &mut random)
                && shows_enough(part, covered, &boxes)
            {
                found = Some(part);
                break;
            }
        }
        let part = found.unwrap_or(whole);
        let begin = [part.top, part.left, 0];
        let size = [part.bottom - part.top, part.right - part.left, -1];
        let (begin, size) = dispatch_integer!(cx.input(0).dtype(), "SampleDistortedBoundingBox", T => {
            let narrowed = |values: [i32; 3]| Tensor::vector(&values.map(|v| v as T));
            Ok::<_, Status>((narrowed(begin)?, narrowed(size)?))
        })?;
        let (width, height) = (width as f32, height as f32);
        let fractions = [
            part.top as f32 / height,
            part.left as f32 / width,
            part.bottom as f32 / height,
            part.right as f32 / width,
        ];
        cx.set_output(0, begin);
        cx.set_output(1, size);
        cx.set_output(2, Tensor::from_slice([1, 1, 4], &fractions)?);
        Ok(())
    }
}

/// Returns width and height.
fn image_size(input: &Tensor) -> Result<[i32; 2]> {
    if input.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "image_size must be 1-dimensional{}",
            input.shape()
        )));
    }
    let values = dispatch_integer!(input.dtype(), "SampleDistortedBoundingBox", T => {
        Ok::<Vec<f64>, Status>(input.as_slice::<T>()?.iter().map(|v| v.to_f64_lossy()).collect())
    })?;
    let [height, width, _] = values[..] else {
        return Err(Status::invalid_argument(format!(
            "image_size must contain 3 elements{}",
            input.shape()
        )));
    };
    let side = |side: f64, word: &str| {
        if side >= 0.0 && side < i32::MAX as f64 {
            return Ok(side as i32);
        }
        Err(Status::invalid_argument(format!("image {word} cannot be >= int32 max")))
    };
    let height = side(height, "height")?;
    Ok([side(width, "width")?, height])
}

fn rectangles(boxes: &[f32], width: i32, height: i32) -> Result<CountedVec<Rectangle>> {
    if let Some(bad) = boxes.iter().find(|v| !(0.0..=1.0).contains(*v)) {
        return Err(Status::invalid_argument(format!(
            "All bounding box coordinates must be in [0.0, 1.0]: {bad}"
        )));
    }
    let (width, height) = (width as f32, height as f32);
    CountedVec::build(boxes.len() / 4, |i| {
        let corners = &boxes[i * 4..][..4];
        Ok(Rectangle {
            left: (corners[1] * width) as i32,
            top: (corners[0] * height) as i32,
            right: (corners[3] * width) as i32,
            bottom: (corners[2] * height) as i32,
        })
    })
}

fn shows_enough(part: Rectangle, covered: f32, boxes: &[Rectangle]) -> bool {
    part.area() >= 1.0
        && boxes.iter().any(|&object| {
            let area = object.area();
            area >= 1.0 && part.intersection(object).area() / area >= covered
        })
}

/// Rounds to the nearest, halves to even.
fn rounded(v: f32) -> i32 {
    v.round_ties_even() as i32
}

/// Returns a part of an image whose sides have the ratio `ratio` and whose share of the area is within `area`.
fn random_part(
    width: i32,
    height: i32,
    [smallest, largest]: [f32; 2],
    ratio: f32,
    random: &mut Singles,
) -> Option<Rectangle> {
    if largest <= 0.0 || ratio <= 0.0 || width <= 0 || height <= 0 || smallest > largest {
        return None;
    }
    let smallest = smallest * width as f32 * height as f32;
    let largest = largest * width as f32 * height as f32;
    let width_for = |rows: i32| rounded(rows as f32 * ratio);
    let mut rows = rounded((smallest / ratio).sqrt());
    let mut most = rounded((largest / ratio).sqrt());
    if width_for(most) > width {
        const EPSILON: f32 = 0.000_000_1;
        most = ((width as f64 + 0.5 - EPSILON as f64) / ratio as f64) as i32;
        if width_for(most) > width {
            most -= 1;
        }
    }
    most = most.min(height);
    rows = rows.min(most);
    if rows < most {
        rows += random.below((most - rows + 1) as u32) as i32;
    }
    let mut columns = width_for(rows);
    let area = |columns: i32, rows: i32| columns.wrapping_mul(rows) as f32;
    // Rounding may have led outside the limits by a little.
    if area(columns, rows) < smallest {
        rows += 1;
        columns = width_for(rows);
    }
    if area(columns, rows) > largest {
        rows -= 1;
        columns = width_for(rows);
    }
    let found = area(columns, rows);
    let fits = columns > 0 && rows > 0 && columns <= width && rows <= height;
    if !fits || found < smallest || found > largest {
        return None;
    }
    let mut place = |room: i32| if room > 0 { random.below(room as u32) as i32 } else { 0 };
    let top = place(height - rows);
    let left = place(width - columns);
    Some(Rectangle { left, top, right: left + columns, bottom: top + rows })
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn sample(size: [i32; 3], boxes: &[f32]) -> OpTest {
        OpTest::new(register, "StatelessSampleDistortedBoundingBox")
            .input(Tensor::vector(&size).unwrap())
            .input(Tensor::from_slice([1, boxes.len() / 4, 4], boxes).unwrap())
            .input(Tensor::scalar(0.3f32))
            .input(Tensor::vector(&[1i32, 2]).unwrap())
    }

    #[test]
    fn parts_lie_within_the_image() {
        let out = sample([40, 50, 3], &[0.2, 0.1, 0.9, 0.8]).run().unwrap();
        let (begin, size) = (out[0].as_slice::<i32>().unwrap(), out[1].as_slice::<i32>().unwrap());
        assert!(begin[0] >= 0 && begin[0] + size[0] <= 40 && size[0] > 0);
        assert!(begin[1] >= 0 && begin[1] + size[1] <= 50 && size[1] > 0);
        assert_eq!((begin[2], size[2]), (0, -1));
    }

    #[test]
    fn strange_sizes_and_boxes() {
        assert!(sample([0, 0, 3], &[0.0, 0.0, 1.0, 1.0]).run().is_ok());
        assert!(sample([i32::MAX - 1, i32::MAX - 1, 3], &[0.0, 0.0, 1.0, 1.0]).run().is_ok());
        assert!(sample([-1, 5, 3], &[0.0, 0.0, 1.0, 1.0]).run().is_err());
        assert!(sample([5, 5, 3], &[0.0, 0.0, 1.0, f32::NAN]).run().is_err());
        assert!(sample([5, 5, 3], &[]).run().is_err());
        let whole = sample([5, 5, 3], &[]).attr("use_image_if_no_bounding_boxes", true);
        assert!(whole.run().is_ok());
        assert!(sample([5, 5, 3], &[0.0; 4]).attr("max_attempts", 0i64).run().is_err());
    }
}
