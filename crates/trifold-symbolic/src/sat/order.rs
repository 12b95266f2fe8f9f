//! The order of decisions: a heap of variables by how often they were in recent conflicts.

/// Variables that are to be decided, the most active first; those without conflicts in the order of their creation.
#[derive(Debug, Default)]
pub(super) struct Order {
    heap: Vec<u32>,
    /// By variable: where it is in the heap, if it is there.
    position: Vec<Option<u32>>,
    activity: Vec<f64>,
    increment: f64,
}

/// Activities beyond this are scaled down, all alike.
const TOO_LARGE: f64 = 1e100;

impl Order {
    /// Puts a variable into the heap, unless it is there.
    pub fn add(&mut self, variable: usize) {
        if variable >= self.position.len() {
            self.position.resize(variable + 1, None);
            self.activity.resize(variable + 1, 0.0);
            self.increment = self.increment.max(1.0);
        }
        if self.position[variable].is_none() {
            self.position[variable] = Some(self.heap.len() as u32);
            self.heap.push(variable as u32);
            self.up(self.heap.len() - 1);
        }
    }

    /// Takes the most active variable out.
    pub fn pop(&mut self) -> Option<usize> {
        let last = self.heap.pop()?;
        let top = match self.heap.first_mut() {
            None => last,
            Some(first) => {
                let top = std::mem::replace(first, last);
                self.position[last as usize] = Some(0);
                self.down(0);
                top
            }
        };
        self.position[top as usize] = None;
        Some(top as usize)
    }

    /// Notes that a variable was in a conflict.
    pub fn bump(&mut self, variable: usize) {
        self.activity[variable] += self.increment;
        if self.activity[variable] > TOO_LARGE {
            self.activity.iter_mut().for_each(|activity| *activity /= TOO_LARGE);
            self.increment /= TOO_LARGE;
        }
        if let Some(position) = self.position[variable] {
            self.up(position as usize);
        }
    }

    /// Makes later conflicts count more.
    pub fn decay(&mut self) {
        self.increment /= 0.95;
    }

    fn before(&self, a: u32, b: u32) -> bool {
        let (x, y) = (self.activity[a as usize], self.activity[b as usize]);
        x > y || x == y && a < b
    }

    fn up(&mut self, mut at: usize) {
        while at > 0 && self.before(self.heap[at], self.heap[(at - 1) / 2]) {
            self.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    fn down(&mut self, mut at: usize) {
        loop {
            let children = [2 * at + 1, 2 * at + 2].into_iter().filter(|child| *child < self.heap.len());
            let Some(child) = children.reduce(|a, b| if self.before(self.heap[b], self.heap[a]) { b } else { a })
            else {
                return;
            };
            if !self.before(self.heap[child], self.heap[at]) {
                return;
            }
            self.swap(at, child);
            at = child;
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.heap.swap(a, b);
        for at in [a, b] {
            self.position[self.heap[at] as usize] = Some(at as u32);
        }
    }
}
