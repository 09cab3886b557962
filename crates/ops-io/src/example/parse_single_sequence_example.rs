//! ParseSingleSequenceExample: tensors from one serialised SequenceExample.
//!
//! Unlike the operations that parse batches, TensorFlow decodes the message as protobuf does, so that all of it must be
//! well formed; this does the same.

use std::collections::BTreeMap;

use downpour_graph::{OpSpec, PartialShape};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{ByteString, DataType, Result, Shape, Status, Tensor, excerpt};
use downpour_wire::decode_counted;
use downpour_wire::proto::{Feature, FeatureList, SequenceExample, feature::Kind};

use super::features::{Features, set_dense_shapes, set_sparse_shapes};
use super::parse_sequence_example::check_defaults;
use super::slots::Slots;
use super::values::Values;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ParseSingleSequenceExample(serialized: string, feature_list_dense_missing_assumed_empty: string, \
                context_sparse_keys: Ncontext_sparse * string, context_dense_keys: Ncontext_dense * string, \
                feature_list_sparse_keys: Nfeature_list_sparse * string, \
                feature_list_dense_keys: Nfeature_list_dense * string, \
                context_dense_defaults: Tcontext_dense, debug_name: string) \
                -> (context_sparse_indices: Ncontext_sparse * int64, context_sparse_values: context_sparse_types, \
                    context_sparse_shapes: Ncontext_sparse * int64, context_dense_values: Tcontext_dense, \
                    feature_list_sparse_indices: Nfeature_list_sparse * int64, \
                    feature_list_sparse_values: feature_list_sparse_types, \
                    feature_list_sparse_shapes: Nfeature_list_sparse * int64, \
                    feature_list_dense_values: feature_list_dense_types)
                Ncontext_sparse: int >= 0 = 0
                Ncontext_dense: int >= 0 = 0
                Nfeature_list_sparse: int >= 0 = 0
                Nfeature_list_dense: int >= 0 = 0
                context_sparse_types: list({float, int64, string}) >= 0 = []
                Tcontext_dense: list({float, int64, string}) >= 0 = []
                feature_list_dense_types: list({float, int64, string}) >= 0 = []
                context_dense_shapes: list(shape) >= 0 = []
                feature_list_sparse_types: list({float, int64, string}) >= 0 = []
                feature_list_dense_shapes: list(shape) >= 0 = []",
        )?
        .shape(|cx| {
            let prefix = cx.with_rank(0, 0)?;
            cx.with_rank(1, 1)?;
            let node = cx.node();
            let next = set_sparse_shapes(cx, 0, node.dtypes("context_sparse_types")?.len(), 1);
            let next = set_dense_shapes(cx, next, &prefix, &node.shapes("context_dense_shapes")?);
            let lists = node.dtypes("feature_list_sparse_types")?.len();
            let next = set_sparse_shapes(cx, next, lists, 2);
            let shapes = node.shapes("feature_list_dense_shapes")?;
            set_dense_shapes(cx, next, &PartialShape::of_rank(1), &shapes);
            Ok(())
        })
        .not_differentiable(),
        |build| Ok(KernelBox::new(ParseSingleSequenceExample::new(build)?)),
    )
}

struct ParseSingleSequenceExample {
    context: Features,
    lists: Features,
}

impl ParseSingleSequenceExample {
    fn new(build: &KernelBuild<'_>) -> Result<ParseSingleSequenceExample> {
        let features = |what: &str, dense: &str| {
            let dense = (build.dtypes(dense)?, build.shapes(&format!("{what}_dense_shapes"))?);
            let sparse = build.dtypes(&format!("{what}_sparse_types"))?;
            for (kind, types) in [("sparse", sparse.len()), ("dense", dense.0.len())] {
                if usize::try_from(build.int(&format!("N{what}_{kind}"))?) != Ok(types) {
                    return Err(Status::invalid_argument(format!(
                        "len({what}_{kind}_keys) != len({what}_{kind}_types)"
                    )));
                }
            }
            Features::new(dense, sparse, Default::default())?.without_variable_lengths()
        };
        Ok(ParseSingleSequenceExample {
            context: features("context", "Tcontext_dense")?,
            lists: features("feature_list", "feature_list_dense_types")?,
        })
    }
}

