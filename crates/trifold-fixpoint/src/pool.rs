//! Steps on several threads.
//!
//! Workers wait for the steps of a location as long as the solver runs, and take a few at a time, since steps differ in
//! length. The solver's own thread receives the outcomes in the order of the steps, as soon as they are there, while the
//! others go on; when there is nothing to receive it takes steps, too. Nothing that the solver computes depends on the
//! number of threads.

use crate::domain::{Calls, Domain, Outcome};
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Steps that a thread takes at a time.
const SHARE: usize = 4;

/// Fewer steps than this are not worth waking anybody.
const WORTH_SHARING: usize = 8;

/// States with the numbers of their records.
pub(crate) type States<D> = Vec<(<D as Domain>::State, u32)>;

/// The steps of a point.
pub(crate) struct Steps<D: Domain> {
    pub states: States<D>,
    /// The states of callers before their calls.
    pub callers: Vec<D::State>,
    pub jobs: Vec<Job>,
}

/// A step that is to be taken.
#[derive(Clone, Copy)]
pub(crate) struct Job {
    pub kind: JobKind,
    pub edge: usize,
    pub action: usize,
    /// A position among the states.
    pub state: usize,
}

#[derive(Clone, Copy)]
pub(crate) enum JobKind {
    /// The action on the state.
    Step,
    /// The action calls.
    Extract,
    /// The action has called from this position among the callers, and returns with the state.
    Combine(usize),
}

impl<D: Domain> Steps<D> {
    fn take<C: Calls<D>>(&self, number: usize, (domain, calls): (&D, &C), scratch: &mut D::Scratch) -> Outcome<D> {
        let Job { kind, action, state, .. } = self.jobs[number];
        let (state, _) = &self.states[state];
        match kind {
            JobKind::Step => domain.step(action, state, scratch),
            JobKind::Extract => calls.extract(domain, action, state, scratch),
            JobKind::Combine(caller) => calls.combine(domain, action, &self.callers[caller], state, scratch),
        }
    }
}

/// What the threads tell each other.
struct Exchange<D: Domain> {
    steps: Option<Arc<Steps<D>>>,
    /// The first step that nobody has taken up.
    next: usize,
    /// For each share that has been taken up and not been received, its outcomes once they are there.
    outcomes: Vec<Option<Vec<Outcome<D>>>>,
    closed: bool,
}

impl<D: Domain> Exchange<D> {
    /// Takes up a share of the steps, if there is one left.
    fn take_up(&mut self) -> Option<(Arc<Steps<D>>, Range<usize>)> {
        let steps = self.steps.as_ref()?;
        let share = self.next..steps.jobs.len().min(self.next + SHARE);
        self.next = share.end;
        (!share.is_empty()).then(|| (steps.clone(), share))
    }
}

/// The threads of a solver.
pub(crate) struct Pool<D: Domain> {
    /// Threads besides the solver's own.
    workers: usize,
    exchange: Mutex<Exchange<D>>,
    changed: Condvar,
}

impl<D: Domain> Pool<D> {
    /// Runs `f` while `threads - 1` workers wait for steps.
    pub fn run<T, C: Calls<D>>(domain: (&D, &C), threads: usize, f: impl FnOnce(&Pool<D>) -> T) -> T {
        let exchange = Exchange { steps: None, next: 0, outcomes: Vec::new(), closed: false };
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

    /// Takes all the steps, and hands over the outcome of each, in order, until told to stop.
    pub fn steps<C: Calls<D>>(
        &self,
        domain: (&D, &C),
        steps: &Arc<Steps<D>>,
        scratch: &mut D::Scratch,
        mut receive: impl FnMut(usize, Outcome<D>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.workers == 0 || steps.jobs.len() < WORTH_SHARING {
            return (0..steps.jobs.len()).try_for_each(|number| receive(number, steps.take(number, domain, scratch)));
        }
        let mut exchange = lock(&self.exchange);
        exchange.steps = Some(steps.clone());
        exchange.next = 0;
        exchange.outcomes = (0..steps.jobs.len().div_ceil(SHARE)).map(|_| None).collect();
        drop(exchange);
        self.changed.notify_all();
        for share in 0..steps.jobs.len().div_ceil(SHARE) {
            let outcomes = self.outcomes(share, domain, scratch);
            (share * SHARE..).zip(outcomes).try_for_each(|(number, outcome)| receive(number, outcome))?;
        }
        lock(&self.exchange).steps = None;
        ControlFlow::Continue(())
    }

    /// The outcomes of a share. As long as they are not there, there is other work to do.
    fn outcomes<C: Calls<D>>(&self, share: usize, domain: (&D, &C), scratch: &mut D::Scratch) -> Vec<Outcome<D>> {
        let mut exchange = lock(&self.exchange);
        loop {
            assert!(!exchange.closed, "a step panicked");
            if let Some(outcomes) = exchange.outcomes[share].take() {
                return outcomes;
            }
            exchange = match exchange.take_up() {
                Some(taken) => {
                    drop(exchange);
                    self.work(taken, domain, scratch)
                }
                None => self.wait(exchange),
            };
        }
    }

    /// Takes the steps of a share.
    fn work<C: Calls<D>>(
        &self,
        (steps, share): (Arc<Steps<D>>, Range<usize>),
        domain: (&D, &C),
        scratch: &mut D::Scratch,
    ) -> MutexGuard<'_, Exchange<D>> {
        let number = share.start / SHARE;
        let outcomes = share.map(|number| steps.take(number, domain, scratch)).collect();
        let mut exchange = lock(&self.exchange);
        exchange.outcomes[number] = Some(outcomes);
        exchange
    }

    fn serve<C: Calls<D>>(&self, domain: (&D, &C)) {
        // When a step panics, the solver must not wait for it.
        let _closing = Closing(self);
        let mut scratch = D::Scratch::default();
        let mut exchange = lock(&self.exchange);
        while !exchange.closed {
            exchange = match exchange.take_up() {
                Some(taken) => {
                    drop(exchange);
                    let exchange = self.work(taken, domain, &mut scratch);
                    self.changed.notify_all();
                    exchange
                }
                None => self.wait(exchange),
            };
        }
        // The lock is needed for closing.
        drop(exchange);
    }

    fn wait<'p>(&self, exchange: MutexGuard<'p, Exchange<D>>) -> MutexGuard<'p, Exchange<D>> {
        self.changed.wait(exchange).unwrap_or_else(PoisonError::into_inner)
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
