//! Rows of a value, by their numbers.

use downpour_tensor::{DataType, Result, Status, Tensor, checked_elements, prefetch};

/// Rows come from memory, in an order that no processor guesses: so many are asked for ahead.
const AHEAD: usize = 8;

/// Rows of a value in the order of their numbers (int32 or int64), which may repeat. `name` is what messages call
/// the value.
pub fn gather_rows(name: &str, value: &Tensor, numbers: &Tensor) -> Result<Tensor> {
    let odd = |what: &str| {
        Status::invalid_argument(format!(
            "rows of '{name}', {} {}, by {} {}: {what}",
            value.dtype(),
            value.shape(),
            numbers.dtype(),
            numbers.shape()
        ))
    };
    let Some((&rows, inner)) = value.dims().split_first() else {
        return Err(odd("one number has no rows"));
    };
    let Some(from) = value.bytes() else { return Err(odd("only plain numbers have rows")) };
    if numbers.rank() != 1 || !matches!(numbers.dtype(), DataType::Int32 | DataType::Int64) {
        return Err(odd("the numbers of rows must be a vector of int32 or int64"));
    }
    let mut dims = vec![numbers.len()];
    dims.extend(inner);
    let width = inner.iter().product::<usize>() * value.dtype().size();
    checked_elements(&dims)?.checked_mul(value.dtype().size()).ok_or_else(|| odd("too many"))?;
    let mut gathered = Tensor::new(value.dtype(), dims)?;
    let Some(into) = gathered.bytes_mut() else { return Err(odd("only plain numbers have rows")) };
    let row = |number: i64| {
        usize::try_from(number).ok().filter(|row| *row < rows).ok_or_else(|| {
            odd(&format!("there is no row {number}; do all workers run the same model?"))
        })
    };
    let picked = numbers.to_i64_vec()?.into_iter().map(row).collect::<Result<Vec<usize>>>()?;
    for (place, row) in picked.iter().enumerate() {
        if let Some(soon) = picked.get(place + AHEAD) {
            prefetch(&from[soon * width..][..width]);
        }
        into[place * width..(place + 1) * width].copy_from_slice(&from[row * width..][..width]);
    }
    Ok(gathered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_in_the_order_of_their_numbers_and_must_be_there() {
        let value = Tensor::from_vec([3, 2], vec![0f32, 1.0, 10.0, 11.0, 20.0, 21.0]).unwrap();
        let rows = gather_rows("t", &value, &Tensor::vector(&[2i32, 0, 2]).unwrap()).unwrap();
        assert_eq!(rows.dims(), [3, 2]);
        assert_eq!(rows.as_slice::<f32>().unwrap(), [20.0, 21.0, 0.0, 1.0, 20.0, 21.0]);
        let none = gather_rows("t", &value, &Tensor::vector::<i64>(&[]).unwrap()).unwrap();
        assert_eq!(none.dims(), [0, 2]);
        for wrong in [vec![3i64], vec![0, -1], vec![i64::MIN], vec![i64::MAX]] {
            let refused = gather_rows("t", &value, &Tensor::vector(&wrong).unwrap()).unwrap_err();
            assert!(refused.message().contains("there is no row"), "{refused}");
        }
        let floats = Tensor::vector(&[1f32]).unwrap();
        assert!(gather_rows("t", &value, &floats).is_err());
        assert!(gather_rows("t", &value, &Tensor::scalar(1i64)).is_err());
        assert!(
            gather_rows("t", &Tensor::scalar(1f32), &Tensor::vector(&[0i64]).unwrap()).is_err()
        );
        let text = Tensor::from_strings([1], vec!["a".into()]).unwrap();
        assert!(gather_rows("t", &text, &Tensor::vector(&[0i64]).unwrap()).is_err());
    }
}