impl Kernel for ParseSingleSequenceExample {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let node = cx.node();
        let keys = |name: &str| {
            let range = node.input_range(name)?;
            range.map(|i| Ok(&cx.scalar_input(i)?.strings()?[0])).collect::<Result<Vec<_>>>()
        };
        let context_sparse = keys("context_sparse_keys")?;
        let context_dense = keys("context_dense_keys")?;
        let lists_sparse = keys("feature_list_sparse_keys")?;
        let lists_dense = keys("feature_list_dense_keys")?;
        let defaults = node.input_range("context_dense_defaults")?;
        let defaults: Vec<&Tensor> = defaults.map(|i| cx.input(i)).collect();
        let may_miss = cx.vector_input(1)?.strings()?;
        let debug_name = cx.input(cx.inputs_len() - 1);
        if !debug_name.is_empty() && debug_name.rank() != 0 {
            return Err(cx.bad_input(cx.inputs_len() - 1, "must be a scalar"));
        }
        let name = debug_name.strings()?.first().map_or("<unknown>".to_owned(), |n| excerpt(n));
        let serialized = &cx.scalar_input(0)?.strings()?[0];
        check_defaults(&self.context, &defaults)?;
        let what = format!("Could not parse example input, value: '{}'", excerpt(serialized));
        let (example, _charge) = decode_counted::<SequenceExample>(serialized.to_bytes(), &what)?;
        let context = Map { name: &name, map: example.context.unwrap_or_default().feature };
        let lists =
            Map { name: &name, map: example.feature_lists.unwrap_or_default().feature_list };

        let sparse = self.context.sparse.iter().zip(context_sparse);
        let sparse =
            sparse.map(|(&dtype, key)| context.sparse(key, dtype)).collect::<Result<Vec<_>>>()?;
        let dense = self.context.dense.iter().zip(context_dense).zip(defaults);
        let dense = dense
            .map(|((dense, key), default)| context.dense(key, dense, default))
            .collect::<Result<Vec<_>>>()?;
        let list_dense = self.lists.dense.iter().zip(lists_dense);
        let list_dense = list_dense
            .map(|(dense, key)| lists.dense(key, dense, may_miss.contains(key)))
            .collect::<Result<Vec<_>>>()?;
        let list_sparse = self.lists.sparse.iter().zip(lists_sparse);
        let list_sparse = list_sparse
            .map(|(&dtype, key)| lists.sparse(key, dtype))
            .collect::<Result<Vec<_>>>()?;

        let in_turn = |triples: Vec<[Tensor; 3]>| {
            (0..3).flat_map(move |part| triples.clone().into_iter().map(move |t| t[part].clone()))
        };
        let tensors = in_turn(sparse)
            .chain(dense)
            .chain(in_turn(list_sparse))
            .chain(list_dense)
            .collect::<Vec<_>>();
        for (i, tensor) in tensors.into_iter().enumerate() {
            cx.set_output(i, tensor);
        }
        Ok(())
    }
}

/// The features or feature lists of the example, and its name for errors.
struct Map<'a, T> {
    name: &'a str,
    map: BTreeMap<String, T>,
}

impl<T> Map<'_, T> {
    fn get(&self, key: &[u8]) -> Option<&T> {
        self.map.get(std::str::from_utf8(key).ok()?)
    }
}

