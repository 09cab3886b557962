//! The filters that images are resampled with.

use downpour_tensor::{Result, Status};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Filter {
    Lanczos(f32),
    Gaussian,
    Box,
    Triangle,
    KeysCubic,
    MitchellCubic,
}

impl Filter {
    /// Returns the filter of this name, whatever the case of its letters.
    pub fn named(name: &str) -> Result<Filter> {
        match name.to_ascii_lowercase().as_str() {
            "lanczos1" => Ok(Filter::Lanczos(1.0)),
            "lanczos3" => Ok(Filter::Lanczos(3.0)),
            "lanczos5" => Ok(Filter::Lanczos(5.0)),
            "gaussian" => Ok(Filter::Gaussian),
            "box" => Ok(Filter::Box),
            "triangle" => Ok(Filter::Triangle),
            "keyscubic" => Ok(Filter::KeysCubic),
            "mitchellcubic" => Ok(Filter::MitchellCubic),
            _ => Err(Status::invalid_argument(format!("Unrecognized kernel type: {name}"))),
        }
    }

    /// Returns how far it reaches.
    pub fn radius(self) -> f32 {
        match self {
            Filter::Lanczos(radius) => radius,
            Filter::Gaussian => 1.5,
            Filter::Box | Filter::Triangle => 1.0,
            Filter::KeysCubic | Filter::MitchellCubic => 2.0,
        }
    }

    /// Returns the weight of a pixel at this distance, which is not negative.
    pub fn weight(self, x: f32) -> f32 {
        match self {
            Filter::Lanczos(radius) if x > radius => 0.0,
            Filter::Lanczos(_) if x <= 1e-3 => 1.0,
            Filter::Lanczos(radius) => {
                const PI: f32 = std::f32::consts::PI;
                radius * (PI * x).sin() * (PI * x / radius).sin() / (PI * PI * x * x)
            }
            Filter::Gaussian if x >= 1.5 => 0.0,
            // A standard deviation of a half.
            Filter::Gaussian => (-(x * x) as f64 / 0.5).exp() as f32,
            Filter::Box if x < 0.5 => 1.0,
            Filter::Box if x == 0.5 => 0.5,
            Filter::Box => 0.0,
            Filter::Triangle => (1.0 - x).max(0.0),
            Filter::KeysCubic if x < 1.0 => ((1.5 * x - 2.5) * x) * x + 1.0,
            Filter::KeysCubic if x < 2.0 => ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0,
            Filter::MitchellCubic if x < 1.0 => ((7.0 / 6.0 * x - 2.0) * x) * x + 8.0 / 9.0,
            Filter::MitchellCubic if x < 2.0 => {
                ((-7.0 / 18.0 * x + 2.0) * x - 10.0 / 3.0) * x + 16.0 / 9.0
            }
            Filter::KeysCubic | Filter::MitchellCubic => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_end_at_their_radius() {
        for name in [
            "lanczos1",
            "Lanczos3",
            "lanczos5",
            "gaussian",
            "box",
            "triangle",
            "keyscubic",
            "mitchellcubic",
        ] {
            let filter = Filter::named(name).unwrap();
            assert!(filter.weight(0.0) > 0.5, "{name}");
            assert_eq!(filter.weight(filter.radius() + 0.001), 0.0, "{name}");
        }
        assert!(Filter::named("sharp").is_err());
    }
}
