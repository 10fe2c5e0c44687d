; expect: sat unsat unsat
; Trees are made of smaller ones, in one way.
(set-logic QF_DT)
(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (right Tree)))))
(declare-const x Tree)
(declare-const y Tree)
(assert (and ((_ is node) x) (= y (left x))))
(check-sat)
(check-sat-assuming ((= x y)))
(check-sat-assuming ((= x (node leaf y)) (distinct y leaf)))
