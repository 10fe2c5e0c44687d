; expect: sat
; Small integers, which lemmas about products alone come near and do not meet.
(set-logic QF_NIA)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (= (+ (* x x) (* y y)) (* z z)))
(assert (and (> x 0) (> y x) (> z 10)))
(check-sat)
