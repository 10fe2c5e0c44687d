; A sum that is two more than twice some number, and nothing says which: a predicate with such a clause is no function.
; expect: safe
; engines: folds
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun size (List Int) Bool)
(declare-fun even (List) Bool)
(assert (size nil 0))
(assert (forall ((l List) (n Int) (x Int)) (=> (size l n) (size (cons x l) (+ n 1)))))
(assert (forall ((l List) (n Int) (z Int)) (=> (and (size l n) (= n (+ 2 (* 2 z)))) (even l))))
(assert (forall ((x Int)) (=> (even (cons x nil)) false)))
(check-sat)
