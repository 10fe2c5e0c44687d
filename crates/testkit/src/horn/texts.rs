//! Systems that tests of several engines ask about, as text.

/// A number that begins with 0 and grows by 2 without a bound; the query is about it as `x`.
pub fn even_counter(query: &str) -> String {
    format!(
        "(set-logic HORN) (declare-fun p (Int) Bool)
         (assert (forall ((x Int)) (=> (= x 0) (p x))))
         (assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
         (assert (forall ((x Int)) (=> (and (p x) {query}) false)))"
    )
}
