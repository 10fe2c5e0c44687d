; expect: safe
; engines: forward
; A body with predicates under a disjunction, and queries of several shapes.
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int Bool) Bool)
(assert (p 0))
(assert (q 5 true))
(assert (forall ((x Int) (y Int) (b Bool))
  (=> (and (or (and (p x) (< x 3) (= y (+ x 1))) (and (q y b) (not b) (= x 0))) (or b (not b))) (p y))))
(assert (not (exists ((x Int)) (and (p x) (or (< x 0) (> x 3))))))
(assert (forall ((x Int)) (or (not (q x false)) (> x 100))))
(check-sat)
