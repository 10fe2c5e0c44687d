; expect: unsat
(set-option :produce-proofs true)
(set-logic QF_LRA)
(declare-const x Real)
(assert (< x 1.0))
(assert (> x 2.0))
(check-sat)
(get-proof)
