; expect: safe
; engines: cells
; A memory of memories: each object's first field is set once it is reached.
(set-logic HORN)
(declare-fun loop (Int Int (Array Int (Array Int Int))) Bool)
(assert (forall ((n Int) (h (Array Int (Array Int Int)))) (loop 0 n h)))
(assert (forall ((i Int) (n Int) (h (Array Int (Array Int Int))) (x Int))
  (=> (and (loop i n h) (< i n))
      (loop (+ i 1) n (store h i (store (store (select h i) 1 x) 0 7))))))
(assert (forall ((i Int) (n Int) (h (Array Int (Array Int Int))) (k Int))
  (=> (and (loop i n h) (>= i n) (<= 0 k) (< k n) (not (= (select (select h k) 0) 7))) false)))
(check-sat)
