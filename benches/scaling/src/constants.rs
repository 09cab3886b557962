//! Constants of a machine, measured by `downpour-bench-constants` or round figures.

use serde_json::Value;

/// What a machine needs for its part of a step, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Constants {
    /// The standard deviation of a step's computing, as a share of its mean.
    pub spread: f64,
    /// A message, of its sender and of its receiver.
    pub message: f64,
    /// A byte of a gradient at a server.
    pub apply: f64,
}

impl Default for Constants {
    /// Round figures of the order a server's core has; measure your own.
    fn default() -> Constants {
        Constants { spread: 0.1, message: 5e-6, apply: 0.25e-9 }
    }
}

impl Constants {
    /// Those in a file of JSON; what is not there is as usual.
    ///
    /// # Errors
    /// A file that cannot be read, or is no JSON.
    pub fn read(path: &str) -> Result<Constants, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {path}: {e}"))?;
        let value: Value =
            serde_json::from_str(&text).map_err(|e| format!("{path} is no JSON: {e}"))?;
        let usual = Constants::default();
        let number = |name: &str, usual: f64| {
            value[name].as_f64().filter(|v| v.is_finite() && *v >= 0.0).unwrap_or(usual)
        };
        Ok(Constants {
            spread: number("spread", usual.spread),
            message: number("message", usual.message),
            apply: number("apply", usual.apply),
        })
    }
}
