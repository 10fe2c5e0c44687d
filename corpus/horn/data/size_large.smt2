; expect: unsafe
; engines: bmc
; A list that grows: Eldarica's size of the list passes 3.
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun P (List Int) Bool)
(assert (P nil 1))
(assert (forall ((l List) (n Int) (x Int)) (=> (P l n) (P (cons x l) (+ n 1)))))
(assert (forall ((l List) (n Int)) (=> (and (P l n) (> (_size l) 3)) false)))
(check-sat)
