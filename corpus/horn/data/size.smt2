; expect: safe
; engines: induction
; A list and a number that grow together: the number is Eldarica's size of the list.
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun P (List Int) Bool)
(assert (P nil 1))
(assert (forall ((l List) (n Int) (x Int)) (=> (P l n) (P (cons x l) (+ n 1)))))
(assert (forall ((l List) (n Int)) (=> (and (P l n) (distinct n (_size l))) false)))
(check-sat)
