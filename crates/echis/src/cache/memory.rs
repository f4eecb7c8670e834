//! Verdicts and explanations computed by this process. They have the same keys as entries on disk, so a member that
//! an edit does not affect is neither verified nor explained again.

use super::Key;
use super::entry::Entry;
use crate::limits::REMEMBERED_MEMBERS;
use echis_base::{Key as _, SyntaxId};
use echis_depend::{DependencyOptions, MemberNeeds, Nodes, UserId};
use echis_program::program::Program;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The results of members, kept in memory.
#[derive(Default)]
pub(crate) struct Memory {
    entries: Mutex<Recent<Entry>>,
    /// Nodes are identified by their positions among those that the member sees.
    needs: Mutex<Recent<MemberNeeds>>,
}

impl Memory {
    pub fn entry(&self, key: &Key) -> Option<Entry> {
        lock(&self.entries).get(key)
    }
    pub fn keep_entry(&self, key: Key, entry: Entry) {
        lock(&self.entries).insert(key, entry);
    }
    /// The dependencies of a member's proofs, in the current program.
    pub fn needs(&self, positions: &Positions) -> Option<MemberNeeds> {
        let needs = lock(&self.needs).get(&positions.key)?;
        needs.renamed(|position| positions.users.get(position.index()).copied().flatten())
    }
    pub fn keep_needs(&self, positions: &Positions, needs: &MemberNeeds) {
        if let Some(needs) = needs.renamed(|user| positions.of.get(&user).map(|position| UserId::new(*position))) {
            lock(&self.needs).insert(positions.key, needs);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A table that drops its oldest entries.
struct Recent<T> {
    table: HashMap<Key, T>,
    order: VecDeque<Key>,
}

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Recent { table: HashMap::new(), order: VecDeque::new() }
    }
}

impl<T: Clone> Recent<T> {
    fn get(&self, key: &Key) -> Option<T> {
        self.table.get(key).cloned()
    }
    fn insert(&mut self, key: Key, value: T) {
        if self.table.insert(key, value).is_none() {
            self.order.push_back(key);
        }
        while self.order.len() > REMEMBERED_MEMBERS {
            self.order.pop_front().map(|oldest| self.table.remove(&oldest));
        }
    }
}

/// The positions of nodes that a member's proofs may need, among those that the member sees.
pub(crate) struct Positions {
    /// The key of the member's explanation.
    key: Key,
    of: HashMap<UserId, usize>,
    users: Vec<Option<UserId>>,
}

impl Positions {
    /// `verdict` is the key of the member's verdict, `seen` are the nodes that the member sees.
    pub fn new(
        program: &Program,
        nodes: &Nodes,
        verdict: &Key,
        seen: &[SyntaxId],
        options: &DependencyOptions,
    ) -> Positions {
        let users: Vec<Option<UserId>> = seen.iter().map(|id| nodes.find(program, *id)).collect();
        let mut of: HashMap<UserId, usize> = HashMap::new();
        let mut hasher = Sha256::new();
        hasher.update(verdict);
        hasher.update(format!("{options:?} {}", nodes.introspect));
        for (position, user) in users.iter().enumerate() {
            let Some(user) = *user else { continue };
            let first = *of.entry(user).or_insert(position);
            hasher.update(format!("\n{position} {first}"));
            if first == position {
                hasher.update(described(program, nodes, user));
            }
        }
        Positions { key: hasher.finalize().into(), of, users }
    }
}

/// The properties of a node that an explanation may depend on, besides the code that the member sees.
fn described(program: &Program, nodes: &Nodes, user: UserId) -> String {
    let node = &nodes.all[user];
    let annotations: Vec<_> = node.annotations.iter().map(|annotation| (&annotation.name, &annotation.args)).collect();
    format!(
        " {:?} {:?} {:?} {annotations:?} {}",
        node.construct,
        node.assumption,
        node.assertion,
        node.owner.has_body(program)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_is_forgotten_first() {
        let mut recent: Recent<usize> = Recent::default();
        let key = |number: usize| {
            let mut key = [0; 32];
            key[..8].copy_from_slice(&number.to_le_bytes());
            key
        };
        for number in 0..REMEMBERED_MEMBERS + 2 {
            recent.insert(key(number), number);
        }
        recent.insert(key(REMEMBERED_MEMBERS), 7);
        assert_eq!((recent.get(&key(1)), recent.get(&key(2))), (None, Some(2)));
        assert_eq!((recent.get(&key(REMEMBERED_MEMBERS)), recent.order.len()), (Some(7), REMEMBERED_MEMBERS));
    }
}
