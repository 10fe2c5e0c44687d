; Some list of three numbers adds up to ten.
; expect: unsafe
; engines: folds bmc
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun sum (List Int Int) Bool)
(assert (sum nil 0 0))
(assert (forall ((x List) (a Int) (s Int) (n Int))
  (=> (and (sum x s n) (> a 2)) (sum (cons a x) (+ s a) (+ n 1)))))
(assert (forall ((x List)) (=> (sum x 10 3) false)))
(check-sat)
