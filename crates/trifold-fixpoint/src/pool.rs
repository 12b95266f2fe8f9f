//! Steps on several threads.
//!
//! Workers wait for the steps of a location as long as the solver runs, and take a few at a time, because steps differ
//! in length. The solver's own thread receives the outcomes in the order of the steps, as soon as they are there, while
//! the others go on; when there is nothing to receive it takes steps, too. Nothing that the solver computes depends on
//! the number of threads. For example, of 100 steps a worker may take 0 to 3, the solver's own thread 4 to 7, and so
//! on; the outcomes are received as 0, 1, 2, …
//!
//! The steps of a location take from microseconds to milliseconds, and putting a thread to sleep and waking it costs as
//! much as many steps. So an idle thread spins for a while before it sleeps, and only sleeping threads are woken.

use crate::domain::{Calls, Domain, StepOf};
use crate::ids::{EdgeId, ProcedureId, RecordId};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Thread;
use trifold_work::{StopReason, current_bell, hearing, limited};

/// Steps that a thread takes at a time.
const SHARE: usize = 4;

/// How often a thread looks out before it sleeps: for some tens of microseconds.
const LOOKS: usize = 2000;

/// Fewer steps than this are not worth waking a thread.
const WORTH_SHARING: usize = 8;

/// States with the numbers of their records.
pub(crate) type States<D> = Vec<(<D as Domain>::State, RecordId)>;

/// The steps of a point.
pub(crate) struct Steps<D: Domain> {
    pub states: States<D>,
    /// The states of callers before their calls.
    pub callers: Vec<D::State>,
    pub jobs: Vec<Job>,
    /// The most work of a step.
    pub work: u64,
}

/// A step that is to be taken.
#[derive(Clone, Copy)]
pub(crate) struct Job {
    pub kind: JobKind,
    pub edge: EdgeId,
    /// A position among the states.
    pub state: usize,
}

#[derive(Clone, Copy)]
pub(crate) enum JobKind {
    /// The edge on the state.
    Step,
    /// The edge calls this procedure.
    Extract(ProcedureId),
    /// The edge has called from this position among the callers, and returns with the state.
    Combine(usize),
}

/// The outcome of a step, unless it was stopped, and its work.
pub(crate) type Taken<D> = (Result<StepOf<D>, StopReason>, u64);

impl<D: Domain> Steps<D> {
    fn take<C: Calls<D>>(&self, number: usize, (domain, calls): (&D, &C), scratch: &mut D::Scratch) -> Taken<D> {
        let Job { kind, edge, state } = self.jobs[number];
        let (state, _) = &self.states[state];
        limited(self.work, || match kind {
            JobKind::Step => domain.step(edge, state, scratch),
            JobKind::Extract(_) => calls.extract(domain, edge, state, scratch),
            JobKind::Combine(caller) => calls.combine(domain, edge, &self.callers[caller], state, scratch),
        })
    }
}

/// The steps of a point, while they are taken.
struct Round<D: Domain> {
    steps: Arc<Steps<D>>,
    /// The first share that no thread has taken up.
    next: AtomicUsize,
    /// For each share, its outcomes once they are there, until they are received.
    outcomes: Vec<Mutex<Option<Vec<Taken<D>>>>>,
}

impl<D: Domain> Round<D> {
    fn new(steps: &Arc<Steps<D>>) -> Round<D> {
        let shares = steps.jobs.len().div_ceil(SHARE);
        let outcomes = (0..shares).map(|_| Mutex::default()).collect();
        Round { steps: steps.clone(), next: AtomicUsize::new(0), outcomes }
    }

    /// Takes up a share of the steps, if there is one left, and takes them.
    fn work<C: Calls<D>>(&self, domain: (&D, &C), scratch: &mut D::Scratch) -> bool {
        let share = self.next.fetch_add(1, Ordering::Relaxed);
        let Some(place) = self.outcomes.get(share) else { return false };
        let numbers = share * SHARE..self.steps.jobs.len().min((share + 1) * SHARE);
        let outcomes = numbers.map(|number| self.steps.take(number, domain, scratch)).collect();
        *lock(place) = Some(outcomes);
        true
    }
}

