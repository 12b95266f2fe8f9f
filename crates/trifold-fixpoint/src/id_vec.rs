//! Vectors that are indexed by typed numbers. For example, an `IdVec<EdgeId, T>` is indexed by an `EdgeId`, and the
//! compiler refuses a `LocationId`.

use crate::ids::Id;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A vector whose elements are found by identifiers of type `I`, and not by those of another kind.
///
/// ```
/// use trifold_fixpoint::{EdgeId, IdVec};
/// let mut lengths: IdVec<EdgeId, f32> = IdVec::new();
/// let edge = lengths.push(2.5);
/// assert_eq!((edge, lengths[edge]), (EdgeId(0), 2.5));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct IdVec<I, T> {
    elements: Vec<T>,
    /// Identifiers are taken, and none are kept.
    indexed_by: PhantomData<fn(I)>,
}

impl<I: Id, T> IdVec<I, T> {
    /// Nothing.
    pub const fn new() -> IdVec<I, T> {
        IdVec { elements: Vec::new(), indexed_by: PhantomData }
    }

    /// The same element, so many times.
    pub fn filled(element: T, count: usize) -> IdVec<I, T>
    where
        T: Clone,
    {
        IdVec::from(vec![element; count])
    }

    /// Adds an element, and says under which identifier it is found.
    pub fn push(&mut self, element: T) -> I {
        let id = self.next_id();
        self.elements.push(element);
        id
    }

    /// The identifier of the element that is added next.
    pub fn next_id(&self) -> I {
        I::from_index(self.elements.len())
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// An element, if it is there.
    pub fn get(&self, id: I) -> Option<&T> {
        self.elements.get(id.index())
    }

    /// The identifiers of all elements, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone + use<I, T> {
        (0..self.elements.len()).map(I::from_index)
    }

    /// The elements, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.elements.iter()
    }

    /// The elements, in order, to be changed.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.elements.iter_mut()
    }

    /// The elements with their identifiers, in order.
    pub fn enumerate(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.elements.iter().enumerate().map(|(index, element)| (I::from_index(index), element))
    }

    /// The first element that is wanted.
    pub fn position(&self, is_wanted: impl FnMut(&T) -> bool) -> Option<I> {
        self.elements.iter().position(is_wanted).map(I::from_index)
    }

    /// The elements as a slice, whose indices have no type any more.
    pub fn as_slice(&self) -> &[T] {
        &self.elements
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.elements[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.elements[id.index()]
    }
}

impl<I, T> From<Vec<T>> for IdVec<I, T> {
    fn from(elements: Vec<T>) -> IdVec<I, T> {
        IdVec { elements, indexed_by: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<E: IntoIterator<Item = T>>(elements: E) -> IdVec<I, T> {
        IdVec::from(Vec::from_iter(elements))
    }
}

impl<I, T> IntoIterator for IdVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.into_iter()
    }
}

impl<'a, I, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.iter()
    }
}

impl<'a, I, T> IntoIterator for &'a mut IdVec<I, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.iter_mut()
    }
}

impl<I, T> Default for IdVec<I, T> {
    fn default() -> IdVec<I, T> {
        IdVec::from(Vec::new())
    }
}

impl<I, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.elements.fmt(f)
    }
}
