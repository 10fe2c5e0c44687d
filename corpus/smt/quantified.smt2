; expect: sat sat unsat
; Over few values quantifiers are evaluated. Over many, instances and witnesses decide.
(declare-const a Bool)
(declare-const x Int)
(push)
(assert (forall ((b Bool)) (=> b (or a b))))
(check-sat)
(pop)
(assert (forall ((y Int)) (=> (> y x) (> y 0))))
(check-sat)
(assert (and (< x 0) (> x 0)))
(check-sat)
