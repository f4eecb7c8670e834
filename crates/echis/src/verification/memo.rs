//! Caches answers to queries of any type.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A query on a verified program.
pub(crate) trait Question: PartialEq + Send + Sync + 'static {
    type Answer: Send + Sync + 'static;
}

/// A query with its answer, once computed. Concurrent callers wait for it.
struct Asked<Q: Question> {
    question: Q,
    answer: Arc<OnceLock<Arc<Q::Answer>>>,
}

#[derive(Default)]
pub(crate) struct Memo {
    asked: Mutex<Vec<Box<dyn Any + Send + Sync>>>,
}

impl Memo {
    /// Returns the answer. It is dropped if it is not `valid` after being computed.
    pub fn answer<Q: Question>(
        &self,
        question: Q,
        find: impl FnOnce() -> Q::Answer,
        valid: impl FnOnce() -> bool,
    ) -> Arc<Q::Answer> {
        let slot = self.slot(question);
        let mut found = false;
        let answer = slot.get_or_init(|| {
            found = true;
            Arc::new(find())
        });
        if found && !valid() {
            self.all().retain(|asked| {
                !asked.downcast_ref::<Asked<Q>>().is_some_and(|asked| Arc::ptr_eq(&asked.answer, &slot))
            });
        }
        answer.clone()
    }
    pub fn answered<Q: Question>(&self, question: &Q) -> Option<Arc<Q::Answer>> {
        let all = self.all();
        let mut asked = all.iter().filter_map(|asked| asked.downcast_ref::<Asked<Q>>());
        asked.find(|asked| asked.question == *question)?.answer.get().cloned()
    }
    fn slot<Q: Question>(&self, question: Q) -> Arc<OnceLock<Arc<Q::Answer>>> {
        let mut all = self.all();
        let mut asked = all.iter().filter_map(|asked| asked.downcast_ref::<Asked<Q>>());
        if let Some(asked) = asked.find(|asked| asked.question == question) {
            return asked.answer.clone();
        }
        let answer = Arc::new(OnceLock::new());
        all.push(Box::new(Asked { question, answer: answer.clone() }));
        answer
    }
    fn all(&self) -> MutexGuard<'_, Vec<Box<dyn Any + Send + Sync>>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(PartialEq)]
    struct Length(&'static str);
    impl Question for Length {
        type Answer = usize;
    }

    #[test]
    fn a_question_is_asked_once_unless_its_answer_is_not_valid() {
        let memo = Memo::default();
        assert_eq!(memo.answered(&Length("one")), None);
        assert_eq!(*memo.answer(Length("one"), || 3, || true), 3);
        assert_eq!(*memo.answer(Length("one"), || unreachable!("it is known"), || true), 3);
        assert_eq!(*memo.answer(Length("three"), || 4, || false), 4);
        assert_eq!((memo.answered(&Length("one")), memo.answered(&Length("three"))), (Some(Arc::new(3)), None));
    }
}
