//! How the elements of several ranks become one.

mod kernels;

use downpour_tensor::{DataType, RealNumber, Result, Status, bf16, f16};

/// What is done with the elements of all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReduceOp {
    /// Their sum; integers wrap.
    Sum,
    /// Their sum divided by the number of ranks; integers round toward zero.
    Mean,
    /// The smallest; a NaN wins.
    Min,
    /// The largest; a NaN wins.
    Max,
    /// Their product; integers wrap.
    Product,
}

impl ReduceOp {
    /// The name in messages.
    pub fn name(self) -> &'static str {
        match self {
            ReduceOp::Sum => "sum",
            ReduceOp::Mean => "mean",
            ReduceOp::Min => "min",
            ReduceOp::Max => "max",
            ReduceOp::Product => "product",
        }
    }
}

/// Which operand is the left one. It shows only in zeros of different sign and in NaNs, but results must be
/// the same bits everywhere: the elements of lower ranks go first wherever two ranks compute the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// What is there, then what came.
    DestinationFirst,
    /// What came, then what is there.
    IncomingFirst,
}

type CombineKernel = fn(&mut [u8], &[u8], Order);
type ManyKernel = fn(&mut [u8], &[&[u8]]);
type DivideKernel = fn(&mut [u8], usize);

/// A reduction of elements of one type, as functions on their bytes.
#[derive(Clone, Copy)]
pub struct Reduction {
    op: ReduceOp,
    dtype: DataType,
    element_size: usize,
    combine: CombineKernel,
    combine_many: ManyKernel,
    divide: DivideKernel,
}

/// Numbers that can be reduced.
pub trait Number: RealNumber + bytemuck::Pod {}

impl<T: RealNumber + bytemuck::Pod> Number for T {}

impl Reduction {
    /// Fails with UNIMPLEMENTED for what are not real numbers.
    pub fn new(op: ReduceOp, dtype: DataType) -> Result<Reduction> {
        let (combine, combine_many, divide) = match dtype {
            DataType::Half => kernels::half::<f16>(op),
            DataType::BFloat16 => kernels::half::<bf16>(op),
            dtype => downpour_tensor::dispatch_over!(dtype, "a collective reduction",
                T => Ok(kernels::plain::<T>(op)),
                Float: f32, Double: f64, Int8: i8, Int16: i16, Int32: i32, Int64: i64,
                UInt8: u8, UInt16: u16, UInt32: u32, UInt64: u64)?,
        };
        let element_size = dtype.size();
        Ok(Reduction { op, dtype, element_size, combine, combine_many, divide })
    }

    /// What is done.
    pub fn op(&self) -> ReduceOp {
        self.op
    }

    /// To elements of which type.
    pub fn dtype(&self) -> DataType {
        self.dtype
    }

    /// Bytes of an element.
    pub fn element_size(&self) -> usize {
        self.element_size
    }

    /// Combines two runs of elements of equal length, both aligned; a part of an element is left alone.
    pub(crate) fn combine(&self, destination: &mut [u8], incoming: &[u8], order: Order) {
        (self.combine)(destination, incoming, order);
    }

    /// The combination of the runs in their order; sums of 16-bit floats are rounded once, at the end.
    pub(crate) fn combine_many(&self, destination: &mut [u8], runs: &[&[u8]]) {
        (self.combine_many)(destination, runs);
    }

    /// The reduction of several runs of elements that are all in memory, in their order.
    ///
    /// # Errors
    /// INVALID_ARGUMENT unless all are whole elements, aligned and equally many.
    pub fn reduce(&self, destination: &mut [u8], runs: &[&[u8]]) -> Result<()> {
        self.check(destination)?;
        for run in runs {
            self.check(run)?;
            if run.len() != destination.len() {
                return Err(Status::invalid_argument(format!(
                    "{} and {} bytes cannot be reduced to one another",
                    destination.len(),
                    run.len()
                )));
            }
        }
        self.combine_many(destination, runs);
        self.finish(destination, runs.len());
        Ok(())
    }

    /// Divides elements by a number of ranks, whatever the reduction is; integers round toward zero.
    ///
    /// # Errors
    /// INVALID_ARGUMENT unless they are whole elements, aligned, and the number is not zero.
    pub fn divide(&self, elements: &mut [u8], by: usize) -> Result<()> {
        self.check(elements)?;
        if by == 0 {
            return Err(Status::invalid_argument("elements cannot be divided by no ranks"));
        }
        (self.divide)(elements, by);
        Ok(())
    }

    /// What remains to be done with elements in which those of all `ranks` are.
    pub(crate) fn finish(&self, elements: &mut [u8], ranks: usize) {
        if self.op == ReduceOp::Mean {
            (self.divide)(elements, ranks);
        }
    }

    /// Fails unless the bytes are whole elements that lie where such elements may lie.
    pub(crate) fn check(&self, bytes: &[u8]) -> Result<()> {
        let aligned = (bytes.as_ptr() as usize).is_multiple_of(self.element_size);
        if (aligned || bytes.is_empty()) && bytes.len().is_multiple_of(self.element_size) {
            return Ok(());
        }
        Err(Status::invalid_argument(format!(
            "{} bytes at an address {} are not elements of {}",
            bytes.len(),
            if aligned { "that fits" } else { "that does not fit" },
            self.dtype
        )))
    }

    /// A number for the tags of messages: ranks that reduce differently must not mix.
    pub(crate) fn tag(&self) -> u32 {
        (self.op as u32) << 8 | self.dtype as u32 & 0xff
    }
}
