; expect: sat unsat sat
; Levels: the second question has a constraint that the third has not.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (and (< 0 x 10) (= y (+ (* 2 x) 1))))
(check-sat)
(push 1)
(assert (= (* 2 (div y 2)) y))
(check-sat)
(pop 1)
(check-sat)
