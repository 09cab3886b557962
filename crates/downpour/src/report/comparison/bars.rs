//! Bars to compare amounts by eye: bytes, and parts of time.

use super::looks::Looks;
use crate::amounts;
use crate::comparison::Figures;
use crate::report::chart::Colour;
use crate::report::html::escape;
use crate::report::time_split;

/// What every run moved, against the one that moved most.
pub fn bytes(figures: &[Figures], looks: &[Looks]) -> String {
    let most = figures.iter().filter_map(Figures::bytes).max().unwrap_or(0);
    if most == 0 {
        return "<p>Nothing was moved, or nobody counted.</p>\n".into();
    }
    let row = |(one, looks): (&Figures, &Looks)| {
        let share = one.bytes().map_or(0.0, |bytes| 100.0 * bytes as f64 / most as f64);
        let what = match (one.bytes(), one.bytes_per_example()) {
            (Some(0), _) => "nothing".to_string(),
            (Some(bytes), Some(each)) => format!(
                "{}, {} per example",
                amounts::bytes(bytes),
                amounts::bytes(each.round() as u64)
            ),
            (Some(bytes), None) => amounts::bytes(bytes),
            (None, _) => "not counted".to_string(),
        };
        let colour = match looks.colour {
            Colour::Ink => Colour::Numbered(7),
            colour => colour,
        };
        format!(
            "<div class=\"row\"><span class=\"who\">{}</span><span class=\"track\"><i style=\"width:{share:.1}%;background:{}\"></i></span><span class=\"what\">{what}</span></div>\n",
            escape(&one.name),
            colour.css()
        )
    };
    let rows: String = figures.iter().zip(looks).map(row).collect();
    format!("<div class=\"rows compared\">\n{rows}</div>\n")
}

/// Where the workers' time went, in parts of it.
pub fn time(figures: &[Figures]) -> String {
    let rows: String = figures.iter().map(|one| time_split::row(&one.name, &one.split)).collect();
    let apart = figures.iter().filter(|one| one.exchange_seconds.is_none());
    let apart: Vec<&str> = apart.map(|one| one.name.as_str()).collect();
    let note = match apart.is_empty() {
        true => String::new(),
        false => format!(
            " In one graph over several processes, exchanging is part of the training steps: {}.",
            escape(&apart.join(", "))
        ),
    };
    let note = format!(
        "<p class=\"note\">Parts of all workers' time together, which stands at the end.{note}</p>\n"
    );
    format!("{}<div class=\"rows split compared\">\n{rows}</div>\n{note}", time_split::legend())
}
