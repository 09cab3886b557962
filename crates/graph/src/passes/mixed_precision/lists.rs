//! What is known of operations' numerics in 16 bits: the default lists, and changes to them.

use std::collections::BTreeMap;

/// How an operation stands to 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Numerics {
    /// Safe and worth it: always computed in 16 bits.
    Allow,
    /// Safe unless something dangerous comes before it: follows what is around it.
    Infer,
    /// Dangerous, also for what follows: always computed in float32.
    Deny,
    /// Without an effect on numbers: follows what is next to it.
    Clear,
}

/// Every operation's [`Numerics`]; operations that are not listed keep float32 and are borders.
///
/// ```
/// use downpour_graph::passes::{Numerics, PrecisionLists};
/// let lists = PrecisionLists::default().with("Softmax", Numerics::Infer).without("Conv2D");
/// assert_eq!(lists.of("MatMul"), Some(Numerics::Allow));
/// assert_eq!(lists.of("Softmax"), Some(Numerics::Infer));
/// assert_eq!(lists.of("Conv2D"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrecisionLists(BTreeMap<String, Numerics>);

impl Default for PrecisionLists {
    /// TensorFlow's lists, but for logarithms and softmax, which sum exponentials and are denied here.
    fn default() -> PrecisionLists {
        let all = [
            (Numerics::Allow, ALLOW),
            (Numerics::Infer, INFER),
            (Numerics::Deny, DENY),
            (Numerics::Clear, CLEAR),
        ];
        let named = all.into_iter().flat_map(|(numerics, names)| {
            names.split_whitespace().map(move |name| (name.to_string(), numerics))
        });
        PrecisionLists(named.collect())
    }
}

impl PrecisionLists {
    /// No operation: nothing is rewritten until some are added.
    pub fn empty() -> PrecisionLists {
        PrecisionLists(BTreeMap::new())
    }

    /// The same with an operation on another list.
    pub fn with(mut self, op: &str, numerics: Numerics) -> PrecisionLists {
        self.0.insert(op.to_string(), numerics);
        self
    }

    /// The same with an operation on no list.
    pub fn without(mut self, op: &str) -> PrecisionLists {
        self.0.remove(op);
        self
    }

    /// The list an operation is on.
    pub fn of(&self, op: &str) -> Option<Numerics> {
        self.0.get(op).copied()
    }

    /// All operations that are on a list, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Numerics)> {
        self.0.iter().map(|(name, numerics)| (name.as_str(), *numerics))
    }
}

/// The attribute that is the type of the numbers an operation computes with. Statistics of batch
/// normalisation have one of their own, which stays float32.
pub(super) fn type_attribute(op: &str) -> &'static str {
    match op {
        "Gather" | "GatherV2" | "GatherNd" => "Tparams",
        _ => "T",
    }
}

const ALLOW: &str = "
    BatchMatMul BatchMatMulV2 BlockLSTM BlockLSTMGrad BlockLSTMGradV2 BlockLSTMV2
    Conv2D Conv2DBackpropFilter Conv2DBackpropInput
    Conv3D Conv3DBackpropFilter Conv3DBackpropFilterV2 Conv3DBackpropInput Conv3DBackpropInputV2
    DepthwiseConv2dNative DepthwiseConv2dNativeBackpropFilter DepthwiseConv2dNativeBackpropInput
    Einsum GRUBlockCell GRUBlockCellGrad LSTMBlockCell LSTMBlockCellGrad MatMul";

const INFER: &str = "
    Add AddN AddV2 AvgPool AvgPool3D AvgPool3DGrad AvgPoolGrad BiasAdd BiasAddGrad BiasAddV1
    Elu EluGrad Erf Erfc FloorDiv
    FusedBatchNormGradV2 FusedBatchNormGradV3 FusedBatchNormV2 FusedBatchNormV3
    Inv LeakyRelu LeakyReluGrad Mul Prod RealDiv Reciprocal Selu SeluGrad Sigmoid SigmoidGrad
    Softplus SoftplusGrad Softsign SoftsignGrad Sqrt SquaredDifference Sub Tanh TanhGrad";

const DENY: &str = "
    Cumsum Exp Expm1 L2Loss Log LogSoftmax Log1p Mean Pow Rsqrt Softmax
    SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits Square Sum";

const CLEAR: &str = "
    Abs ArgMax ArgMin BatchToSpace BatchToSpaceND BroadcastTo Ceil CheckNumerics ClipByValue
    Concat ConcatV2 DepthToSpace DynamicPartition DynamicStitch EnsureShape Equal ExpandDims Fill
    Floor Gather GatherNd GatherV2 Greater GreaterEqual Identity IsFinite IsInf IsNan Less LessEqual
    Max MaxPool MaxPool3D MaxPool3DGrad MaxPool3DGradGrad MaxPoolGrad MaxPoolGradGrad
    MaxPoolGradGradV2 MaxPoolGradV2 MaxPoolV2 Maximum Min Minimum MirrorPad MirrorPadGrad Neg
    NotEqual OneHot OnesLike Pack Pad PadV2 PreventGradient Rank Relu Relu6 Relu6Grad ReluGrad
    Reshape ResizeNearestNeighbor ResizeNearestNeighborGrad Reverse ReverseSequence ReverseV2 Round
    Select SelectV2 Shape ShapeN Sign Size Slice Snapshot SpaceToBatch SpaceToBatchND SpaceToDepth
    Split SplitV Squeeze StopGradient StridedSlice StridedSliceGrad Tile TopK TopKV2 Transpose
    Unpack Where ZerosLike";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_operation_is_on_two_lists() {
        let named: usize =
            [ALLOW, INFER, DENY, CLEAR].iter().map(|list| list.split_whitespace().count()).sum();
        assert_eq!(named, PrecisionLists::default().iter().count());
    }
}
