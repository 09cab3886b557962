//! Messages for tests.

use downpour_tensor::ByteString;
use downpour_wire::proto::{self, feature::Kind};

/// Serialises an Example of these features.
pub(crate) fn example(features: &[(&str, Kind)]) -> ByteString {
    let message = proto::Example { features: Some(map(features)) };
    downpour_wire::encode_string(&message).unwrap()
}

fn map(features: &[(&str, Kind)]) -> proto::Features {
    let feature = features
        .iter()
        .map(|(name, kind)| ((*name).to_owned(), proto::Feature { kind: Some(kind.clone()) }))
        .collect();
    proto::Features { feature }
}

pub(crate) fn floats(values: &[f32]) -> Kind {
    Kind::FloatList(proto::FloatList { value: values.to_vec() })
}

pub(crate) fn ints(values: &[i64]) -> Kind {
    Kind::Int64List(proto::Int64List { value: values.to_vec() })
}

pub(crate) fn strings(values: &[&str]) -> Kind {
    let value = values.iter().map(|v| v.as_bytes().to_vec().into()).collect();
    Kind::BytesList(proto::BytesList { value })
}

/// Serialises a SequenceExample of context features and feature lists.
pub(crate) fn sequence_example(context: &[(&str, Kind)], lists: &[(&str, &[Kind])]) -> ByteString {
    let list = |kinds: &[Kind]| {
        let feature = kinds.iter().map(|kind| proto::Feature { kind: Some(kind.clone()) });
        proto::FeatureList { feature: feature.collect() }
    };
    let feature_list = lists.iter().map(|(name, kinds)| ((*name).to_owned(), list(kinds)));
    let message = proto::SequenceExample {
        context: Some(map(context)),
        feature_lists: Some(proto::FeatureLists { feature_list: feature_list.collect() }),
    };
    downpour_wire::encode_string(&message).unwrap()
}
