//! Bells: they are rung from outside to stop work. For example, a thread that looks at the clock rings the bell of the
//! thread that analyses a program when the time is up.

use crate::stop::StopReason;
use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

/// Rings once, for a reason.
#[derive(Debug, Default)]
pub struct Bell(OnceLock<StopReason>);

impl Bell {
    /// Stops the work that hears it. The first reason counts.
    pub fn ring(&self, reason: StopReason) {
        // A bell that has been rung keeps its reason.
        let _ = self.0.set(reason);
    }

    /// The reason for which it was rung.
    pub fn rung(&self) -> Option<StopReason> {
        self.0.get().copied()
    }
}

thread_local! {
    static HEARD: RefCell<Option<Arc<Bell>>> = const { RefCell::new(None) };
}

/// The bell that this thread hears, to be heard by its helpers, too.
pub fn current_bell() -> Option<Arc<Bell>> {
    HEARD.with_borrow(Clone::clone)
}

/// Does work that hears a bell, if there is one.
pub fn hearing<T>(bell: Option<Arc<Bell>>, work: impl FnOnce() -> T) -> T {
    let _restored = Restored(HEARD.replace(bell));
    work()
}

/// From now on the bell is not heard by this thread: it stops by itself.
pub fn stop_listening() {
    HEARD.set(None);
}

/// The bell that was heard before is heard again, also when work ends by unwinding.
struct Restored(Option<Arc<Bell>>);

impl Drop for Restored {
    fn drop(&mut self) {
        HEARD.set(self.0.take());
    }
}

/// Has the bell that this thread hears been rung?
pub(crate) fn heard() -> Option<StopReason> {
    HEARD.with_borrow(|bell| bell.as_ref()?.rung())
}
