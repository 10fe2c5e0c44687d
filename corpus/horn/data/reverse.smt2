; Reversing a list onto another does not change how long both are together; testers and selectors.
; expect: safe
; engines: folds
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun reverse (List List Int) Bool)
(declare-fun length (List Int) Bool)
(assert (length nil 0))
(assert (forall ((x List) (n Int))
  (=> (and ((_ is cons) x) (length (tail x) n)) (length x (+ n 1)))))
(assert (forall ((x List) (n Int)) (=> (length x n) (reverse x nil n))))
(assert (forall ((x List) (y List) (n Int))
  (=> (and (reverse x y n) ((_ is cons) x)) (reverse (tail x) (cons (head x) y) n))))
(assert (forall ((y List) (n Int) (m Int))
  (=> (and (reverse nil y n) (length y m)) (= n m))))
(check-sat)
