; Reversing twice changes nothing; this needs a law about reversing what was appended.
; expect: safe
; engines: induction
; ticks: 20000000
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun append (List List List) Bool)
(declare-fun reverse (List List) Bool)
(assert (forall ((y List)) (append nil y y)))
(assert (forall ((a Int) (x List) (y List) (z List))
  (=> (append x y z) (append (cons a x) y (cons a z)))))
(assert (reverse nil nil))
(assert (forall ((a Int) (x List) (y List) (z List))
  (=> (and (reverse x y) (append y (cons a nil) z)) (reverse (cons a x) z))))
(assert (forall ((x List) (y List) (z List))
  (=> (and (reverse x y) (reverse y z)) (= x z))))
(check-sat)
