; expect: sat unsat
; A declared function of words that arrays hold.
(set-logic QF_AUFBV)
(declare-const m (Array (_ BitVec 4) (_ BitVec 8)))
(declare-fun hash ((_ BitVec 8)) (_ BitVec 4))
(assert (distinct (hash (select m #x0)) (hash (select m #x1))))
(check-sat)
(assert (= m (store m #x0 (select m #x1))))
(check-sat)
