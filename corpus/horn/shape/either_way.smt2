; A body that an atom or a constraint can satisfy: what is derived depends on which of them does.
; expect: unsafe
; engines: pdr duality
(set-logic HORN)
(declare-fun q (Int Bool) Bool)
(declare-fun s () Bool)
(assert (forall ((x Int) (y Int) (z Int) (b Bool))
  (=> (and (<= 0 x 2) (<= 0 y 2) (<= 0 z 2) (or (q (+ x 1) true) (= (- 2 y) (ite b z 3))))
      (q (- z 1) b))))
(assert (forall ((z Int) (b Bool)) (=> (and (<= 0 z 2) (q z b)) s)))
(assert (forall ((b Bool)) (=> (and (not b) s) false)))
(check-sat)
