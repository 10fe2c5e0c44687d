; expect: unsat
; A quantifier over several variables is several quantifiers: of two with one name the last one counts, whatever its sort.
(set-logic ALL)
(declare-fun p (Int) Bool)
(assert (forall ((x Bool) (x Int)) (=> (> x 0) (p x))))
(assert (exists ((x Int) (x Int) (y Int)) (and (= x 5) (= y 7) (not (p x)))))
(check-sat)
