; expect: unsafe
; engines: pdr
; False is derived without the function that other clauses mention.
(set-logic HORN)
(declare-fun f (Int) Int)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (< x 3)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (p (f x)) (q x))))
(assert (forall ((x Int)) (=> (and (p x) (= x 3)) false)))
(check-sat)
