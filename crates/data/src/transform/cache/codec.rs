//! Blocks as bytes.

use downpour_tensor::{ByteString, Bytes, DataType, Result, Shape, Status, Tensor};

use crate::{Block, Names};

/// Names, whether they are columns, and the tensors.
pub(super) fn encode(block: &Block) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    put(&mut out, block.names().len());
    block.names().iter().for_each(|n| put_bytes(&mut out, n.as_bytes()));
    put(&mut out, block.rows());
    match block.columns() {
        Some(columns) => {
            out.push(1);
            columns.iter().try_for_each(|t| put_tensor(&mut out, t))?;
        }
        None => {
            out.push(0);
            for row in 0..block.rows() {
                let element = block.element(row)?;
                element.tensors().iter().try_for_each(|t| put_tensor(&mut out, t))?;
            }
        }
    }
    Ok(out)
}

fn put(out: &mut Vec<u8>, number: usize) {
    out.extend_from_slice(&(number as u64).to_le_bytes());
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len());
    out.extend_from_slice(bytes);
}

fn put_tensor(out: &mut Vec<u8>, tensor: &Tensor) -> Result<()> {
    out.push(tensor.dtype() as i32 as u8);
    put(out, tensor.rank());
    tensor.dims().iter().for_each(|&d| put(out, d));
    match (tensor.bytes(), tensor.dtype()) {
        (Some(bytes), _) => {
            // Contents lie where they can be used in place.
            let padding = (out.len() + 1).next_multiple_of(8) - out.len() - 1;
            out.push(padding as u8);
            out.extend(std::iter::repeat_n(0, padding));
            out.extend_from_slice(bytes);
        }
        (None, DataType::String) => tensor.strings()?.iter().for_each(|s| put_bytes(out, s)),
        (None, other) => {
            return Err(Status::invalid_argument(format!(
                "{other} tensors cannot be kept in a file; use cache() to keep them in memory"
            )));
        }
    }
    Ok(())
}

/// What `encode` wrote.
pub(super) fn decode(mut bytes: Bytes) -> Result<Block> {
    read_block(&mut bytes).ok_or_else(|| Status::data_loss("a block of a cache file is damaged"))?
}

fn read_block(rest: &mut Bytes) -> Option<Result<Block>> {
    let width = get(rest)?;
    let mut names = Vec::new();
    for _ in 0..width {
        names.push(String::from_utf8(get_bytes(rest)?.to_vec()).ok()?);
    }
    let (names, rows) = (Names::new(names), get(rest)?);
    if take(rest, 1)?[0] == 1 {
        let columns = (0..width).map(|_| get_tensor(rest)).collect::<Option<Result<Vec<_>>>>()?;
        return Some(columns.and_then(|columns| Block::from_columns(names, rows, columns)));
    }
    // Each element has a tensor at least, and each tensor some bytes: a forged number of elements reserves nothing.
    if rows > rest.len() || width == 0 {
        return None;
    }
    let mut list = Vec::new();
    for _ in 0..rows {
        match (0..width).map(|_| get_tensor(rest)).collect::<Option<Result<Vec<_>>>>()? {
            Ok(tensors) => list.push(tensors),
            Err(error) => return Some(Err(error)),
        }
    }
    Some(Ok(Block::of_list(names, list)))
}

fn take(rest: &mut Bytes, count: usize) -> Option<Bytes> {
    (count <= rest.len()).then(|| rest.split_to(count))
}

fn get(rest: &mut Bytes) -> Option<usize> {
    let bytes = take(rest, 8)?;
    usize::try_from(u64::from_le_bytes(bytes[..].try_into().ok()?)).ok()
}

fn get_bytes(rest: &mut Bytes) -> Option<Bytes> {
    let length = get(rest)?;
    take(rest, length)
}

fn get_tensor(rest: &mut Bytes) -> Option<Result<Tensor>> {
    let dtype = DataType::from_i32(i32::from(take(rest, 1)?[0]))?;
    let rank = get(rest).filter(|&r| r <= 254)?;
    let dims = (0..rank).map(|_| get(rest)).collect::<Option<Vec<usize>>>()?;
    let elements = downpour_tensor::checked_elements(&dims).ok()?;
    let shape = Shape::new(&dims);
    if dtype == DataType::String {
        // Each string takes eight bytes at least: a forged shape reserves nothing.
        if elements > rest.len() / 8 {
            return None;
        }
        let strings = (0..elements).map(|_| get_bytes(rest)).collect::<Option<Vec<_>>>()?;
        let counted = |i: usize| ByteString::from_bytes(strings[i].clone());
        return Some(Tensor::build_strings(shape, counted));
    }
    let padding = usize::from(take(rest, 1)?[0]);
    take(rest, padding)?;
    let bytes = take(rest, elements.checked_mul(dtype.size())?)?;
    Some(Tensor::from_bytes(dtype, shape, bytes))
}
