; expect: safe
; engines: pdr
; McCarthy's function: two recursive calls in one clause.
(set-logic HORN)
(declare-fun f (Int Int) Bool)
(assert (forall ((n Int) (r Int)) (=> (and (> n 100) (= r (- n 10))) (f n r))))
(assert (forall ((n Int) (s Int) (r Int)) (=> (and (<= n 100) (f (+ n 11) s) (f s r)) (f n r))))
(assert (forall ((n Int) (r Int)) (=> (and (f n r) (<= n 101) (distinct r 91)) false)))
(check-sat)
