; expect: unsafe
; engines: cells bmc pdr
; The largest element is looked for without the first one.
(set-logic HORN)
(declare-fun loop (Int Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (loop 1 (select a 1) n a)))
(assert (forall ((i Int) (m Int) (n Int) (a (Array Int Int)))
  (=> (and (loop i m n a) (< i n)) (loop (+ i 1) (ite (< m (select a i)) (select a i) m) n a))))
(assert (forall ((i Int) (m Int) (n Int) (a (Array Int Int)) (k Int))
  (=> (and (loop i m n a) (>= i n) (> n 3) (<= 0 k) (< k n) (< m (select a k))) false)))
(check-sat)
