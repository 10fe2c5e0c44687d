; expect: unsat
; Products that say the same, however they are written; a common factor; a square.
(set-logic QF_NIA)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (or (distinct (* x (+ y z)) (+ (* z x) (* x y)))
  (distinct (* (* x y) x) (* y x x))
  (and (> z 0) (> x y) (<= (* x z) (* y z)))
  (< (+ (* x x) (* y y)) (* 2 x y))))
(check-sat)
