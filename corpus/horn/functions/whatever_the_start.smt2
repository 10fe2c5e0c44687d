; expect: unsafe
; engines: pdr
; Wherever the function puts the start, three steps further is an error: no value is the same in all
; derivations.
(set-logic HORN)
(declare-fun start (Int) Int)
(declare-fun at (Int) Bool)
(assert (forall ((x Int)) (=> (= x (start 0)) (at x))))
(assert (forall ((x Int) (y Int)) (=> (and (at x) (= y (+ x 1))) (at y))))
(assert (forall ((x Int)) (=> (and (at x) (= x (+ (start 0) 3))) false)))
(check-sat)
