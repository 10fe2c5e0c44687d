; expect: safe
; engines: recursion-free
; There is no x that every y agrees with: a quantified Boolean formula as clauses, over two
; numbers. The clauses of a formula are unsafe iff it is true.
(set-logic HORN)
(declare-fun left (Int Int) Bool)
(declare-fun right (Int Int) Bool)
(declare-fun agree (Int Int) Bool)
(declare-fun for_all (Int) Bool)
(declare-fun exists_one () Bool)
(assert (forall ((x Int) (y Int)) (=> (= x 1) (left x y))))
(assert (forall ((x Int) (y Int)) (=> (= y 0) (left x y))))
(assert (forall ((x Int) (y Int)) (=> (= x 0) (right x y))))
(assert (forall ((x Int) (y Int)) (=> (= y 1) (right x y))))
(assert (forall ((x Int) (y Int)) (=> (and (left x y) (right x y)) (agree x y))))
(assert (forall ((x Int)) (=> (and (agree x 0) (agree x 1)) (for_all x))))
(assert (=> (for_all 0) exists_one))
(assert (=> (for_all 1) exists_one))
(assert (=> exists_one false))
(check-sat)
