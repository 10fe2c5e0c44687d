; expect: safe
; engines: cells
; Sums of elements that are not negative never fall.
(set-logic HORN)
(declare-fun loop (Int Int Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int)) (s (Array Int Int))) (loop 0 0 n a s)))
(assert (forall ((i Int) (sum Int) (n Int) (a (Array Int Int)) (s (Array Int Int)))
  (=> (and (loop i sum n a s) (< i n) (>= (select a i) 0))
      (loop (+ i 1) (+ sum (select a i)) n a (store s i (+ sum (select a i)))))))
(assert (forall ((i Int) (sum Int) (n Int) (a (Array Int Int)) (s (Array Int Int)) (k Int))
  (=> (and (loop i sum n a s) (<= 0 k) (< k i)
           (or (< (select s k) 0) (> (select s k) sum))) false)))
(check-sat)
