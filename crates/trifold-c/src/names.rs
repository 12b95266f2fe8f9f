//! Interned names: a name is a number, its text is looked up for messages only. For example, both `next` of
//! `a->next = b->next` are the same number.

use crate::keyword::{CONTEXTUAL, KEYWORDS, Keyword};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An interned name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(u32);

impl Symbol {
    /// Counts from zero in the order in which names first occur.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// All names of a program. The first ones are the keywords, so that a keyword is recognised by its number.
#[derive(Clone, Debug)]
pub struct Names {
    texts: Vec<Arc<str>>,
    symbols: FxHashMap<Arc<str>, Symbol>,
}

impl Default for Names {
    fn default() -> Self {
        let mut names = Names { texts: Vec::new(), symbols: FxHashMap::default() };
        for (text, _) in KEYWORDS.iter().chain(CONTEXTUAL) {
            names.intern(text);
        }
        names
    }
}

impl Names {
    /// The symbol of a text.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(symbol) = self.symbols.get(text) {
            return *symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.symbols.insert(text, symbol);
        symbol
    }

    /// The symbol of a text that occurs in the program.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.symbols.get(text).copied()
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.index()]
    }

    /// The keyword that a word is, wherever it occurs.
    pub(crate) fn keyword(symbol: Symbol) -> Option<Keyword> {
        KEYWORDS.get(symbol.index()).map(|(_, keyword)| *keyword)
    }

    /// The keyword that a word is unless the program declares it: C23 made keywords of words that programs were using.
    pub(crate) fn contextual(symbol: Symbol) -> Option<Keyword> {
        let index = symbol.index().checked_sub(KEYWORDS.len())?;
        CONTEXTUAL.get(index).map(|(_, keyword)| *keyword)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_recognised_by_number() {
        let mut names = Names::default();
        let mut keyword = |text| Names::keyword(names.intern(text));
        assert_eq!(keyword("while"), Some(Keyword::While));
        assert_eq!(keyword("__volatile__"), Some(Keyword::Volatile));
        assert_eq!(keyword("thread_local"), None);
        assert_eq!(Names::contextual(names.intern("thread_local")), Some(Keyword::ThreadLocal));
        let x = names.intern("x");
        assert_eq!((Names::keyword(x), Names::contextual(x), names.text(x)), (None, None, "x"));
        assert_eq!(names.intern("x"), x);
    }
}