/// The threads of a solver.
pub(crate) struct Pool<D: Domain> {
    solver: Thread,
    /// Threads besides the solver's own.
    workers: OnceLock<Vec<Thread>>,
    round: Mutex<Option<Arc<Round<D>>>>,
    /// The number of rounds so far.
    rounds: AtomicUsize,
    closed: AtomicBool,
}

impl<D: Domain> Pool<D> {
    /// Runs `f` while `threads - 1` workers wait for steps.
    pub fn run<T, C: Calls<D>>(domain: (&D, &C), threads: usize, f: impl FnOnce(&Pool<D>) -> T) -> T {
        let pool = Pool {
            solver: std::thread::current(),
            workers: OnceLock::new(),
            round: Mutex::default(),
            rounds: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
        };
        let bell = current_bell();
        let serve = || hearing(bell.clone(), || pool.serve(domain));
        std::thread::scope(|scope| {
            let _closing = Closing(&pool);
            let spawn = |_| scope.spawn(serve).thread().clone();
            pool.workers.get_or_init(|| (1..threads).map(spawn).collect());
            f(&pool)
        })
    }

    fn workers(&self) -> &[Thread] {
        self.workers.get().map_or(&[], |workers| workers)
    }

    /// Takes all the steps, and hands over the outcome of each, in order, until told to stop.
    pub fn steps<C: Calls<D>>(
        &self,
        domain: (&D, &C),
        steps: &Arc<Steps<D>>,
        scratch: &mut D::Scratch,
        mut receive: impl FnMut(usize, Taken<D>) -> ControlFlow<StopReason>,
    ) -> ControlFlow<StopReason> {
        if self.workers().is_empty() || steps.jobs.len() < WORTH_SHARING {
            return (0..steps.jobs.len()).try_for_each(|number| receive(number, steps.take(number, domain, scratch)));
        }
        let round = Arc::new(Round::new(steps));
        *lock(&self.round) = Some(round.clone());
        self.rounds.fetch_add(1, Ordering::Release);
        self.workers().iter().for_each(Thread::unpark);
        for (share, place) in round.outcomes.iter().enumerate() {
            let outcomes = loop {
                assert!(!self.closed.load(Ordering::Acquire), "a step panicked");
                if let Some(outcomes) = lock(place).take() {
                    break outcomes;
                }
                // As long as they are not there, there is other work to do.
                if !round.work(domain, scratch) {
                    self.wait_until(|| lock(place).is_some());
                }
            };
            (share * SHARE..).zip(outcomes).try_for_each(|(number, outcome)| receive(number, outcome))?;
        }
        ControlFlow::Continue(())
    }

    fn serve<C: Calls<D>>(&self, domain: (&D, &C)) {
        // When a step panics, the solver must not wait for it.
        let _closing = Closing(self);
        let mut scratch = D::Scratch::default();
        let mut served = 0;
        loop {
            self.wait_until(|| self.rounds.load(Ordering::Acquire) > served);
            if self.closed.load(Ordering::Acquire) {
                return;
            }
            served = self.rounds.load(Ordering::Acquire);
            let round = lock(&self.round).clone();
            while !self.closed.load(Ordering::Acquire)
                && round.as_ref().is_some_and(|round| round.work(domain, &mut scratch))
            {
                self.solver.unpark();
            }
        }
    }

    /// Returns when the condition holds or the pool is closed. The thread is woken whenever the condition may have
    /// changed.
    fn wait_until(&self, condition: impl Fn() -> bool) {
        let is_over = || condition() || self.closed.load(Ordering::Acquire);
        for _ in 0..LOOKS {
            if is_over() {
                return;
            }
            std::hint::spin_loop();
        }
        while !is_over() {
            std::thread::park();
        }
    }
}

/// Closes the pool and wakes all threads, so that they end.
struct Closing<'p, D: Domain>(&'p Pool<D>);

impl<D: Domain> Drop for Closing<'_, D> {
    fn drop(&mut self) {
        self.0.closed.store(true, Ordering::Release);
        self.0.workers().iter().chain([&self.0.solver]).for_each(Thread::unpark);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
