//! Tables and shapes as people read them.

/// Rows with their columns aligned; the last column is left as it is.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        text.push_str("  ");
        for (i, cell) in row.iter().enumerate() {
            text.push_str(cell);
            if i + 1 < row.len() {
                let spaces = widths[i].saturating_sub(cell.chars().count()) + 2;
                text.extend(std::iter::repeat_n(' ', spaces));
            }
        }
        text.push('\n');
    }
    text
}

/// `[?,784]`; `None` for a shape of which nothing is known.
pub fn shape(dims: Option<&[i64]>) -> String {
    let Some(dims) = dims else { return "?".into() };
    let dims: Vec<String> =
        dims.iter().map(|dim| if *dim < 0 { "?".into() } else { dim.to_string() }).collect();
    format!("[{}]", dims.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let row = |cells: &[&str]| cells.iter().map(|cell| cell.to_string()).collect();
        let rows = [row(&["float", "[2]", "w"]), row(&["é", "[10,10]", "bias"])];
        assert_eq!(table(&rows), "  float  [2]      w\n  é      [10,10]  bias\n");
        assert_eq!(shape(Some(&[-1, 3])), "[?,3]");
        assert_eq!(shape(None), "?");
    }
}
