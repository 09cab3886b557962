//! A colour for each way to train, and a kind of line for each variant of it.

use crate::comparison::{Comparison, strategy};
use crate::report::chart::{Colour, Look, Series, Xy};

/// The colours in an order in which the first few differ most.
const ORDER: [usize; Colour::COUNT] = [0, 1, 2, 3, 6, 5, 4, 7];

/// How a run is drawn.
#[derive(Clone, Debug)]
pub struct Looks {
    pub name: String,
    pub colour: Colour,
    pub look: Look,
}

impl Looks {
    pub fn series(&self, look: Look, points: Vec<Xy>) -> Series {
        let look = if self.look == Look::Line { look } else { self.look };
        Series { name: self.name.clone(), colour: self.colour, look, pieces: vec![points] }
    }
}

/// One process alone is drawn in ink. Runs of one strategy share its colour, and the later ones are broken lines.
pub fn looks(comparison: &Comparison) -> Vec<Looks> {
    let strategies: Vec<String> = comparison.runs().iter().map(strategy).collect();
    let several = strategies.iter().any(|one| *one != strategies[0]);
    let mut known: Vec<&str> = Vec::new();
    let mut all = Vec::new();
    for (number, (name, strategy)) in comparison.names().into_iter().zip(&strategies).enumerate() {
        let before = strategies[..number].iter().filter(|one| *one == strategy).count();
        let colour = match strategy.as_str() {
            "local" if several => Colour::Ink,
            _ if !several => numbered(number),
            strategy => {
                let place = known.iter().position(|one| *one == strategy);
                numbered(place.unwrap_or_else(|| {
                    known.push(strategy);
                    known.len() - 1
                }))
            }
        };
        let look = match before {
            0 => Look::Line,
            _ if !several => Look::Line,
            before if before % 2 == 1 => Look::Dashed,
            _ => Look::Pointed,
        };
        all.push(Looks { name, colour, look });
    }
    all
}

fn numbered(place: usize) -> Colour {
    Colour::Numbered(ORDER[place % ORDER.len()])
}
