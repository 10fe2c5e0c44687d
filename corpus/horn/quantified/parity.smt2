; expect: safe
; engines: pdr
; Even numbers are marked; the query asks for all numbers, of which one is an instance.
(set-logic HORN)
(declare-fun Even (Int) Bool)
(assert (Even 0))
(assert (forall ((n Int)) (=> (Even n) (Even (+ n 2)))))
(assert (forall ((n Int)) (=> (and (forall ((m Int)) (Even m)) (= n 1)) false)))
(check-sat)
