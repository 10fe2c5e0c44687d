; expect: unsafe
; engines: recursion-free
; Numbers of both kinds, truth values, and atoms below a disjunction; a half lies in between.
(set-logic HORN)
(declare-fun low (Int Real) Bool)
(declare-fun high (Real Bool) Bool)
(declare-fun between (Real) Bool)
(assert (forall ((n Int) (r Real)) (=> (< (to_real n) r) (low n r))))
(assert (forall ((n Int) (r Real) (b Bool)) (=> (and (or b (> n 3)) (< r (to_real n))) (high r b))))
(assert (forall ((n Int) (r Real) (b Bool))
  (=> (or (and (low n r) (high r b) (= n 0)) (and (low 7 r) (< r 7.0))) (between r))))
(assert (forall ((r Real)) (=> (and (between r) (< r 1.0)) false)))
(check-sat)
