; expect: safe
; engines: cells
; ticks: 2000000
; Every element is larger than the one before: of every two cells, the later is the larger.
(set-logic HORN)
(declare-fun loop (Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (loop 1 n a)))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (d Int))
  (=> (and (loop i n a) (< i n) (> d 0))
      (loop (+ i 1) n (store a i (+ (select a (- i 1)) d))))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (k Int) (l Int))
  (=> (and (loop i n a) (>= i n) (<= 0 k) (< k l) (< l n) (>= (select a k) (select a l))) false)))
(check-sat)
