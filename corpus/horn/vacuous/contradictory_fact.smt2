; expect: safe
; engines: forward pdr
; The only fact has a constraint without a solution, so the counter never starts.
(set-logic HORN)
(declare-fun counter (Int) Bool)
(assert (forall ((n Int)) (=> (and (< n 3) (> n 3)) (counter n))))
(assert (forall ((n Int)) (=> (counter n) (counter (+ n 1)))))
(assert (forall ((n Int)) (=> (and (counter n) (> n 9)) false)))
(check-sat)
