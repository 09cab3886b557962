//! SparseMatrixOrderingAMD: an order of rows and columns in which the Cholesky factor has few values.
//!
//! Approximate minimum degree on a quotient graph: the row whose elimination would join the fewest others goes next. An
//! eliminated row becomes an element that stands for the clique of its neighbours; elements that lie inside another are
//! dropped, and degrees are bounded from above by the sizes of elements rather than counted. Among rows of the same
//! degree ours is the one that was changed last, which need not be TensorFlow's choice: the orders may differ where both
//! are as good.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, Result, Shape, Status, Tensor};

use crate::matrix::{CsrMatrix, matrix};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("SparseMatrixOrderingAMD(input: variant) -> (output: int32)")?
            .shape(shapes::unknown),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let input = matrix(cx, 0)?;
    let n = input.rows();
    if n != input.columns_len() {
        return Err(Status::invalid_argument(format!(
            "sparse matrix must be square; got: {n} != {}",
            input.columns_len()
        )));
    }
    let shape = Shape::new(&input.shape()[..input.rank() - 1]);
    let mut order = CountedVec::with_capacity(shape.elements())?;
    for batch in 0..input.batches() {
        let mut graph = Quotient::new(input, batch)?;
        for _ in 0..n {
            cx.check_cancelled()?;
            order.push(graph.eliminate()? as i32)?;
        }
    }
    cx.set_output(0, Tensor::from_slice(shape, &order)?);
    Ok(())
}

const NONE: usize = usize::MAX;

/// Rows by degree: a list for each, linked through the rows.
struct Buckets {
    first: CountedVec<usize>,
    next: CountedVec<usize>,
    previous: CountedVec<usize>,
    degree: CountedVec<usize>,
    /// No row has a smaller degree.
    smallest: usize,
}

impl Buckets {
    fn new(n: usize) -> Result<Buckets> {
        let none = || CountedVec::filled(n, NONE);
        Ok(Buckets {
            first: none()?,
            next: none()?,
            previous: none()?,
            degree: CountedVec::filled(n, 0)?,
            smallest: 0,
        })
    }

    fn insert(&mut self, row: usize, degree: usize) {
        let second = std::mem::replace(&mut self.first[degree], row);
        if second != NONE {
            self.previous[second] = row;
        }
        (self.next[row], self.previous[row]) = (second, NONE);
        self.degree[row] = degree;
        self.smallest = self.smallest.min(degree);
    }

    fn remove(&mut self, row: usize) {
        let (next, previous) = (self.next[row], self.previous[row]);
        match previous {
            NONE => self.first[self.degree[row]] = next,
            _ => self.next[previous] = next,
        }
        if next != NONE {
            self.previous[next] = previous;
        }
    }

    /// Removes a row of the smallest degree. At least one must be there.
    fn pop(&mut self) -> usize {
        while self.first[self.smallest] == NONE {
            self.smallest += 1;
        }
        let row = self.first[self.smallest];
        self.remove(row);
        row
    }
}

type Lists = CountedVec<CountedVec<u32>>;

struct Quotient {
    /// The rows next to each row, as far as no element joins them.
    neighbours: Lists,
    /// The elements that each row belongs to.
    elements: Lists,
    /// The rows of each element, named for the row whose elimination made it; empty once it is absorbed.
    members: Lists,
    buckets: Buckets,
    /// In which elimination a row was last found next to the eliminated one.
    seen: CountedVec<usize>,
    /// In which elimination an element was last met, and how many of its rows are not next to the eliminated one.
    outside: CountedVec<(usize, usize)>,
    left: usize,
}

impl Quotient {
    /// Returns the graph of the lower triangle.
    fn new(matrix: &CsrMatrix, batch: usize) -> Result<Quotient> {
        let n = matrix.rows();
        let lists = || CountedVec::build(n, |_| Ok(CountedVec::new()));
        let mut neighbours: Lists = lists()?;
        let block = batch * (n + 1);
        let pointers = &matrix.row_pointers().as_slice::<i32>()?[block..=block + n];
        let columns = &matrix.columns().as_slice::<i32>()?[matrix.batch(batch)?];
        for (row, ends) in pointers.windows(2).enumerate() {
            for &column in &columns[ends[0] as usize..ends[1] as usize] {
                if (column as usize) < row {
                    neighbours[row].push(column as u32)?;
                    neighbours[column as usize].push(row as u32)?;
                }
            }
        }
        let mut buckets = Buckets::new(n)?;
        for row in (0..n).rev() {
            let own = &mut neighbours[row];
            own.sort_unstable();
            let kept = unique(own);
            own.truncate(kept);
            buckets.insert(row, kept);
        }
        Ok(Quotient {
            neighbours,
            elements: lists()?,
            members: lists()?,
            buckets,
            seen: CountedVec::filled(n, NONE)?,
            outside: CountedVec::filled(n, (NONE, 0))?,
            left: n,
        })
    }

