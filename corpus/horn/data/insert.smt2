; Inserting into a sorted list does not change its first number to a larger one.
; expect: safe
; engines: folds
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun insert (Int List List) Bool)
(assert (forall ((a Int)) (insert a nil (cons a nil))))
(assert (forall ((a Int) (b Int) (x List))
  (=> (<= a b) (insert a (cons b x) (cons a (cons b x))))))
(assert (forall ((a Int) (b Int) (x List) (y List))
  (=> (and (> a b) (insert a x y)) (insert a (cons b x) (cons b y)))))
(assert (forall ((a Int) (b Int) (c Int) (x List) (y List))
  (=> (and (insert a (cons b x) (cons c y)) (> c b)) false)))
(check-sat)
