; Appending is associative.
; expect: safe
; engines: induction
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun append (List List List) Bool)
(assert (forall ((y List)) (append nil y y)))
(assert (forall ((a Int) (x List) (y List) (z List))
  (=> (append x y z) (append (cons a x) y (cons a z)))))
(assert (forall ((x List) (y List) (z List) (u List) (v List) (s List) (t List))
  (=> (and (append x y u) (append u z s) (append y z v) (append x v t)) (= s t))))
(check-sat)
