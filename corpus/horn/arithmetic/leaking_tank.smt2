; expect: unsafe
; engines: pdr
; A tank that is filled when it is low, and leaks: after some steps it is above 3.
(set-logic HORN)
(declare-fun tank (Bool Real) Bool)
(assert (tank true 1.0))
(assert (forall ((fill Bool) (h Real) (d Real) (next Real))
  (=> (and (tank fill h) (< 0.0 d 0.5) (= next (ite fill (+ h d) (- h d))))
      (tank (ite (> next 2.75) false (ite (< next 1.0) true fill)) next))))
(assert (forall ((fill Bool) (h Real)) (=> (and (tank fill h) (> h 3.0)) false)))
(check-sat)
