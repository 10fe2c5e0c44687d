; Appending adds up lengths.
; expect: safe
; engines: folds
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun append (List List List) Bool)
(declare-fun length (List Int) Bool)
(assert (forall ((y List)) (append nil y y)))
(assert (forall ((a Int) (x List) (y List) (z List))
  (=> (append x y z) (append (cons a x) y (cons a z)))))
(assert (length nil 0))
(assert (forall ((a Int) (x List) (n Int)) (=> (length x n) (length (cons a x) (+ n 1)))))
(assert (forall ((x List) (y List) (z List) (k Int) (m Int) (n Int))
  (=> (and (append x y z) (length x k) (length y m) (length z n)) (= n (+ k m)))))
(check-sat)
