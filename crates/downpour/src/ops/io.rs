//! Operations of the family `io`. Generated from their definitions by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these a family needs depends on its operations
use super::support::*;

/// `AsString(input) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, complex64, complex128, bool, variant, string)
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn as_string(input: &Output) -> AsString {
    let node = NodeBuilder::new("AsString").input(input);
    AsString(node)
}

/// A `AsString` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AsString(NodeBuilder);

impl AsString {
    /// The attribute `precision`; `-1` unless set.
    pub fn precision(mut self, value: i64) -> AsString {
        self.0.set("precision", value.into());
        self
    }

    /// The attribute `scientific`; `false` unless set.
    pub fn scientific(mut self, value: bool) -> AsString {
        self.0.set("scientific", value.into());
        self
    }

    /// The attribute `shortest`; `false` unless set.
    pub fn shortest(mut self, value: bool) -> AsString {
        self.0.set("shortest", value.into());
        self
    }

    /// The attribute `width`; `-1` unless set.
    pub fn width(mut self, value: i64) -> AsString {
        self.0.set("width", value.into());
        self
    }

    /// The attribute `fill`; `""` unless set.
    pub fn fill(mut self, value: &str) -> AsString {
        self.0.set("fill", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AsString {
        AsString(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `DecodeBase64(input) -> (output)`.
///
/// * `input`: string
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn decode_base64(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("DecodeBase64").input(input);
    ForOutput(node)
}

/// `DecodeCSV(records, record_defaults) -> (output)`.
///
/// * `records`: string
/// * `record_defaults`: several, of types `OUT_TYPE`
/// * gives `output`: several, of types `OUT_TYPE`
///
/// Gradients do not flow through it.
pub fn decode_csv(records: &Output, record_defaults: &[Output]) -> DecodeCSV {
    let node = NodeBuilder::new("DecodeCSV").input(records).list(record_defaults);
    DecodeCSV(node)
}

/// A `DecodeCSV` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DecodeCSV(NodeBuilder);

impl DecodeCSV {
    /// The attribute `field_delim`; `","` unless set.
    pub fn field_delim(mut self, value: &str) -> DecodeCSV {
        self.0.set("field_delim", text(value));
        self
    }

    /// The attribute `use_quote_delim`; `true` unless set.
    pub fn use_quote_delim(mut self, value: bool) -> DecodeCSV {
        self.0.set("use_quote_delim", value.into());
        self
    }

    /// The attribute `na_value`; `""` unless set.
    pub fn na_value(mut self, value: &str) -> DecodeCSV {
        self.0.set("na_value", text(value));
        self
    }

    /// The attribute `select_cols`; an empty list unless set.
    pub fn select_cols(mut self, value: &[i64]) -> DecodeCSV {
        self.0.set("select_cols", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DecodeCSV {
        DecodeCSV(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

/// `DecodePaddedRaw(input_bytes, fixed_length) -> (output)`.
///
/// * `input_bytes`: string
/// * `fixed_length`: int32
/// * `out_type`: attribute, type, one of half, float, double, int32, uint16, uint8, int16, int8, int64, bfloat16
/// * gives `output`: `out_type` (half, float, double, int32, uint16, uint8, int16, int8, int64, bfloat16)
///
/// Gradients do not flow through it.
pub fn decode_padded_raw(
    input_bytes: &Output,
    fixed_length: &Output,
    out_type: DataType,
) -> DecodePaddedRaw {
    let mut node = NodeBuilder::new("DecodePaddedRaw").input(input_bytes).input(fixed_length);
    node.set("out_type", out_type.into());
    DecodePaddedRaw(node)
}

/// A `DecodePaddedRaw` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DecodePaddedRaw(NodeBuilder);

impl DecodePaddedRaw {
    /// The attribute `little_endian`; `true` unless set.
    pub fn little_endian(mut self, value: bool) -> DecodePaddedRaw {
        self.0.set("little_endian", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DecodePaddedRaw {
        DecodePaddedRaw(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `DecodeRaw(bytes) -> (output)`.
///
/// * `bytes`: string
/// * `out_type`: attribute, type, one of half, float, double, int32, uint16, uint8, int16, int8, int64, complex64, complex128, bool, bfloat16
/// * gives `output`: `out_type` (half, float, double, int32, uint16, uint8, int16, int8, int64, complex64, complex128, bool, bfloat16)
///
/// Gradients do not flow through it.
pub fn decode_raw(bytes: &Output, out_type: DataType) -> DecodeRaw {
    let mut node = NodeBuilder::new("DecodeRaw").input(bytes);
    node.set("out_type", out_type.into());
    DecodeRaw(node)
}

/// A `DecodeRaw` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DecodeRaw(NodeBuilder);

impl DecodeRaw {
    /// The attribute `little_endian`; `true` unless set.
    pub fn little_endian(mut self, value: bool) -> DecodeRaw {
        self.0.set("little_endian", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DecodeRaw {
        DecodeRaw(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `EncodeBase64(input) -> (output)`.
///
/// * `input`: string
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn encode_base64(input: &Output) -> EncodeBase64 {
    let node = NodeBuilder::new("EncodeBase64").input(input);
    EncodeBase64(node)
}

/// A `EncodeBase64` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct EncodeBase64(NodeBuilder);

impl EncodeBase64 {
    /// The attribute `pad`; `false` unless set.
    pub fn pad(mut self, value: bool) -> EncodeBase64 {
        self.0.set("pad", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> EncodeBase64 {
        EncodeBase64(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Fingerprint(data, method) -> (fingerprint)`.
///
/// * `data`: `T` (any type)
/// * `method`: string
/// * gives `fingerprint`: uint8
///
/// Gradients do not flow through it.
pub fn fingerprint(data: &Output, method: &Output) -> ForOutput {
    let node = NodeBuilder::new("Fingerprint").input(data).input(method);
    ForOutput(node)
}

/// `GenerateVocabRemapping(new_vocab_file, old_vocab_file) -> (remapping, num_present)`.
///
/// * `new_vocab_file`: string
/// * `old_vocab_file`: string
/// * `new_vocab_offset`: attribute, int, at least 0
/// * `num_new_vocab`: attribute, int, at least 0
/// * gives `remapping`: int64
/// * gives `num_present`: int32
///
/// Gradients do not flow through it.
pub fn generate_vocab_remapping(
    new_vocab_file: &Output,
    old_vocab_file: &Output,
    new_vocab_offset: i64,
    num_new_vocab: i64,
) -> GenerateVocabRemapping {
    let mut node =
        NodeBuilder::new("GenerateVocabRemapping").input(new_vocab_file).input(old_vocab_file);
    node.set("new_vocab_offset", new_vocab_offset.into());
    node.set("num_new_vocab", num_new_vocab.into());
    GenerateVocabRemapping(node)
}

/// A `GenerateVocabRemapping` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct GenerateVocabRemapping(NodeBuilder);

impl GenerateVocabRemapping {
    /// The attribute `old_vocab_size`; `-1` unless set.
    pub fn old_vocab_size(mut self, value: i64) -> GenerateVocabRemapping {
        self.0.set("old_vocab_size", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> GenerateVocabRemapping {
        GenerateVocabRemapping(self.0.name(name))
    }

    /// Adds the node and gives (`remapping`, `num_present`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `HistogramSummary(tag, values) -> (summary)`.
///
/// * `tag`: string
/// * `values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `summary`: string
///
/// Gradients do not flow through it.
pub fn histogram_summary(tag: &Output, values: &Output) -> ForOutput {
    let node = NodeBuilder::new("HistogramSummary").input(tag).input(values);
    ForOutput(node)
}

/// `LoadAndRemapMatrix(ckpt_path, old_tensor_name, row_remapping, col_remapping, initializing_values) -> (output_matrix)`.
///
/// * `ckpt_path`: string
/// * `old_tensor_name`: string
/// * `row_remapping`: int64
/// * `col_remapping`: int64
/// * `initializing_values`: float
/// * `num_rows`: attribute, int, at least 0
/// * `num_cols`: attribute, int, at least 1
/// * gives `output_matrix`: float
///
/// Gradients do not flow through it. Has state or effects.
pub fn load_and_remap_matrix(
    ckpt_path: &Output,
    old_tensor_name: &Output,
    row_remapping: &Output,
    col_remapping: &Output,
    initializing_values: &Output,
    num_rows: i64,
    num_cols: i64,
) -> LoadAndRemapMatrix {
    let mut node = NodeBuilder::new("LoadAndRemapMatrix")
        .input(ckpt_path)
        .input(old_tensor_name)
        .input(row_remapping)
        .input(col_remapping)
        .input(initializing_values);
    node.set("num_rows", num_rows.into());
    node.set("num_cols", num_cols.into());
    LoadAndRemapMatrix(node)
}

/// A `LoadAndRemapMatrix` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LoadAndRemapMatrix(NodeBuilder);

impl LoadAndRemapMatrix {
    /// The attribute `max_rows_in_memory`; `-1` unless set.
    pub fn max_rows_in_memory(mut self, value: i64) -> LoadAndRemapMatrix {
        self.0.set("max_rows_in_memory", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> LoadAndRemapMatrix {
        LoadAndRemapMatrix(self.0.name(name))
    }

    /// Adds the node and gives `output_matrix`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `MatchingFiles(pattern) -> (filenames)`.
///
/// * `pattern`: string
/// * gives `filenames`: string
///
/// Gradients do not flow through it.
pub fn matching_files(pattern: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatchingFiles").input(pattern);
    ForOutput(node)
}

/// `MergeSummary(inputs) -> (summary)`.
///
/// * `inputs`: `N` values of string
/// * gives `summary`: string
///
/// Gradients do not flow through it.
pub fn merge_summary(inputs: &[Output]) -> ForOutput {
    let node = NodeBuilder::new("MergeSummary").list(inputs);
    ForOutput(node)
}

/// `MergeV2Checkpoints(checkpoint_prefixes, destination_prefix) -> ()`.
///
/// * `checkpoint_prefixes`: string
/// * `destination_prefix`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn merge_v2_checkpoints(
    checkpoint_prefixes: &Output,
    destination_prefix: &Output,
) -> MergeV2Checkpoints {
    let node =
        NodeBuilder::new("MergeV2Checkpoints").input(checkpoint_prefixes).input(destination_prefix);
    MergeV2Checkpoints(node)
}

/// A `MergeV2Checkpoints` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MergeV2Checkpoints(NodeBuilder);

impl MergeV2Checkpoints {
    /// The attribute `delete_old_dirs`; `true` unless set.
    pub fn delete_old_dirs(mut self, value: bool) -> MergeV2Checkpoints {
        self.0.set("delete_old_dirs", value.into());
        self
    }

    /// The attribute `allow_missing_files`; `false` unless set.
    pub fn allow_missing_files(mut self, value: bool) -> MergeV2Checkpoints {
        self.0.set("allow_missing_files", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MergeV2Checkpoints {
        MergeV2Checkpoints(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

/// `ParseTensor(serialized) -> (output)`.
///
/// * `serialized`: string
/// * `out_type`: attribute, type
/// * gives `output`: `out_type` (any type)
///
/// Gradients do not flow through it.
pub fn parse_tensor(serialized: &Output, out_type: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("ParseTensor").input(serialized);
    node.set("out_type", out_type.into());
    ForOutput(node)
}

/// `ReadFile(filename) -> (contents)`.
///
/// * `filename`: string
/// * gives `contents`: string
///
/// Gradients do not flow through it.
pub fn read_file(filename: &Output) -> ForOutput {
    let node = NodeBuilder::new("ReadFile").input(filename);
    ForOutput(node)
}

/// `ReduceJoin(inputs, reduction_indices) -> (output)`.
///
/// * `inputs`: string
/// * `reduction_indices`: int32
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn reduce_join(inputs: &Output, reduction_indices: &Output) -> ReduceJoin {
    let node = NodeBuilder::new("ReduceJoin").input(inputs).input(reduction_indices);
    ReduceJoin(node)
}

/// A `ReduceJoin` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ReduceJoin(NodeBuilder);

impl ReduceJoin {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> ReduceJoin {
        self.0.set("keep_dims", value.into());
        self
    }

    /// The attribute `separator`; `""` unless set.
    pub fn separator(mut self, value: &str) -> ReduceJoin {
        self.0.set("separator", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ReduceJoin {
        ReduceJoin(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `RegexFullMatch(input, pattern) -> (output)`.
///
/// * `input`: string
/// * `pattern`: string
/// * gives `output`: bool
///
/// Gradients do not flow through it.
pub fn regex_full_match(input: &Output, pattern: &Output) -> ForOutput {
    let node = NodeBuilder::new("RegexFullMatch").input(input).input(pattern);
    ForOutput(node)
}

/// `RegexReplace(input, pattern, rewrite) -> (output)`.
///
/// * `input`: string
/// * `pattern`: string
/// * `rewrite`: string
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn regex_replace(input: &Output, pattern: &Output, rewrite: &Output) -> RegexReplace {
    let node = NodeBuilder::new("RegexReplace").input(input).input(pattern).input(rewrite);
    RegexReplace(node)
}

/// A `RegexReplace` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RegexReplace(NodeBuilder);

impl RegexReplace {
    /// The attribute `replace_global`; `true` unless set.
    pub fn replace_global(mut self, value: bool) -> RegexReplace {
        self.0.set("replace_global", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RegexReplace {
        RegexReplace(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `RestoreV2(prefix, tensor_names, shape_and_slices) -> (tensors)`.
///
/// * `prefix`: string
/// * `tensor_names`: string
/// * `shape_and_slices`: string
/// * `dtypes`: attribute, list(type), at least 1 long
/// * gives `tensors`: several, of types `dtypes`
///
/// Gradients do not flow through it. Has state or effects.
pub fn restore_v2(
    prefix: &Output,
    tensor_names: &Output,
    shape_and_slices: &Output,
    dtypes: &[DataType],
) -> ForOutputs {
    let mut node =
        NodeBuilder::new("RestoreV2").input(prefix).input(tensor_names).input(shape_and_slices);
    node.set("dtypes", dtypes.to_vec().into());
    ForOutputs(node)
}

/// `SaveV2(prefix, tensor_names, shape_and_slices, tensors) -> ()`.
///
/// * `prefix`: string
/// * `tensor_names`: string
/// * `shape_and_slices`: string
/// * `tensors`: several, of types `dtypes`
///
/// Gradients do not flow through it. Has state or effects.
pub fn save_v2(
    prefix: &Output,
    tensor_names: &Output,
    shape_and_slices: &Output,
    tensors: &[Output],
) -> ForOperation {
    let node = NodeBuilder::new("SaveV2")
        .input(prefix)
        .input(tensor_names)
        .input(shape_and_slices)
        .list(tensors);
    ForOperation(node)
}

/// `ScalarSummary(tags, values) -> (summary)`.
///
/// * `tags`: string
/// * `values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `summary`: string
///
/// Gradients do not flow through it.
pub fn scalar_summary(tags: &Output, values: &Output) -> ForOutput {
    let node = NodeBuilder::new("ScalarSummary").input(tags).input(values);
    ForOutput(node)
}

/// `SerializeTensor(tensor) -> (serialized)`.
///
/// * `tensor`: `T` (any type)
/// * gives `serialized`: string
///
/// Gradients do not flow through it.
pub fn serialize_tensor(tensor: &Output) -> ForOutput {
    let node = NodeBuilder::new("SerializeTensor").input(tensor);
    ForOutput(node)
}

/// `ShardedFilename(basename, shard, num_shards) -> (filename)`.
///
/// * `basename`: string
/// * `shard`: int32
/// * `num_shards`: int32
/// * gives `filename`: string
///
/// Gradients do not flow through it.
pub fn sharded_filename(basename: &Output, shard: &Output, num_shards: &Output) -> ForOutput {
    let node = NodeBuilder::new("ShardedFilename").input(basename).input(shard).input(num_shards);
    ForOutput(node)
}

/// `ShardedFilespec(basename, num_shards) -> (filename)`.
///
/// * `basename`: string
/// * `num_shards`: int32
/// * gives `filename`: string
///
/// Gradients do not flow through it.
pub fn sharded_filespec(basename: &Output, num_shards: &Output) -> ForOutput {
    let node = NodeBuilder::new("ShardedFilespec").input(basename).input(num_shards);
    ForOutput(node)
}

/// `StaticRegexFullMatch(input) -> (output)`.
///
/// * `input`: string
/// * `pattern`: attribute, string
/// * gives `output`: bool
///
/// Gradients do not flow through it.
pub fn static_regex_full_match(input: &Output, pattern: &str) -> ForOutput {
    let mut node = NodeBuilder::new("StaticRegexFullMatch").input(input);
    node.set("pattern", text(pattern));
    ForOutput(node)
}

/// `StaticRegexReplace(input) -> (output)`.
///
/// * `input`: string
/// * `pattern`: attribute, string
/// * `rewrite`: attribute, string
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn static_regex_replace(input: &Output, pattern: &str, rewrite: &str) -> StaticRegexReplace {
    let mut node = NodeBuilder::new("StaticRegexReplace").input(input);
    node.set("pattern", text(pattern));
    node.set("rewrite", text(rewrite));
    StaticRegexReplace(node)
}

/// A `StaticRegexReplace` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StaticRegexReplace(NodeBuilder);

impl StaticRegexReplace {
    /// The attribute `replace_global`; `true` unless set.
    pub fn replace_global(mut self, value: bool) -> StaticRegexReplace {
        self.0.set("replace_global", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StaticRegexReplace {
        StaticRegexReplace(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StringFormat(inputs) -> (output)`.
///
/// * `inputs`: several, of types `T`
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn string_format(graph: &Graph, inputs: &[Output]) -> StringFormat {
    let node = NodeBuilder::in_graph(graph, "StringFormat").list(inputs);
    StringFormat(node)
}

/// A `StringFormat` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StringFormat(NodeBuilder);

impl StringFormat {
    /// The attribute `template`; `"%s"` unless set.
    pub fn template(mut self, value: &str) -> StringFormat {
        self.0.set("template", text(value));
        self
    }

    /// The attribute `placeholder`; `"%s"` unless set.
    pub fn placeholder(mut self, value: &str) -> StringFormat {
        self.0.set("placeholder", text(value));
        self
    }

    /// The attribute `summarize`; `3` unless set.
    pub fn summarize(mut self, value: i64) -> StringFormat {
        self.0.set("summarize", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StringFormat {
        StringFormat(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StringJoin(inputs) -> (output)`.
///
/// * `inputs`: `N` values of string
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn string_join(graph: &Graph, inputs: &[Output]) -> StringJoin {
    let node = NodeBuilder::in_graph(graph, "StringJoin").list(inputs);
    StringJoin(node)
}

/// A `StringJoin` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StringJoin(NodeBuilder);

impl StringJoin {
    /// The attribute `separator`; `""` unless set.
    pub fn separator(mut self, value: &str) -> StringJoin {
        self.0.set("separator", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StringJoin {
        StringJoin(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StringLength(input) -> (output)`.
///
/// * `input`: string
/// * gives `output`: int32
///
/// Gradients do not flow through it.
pub fn string_length(input: &Output) -> StringLength {
    let node = NodeBuilder::new("StringLength").input(input);
    StringLength(node)
}

/// A `StringLength` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StringLength(NodeBuilder);

impl StringLength {
    /// The attribute `unit`; `"BYTE"` unless set.
    pub fn unit(mut self, value: &str) -> StringLength {
        self.0.set("unit", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StringLength {
        StringLength(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StringLower(input) -> (output)`.
///
/// * `input`: string
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn string_lower(input: &Output) -> StringLower {
    let node = NodeBuilder::new("StringLower").input(input);
    StringLower(node)
}

/// A `StringLower` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StringLower(NodeBuilder);

impl StringLower {
    /// The attribute `encoding`; `""` unless set.
    pub fn encoding(mut self, value: &str) -> StringLower {
        self.0.set("encoding", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StringLower {
        StringLower(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StringNGrams(data, data_splits) -> (ngrams, ngrams_splits)`.
///
/// * `data`: string
/// * `data_splits`: `Tsplits` (int32, int64)
/// * `separator`: attribute, string
/// * `ngram_widths`: attribute, list(int), at least 0 long
/// * `left_pad`: attribute, string
/// * `right_pad`: attribute, string
/// * `pad_width`: attribute, int
/// * `preserve_short_sequences`: attribute, bool
/// * gives `ngrams`: string
/// * gives `ngrams_splits`: `Tsplits` (int32, int64)
///
/// Gradients do not flow through it.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn string_n_grams(
    data: &Output,
    data_splits: &Output,
    separator: &str,
    ngram_widths: &[i64],
    left_pad: &str,
    right_pad: &str,
    pad_width: i64,
    preserve_short_sequences: bool,
) -> StringNGrams {
    let mut node = NodeBuilder::new("StringNGrams").input(data).input(data_splits);
    node.set("separator", text(separator));
    node.set("ngram_widths", ngram_widths.to_vec().into());
    node.set("left_pad", text(left_pad));
    node.set("right_pad", text(right_pad));
    node.set("pad_width", pad_width.into());
    node.set("preserve_short_sequences", preserve_short_sequences.into());
    StringNGrams(node)
}

/// A `StringNGrams` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StringNGrams(NodeBuilder);

impl StringNGrams {
    /// Names the node.
    pub fn name(self, name: &str) -> StringNGrams {
        StringNGrams(self.0.name(name))
    }

    /// Adds the node and gives (`ngrams`, `ngrams_splits`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `StringSplit(input, delimiter) -> (indices, values, shape)`.
///
/// * `input`: string
/// * `delimiter`: string
/// * gives `indices`: int64
/// * gives `values`: string
/// * gives `shape`: int64
///
/// Gradients do not flow through it.
pub fn string_split(input: &Output, delimiter: &Output) -> StringSplit {
    let node = NodeBuilder::new("StringSplit").input(input).input(delimiter);
    StringSplit(node)
}

/// A `StringSplit` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StringSplit(NodeBuilder);

impl StringSplit {
    /// The attribute `skip_empty`; `true` unless set.
    pub fn skip_empty(mut self, value: bool) -> StringSplit {
        self.0.set("skip_empty", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StringSplit {
        StringSplit(self.0.name(name))
    }

    /// Adds the node and gives (`indices`, `values`, `shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `StringSplitV2(input, sep) -> (indices, values, shape)`.
///
/// * `input`: string
/// * `sep`: string
/// * gives `indices`: int64
/// * gives `values`: string
/// * gives `shape`: int64
///
/// Gradients do not flow through it.
pub fn string_split_v2(input: &Output, sep: &Output) -> StringSplitV2 {
    let node = NodeBuilder::new("StringSplitV2").input(input).input(sep);
    StringSplitV2(node)
}

/// A `StringSplitV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StringSplitV2(NodeBuilder);

impl StringSplitV2 {
    /// The attribute `maxsplit`; `-1` unless set.
    pub fn maxsplit(mut self, value: i64) -> StringSplitV2 {
        self.0.set("maxsplit", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StringSplitV2 {
        StringSplitV2(self.0.name(name))
    }

    /// Adds the node and gives (`indices`, `values`, `shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `StringStrip(input) -> (output)`.
///
/// * `input`: string
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn string_strip(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("StringStrip").input(input);
    ForOutput(node)
}

/// `StringToHashBucket(string_tensor) -> (output)`.
///
/// * `string_tensor`: string
/// * `num_buckets`: attribute, int, at least 1
/// * gives `output`: int64
///
/// Gradients do not flow through it.
pub fn string_to_hash_bucket(string_tensor: &Output, num_buckets: i64) -> ForOutput {
    let mut node = NodeBuilder::new("StringToHashBucket").input(string_tensor);
    node.set("num_buckets", num_buckets.into());
    ForOutput(node)
}

/// `StringToHashBucketFast(input) -> (output)`.
///
/// * `input`: string
/// * `num_buckets`: attribute, int, at least 1
/// * gives `output`: int64
///
/// Gradients do not flow through it.
pub fn string_to_hash_bucket_fast(input: &Output, num_buckets: i64) -> ForOutput {
    let mut node = NodeBuilder::new("StringToHashBucketFast").input(input);
    node.set("num_buckets", num_buckets.into());
    ForOutput(node)
}

/// `StringToHashBucketStrong(input) -> (output)`.
///
/// * `input`: string
/// * `num_buckets`: attribute, int, at least 1
/// * `key`: attribute, list(int)
/// * gives `output`: int64
///
/// Gradients do not flow through it.
pub fn string_to_hash_bucket_strong(input: &Output, num_buckets: i64, key: &[i64]) -> ForOutput {
    let mut node = NodeBuilder::new("StringToHashBucketStrong").input(input);
    node.set("num_buckets", num_buckets.into());
    node.set("key", key.to_vec().into());
    ForOutput(node)
}

/// `StringToNumber(string_tensor) -> (output)`.
///
/// * `string_tensor`: string
/// * gives `output`: `out_type` (float, double, int32, int64, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn string_to_number(string_tensor: &Output) -> StringToNumber {
    let node = NodeBuilder::new("StringToNumber").input(string_tensor);
    StringToNumber(node)
}

/// A `StringToNumber` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StringToNumber(NodeBuilder);

impl StringToNumber {
    /// The attribute `out_type`; float unless set.
    pub fn out_type(mut self, value: DataType) -> StringToNumber {
        self.0.set("out_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StringToNumber {
        StringToNumber(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StringUpper(input) -> (output)`.
///
/// * `input`: string
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn string_upper(input: &Output) -> StringUpper {
    let node = NodeBuilder::new("StringUpper").input(input);
    StringUpper(node)
}

/// A `StringUpper` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StringUpper(NodeBuilder);

impl StringUpper {
    /// The attribute `encoding`; `""` unless set.
    pub fn encoding(mut self, value: &str) -> StringUpper {
        self.0.set("encoding", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StringUpper {
        StringUpper(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `Substr(input, pos, len) -> (output)`.
///
/// * `input`: string
/// * `pos`: `T` (int32, int64)
/// * `len`: `T` (int32, int64)
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn substr(input: &Output, pos: &Output, len: &Output) -> Substr {
    let node = NodeBuilder::new("Substr").input(input).input(pos).input(len);
    Substr(node)
}

/// A `Substr` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Substr(NodeBuilder);

impl Substr {
    /// The attribute `unit`; `"BYTE"` unless set.
    pub fn unit(mut self, value: &str) -> Substr {
        self.0.set("unit", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Substr {
        Substr(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `TensorSummary(tensor) -> (summary)`.
///
/// * `tensor`: `T` (any type)
/// * gives `summary`: string
///
/// Gradients do not flow through it.
pub fn tensor_summary(tensor: &Output) -> TensorSummary {
    let node = NodeBuilder::new("TensorSummary").input(tensor);
    TensorSummary(node)
}

/// A `TensorSummary` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorSummary(NodeBuilder);

impl TensorSummary {
    /// The attribute `description`; `""` unless set.
    pub fn description(mut self, value: &str) -> TensorSummary {
        self.0.set("description", text(value));
        self
    }

    /// The attribute `labels`; an empty list unless set.
    pub fn labels(mut self, value: &[&str]) -> TensorSummary {
        self.0.set("labels", texts(value));
        self
    }

    /// The attribute `display_name`; `""` unless set.
    pub fn display_name(mut self, value: &str) -> TensorSummary {
        self.0.set("display_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorSummary {
        TensorSummary(self.0.name(name))
    }

    /// Adds the node and gives `summary`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `TensorSummaryV2(tag, tensor, serialized_summary_metadata) -> (summary)`.
///
/// * `tag`: string
/// * `tensor`: `T` (any type)
/// * `serialized_summary_metadata`: string
/// * gives `summary`: string
///
/// Gradients do not flow through it.
pub fn tensor_summary_v2(
    tag: &Output,
    tensor: &Output,
    serialized_summary_metadata: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorSummaryV2")
        .input(tag)
        .input(tensor)
        .input(serialized_summary_metadata);
    ForOutput(node)
}

/// `UnsortedSegmentJoin(inputs, segment_ids, num_segments) -> (output)`.
///
/// * `inputs`: string
/// * `segment_ids`: `Tindices` (int32, int64)
/// * `num_segments`: `Tnumsegments` (int32, int64)
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn unsorted_segment_join(
    inputs: &Output,
    segment_ids: &Output,
    num_segments: &Output,
) -> UnsortedSegmentJoin {
    let node = NodeBuilder::new("UnsortedSegmentJoin")
        .input(inputs)
        .input(segment_ids)
        .input(num_segments);
    UnsortedSegmentJoin(node)
}

/// A `UnsortedSegmentJoin` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct UnsortedSegmentJoin(NodeBuilder);

impl UnsortedSegmentJoin {
    /// The attribute `separator`; `""` unless set.
    pub fn separator(mut self, value: &str) -> UnsortedSegmentJoin {
        self.0.set("separator", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> UnsortedSegmentJoin {
        UnsortedSegmentJoin(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `WriteFile(filename, contents) -> ()`.
///
/// * `filename`: string
/// * `contents`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn write_file(filename: &Output, contents: &Output) -> ForOperation {
    let node = NodeBuilder::new("WriteFile").input(filename).input(contents);
    ForOperation(node)
}
