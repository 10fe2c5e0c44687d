; expect: unsat
; Feasible over the reals, but no integer lies between: 3x + 3y = 1 needs cuts.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (= (+ (* 3 x) (* 3 y)) 1))
(check-sat)
