; expect: sat unsat
; Quantified variables that their formulas do not use, of sorts with infinitely many values.
(set-logic ALL)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-sort U 0)
(declare-const u U)
(declare-fun q (U) Bool)
(assert (or (forall ((x List) (y U)) (q y)) (forall ((y U) (z (Array Int Int))) (not (q y)))))
(assert (q u))
(check-sat)
(assert (exists ((z (Array Int Int)) (y U)) (not (q y))))
(check-sat)
