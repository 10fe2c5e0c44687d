(set-logic QF_S)
(declare-const s String)
(check-sat)
