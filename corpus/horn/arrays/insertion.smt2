; expect: safe
; engines: cells
; ticks: 4000000
; An element is put into a sorted array: larger ones move up by one.
(set-logic HORN)
(declare-fun sorted (Int Int (Array Int Int)) Bool)
(declare-fun shift (Int Int Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (sorted 1 n a)))
(assert (forall ((i Int) (n Int) (a (Array Int Int)))
  (=> (and (sorted i n a) (< i n)) (shift i i (select a i) n a))))
(assert (forall ((i Int) (j Int) (x Int) (n Int) (a (Array Int Int)))
  (=> (and (shift i j x n a) (> j 0) (> (select a (- j 1)) x))
      (shift i (- j 1) x n (store a j (select a (- j 1)))))))
(assert (forall ((i Int) (j Int) (x Int) (n Int) (a (Array Int Int)))
  (=> (and (shift i j x n a) (or (<= j 0) (<= (select a (- j 1)) x)))
      (sorted (+ i 1) n (store a j x)))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (k Int) (l Int))
  (=> (and (sorted i n a) (>= i n) (<= 0 k) (< k l) (< l n) (> (select a k) (select a l))) false)))
(check-sat)