impl Map<'_, Feature> {
    fn sparse(&self, key: &ByteString, dtype: DataType) -> Result<[Tensor; 3]> {
        let mut values = Values::new(dtype)?;
        if let Some(feature) = self.get(key).filter(|feature| feature.kind.is_some()) {
            let mismatch = || self.mismatch(key, dtype);
            append(&mut values, feature)?.ok_or_else(mismatch)?;
        }
        let count = values.len();
        let indices = Tensor::build([count, 1], |out: &mut [i64]| {
            out.iter_mut().enumerate().for_each(|(i, out)| *out = i as i64);
        })?;
        Ok([indices, values.into_tensor([count])?, Tensor::vector(&[count as i64])?])
    }

    fn dense(
        &self,
        key: &ByteString,
        dense: &super::features::Dense,
        default: &Tensor,
    ) -> Result<Tensor> {
        let Some(feature) = self.get(key) else {
            if default.is_empty() {
                return Err(Status::invalid_argument(format!(
                    "Name: {}, Context feature '{}' is required but could not be found.",
                    self.name,
                    excerpt(key)
                )));
            }
            return Ok(default.clone());
        };
        let mut values = Values::new(dense.dtype)?;
        append(&mut values, feature)?.ok_or_else(|| self.mismatch(key, dense.dtype))?;
        check_size(self.name, key, 0, dense, values.len())?;
        values.into_tensor(dense.row.clone())
    }

    fn mismatch(&self, key: &ByteString, dtype: DataType) -> Status {
        Status::invalid_argument(format!(
            "Name: {}, Context feature: {}.  Data types don't match. Expected type: {dtype}",
            self.name,
            excerpt(key)
        ))
    }
}

impl Map<'_, FeatureList> {
    fn rows(&self, key: &[u8]) -> &[Feature] {
        self.get(key).map_or(&[], |list| &list.feature)
    }

    fn sparse(&self, key: &ByteString, dtype: DataType) -> Result<[Tensor; 3]> {
        let mut values = Values::new(dtype)?;
        let rows = self.rows(key);
        let mut counts = downpour_tensor::CountedVec::with_capacity(rows.len())?;
        for (row, feature) in rows.iter().enumerate() {
            let before = values.len();
            if feature.kind.is_some() {
                let mismatch = || self.mismatch(key, row, dtype);
                append(&mut values, feature)?.ok_or_else(mismatch)?;
            }
            counts.push(values.len() - before)?;
        }
        let places = counts.iter().enumerate();
        let places =
            places.flat_map(|(row, &count)| (0..count).map(move |i| [row as i64, i as i64]));
        let indices = Tensor::build([values.len(), 2], |out: &mut [i64]| {
            out.as_chunks_mut::<2>().0.iter_mut().zip(places).for_each(|(out, place)| *out = place);
        })?;
        let longest = counts.iter().copied().max().unwrap_or(0);
        let shape = Tensor::vector(&[rows.len() as i64, longest as i64])?;
        let count = values.len();
        Ok([indices, values.into_tensor([count])?, shape])
    }

    fn dense(
        &self,
        key: &ByteString,
        dense: &super::features::Dense,
        may_miss: bool,
    ) -> Result<Tensor> {
        if !may_miss && self.get(key).is_none() {
            return Err(Status::invalid_argument(format!(
                "Name: {}, Feature list '{}' is required but could not be found.  Did you mean to include it in \
                 feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?",
                self.name,
                excerpt(key)
            )));
        }
        let rows = self.rows(key);
        let shape: Shape = std::iter::once(rows.len()).chain(dense.row.iter().copied()).collect();
        let mut tensor = Tensor::new(dense.dtype, shape)?;
        let mut rest = Slots::of(&mut tensor)?;
        for (row, feature) in rows.iter().enumerate() {
            let mut values = Values::new(dense.dtype)?;
            let mismatch = || self.mismatch(key, row, dense.dtype);
            append(&mut values, feature)?.ok_or_else(mismatch)?;
            check_size(self.name, key, row, dense, values.len())?;
            let (own, others) = rest.split(dense.stride);
            own.store(values);
            rest = others;
        }
        Ok(tensor)
    }

    fn mismatch(&self, key: &ByteString, row: usize, dtype: DataType) -> Status {
        Status::invalid_argument(format!(
            "Name: {}, Feature list: {}, Index: {row}.  Data types don't match. Expected type: {dtype}",
            self.name,
            excerpt(key)
        ))
    }
}

fn check_size(
    name: &str,
    key: &ByteString,
    row: usize,
    dense: &super::features::Dense,
    count: usize,
) -> Result<()> {
    if count == dense.stride {
        return Ok(());
    }
    let kind = if dense.dtype == DataType::String { "bytes" } else { dense.dtype.name() };
    Err(Status::invalid_argument(format!(
        "Name: {name}, Key: {}, Index: {row}.  Number of {kind} values != expected.  values size: {count} but output \
         shape: {}",
        excerpt(key),
        dense.shape
    )))
}

