//! Values and gradients cut by rows, and put together again.

use std::ops::Range;

use downpour_params::{Gradient, gather_rows};
use downpour_tensor::{Result, Tensor};

/// Rows of a value, without a copy; all of it where no rows are said.
pub(super) fn cut(value: &Tensor, rows: Option<&Range<usize>>) -> Result<Tensor> {
    match rows {
        Some(rows) => value.rows(rows.start, rows.end),
        None => Ok(value.clone()),
    }
}

/// The part of a gradient that is for some rows of its variable, which are numbered from 0 there.
pub(super) fn cut_gradient(
    name: &str,
    gradient: &Gradient,
    range: Option<&Range<usize>>,
) -> Result<Gradient> {
    let Some(range) = range else { return Ok(gradient.clone()) };
    match gradient {
        Gradient::Dense(value) => cut(value, Some(range)).map(Gradient::Dense),
        Gradient::Sparse { indices, rows } => {
            let (mut places, mut numbers) = (Vec::new(), Vec::new());
            for (place, row) in indices.to_i64_vec()?.into_iter().enumerate() {
                let row = usize::try_from(row).ok().filter(|row| range.contains(row));
                if let Some(row) = row {
                    places.push(place as i64);
                    numbers.push((row - range.start) as i64);
                }
            }
            let rows = gather_rows(name, rows, &Tensor::vector(&places)?)?;
            let indices = match indices.dtype() {
                downpour_tensor::DataType::Int32 => {
                    let numbers: Vec<i32> = numbers.iter().map(|row| *row as i32).collect();
                    Tensor::vector(&numbers)?
                }
                _ => Tensor::vector(&numbers)?,
            };
            Ok(Gradient::Sparse { indices, rows })
        }
    }
}

#[cfg(test)]
mod tests {
    use downpour_params::concatenated;

    use super::*;

    #[test]
    fn parts_make_the_whole_and_every_row_of_a_gradient_goes_to_one() {
        let whole = Tensor::from_vec([5, 2], (0..10).map(|i| i as f32).collect()).unwrap();
        let ranges = [0..2, 2..3, 3..5];
        let parts: Vec<Tensor> =
            ranges.iter().map(|range| cut(&whole, Some(range)).unwrap()).collect();
        let again = concatenated(&parts).unwrap();
        assert_eq!(again.as_slice::<f32>().unwrap(), whole.as_slice::<f32>().unwrap());
        let gradient = Gradient::Sparse {
            indices: Tensor::vector(&[4i32, 0, 4, 3]).unwrap(),
            rows: Tensor::from_vec([4, 1], vec![1f32, 2.0, 3.0, 4.0]).unwrap(),
        };
        let expected: [(&[i32], &[f32]); 3] =
            [(&[0], &[2.0]), (&[], &[]), (&[1, 1, 0], &[1.0, 3.0, 4.0])];
        for (range, (numbers, values)) in ranges.iter().zip(expected) {
            let Gradient::Sparse { indices, rows } =
                cut_gradient("t", &gradient, Some(range)).unwrap()
            else {
                panic!("rows")
            };
            assert_eq!(indices.as_slice::<i32>().unwrap(), numbers);
            assert_eq!(rows.as_slice::<f32>().unwrap(), values);
        }
        assert!(concatenated(&[whole, Tensor::vector(&[1f32]).unwrap()]).is_err());
        assert!(concatenated(&[]).is_err());
    }
}
