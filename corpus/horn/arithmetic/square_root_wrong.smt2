; The same with a sum that is one too large after some rounds.
; expect: unsafe
; engines: polynomials
(set-logic HORN)
(declare-fun loop (Int Int Int Int) Bool)
(assert (forall ((n Int)) (loop n 0 1 1)))
(assert (forall ((n Int) (a Int) (s Int) (t Int))
  (=> (and (loop n a s t) (<= s n)) (loop n (+ a 1) (+ s t 2) (+ t 2)))))
(assert (forall ((n Int) (a Int) (s Int) (t Int))
  (=> (and (loop n a s t) (= s 16) (= (* (+ a 1) (+ a 1)) s)) false)))
(check-sat)
