//! Charts: lines, bands and marks on two axes, drawn as SVG that reads at any width.
//!
//! A [`Chart`] is data and words; [`Chart::figure`] draws it twice, for wide and for narrow pages (letters keep
//! their size; style sheets choose). Linear axes of amounts begin at zero when asked, others begin near the
//! data; scales are logarithmic only where every value is positive, and say so.

mod draw;
mod hover;
mod scale;
pub mod shape;
mod ticks;

use super::html::escape;

/// A point: `x`, `y`.
pub type Xy = (f64, f64);

/// A picture of series on two axes.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    pub title: String,
    /// What a reader must know to read it right.
    pub note: String,
    pub x: Axis,
    pub y: Axis,
    pub bands: Vec<Band>,
    pub series: Vec<Series>,
    pub marks: Vec<Mark>,
    /// Half as wide on wide pages, so that two stand side by side.
    pub half: bool,
}

/// One direction of a chart.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    pub label: String,
    pub unit: Unit,
    pub logarithmic: bool,
    /// The axis shows zero even when no value is near it.
    pub from_zero: bool,
    /// No value can be beyond these (shares lie in 0 to 1).
    pub bounds: Option<(f64, f64)>,
    /// Shows just these values, and lines only where they are among them.
    pub range: Option<(f64, f64)>,
}

/// How values are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    #[default]
    Number,
    /// Whole numbers: steps, counts.
    Count,
    Seconds,
    /// Parts of a whole, in percent.
    Share,
}

/// Colours are the style sheet's, so that dark pages have their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour {
    #[default]
    Ink,
    /// The n-th of the colours that readers tell apart.
    Numbered(usize),
}

impl Colour {
    /// How many can be told apart.
    pub const COUNT: usize = 8;

    pub fn css(self) -> String {
        match self {
            Colour::Ink => "var(--ink)".into(),
            Colour::Numbered(number) => format!("var(--c{})", number % Colour::COUNT),
        }
    }
}

/// How a series looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    #[default]
    Line,
    /// What lies behind a smoothed line; not in the legend.
    Faint,
    /// A line with its points.
    Dotted,
    Dashed,
    /// A line made of points only.
    Pointed,
    /// A column from 0 to every point, nearly as wide as 1 on the other axis.
    Columns,
}

/// A named line, in pieces where it is interrupted.
#[derive(Clone, Debug, Default)]
pub struct Series {
    pub name: String,
    pub colour: Colour,
    pub look: Look,
    pub pieces: Vec<Vec<Xy>>,
}

/// A named area between two lines: `x`, lower, upper.
#[derive(Clone, Debug, Default)]
pub struct Band {
    pub name: String,
    pub colour: Colour,
    pub points: Vec<(f64, f64, f64)>,
}

/// Something to see at one place.
#[derive(Clone, Debug)]
pub enum Mark {
    /// A ring around a point, with a word.
    Best { x: f64, y: f64, text: String },
    /// A cross at the upper edge: there is no value to draw.
    Bad { x: f64, text: String },
    /// A thin upright line.
    Moment { x: f64, text: String },
}

impl Chart {
    /// The chart with title, legend and note.
    pub fn figure(&self) -> String {
        let title = match self.title.is_empty() {
            true => String::new(),
            false => format!("<h3>{}</h3>", escape(&self.title)),
        };
        let note = match self.note.is_empty() {
            true => String::new(),
            false => format!("<p class=\"note\">{}</p>", escape(&self.note)),
        };
        let class = if self.half { "half" } else { "full" };
        let (wide, narrow) =
            if self.half { ((476, 260), (380, 240)) } else { ((984, 320), (380, 260)) };
        format!(
            "<figure class=\"{class}\"><figcaption>{title}{}</figcaption><div class=\"wide\">{}</div>\
             <div class=\"narrow\">{}</div>{note}</figure>\n",
            self.legend(),
            draw::svg(self, wide.0, wide.1),
            draw::svg(self, narrow.0, narrow.1),
        )
    }

    fn legend(&self) -> String {
        let lines = self.series.iter().filter(|series| series.look != Look::Faint);
        let lines = lines.map(|series| {
            let class = match series.look {
                Look::Dashed => "dashed",
                Look::Pointed => "pointed",
                Look::Columns => "area",
                Look::Line | Look::Faint | Look::Dotted => "line",
            };
            (class, series.colour, &series.name)
        });
        let bands = self.bands.iter().map(|band| ("area", band.colour, &band.name));
        let entries: Vec<_> = lines.chain(bands).filter(|(_, _, name)| !name.is_empty()).collect();
        if entries.is_empty() {
            return String::new();
        }
        let entry = |(class, colour, name): (&str, Colour, &String)| {
            let colour = colour.css();
            let name = escape(name);
            format!("<li><i class=\"{class}\" style=\"--c:{colour}\"></i>{name}</li>")
        };
        format!("<ul class=\"legend\">{}</ul>", entries.into_iter().map(entry).collect::<String>())
    }

    /// What the chart shows, for those who do not see it.
    fn description(&self) -> String {
        let names: Vec<&str> = self.series.iter().map(|series| series.name.as_str()).collect();
        let mut names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
        names.dedup();
        let scale = if self.y.logarithmic { ", logarithmic" } else { "" };
        let what = if self.title.is_empty() { &self.y.label } else { &self.title };
        format!("{what}: {}{scale} against {}; {}", self.y.label, self.x.label, names.join(", "))
    }
}

#[cfg(test)]
mod tests;
