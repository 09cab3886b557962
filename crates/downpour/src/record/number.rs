//! Numbers that may not be finite, in JSON: a loss that is not a number is what a reader most needs to see.
//!
//! JSON has no word for them, and `serde_json` writes `null`, which it then refuses to read as a number: the
//! line would be lost. Written here as `"NaN"`, `"inf"` and `"-inf"`; `null` is read as not a number.

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

struct Number(f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            value if value.is_finite() => serializer.serialize_f64(value),
            value => serializer.collect_str(&value),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        deserializer.deserialize_any(NumberVisitor).map(Number)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = f64;

    fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.write_str("a number, \"NaN\", \"inf\", \"-inf\" or null")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<f64, E> {
        Ok(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<f64, E> {
        Ok(value as f64)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<f64, E> {
        Ok(value as f64)
    }

    fn visit_unit<E: Error>(self) -> Result<f64, E> {
        Ok(f64::NAN)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<f64, E> {
        text.parse().map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
    }
}

pub fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    Number(*value).serialize(serializer)
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Number::deserialize(deserializer).map(|number| number.0)
}

/// The same for maps from names to numbers.
pub mod map {
    use std::collections::BTreeMap;

    use super::{Deserialize, Deserializer, Number, Serializer};

    pub fn serialize<S: Serializer>(
        map: &BTreeMap<String, f64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(map.iter().map(|(name, value)| (name, Number(*value))))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<String, f64>, D::Error> {
        let map = BTreeMap::<String, Number>::deserialize(deserializer)?;
        Ok(map.into_iter().map(|(name, number)| (name, number.0)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Event, Progress};

    #[test]
    fn what_is_not_finite_survives_a_line() {
        for loss in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.25, 3.0] {
            let metrics = [("norm".to_string(), loss)].into();
            let event = Event::Progress(Progress { loss, metrics, ..Progress::default() });
            let line = serde_json::to_string(&event).expect("written");
            let Ok(Event::Progress(read)) = serde_json::from_str(&line) else { panic!("{line}") };
            assert_eq!(read.loss.to_bits(), loss.to_bits(), "{line}");
            assert_eq!(read.metrics["norm"].to_bits(), loss.to_bits(), "{line}");
        }
    }

    #[test]
    fn null_is_not_a_number() {
        let line = r#"{"kind":"progress","time":1,"step":1,"steps":1,"examples":1,"loss":null,
            "seconds":{"data":0,"step":0,"evaluation":0,"checkpoint":0,"start":0}}"#;
        let Ok(Event::Progress(read)) = serde_json::from_str(line) else { panic!("refused") };
        assert!(read.loss.is_nan());
    }
}