    /// Eliminates a row of small degree and returns it.
    fn eliminate(&mut self) -> Result<usize> {
        let pivot = self.buckets.pop();
        self.left -= 1;
        let joined = self.joined(pivot)?;
        for &row in joined.iter() {
            for &element in self.elements[row as usize].iter() {
                let size = self.members[element as usize].len();
                let (met, outside) = &mut self.outside[element as usize];
                if *met != pivot {
                    (*met, *outside) = (pivot, size);
                }
                *outside = outside.saturating_sub(1);
            }
        }
        for &row in joined.iter() {
            let row = row as usize;
            let seen = &self.seen;
            retain(&mut self.neighbours[row], |other| seen[other] != pivot);
            let (members, outside) = (&mut self.members, &self.outside);
            let mut degree = self.neighbours[row].len() + joined.len() - 1;
            retain(&mut self.elements[row], |element| {
                let (_, outside) = outside[element];
                if outside == 0 {
                    members[element].clear();
                }
                degree += outside;
                outside > 0
            });
            self.elements[row].push(pivot as u32)?;
            let degree = degree
                .min(self.left.saturating_sub(1))
                .min(self.buckets.degree[row] + joined.len() - 1);
            self.buckets.remove(row);
            self.buckets.insert(row, degree);
        }
        self.members[pivot] = joined;
        Ok(pivot)
    }

    /// Returns the rows next to the pivot, directly or through its elements, which are absorbed.
    fn joined(&mut self, pivot: usize) -> Result<CountedVec<u32>> {
        self.seen[pivot] = pivot;
        let mut joined = CountedVec::new();
        let own = std::mem::take(&mut self.elements[pivot]);
        let direct = std::mem::take(&mut self.neighbours[pivot]);
        let absorbed: Vec<_> = own
            .iter()
            .map(|&element| std::mem::take(&mut self.members[element as usize]))
            .collect();
        for rows in std::iter::once(&direct).chain(&absorbed) {
            for &row in rows.iter() {
                if self.seen[row as usize] != pivot {
                    self.seen[row as usize] = pivot;
                    joined.push(row)?;
                }
            }
        }
        for &element in own.iter() {
            // None of its rows is outside what it went into.
            self.outside[element as usize] = (pivot, 0);
        }
        Ok(joined)
    }
}

/// Moves every first of equal values to the front and returns how many there are.
fn unique(sorted: &mut [u32]) -> usize {
    let mut kept = 0;
    for i in 0..sorted.len() {
        if kept == 0 || sorted[i] != sorted[kept - 1] {
            sorted[kept] = sorted[i];
            kept += 1;
        }
    }
    kept
}

fn retain(list: &mut CountedVec<u32>, mut keep: impl FnMut(usize) -> bool) {
    let mut kept = 0;
    for i in 0..list.len() {
        let value = list[i];
        if keep(value as usize) {
            list[kept] = value;
            kept += 1;
        }
    }
    list.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sparse;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::DataType;

    fn order(matrix: &Tensor) -> Vec<i32> {
        let test = OpTest::new(register, "SparseMatrixOrderingAMD").input(matrix.clone());
        let order = test.run_one().unwrap().as_slice::<i32>().unwrap().to_vec();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(i, &row)| i as i32 == row), "{order:?}");
        order
    }

    /// The values of the factor of a matrix in this order.
    fn fill(matrix: &Tensor, order: &[i32]) -> i32 {
        let test = OpTest::new(crate::cholesky::register, "SparseMatrixSparseCholesky");
        let test = test.attr("type", DataType::Float).input(matrix.clone());
        let factor = test.input(Tensor::vector(order).unwrap()).run_one().unwrap();
        let test = OpTest::new(crate::nnz::register, "SparseMatrixNNZ").input(factor);
        test.run_one().unwrap().to_scalar().unwrap()
    }

    fn with_edges(n: usize, edges: &[(usize, usize)]) -> Tensor {
        let mut values = vec![0f32; n * n];
        (0..n).for_each(|i| values[i * n + i] = n as f32);
        for &(i, j) in edges {
            values[i * n + j] = -0.5;
            values[j * n + i] = -0.5;
        }
        sparse([n, n], &values)
    }

    #[test]
    fn trees_fill_nothing() {
        let star: Vec<_> = (1..9).map(|i| (0, i)).collect();
        let path: Vec<_> = (1..9).map(|i| (i * 2 % 9, (i * 2 + 2) % 9)).collect();
        let tree: Vec<_> = (1..9).map(|i| ((i - 1) / 2, i)).collect();
        for edges in [star, path, tree] {
            let matrix = with_edges(9, &edges);
            assert_eq!(fill(&matrix, &order(&matrix)), 9 + 8, "{edges:?}");
        }
    }

    #[test]
    fn grids_fill_less_than_in_natural_order() {
        let side = 12;
        let at = |row, column| row * side + column;
        let mut edges = Vec::new();
        for i in 0..side {
            for j in 1..side {
                edges.extend([(at(i, j - 1), at(i, j)), (at(j - 1, i), at(j, i))]);
            }
        }
        let matrix = with_edges(side * side, &edges);
        let natural: Vec<i32> = (0..(side * side) as i32).collect();
        let (ours, natural) = (fill(&matrix, &order(&matrix)), fill(&matrix, &natural));
        assert!(ours * 10 < natural * 7, "{ours} values, {natural} in natural order");
    }

    #[test]
    fn dense_empty_and_wrong_matrices() {
        let all: Vec<_> = (0..6).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
        assert_eq!(order(&with_edges(6, &all)).len(), 6);
        assert_eq!(order(&sparse([4, 4], &[0f32; 16])), [0, 1, 2, 3]);
        let test = OpTest::new(register, "SparseMatrixOrderingAMD");
        assert!(test.input(sparse([1, 2], &[1f32, 2.0])).run_one().is_err());
    }
}
