(set-logic QF_LIA)
(declare-const count Int)
(assert (> cuont 3))
(check-sat)
