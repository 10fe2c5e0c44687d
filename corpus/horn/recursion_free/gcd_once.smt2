; expect: safe
; engines: recursion-free
; The greatest common divisor with its recursion unwound once: linear, and one predicate is used by
; two clauses. After the running example of Hojjat's thesis (EPFL 2013), chapter 5.
(set-logic HORN)
(declare-fun gcd (Int Int Int) Bool)
(declare-fun inner (Int Int Int) Bool)
(assert (forall ((m Int) (n Int) (r Int)) (=> (and (= m n) (= r m)) (gcd m n r))))
(assert (forall ((m Int) (n Int) (r Int)) (=> (and (= m n) (= r m)) (inner m n r))))
(assert (forall ((m Int) (n Int) (r Int)) (=> (and (> m n) (inner (- m n) n r)) (gcd m n r))))
(assert (forall ((m Int) (n Int) (r Int)) (=> (and (< m n) (inner m (- n m) r)) (gcd m n r))))
(assert (forall ((m Int) (n Int) (r Int))
  (=> (and (>= m 0) (= m n) (gcd m n r) (> r m)) false)))
(check-sat)
