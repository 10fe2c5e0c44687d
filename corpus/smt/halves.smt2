; expect: sat unsat
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(assert (and (< x y) (< y (+ x (/ 1 2))) (= (+ x y) 1)))
(check-sat)
(assert (> x 0.5))
(check-sat)
