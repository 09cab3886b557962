//! BMP files without compression, of 8, 24 or 32 bits a pixel.

use downpour_tensor::{DataType, Result, Status, Tensor};

/// Decodes a file to a tensor of height, width and channels. 8 bits are levels of grey, whatever palette there is.
pub fn decode(data: &[u8], channels: usize) -> Result<Tensor> {
    let invalid = |why: String| Status::invalid_argument(why);
    let Some(head) = data.first_chunk::<32>() else {
        return Err(invalid(format!(
            "Incomplete bmp content, requires at least 32 bytes to find the header size, width, \
             height, and bpp, got {} bytes",
            data.len()
        )));
    };
    let word = |at: usize| {
        i64::from(i32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]))
    };
    let (header, width, signed_height) = (word(10), word(18), word(22));
    let depth = i16::from_le_bytes([head[28], head[29]]) / 8;
    if ![1, 3, 4].contains(&depth) {
        return Err(invalid(format!(
            "Number of channels inherent in the image must be 1, 3 or 4, was {depth}"
        )));
    }
    if width <= 0 {
        return Err(invalid("Width must be positive".into()));
    }
    if signed_height == 0 {
        return Err(invalid("Height must be nonzero".into()));
    }
    if header < 0 {
        return Err(invalid("header size must be nonnegative".into()));
    }
    let height = signed_height.abs();
    if width * height >= i64::from(i32::MAX / 8) {
        return Err(invalid("Total possible pixel bytes must be less than 2^30".into()));
    }
    let depth = depth as usize;
    let row_size = (depth as i64 * width + 3) / 4 * 4;
    let difference = data.len() as i64 - header - row_size * height;
    if difference != 0 {
        return Err(invalid(format!(
            "Input size should match (header_size + row_size * abs_height) but they differ by \
             {difference}"
        )));
    }
    // All of these fit: their sum is the length of the data.
    let (header, width, height) = (header as usize, width as usize, height as usize);
    let row_size = row_size as usize;
    let rows = &data[header..];
    let channels = if channels == 0 { depth } else { channels };
    let mut output = Tensor::new(DataType::UInt8, [height, width, channels].as_slice())?;
    let out =
        output.as_mut_slice::<u8>().ok_or_else(|| Status::internal("a new tensor is shared"))?;
    for (y, to) in out.chunks_exact_mut(width * channels).enumerate() {
        let y = if signed_height < 0 { y } else { height - 1 - y };
        let from = rows[y * row_size..][..width * depth].chunks_exact(depth);
        for (to, from) in to.chunks_exact_mut(channels).zip(from) {
            let pixel = match *from {
                [gray] => [gray, gray, gray, 255],
                [b, g, r] => [r, g, b, 255],
                [b, g, r, a] => [r, g, b, a],
                _ => [0; 4],
            };
            to.copy_from_slice(&pixel[..channels]);
        }
    }
    Ok(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(bits: u8, width: i32, height: i32, pixels: &[u8]) -> Vec<u8> {
        let mut file = b"BM".to_vec();
        file.resize(54, 0);
        file[10] = 54;
        file[18..22].copy_from_slice(&width.to_le_bytes());
        file[22..26].copy_from_slice(&height.to_le_bytes());
        file[28] = bits;
        file.extend(pixels);
        file
    }

    #[test]
    fn rows_come_from_the_bottom_or_the_top() {
        let pixels = [1, 2, 3, 0, 4, 5, 6, 0];
        let out = decode(&file(24, 1, 2, &pixels), 0).unwrap();
        assert_eq!(out.as_slice::<u8>().unwrap(), &[6, 5, 4, 3, 2, 1]);
        let out = decode(&file(24, 1, -2, &pixels), 4).unwrap();
        assert_eq!(out.as_slice::<u8>().unwrap(), &[3, 2, 1, 255, 6, 5, 4, 255]);
        let out = decode(&file(8, 2, 1, &[7, 8, 0, 0]), 3).unwrap();
        assert_eq!(out.as_slice::<u8>().unwrap(), &[7, 7, 7, 8, 8, 8]);
    }

    #[test]
    fn wrong_sizes_are_refused() {
        assert!(decode(b"BM", 0).is_err());
        assert!(decode(&file(24, 1, 3, &[0; 8]), 0).is_err());
        assert!(decode(&file(24, i32::MAX, i32::MIN, &[0; 8]), 0).is_err());
        assert!(decode(&file(24, -1, 1, &[0; 8]), 0).is_err());
        assert!(decode(&file(16, 1, 1, &[0; 4]), 0).is_err());
    }
}
