; expect: safe
; Zero alone is marked, and the query asks for all numbers. Its only instance can be derived, which is no
; derivation of false.
(set-logic HORN)
(declare-fun Zero (Int) Bool)
(assert (Zero 0))
(assert (=> (forall ((m Int)) (Zero m)) false))
(check-sat)
