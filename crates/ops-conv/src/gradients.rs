//! Help for gradient rules.

use downpour_graph::Attrs;

/// The named attributes that `attrs` has.
pub(crate) fn picked(attrs: &Attrs, names: &[&str]) -> Attrs {
    let mut out = Attrs::new();
    for name in names {
        if let Some(value) = attrs.get(name) {
            out.set(name, value.clone());
        }
    }
    out
}
