//! Columns of tables as numbers and ids.

use downpour_tensor::{DataType, Result, Status};
use serde::{Deserialize, Serialize};

use crate::layers::HashEmbedding;
use crate::ops;
use crate::output::Output;

/// A column with a number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Numeric {
    /// What is subtracted. Columns with neither `mean` nor `deviation` are normalised by moving averages of
    /// what is seen while training.
    pub mean: Option<f64>,
    /// What is divided by after that.
    pub deviation: Option<f64>,
    /// Takes log(1 + x) first, for amounts that are mostly small and sometimes huge.
    pub log: bool,
    /// Where the number is cut into ranges for the wide part and for crossed columns; none without them.
    pub boundaries: Vec<f32>,
}

/// A column with one of several categories: text or a whole number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Categorical {
    /// The known categories; all others are one more.
    pub vocabulary: Vec<String>,
    /// Without a vocabulary: into so many buckets the categories are hashed.
    pub buckets: usize,
    /// For ids that nobody knows in advance (users, items): there is room for so many of them, and who was not
    /// seen for longest makes room for others. Instead of a vocabulary or buckets.
    pub capacity: usize,
    /// With `capacity`: an id counts by itself when it is seen for the n-th time.
    pub admit_after: u32,
    /// With `capacity`: an id that so many steps have not seen is forgotten; 0 keeps it.
    pub max_age: u64,
    /// The size of a category's vector in the deep part; 0 leaves the column out of it.
    pub embedding: usize,
}

impl Default for Categorical {
    fn default() -> Categorical {
        Categorical {
            vocabulary: Vec::new(),
            buckets: 100,
            capacity: 0,
            admit_after: 1,
            max_age: 0,
            embedding: 8,
        }
    }
}

/// Columns that count together in the wide part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crossed {
    /// Categorical columns, and numeric ones with boundaries.
    pub columns: Vec<String>,
    /// Into so many buckets the combinations are hashed.
    #[serde(default = "thousand")]
    pub buckets: usize,
}

fn thousand() -> usize {
    1000
}

/// One value per example, [batch].
pub(super) fn vector(x: &Output) -> Result<Output> {
    match x.known_rank("the model")? {
        1 => Ok(x.clone()),
        2 if x.shape().dim(1).is_none_or(|size| size == 1) => x.reshape(&[-1]),
        _ => Err(Status::invalid_argument(format!(
            "the model takes one value per example of each column, but {} has the shape {}",
            x.name(),
            x.shape()
        ))),
    }
}

/// The categories as text.
pub(super) fn text(x: &Output) -> Result<Output> {
    let x = vector(x)?;
    match x.dtype() {
        DataType::String => Ok(x),
        dtype if dtype.is_integer() || dtype == DataType::Bool => ops::as_string(&x).build(),
        dtype => Err(Status::invalid_argument(format!(
            "categories are text or whole numbers, but {} is {dtype}; say numeric, with boundaries",
            x.name()
        ))),
    }
}

/// int64 buckets of texts.
pub(super) fn hash(texts: &Output, buckets: usize) -> Result<Output> {
    let buckets = i64::try_from(buckets).unwrap_or(i64::MAX);
    if buckets < 1 {
        return Err(Status::invalid_argument("a column needs at least 1 bucket"));
    }
    ops::string_to_hash_bucket_fast(texts, buckets).build()
}

impl Numeric {
    /// The number itself, [batch], float32.
    pub(super) fn number(&self, x: &Output) -> Result<Output> {
        let x = vector(x)?;
        if !x.dtype().is_floating() && !x.dtype().is_integer() {
            return Err(Status::invalid_argument(format!(
                "{} is {}, not a number; say categorical",
                x.name(),
                x.dtype()
            )));
        }
        let x = x.cast(DataType::Float)?;
        if self.log { x.relu()?.log1p() } else { Ok(x) }
    }

    /// The number as it was said to be normalised; `None` if nothing was said.
    pub(super) fn normalised(&self, number: &Output) -> Result<Option<Output>> {
        if self.mean.is_none() && self.deviation.is_none() {
            return Ok(None);
        }
        let deviation = self.deviation.unwrap_or(1.0);
        if deviation == 0.0 || !deviation.is_finite() {
            return Err(Status::invalid_argument(format!(
                "a deviation of {deviation} cannot be divided by"
            )));
        }
        let centred = (number - self.mean.unwrap_or(0.0))?;
        Ok(Some((centred / deviation)?))
    }

    /// The number of the range it is in, int32.
    pub(super) fn range(&self, x: &Output) -> Result<Output> {
        let x = vector(x)?.cast(DataType::Float)?;
        if !self.boundaries.is_sorted() {
            return Err(Status::invalid_argument(format!(
                "the boundaries of {} are not in ascending order",
                x.name()
            )));
        }
        ops::bucketize(&x, &self.boundaries).build()
    }
}

impl Categorical {
    /// How many ids there are.
    pub(super) fn count(&self) -> usize {
        match self.vocabulary.len() {
            0 => self.buckets,
            known => known + 1,
        }
    }

    /// Whether its ids are not known in advance.
    pub(super) fn is_open(&self) -> bool {
        self.capacity > 0
    }

    fn check(&self) -> Result<()> {
        let mistake = match self.is_open() {
            true if !self.vocabulary.is_empty() => {
                "a column has a vocabulary or a capacity for ids not known in advance, not both"
            }
            false if self.admit_after != 1 || self.max_age != 0 => {
                "admit_after and max_age are for ids not known in advance: say in `capacity` for how many there is room"
            }
            _ => return Ok(()),
        };
        Err(Status::invalid_argument(mistake))
    }

    /// A vector of this size for each example, of a column whose ids are not known in advance.
    pub(super) fn open_vectors(
        &self,
        x: &Output,
        table: HashEmbedding,
        training: bool,
    ) -> Result<Output> {
        self.check()?;
        let ids = match x.dtype() {
            DataType::Int32 | DataType::Int64 => vector(x)?,
            _ => text(x)?,
        };
        let table = table.admit_after(self.admit_after).max_age(self.max_age);
        table.build(&ids, training)
    }

    /// int64 ids, [batch].
    pub(super) fn ids(&self, x: &Output) -> Result<Output> {
        self.check()?;
        let texts = text(x)?;
        let known = self.vocabulary.len();
        if known == 0 {
            return hash(&texts, self.buckets);
        }
        let words = x.graph().constant(self.vocabulary.clone())?;
        let same = texts.expand_dims(1)?.equal(&words.expand_dims(0)?)?.cast(DataType::Float)?;
        let found = same.reduce_max(&[1], false)?;
        let found = found.greater(&found.scalar_like(0.0)?)?;
        found.select(&same.argmax(1)?, &x.graph().constant(known as i64)?)
    }
}
