//! Where an iterator stands, as a variant that a checkpoint can hold.

use std::any::Any;

use downpour_data::Position;
use downpour_tensor::{Result, Status, Tensor, Variant, VariantValue};

/// A position of a pipeline, and elements that were made before it and that nobody has taken yet.
#[derive(Clone, Debug)]
pub(super) struct SavedPosition {
    pub position: Position,
    pub kept: Vec<Vec<Tensor>>,
}

const TYPE_NAME: &str = "downpour::IteratorPosition";
/// The name of TensorFlow's own saved state, which describes objects that only TensorFlow has.
const THEIRS: &str = "tensorflow::Iterator";

/// Lets positions be read from checkpoints and messages.
pub(super) fn register_decoders() {
    downpour_wire::register_variant_decoder(TYPE_NAME, SavedPosition::decode);
    downpour_wire::register_variant_decoder(THEIRS, |_, _| {
        Err(Status::unimplemented(
            "the position of an iterator that TensorFlow has saved cannot be restored; initialize the iterator, which then \
             begins anew, and save it again",
        ))
    });
}

impl SavedPosition {
    /// Returns the vector that holds this.
    pub fn into_tensor(self) -> Result<Tensor> {
        Tensor::from_variants([1], vec![Variant::new(self)?])
    }

    /// Returns what a vector of `into_tensor` holds.
    pub fn from_tensor(tensor: &Tensor) -> Result<&SavedPosition> {
        let saved = match tensor.variants()? {
            [variant] if tensor.rank() == 1 => variant.get(),
            _ => None,
        };
        saved.ok_or_else(|| {
            Status::invalid_argument(
                "Cannot initialize an iterator from this tensor. Expected a variant vector that SerializeIterator has made",
            )
        })
    }

    fn decode(metadata: &[u8], tensors: Vec<Tensor>) -> Result<Variant> {
        let damaged = || Status::data_loss("the saved position of an iterator is damaged");
        let (width, position) = metadata.split_first_chunk().ok_or_else(damaged)?;
        let width = u32::from_le_bytes(*width) as usize;
        let position = Position::from_bytes(position)?;
        let is_whole = match width {
            0 => tensors.is_empty(),
            width => tensors.len().is_multiple_of(width),
        };
        if !is_whole {
            return Err(damaged());
        }
        let kept = tensors.chunks(width.max(1)).map(<[Tensor]>::to_vec).collect();
        Variant::new(SavedPosition { position, kept })
    }
}

impl VariantValue for SavedPosition {
    fn type_name(&self) -> &str {
        TYPE_NAME
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn inner_depth(&self) -> usize {
        self.kept.iter().flatten().map(Tensor::variant_depth).max().unwrap_or(0)
    }

    /// The number of tensors in an element, then the position.
    fn encode(&self) -> Result<(Vec<u8>, Vec<Tensor>)> {
        let width = self.kept.first().map_or(0, Vec::len) as u32;
        let mut metadata = width.to_le_bytes().to_vec();
        metadata.extend(self.position.to_bytes());
        Ok((metadata, self.kept.concat()))
    }
}

#[cfg(test)]
mod tests {
    use downpour_data::Dataset;

    use super::*;

    fn saved() -> SavedPosition {
        let mut iterator = Dataset::range(9).iterate().unwrap();
        iterator.by_ref().take(4).for_each(drop);
        let element = |n: i64| vec![Tensor::scalar(n), Tensor::string("kept")];
        SavedPosition { position: iterator.position(), kept: vec![element(2), element(3)] }
    }

    #[test]
    fn a_position_survives_its_encoding_and_damage_is_noticed() {
        let (metadata, tensors) = saved().encode().unwrap();
        let read = SavedPosition::decode(&metadata, tensors.clone()).unwrap();
        let read: &SavedPosition = read.get().unwrap();
        assert_eq!(read.position, saved().position);
        assert_eq!(read.kept[1][0].to_scalar::<i64>().unwrap(), 3);
        let next = Dataset::range(9).iterate_from(&read.position).unwrap().next().unwrap();
        assert_eq!(next.unwrap()[0].to_scalar::<i64>().unwrap(), 4);
        assert!(SavedPosition::decode(&metadata, tensors[..3].to_vec()).is_err());
        assert!(SavedPosition::decode(&metadata[..3], tensors.clone()).is_err());
        assert!(SavedPosition::decode(&metadata[..metadata.len() - 1], tensors).is_err());
    }

    #[test]
    fn only_a_vector_of_one_position_is_one() {
        let tensor = saved().into_tensor().unwrap();
        assert_eq!(SavedPosition::from_tensor(&tensor).unwrap().kept.len(), 2);
        assert!(SavedPosition::from_tensor(&Variant::new(saved()).unwrap().into_tensor()).is_err());
        assert!(
            SavedPosition::from_tensor(&Tensor::from_variants([0], Vec::new()).unwrap()).is_err()
        );
        assert!(SavedPosition::from_tensor(&Tensor::scalar(1f32)).is_err());
    }
}
