; Trees whose children are in an array: models are evaluated, as a tree could be below itself.
; expect: sat sat unsat
(set-logic ALL)
(declare-datatypes ((T 0)) (((leaf) (node (kids (Array Int T))))))
(declare-const t T)
(declare-const u T)
(assert ((_ is node) t))
(assert (= (select (kids t) 0) u))
(check-sat)
(assert ((_ is node) u))
(assert (not (= t u)))
(check-sat)
(assert (= (kids t) (kids u)))
(check-sat)
