//! Steps on several threads.
//!
//! Steps of one location, over all its outgoing edges, are a batch. Workers wait for batches as long as the solver runs,
//! and take a few steps at a time, since steps differ in length. The solver's own thread works, too. The results are
//! in the order of the steps, whoever took them: nothing that the solver computes depends on the number of threads.

use crate::solver::{Domain, Step};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Steps that a thread takes at a time.
const SHARE: usize = 4;

/// A batch with fewer steps than this is not worth waking anybody.
const WORTH_SHARING: usize = 8;

/// The outcome of an action on a state.
type Outcome<D> = Step<<D as Domain>::State, <D as Domain>::Event>;

/// States with the numbers of their records.
pub(crate) type States<D> = Vec<(<D as Domain>::State, u32)>;

/// The steps of a location: every action on every state, in the order of actions.
pub(crate) struct Steps<D: Domain> {
    pub actions: Vec<usize>,
    pub states: States<D>,
}

impl<D: Domain> Steps<D> {
    pub fn len(&self) -> usize {
        self.actions.len() * self.states.len()
    }

    fn take(&self, number: usize, domain: &D, scratch: &mut D::Scratch) -> Outcome<D> {
        let (state, _) = &self.states[number % self.states.len()];
        domain.step(self.actions[number / self.states.len()], state, scratch)
    }
}

/// Some of the steps of a location.
struct Batch<D: Domain> {
    steps: Arc<Steps<D>>,
    /// The first step that nobody has taken up.
    next: AtomicUsize,
    range: Range<usize>,
    /// For each share, the outcomes of its steps.
    outcomes: Vec<Mutex<Vec<Outcome<D>>>>,
}

impl<D: Domain> Batch<D> {
    /// Takes steps until none is left; tells how many shares it took.
    fn work(&self, domain: &D, scratch: &mut D::Scratch) -> usize {
        let mut taken = 0;
        loop {
            let start = self.next.fetch_add(SHARE, Ordering::Relaxed);
            if start >= self.range.end {
                return taken;
            }
            let share = start..self.range.end.min(start + SHARE);
            let outcomes = share.map(|number| self.steps.take(number, domain, scratch)).collect();
            *lock(&self.outcomes[(start - self.range.start) / SHARE]) = outcomes;
            taken += 1;
        }
    }
}

/// What the threads tell each other.
struct Exchange<D: Domain> {
    batch: Option<Arc<Batch<D>>>,
    /// Counts the batches, so that nobody takes up the same one twice.
    number: usize,
    /// Shares of the batch that are done.
    done: usize,
    closed: bool,
}

/// The threads of a solver.
pub(crate) struct Pool<D: Domain> {
    /// Threads besides the solver's own.
    workers: usize,
    exchange: Mutex<Exchange<D>>,
    changed: Condvar,
}

impl<D: Domain> Pool<D> {
    /// Runs `f` while `threads - 1` workers wait for batches.
    pub fn run<T>(domain: &D, threads: usize, f: impl FnOnce(&Pool<D>) -> T) -> T {
        let exchange = Exchange { batch: None, number: 0, done: 0, closed: false };
        let workers = threads.saturating_sub(1);
        let pool = Pool { workers, exchange: Mutex::new(exchange), changed: Condvar::new() };
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| pool.serve(domain));
            }
            let _closing = Closing(&pool);
            f(&pool)
        })
    }

    /// Takes some of the steps; their outcomes are in order.
    pub fn steps(
        &self,
        domain: &D,
        steps: &Arc<Steps<D>>,
        range: Range<usize>,
        scratch: &mut D::Scratch,
    ) -> Vec<Outcome<D>> {
        if self.workers == 0 || range.len() < WORTH_SHARING {
            return range.map(|number| steps.take(number, domain, scratch)).collect();
        }
        let outcomes = (0..range.len().div_ceil(SHARE)).map(|_| Mutex::default()).collect();
        let next = AtomicUsize::new(range.start);
        let batch = Arc::new(Batch { steps: steps.clone(), next, range, outcomes });
        self.share(&batch, domain, scratch);
        batch.outcomes.iter().flat_map(|outcomes| std::mem::take(&mut *lock(outcomes))).collect()
    }

    fn share(&self, batch: &Arc<Batch<D>>, domain: &D, scratch: &mut D::Scratch) {
        let mut exchange = lock(&self.exchange);
        exchange.batch = Some(batch.clone());
        exchange.number += 1;
        exchange.done = 0;
        drop(exchange);
        self.changed.notify_all();
        let own = batch.work(domain, scratch);
        let mut exchange = lock(&self.exchange);
        exchange.done += own;
        while exchange.done < batch.outcomes.len() && !exchange.closed {
            exchange = self.changed.wait(exchange).unwrap_or_else(PoisonError::into_inner);
        }
        exchange.batch = None;
        assert!(!exchange.closed, "a step panicked");
    }

    fn serve(&self, domain: &D) {
        // When a step panics, the solver must not wait for it.
        let _closing = Closing(self);
        let mut scratch = D::Scratch::default();
        let mut last = 0;
        loop {
            let mut exchange = lock(&self.exchange);
            while !exchange.closed && (exchange.number == last || exchange.batch.is_none()) {
                exchange = self.changed.wait(exchange).unwrap_or_else(PoisonError::into_inner);
            }
            if exchange.closed {
                return;
            }
            last = exchange.number;
            let Some(batch) = exchange.batch.clone() else { continue };
            drop(exchange);
            let done = batch.work(domain, &mut scratch);
            let mut exchange = lock(&self.exchange);
            if exchange.number == last {
                exchange.done += done;
            }
            drop(exchange);
            self.changed.notify_all();
        }
    }
}

/// Sends everybody home.
struct Closing<'p, D: Domain>(&'p Pool<D>);

impl<D: Domain> Drop for Closing<'_, D> {
    fn drop(&mut self) {
        lock(&self.0.exchange).closed = true;
        self.0.changed.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
