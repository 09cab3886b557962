//! DataFormatVecPermute and DataFormatDimMap: sizes and axes of one layout of images as those of another.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor, dispatch_index};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let signature = |name: &str| {
        OpSpec::new(&format!(
            "{name}(x: T) -> (y: T)
                T: {{int32, int64}} = int32
                src_format: string = 'NHWC'
                dst_format: string = 'NCHW'"
        ))
    };
    registry.add(signature("DataFormatVecPermute")?.shape(shapes::unchanged), |build| {
        Ok(KernelBox::new(VecPermute(Formats::new(build)?)))
    })?;
    registry.add(signature("DataFormatDimMap")?.shape(shapes::unchanged), |build| {
        Ok(KernelBox::new(DimMap(Formats::new(build)?)))
    })
}

/// Two orders of the same four or five letters.
struct Formats {
    source: String,
    destination: String,
}

impl Formats {
    fn new(build: &KernelBuild<'_>) -> Result<Formats> {
        let (source, destination) = (build.string("src_format")?, build.string("dst_format")?);
        for (name, attr, format) in
            [("Source", "src_format", &source), ("Destination", "dst_format", &destination)]
        {
            if !(4..=5).contains(&format.len()) {
                return Err(Status::invalid_argument(format!(
                    "{name} format must be of length 4 or 5, received {attr} = {}",
                    downpour_tensor::excerpt(format.as_bytes())
                )));
            }
        }
        let sorted = |format: &str| {
            let mut bytes = format.as_bytes().to_vec();
            bytes.sort_unstable();
            bytes
        };
        let letters = sorted(&source);
        if letters != sorted(&destination) || letters.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Status::invalid_argument(format!(
                "Destination and source format must determine a permutation, got {source} and \
                 {destination}"
            )));
        }
        Ok(Formats { source, destination })
    }

    /// Returns where each letter of the source stands in the destination, among the letters that are kept.
    fn places(&self, keep: impl Fn(u8) -> bool) -> Vec<usize> {
        let kept = |format: &str| -> Vec<u8> { format.bytes().filter(|&c| keep(c)).collect() };
        let destination = kept(&self.destination);
        kept(&self.source)
            .iter()
            .filter_map(|letter| destination.iter().position(|other| other == letter))
            .collect()
    }
}

struct VecPermute(Formats);

impl Kernel for VecPermute {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let x = cx.input(0);
        let all = self.0.source.len();
        let spatial = all - 2;
        let (count, width) = match *x.dims() {
            [count] => (count, 1),
            [count, 2] => (count, 2),
            [_, _] => {
                return Err(Status::invalid_argument(format!(
                    "Second dimension of 2D input must be of size 2, but got shape {}",
                    x.shape()
                )));
            }
            _ => {
                return Err(Status::invalid_argument(format!(
                    "input must be a vector or 2D tensor, but got shape {}",
                    x.shape()
                )));
            }
        };
        let places = if count == all {
            self.0.places(|_| true)
        } else if count == spatial {
            self.0
                .places(|letter| matches!(letter, b'H' | b'W') || (spatial == 3 && letter == b'D'))
        } else {
            return Err(Status::invalid_argument(format!(
                "The first dimension of the input must be of size {spatial} or {all}, but got \
                 shape {}",
                x.shape()
            )));
        };
        if places.len() != count {
            return Err(Status::invalid_argument(format!(
                "Format specifier must contain {}H and W for 2D case",
                if spatial == 3 { "D, " } else { "" }
            )));
        }
        let y = dispatch_index!(x.dtype(), "DataFormatVecPermute", T => {
            let x_values = x.as_slice::<T>()?;
            Tensor::build(x.shape().clone(), |out: &mut [T]| {
                for (run, &place) in x_values.chunks_exact(width).zip(&places) {
                    out[place * width..][..width].copy_from_slice(run);
                }
            })
        })?;
        cx.set_output(0, y);
        Ok(())
    }
}

struct DimMap(Formats);

impl Kernel for DimMap {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let x = cx.input(0);
        let places = self.0.places(|_| true);
        let rank = places.len();
        let y = dispatch_index!(x.dtype(), "DataFormatDimMap", T => {
            let x_values = x.as_slice::<T>()?;
            Tensor::build(x.shape().clone(), |out: &mut [T]| {
                for (o, &axis) in out.iter_mut().zip(x_values) {
                    // An axis that is still negative counts as the last, as in TensorFlow.
                    let axis = axis.wrapping_add(rank as T) % rank as T;
                    *o = places[usize::try_from(axis).unwrap_or(rank - 1)] as T;
                }
            })
        })?;
        cx.set_output(0, y);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(op: &str, formats: [&'static str; 2], x: Tensor) -> Result<Tensor> {
        let test = OpTest::new(register, op).attr("src_format", formats[0]);
        test.attr("dst_format", formats[1]).input(x).run_one()
    }

    #[test]
    fn sizes_and_axes_follow_their_letters() {
        let permuted = |formats, x: &[i32]| {
            let y = run("DataFormatVecPermute", formats, Tensor::vector(x).unwrap());
            y.unwrap().as_slice::<i32>().unwrap().to_vec()
        };
        assert_eq!(permuted(["NHWC", "NCHW"], &[7, 4, 9, 3]), [7, 3, 4, 9]);
        assert_eq!(permuted(["HWNC", "NHWC"], &[7, 4, 9, 3]), [9, 7, 4, 3]);
        assert_eq!(permuted(["NHWC", "NCWH"], &[4, 9]), [9, 4]);
        assert_eq!(permuted(["NDHWC", "NCDHW"], &[1, 2, 3, 4, 5]), [1, 5, 2, 3, 4]);
        let axes = Tensor::vector(&[0i64, 1, 3, -1, -4, -9]).unwrap();
        let y = run("DataFormatDimMap", ["NHWC", "NCHW"], axes).unwrap();
        assert_eq!(y.as_slice::<i64>().unwrap(), &[0, 2, 1, 1, 0, 1]);
    }

    #[test]
    fn bad_formats_and_sizes_are_refused() {
        let x = || Tensor::vector(&[1i32, 2, 3, 4]).unwrap();
        for formats in [["NHWC", "NHWX"], ["NHWW", "NHWC"], ["NHW", "NHW"], ["NHWC", "NDHWC"]] {
            assert!(run("DataFormatVecPermute", formats, x()).is_err(), "{formats:?}");
            assert!(run("DataFormatDimMap", formats, x()).is_err(), "{formats:?}");
        }
        let formats = ["NHWC", "NCHW"];
        for x in [Tensor::scalar(1i32), Tensor::vector(&[1i32, 2, 3]).unwrap()] {
            assert!(run("DataFormatVecPermute", formats, x).is_err());
        }
        assert!(run("DataFormatVecPermute", formats, x().into_shape([2, 2]).unwrap()).is_ok());
        assert!(run("DataFormatVecPermute", formats, x().into_shape([4, 1]).unwrap()).is_err());
        assert!(
            run("DataFormatVecPermute", ["ABCE", "ECBA"], Tensor::vector(&[1i32, 2]).unwrap())
                .is_err()
        );
    }
}