/// Appends the values of a feature. Returns `None` if they are of another type.
fn append(values: &mut Values, feature: &Feature) -> Result<Option<()>> {
    match (values, &feature.kind) {
        (Values::Floats(values), Some(Kind::FloatList(list))) => {
            list.value.iter().try_for_each(|&value| values.push(value))?;
        }
        (Values::Ints(values), Some(Kind::Int64List(list))) => {
            list.value.iter().try_for_each(|&value| values.push(value))?;
        }
        (Values::Strings(values), Some(Kind::BytesList(list))) => {
            for value in &list.value {
                values.push(ByteString::from_bytes(value.clone())?)?;
            }
        }
        _ => return Ok(None),
    }
    Ok(Some(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::fixtures::{floats, ints, sequence_example, strings};
    use downpour_runtime::testing::OpTest;

    fn run(message: ByteString, may_miss: &[&'static str]) -> Result<Vec<Tensor>> {
        let may_miss: Vec<ByteString> = may_miss.iter().map(|&key| key.into()).collect();
        OpTest::new(register, "ParseSingleSequenceExample")
            .attr("Ncontext_sparse", 1i64)
            .attr("Ncontext_dense", 1i64)
            .attr("Nfeature_list_sparse", 1i64)
            .attr("Nfeature_list_dense", 1i64)
            .attr("context_sparse_types", vec![DataType::String])
            .attr("Tcontext_dense", vec![DataType::Float])
            .attr("context_dense_shapes", vec![PartialShape::from([1])])
            .attr("feature_list_sparse_types", vec![DataType::Int64])
            .attr("feature_list_dense_types", vec![DataType::Int64])
            .attr("feature_list_dense_shapes", vec![PartialShape::from([2])])
            .input(Tensor::string(message))
            .input(Tensor::from_strings([may_miss.len()], may_miss).unwrap())
            .input(Tensor::string("cs"))
            .input(Tensor::string("cd"))
            .input(Tensor::string("ls"))
            .input(Tensor::string("ld"))
            .input(Tensor::vector(&[7f32]).unwrap())
            .input(Tensor::string("name"))
            .run()
    }

    #[test]
    fn context_and_lists_become_tensors() {
        let message = sequence_example(
            &[("cs", strings(&["a", "b"])), ("cd", floats(&[1.0]))],
            &[("ls", &[ints(&[1]), ints(&[]), ints(&[2, 3])]), ("ld", &[ints(&[4, 5])])],
        );
        let out = run(message, &[]).unwrap();
        assert_eq!(out[1].strings().unwrap(), ["a", "b"]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [2]);
        assert_eq!(out[3].as_slice::<f32>().unwrap(), [1.0]);
        assert_eq!(out[4].as_slice::<i64>().unwrap(), [0, 0, 2, 0, 2, 1]);
        assert_eq!(out[5].as_slice::<i64>().unwrap(), [1, 2, 3]);
        assert_eq!(out[6].as_slice::<i64>().unwrap(), [3, 2]);
        assert_eq!((out[7].dims(), out[7].as_slice::<i64>().unwrap()), (&[1, 2][..], &[4, 5][..]));
    }

    #[test]
    fn what_is_missing_or_does_not_fit_is_named() {
        let out = run(sequence_example(&[], &[]), &["ld"]).unwrap();
        assert_eq!(out[3].as_slice::<f32>().unwrap(), [7.0]);
        assert_eq!(out[7].dims(), [0, 2]);
        let error = |context: &[(&str, Kind)], lists: &[(&str, &[Kind])]| {
            run(sequence_example(context, lists), &[]).unwrap_err().message().to_owned()
        };
        assert!(error(&[], &[]).starts_with("Name: name, Feature list 'ld' is required"));
        assert_eq!(
            error(&[], &[("ld", &[ints(&[1])])]),
            "Name: name, Key: ld, Index: 0.  Number of int64 values != expected.  values size: 1 but output shape: [2]"
        );
        assert!(
            error(&[("cd", ints(&[1]))], &[])
                .contains("Context feature: cd.  Data types don't match.")
        );
        assert!(
            run("garbage".into(), &[])
                .unwrap_err()
                .message()
                .starts_with("Could not parse example input")
        );
    }
}
