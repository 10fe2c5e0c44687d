; expect: safe
; engines: pdr
; No function satisfies the axioms, so that every one that does is safe.
(set-option :functions every)
(set-logic HORN)
(declare-fun f (Int) Int)
(declare-fun at (Int) Bool)
(assert (forall ((x Int)) (> (f x) 0)))
(assert (forall ((x Int)) (< (f x) 0)))
(assert (at 0))
(assert (forall ((x Int)) (=> (and (at x) (= x 0)) false)))
(check-sat)
