//! What a model says, a line per example.

use downpour_formats::saved_model::{Signature, TensorSpec};
use downpour_tensor::{DataType, Result, Status, Tensor};
use serde_json::{Value, json};

/// The outputs to print, by name; all if none are named.
pub fn choose<'s>(
    signature: &'s Signature,
    names: &[String],
) -> Result<Vec<(&'s String, &'s TensorSpec)>> {
    if names.is_empty() {
        return Ok(signature.outputs.iter().collect());
    }
    let find = |name: &String| {
        signature.outputs.get_key_value(name).ok_or_else(|| {
            let known: Vec<&str> = signature.outputs.keys().map(String::as_str).collect();
            Status::not_found(format!(
                "the model has no output '{name}', only {}",
                known.join(", ")
            ))
        })
    };
    names.iter().map(find).collect()
}

/// Turns batches into lines.
pub struct Printer<'a> {
    names: Vec<&'a str>,
    json: bool,
    started: bool,
}

impl<'a> Printer<'a> {
    pub fn new(names: Vec<&'a str>, json: bool) -> Printer<'a> {
        Printer { names, json, started: false }
    }

    /// A line per example of a batch; the header of a CSV file before the first. Several numbers of one
    /// output become columns NAME_0, NAME_1, ...
    pub fn rows(&mut self, values: &[Tensor]) -> Result<String> {
        let rows = values.first().and_then(|value| value.dims().first().copied()).unwrap_or(0);
        let columns: Vec<Vec<Vec<Value>>> =
            values.iter().map(|value| split(value, rows)).collect::<Result<_>>()?;
        let mut text = String::new();
        if !self.json && !std::mem::replace(&mut self.started, true) {
            text = self.header(&columns);
        }
        for row in 0..rows {
            let own = columns.iter().map(|column| &column[row]);
            match self.json {
                true => {
                    let pair = |(name, values): (&&str, &Vec<Value>)| {
                        let value = match values.as_slice() {
                            [one] => one.clone(),
                            many => json!(many),
                        };
                        (name.to_string(), value)
                    };
                    let object: serde_json::Map<String, Value> =
                        self.names.iter().zip(own).map(pair).collect();
                    text.push_str(&Value::Object(object).to_string());
                }
                false => {
                    let fields: Vec<String> = own.flatten().map(field).collect();
                    text.push_str(&fields.join(","));
                }
            }
            text.push('\n');
        }
        Ok(text)
    }

    fn header(&self, columns: &[Vec<Vec<Value>>]) -> String {
        let mut names = Vec::new();
        for (name, column) in self.names.iter().zip(columns) {
            match column.first().map_or(1, Vec::len) {
                1 => names.push(name.to_string()),
                many => names.extend((0..many).map(|i| format!("{name}_{i}"))),
            }
        }
        names.join(",") + "\n"
    }
}

/// A field of a CSV file, quoted where it must be.
fn field(value: &Value) -> String {
    match value {
        Value::String(text) if text.contains([',', '"', '\n', '\r']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The values of each example.
fn split(tensor: &Tensor, rows: usize) -> Result<Vec<Vec<Value>>> {
    let values: Vec<Value> = match tensor.dtype() {
        DataType::Float => tensor.as_slice::<f32>()?.iter().map(|v| number((*v).into())).collect(),
        DataType::Double => tensor.as_slice::<f64>()?.iter().map(|v| number(*v)).collect(),
        DataType::String => {
            let text = |bytes: &downpour_tensor::ByteString| json!(String::from_utf8_lossy(bytes));
            tensor.strings()?.iter().map(text).collect()
        }
        DataType::Bool => tensor.as_slice::<bool>()?.iter().map(|v| json!(v)).collect(),
        _ => tensor.to_i64_vec()?.into_iter().map(|v| json!(v)).collect(),
    };
    if tensor.dims().first() != Some(&rows) {
        return Err(Status::invalid_argument(format!(
            "an output has the shape {}: not a value per example\nhint: choose others with --output",
            tensor.shape()
        )));
    }
    let each = values.len() / rows.max(1);
    Ok((0..rows).map(|row| values[row * each..(row + 1) * each].to_vec()).collect())
}

/// As short as it can be written; what JSON has no number for as a word.
fn number(value: f64) -> Value {
    let short = (value as f32).to_string().parse::<f64>().unwrap_or(value);
    match serde_json::Number::from_f64(short) {
        Some(number) => Value::Number(number),
        None => json!(value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_lines() {
        let classes = Tensor::vector(&[3i64, 4]).unwrap();
        let scores = Tensor::from_vec([2, 2], vec![0.1f32, 0.9, f32::NAN, 1.0]).unwrap();
        let mut csv = Printer::new(vec!["class", "score"], false);
        let text = csv.rows(&[classes.clone(), scores.clone()]).unwrap();
        assert_eq!(text, "class,score_0,score_1\n3,0.1,0.9\n4,NaN,1.0\n");
        let mut json = Printer::new(vec!["class", "score"], true);
        let text = json.rows(&[classes.clone(), scores]).unwrap();
        assert_eq!(text.lines().next(), Some(r#"{"class":3,"score":[0.1,0.9]}"#));
        let odd = Tensor::vector(&[1i64]).unwrap();
        assert!(csv.rows(&[classes, odd]).is_err());
        let names = vec!["a,b".into(), "c".into()];
        let words = Tensor::from_strings([2], names).unwrap();
        let text = Printer::new(vec!["word"], false).rows(&[words]).unwrap();
        assert_eq!(text, "word\n\"a,b\"\nc\n");
    }
}
