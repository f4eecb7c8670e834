//! Runs tasks on worker threads, each as soon as its dependencies are finished.
//!
//! Which thread runs a task, and when, is nondeterministic; results are returned in the order of the tasks, so that
//! none of this is observable.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Enough for deep recursion in generated programs; the memory is reserved, not committed.
pub const STACK: usize = 256 << 20;

struct Queue {
    /// Ready tasks, taken in order.
    ready: BTreeSet<usize>,
    /// Number of dependencies that each task still waits for.
    waiting: Vec<usize>,
    left: usize,
}

/// Runs one task for each entry of `waits`, which lists its dependencies. `start` creates a worker's state. A cycle
/// among the tasks would deadlock, so entries that are not earlier in a topological order are a defect of the caller.
pub fn run<W, R: Send>(
    waits: &[Vec<usize>],
    jobs: usize,
    start: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, usize) -> R + Sync,
) -> Vec<R> {
    let followers = followers(waits);
    let waiting: Vec<usize> = waits.iter().map(|needed| needed.len()).collect();
    let ready = (0..waits.len()).filter(|task| waiting[*task] == 0).collect();
    let queue = Mutex::new(Queue { ready, waiting, left: waits.len() });
    let changed = Condvar::new();
    let results: Mutex<Vec<Option<R>>> = Mutex::new(waits.iter().map(|_| None).collect());
    let worker = || {
        let mut state = None;
        while let Some(task) = take(&queue, &changed) {
            let result = work(state.get_or_insert_with(&start), task);
            lock(&results)[task] = Some(result);
            finish(&mut lock(&queue), &followers[task]);
            changed.notify_all();
        }
    };
    std::thread::scope(|scope| {
        for index in 0..jobs.clamp(1, waits.len().max(1)) {
            let thread = std::thread::Builder::new().name(format!("worker {index}")).stack_size(STACK);
            thread.spawn_scoped(scope, worker).expect("the system can start a thread for each job");
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().map(|result| result.expect("every task was run")).collect()
}

fn followers(waits: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut followers = vec![Vec::new(); waits.len()];
    for (task, needed) in waits.iter().enumerate() {
        for before in needed {
            followers[*before].push(task);
        }
    }
    followers
}

/// The next task, or `None` when there is none left to start.
fn take(queue: &Mutex<Queue>, changed: &Condvar) -> Option<usize> {
    let mut queue = lock(queue);
    loop {
        if let Some(task) = queue.ready.pop_first() {
            queue.left -= 1;
            return Some(task);
        }
        if queue.left == 0 {
            return None;
        }
        queue = changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
    }
}

fn finish(queue: &mut Queue, followers: &[usize]) {
    for follower in followers {
        queue.waiting[*follower] -= 1;
        if queue.waiting[*follower] == 0 {
            queue.ready.insert(*follower);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_task_order_and_tasks_after_what_they_wait_for() {
        let waits = vec![vec![], vec![0], vec![0, 1], vec![], vec![2, 3]];
        for jobs in [1, 2, 7] {
            let done = Mutex::new(Vec::new());
            let results = run(
                &waits,
                jobs,
                || (),
                |(), task| {
                    let before = lock(&done).clone();
                    assert!(waits[task].iter().all(|needed| before.contains(needed)));
                    lock(&done).push(task);
                    task * 10
                },
            );
            assert_eq!(results, [0, 10, 20, 30, 40]);
        }
    }

    #[test]
    fn no_task_is_fine() {
        assert!(run(&[], 2, || (), |(), task| task).is_empty());
    }
}
