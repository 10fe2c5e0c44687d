; expect: unsafe
; engines: pdr
; By the axiom every step goes up, so that one step from 0 is an error for every such function.
(set-logic HORN)
(declare-fun step (Int) Int)
(declare-fun at (Int) Bool)
(assert (forall ((x Int)) (! (> (step x) 0) :pattern ((step x)))))
(assert (forall ((x Int)) (=> (= x 0) (at x))))
(assert (forall ((x Int)) (=> (at x) (at (+ x (step x))))))
(assert (forall ((x Int)) (=> (and (at x) (>= x 1)) false)))
(check-sat)
