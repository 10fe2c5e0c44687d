; expect: safe
; A loop fills a[0..n) with 7; afterwards every element in that range is 7.
(set-logic HORN)
(declare-fun Loop ((Array Int Int) Int Int) Bool)
(declare-fun Done ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (=> (>= n 0) (Loop a 0 n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int))
  (=> (and (Loop a i n) (< i n)) (Loop (store a i 7) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int))
  (=> (and (Loop a i n) (>= i n)) (Done a n))))
(assert (forall ((a (Array Int Int)) (k Int) (n Int))
  (=> (and (Done a n) (<= 0 k) (< k n) (not (= (select a k) 7))) false)))
(check-sat)
(get-model)
