; expect: unsat unsat
; Instances at numbers that are mentioned nowhere go on for ever upwards, and those downwards are needed.
(set-logic UFLIA)
(declare-fun sum (Int) Int)
(push 1)
(assert (forall ((x Int)) (= (sum x) (+ x (ite (> x 0) (sum (- x 1)) 0)))))
(assert (= (sum 3) 4))
(check-sat)
(pop 1)
(define-fun-rec count ((x Int)) Int (+ x (ite (> x 0) (count (- x 1)) 0)))
(assert (= (count 2) 2))
(check-sat)
