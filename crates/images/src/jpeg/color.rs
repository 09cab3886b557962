//! Rows of components turned into rows of pixels.

#[cfg(target_arch = "x86_64")]
use super::color_avx2::wide;
use super::header::Colors;

/// Adds what the two chroma samples say to a luminance, as libjpeg does: in 16 bits behind the point.
#[inline(always)]
fn rgb(y: u8, cb: u8, cr: u8) -> [u8; 3] {
    let (y, cb, cr) = (y as i32, cb as i32 - 128, cr as i32 - 128);
    let red = y + ((91_881 * cr + 32_768) >> 16);
    let green = y + ((-22_554 * cb - 46_802 * cr + 32_768) >> 16);
    let blue = y + ((116_130 * cb + 32_768) >> 16);
    [red, green, blue].map(|v| v.clamp(0, 255) as u8)
}

/// Writes the pixels of a row of luminance and two of chroma, one after the other.
fn narrow([y, cb, cr]: [&[u8]; 3], out: &mut [u8]) {
    for (to, ((&y, &cb), &cr)) in out.chunks_exact_mut(3).zip(y.iter().zip(cb).zip(cr)) {
        to.copy_from_slice(&rgb(y, cb, cr));
    }
}

/// Writes pixels of one channel.
pub(super) fn gray(colors: Colors, rows: [&[u8]; 4], out: &mut [u8]) {
    if colors != Colors::Rgb {
        out.copy_from_slice(&rows[0][..out.len()]);
        return;
    }
    for (i, to) in out.iter_mut().enumerate() {
        let [r, g, b] = [0, 1, 2].map(|c| rows[c][i] as u32);
        *to = ((19_595 * r + 38_470 * g + 7_471 * b + 32_768) >> 16) as u8;
    }
}

/// Writes pixels of three channels. Four inks are `inverted` in files with Adobe's marker.
pub(super) fn color(colors: Colors, rows: [&[u8]; 4], inverted: bool, out: &mut [u8]) {
    let count = out.len() / 3;
    let [a, b, c, d] = rows;
    match colors {
        Colors::YCbCr => {
            let rows = [&a[..count], &b[..count], &c[..count]];
            if !wide(rows, out) {
                narrow(rows, out);
            }
        }
        Colors::Rgb => {
            let rows = a[..count].iter().zip(&b[..count]).zip(&c[..count]);
            for (to, ((&r, &g), &b)) in out.chunks_exact_mut(3).zip(rows) {
                to.copy_from_slice(&[r, g, b]);
            }
        }
        Colors::Cmyk | Colors::Ycck => {
            for (i, to) in out.chunks_exact_mut(3).enumerate() {
                let inks = match colors {
                    Colors::Ycck => rgb(a[i], b[i], c[i]).map(|v| 255 - v),
                    _ => [a[i], b[i], c[i]],
                };
                let black = d[i] as u32;
                for (to, ink) in to.iter_mut().zip(inks) {
                    let ink = ink as u32;
                    *to = if inverted {
                        black * ink / 255
                    } else {
                        (255 - black) * (255 - ink) / 255
                    } as u8;
                }
            }
        }
        Colors::Gray | Colors::Unknown => {
            for (to, &v) in out.chunks_exact_mut(3).zip(a) {
                to.fill(v);
            }
        }
    }
}

/// Writes many pixels at once, where the processor can; says whether it did.
#[cfg(not(target_arch = "x86_64"))]
fn wide(_: [&[u8]; 3], _: &mut [u8]) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wide_form_gives_the_same_pixels_for_all_colours() {
        let (mut narrow_out, mut wide_out) = (vec![0; 3 * 256 * 256], vec![0; 3 * 256 * 256]);
        let cb: Vec<u8> = (0..256 * 256).map(|i| i as u8).collect();
        let cr: Vec<u8> = (0..256 * 256).map(|i| (i >> 8) as u8).collect();
        for luminance in [0, 1, 2, 77, 127, 128, 129, 200, 253, 254, 255] {
            let y = vec![luminance; cb.len()];
            narrow([&y, &cb, &cr], &mut narrow_out);
            if wide([&y, &cb, &cr], &mut wide_out) {
                assert!(narrow_out == wide_out, "luminance {luminance}");
            }
        }
    }

    #[test]
    fn rows_of_any_length_are_filled_to_their_end() {
        let samples: Vec<u8> = (0..600u32).map(|i| ((i * i * 31) >> 3) as u8).collect();
        for count in 0..200 {
            let rows = [&samples[..count], &samples[200..][..count], &samples[400..][..count]];
            let (mut expected, mut out) = (vec![0; 3 * count], vec![0; 3 * count]);
            narrow(rows, &mut expected);
            color(Colors::YCbCr, [rows[0], rows[1], rows[2], &[]], false, &mut out);
            assert_eq!(out, expected);
        }
    }
}
