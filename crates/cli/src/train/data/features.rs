//! The features of tf.Examples, as a job's columns name them.

use downpour_data::{ExampleParser, Feature};
use downpour_tensor::{DataType, Result, Status, checked_elements};

use crate::train::job::DataTable;

/// Returns the parser that reads the columns of a job from Examples. The messages follow the table's name.
pub fn parser(table: &DataTable) -> Result<ExampleParser> {
    if table.columns.is_empty() {
        return Err(Status::invalid_argument(
            "of TFRecord files must be named with their types: columns = { x = \"float[4]\", label = \"int64\" }",
        ));
    }
    let features = table.columns.iter().map(|(name, text)| {
        let feature = feature(text).ok_or_else(|| {
            Status::invalid_argument(format!(
                "has '{text}' for {name}; a feature is float, int64 or string, with its sizes if it is not a single \
                 value: float[28, 28]"
            ))
        })?;
        Ok((name, feature))
    });
    ExampleParser::new(features.collect::<Result<Vec<_>>>()?)
}

/// `float`, `int64[3]`, `float[28, 28]`.
fn feature(text: &str) -> Option<Feature> {
    let (dtype, sizes) = match text.split_once('[') {
        Some((dtype, rest)) => {
            let sizes = rest.trim_end().strip_suffix(']')?.split(',');
            let sizes = sizes.map(|size| size.trim().parse().ok().filter(|&size: &usize| size > 0));
            (dtype.trim(), sizes.collect::<Option<Vec<usize>>>()?)
        }
        None => (text.trim(), Vec::new()),
    };
    let dtype = match dtype {
        "float" => DataType::Float,
        "int64" => DataType::Int64,
        "string" => DataType::String,
        _ => return None,
    };
    checked_elements(&sizes).ok()?;
    Some(Feature::fixed(dtype, &sizes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_sizes_or_none() {
        let sizes = |text| match feature(text) {
            Some(Feature::Fixed { dtype, shape, .. }) => Some((dtype, shape)),
            _ => None,
        };
        assert_eq!(sizes("float[28, 28]"), Some((DataType::Float, vec![28, 28])));
        assert_eq!(sizes("int64"), Some((DataType::Int64, vec![])));
        assert_eq!(sizes("string [2]"), Some((DataType::String, vec![2])));
        for wrong in
            ["", "double", "float[", "float[]", "float[0]", "float[2,]", "float[-1]", "float[2]x"]
        {
            assert_eq!(sizes(wrong), None, "{wrong}");
        }
        let huge = format!("float[{0}, {0}]", usize::MAX);
        assert_eq!(sizes(&huge), None);
    }
}
