; expect: unsat sat
; All cells below n are zero, and one more is written.
(set-logic AUFLIA)
(declare-const a (Array Int Int))
(declare-const v Int)
(declare-const n Int)
(assert (forall ((i Int)) (=> (and (<= 0 i) (< i n)) (= (select a i) 0))))
(assert (exists ((i Int)) (and (<= 0 i n) (distinct (select (store a n v) i) 0))))
(push 1)
(assert (= v 0))
(check-sat)
(pop 1)
(check-sat)
