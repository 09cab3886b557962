//! A tensor seen through labelled strides: transpositions and diagonals without arithmetic on shapes.

use downpour_tensor::{Element, Result, Shape, Tensor};

use super::equation::Label;

/// Distinct labels with their sizes and element strides.
pub(super) struct Strided {
    axes: Vec<(Label, usize, usize)>,
}

impl Strided {
    /// A row-major tensor; an axis label that repeats selects the diagonal.
    pub fn diagonal(dims: &[usize], labels: &[Label]) -> Strided {
        let strides = Shape::new(dims).strides();
        let mut axes: Vec<(Label, usize, usize)> = Vec::new();
        for ((&label, &size), &stride) in labels.iter().zip(dims).zip(&strides) {
            match axes.iter_mut().find(|a| a.0 == label) {
                Some(axis) => axis.2 += stride,
                None => axes.push((label, size, stride)),
            }
        }
        Strided { axes }
    }

    /// A row-major tensor of distinct labels.
    pub fn packed(labels: &[Label], sizes: &[usize]) -> Strided {
        Strided::diagonal(sizes, labels)
    }

    pub fn labels(&self) -> impl Iterator<Item = Label> {
        self.axes.iter().map(|a| a.0)
    }

    pub fn has(&self, label: Label) -> bool {
        self.labels().any(|l| l == label)
    }

    fn axis(&self, label: Label) -> (usize, usize) {
        self.axes.iter().find(|a| a.0 == label).map_or((1, 0), |a| (a.1, a.2))
    }

    pub fn sizes(&self, labels: &[Label]) -> Vec<usize> {
        labels.iter().map(|&l| self.axis(l).0).collect()
    }

    /// True when the axes in this order are the whole tensor as it lies.
    pub fn is_packed(&self, order: &[Label]) -> bool {
        let mut expected = 1;
        for &label in order.iter().rev() {
            let (size, stride) = self.axis(label);
            if size != 1 && stride != expected {
                return false;
            }
            expected *= size;
        }
        true
    }

    /// The elements with the axes in this order.
    pub fn gather<T: Element>(&self, input: &Tensor, order: &[Label]) -> Result<Tensor> {
        let sizes = self.sizes(order);
        if self.is_packed(order) && sizes.iter().product::<usize>() == input.len() {
            return input.reshaped(sizes);
        }
        let values = input.as_slice::<T>()?;
        Tensor::build(sizes, |out: &mut [T]| {
            let mut next = out.iter_mut();
            self.for_each_offset(order, |offset| {
                if let Some(place) = next.next() {
                    *place = values[offset];
                }
            });
        })
    }

    /// Calls `f` with the offset of every element, the axes in this order.
    pub fn for_each_offset(&self, order: &[Label], mut f: impl FnMut(usize)) {
        let axes: Vec<(usize, usize)> = order.iter().map(|&l| self.axis(l)).collect();
        if axes.iter().any(|a| a.0 == 0) {
            return;
        }
        let Some((&(inner, step), outer)) = axes.split_last() else { return f(0) };
        let mut index = vec![0; outer.len()];
        let mut base = 0;
        loop {
            for i in 0..inner {
                f(base + i * step);
            }
            let mut axis = outer.len();
            loop {
                if axis == 0 {
                    return;
                }
                axis -= 1;
                let (size, stride) = outer[axis];
                index[axis] += 1;
                base += stride;
                if index[axis] < size {
                    break;
                }
                base -= stride * size;
                index[axis] = 0;
            }
        }
    }
}
