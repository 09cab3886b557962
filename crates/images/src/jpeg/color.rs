//! Rows of components turned into rows of pixels.

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
    let pixels = out.chunks_exact_mut(3);
    match colors {
        Colors::YCbCr => {
            let rows = a[..count].iter().zip(&b[..count]).zip(&c[..count]);
            for (to, ((&y, &cb), &cr)) in pixels.zip(rows) {
                to.copy_from_slice(&rgb(y, cb, cr));
            }
        }
        Colors::Rgb => {
            let rows = a[..count].iter().zip(&b[..count]).zip(&c[..count]);
            for (to, ((&r, &g), &b)) in pixels.zip(rows) {
                to.copy_from_slice(&[r, g, b]);
            }
        }
        Colors::Cmyk | Colors::Ycck => {
            for (i, to) in pixels.enumerate() {
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
            for (to, &v) in pixels.zip(a) {
                to.fill(v);
            }
        }
    }
}
