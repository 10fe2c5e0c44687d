; expect: unsafe
; engines: pdr bmc
; The cells below n are set to zero, but for the last one.
(set-logic HORN)
(declare-fun loop (Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (loop 0 n a)))
(assert (forall ((i Int) (n Int) (a (Array Int Int)))
  (=> (and (loop i n a) (< (+ i 1) n)) (loop (+ i 1) n (store a i 0)))))
(assert (forall ((i Int) (n Int) (a (Array Int Int)) (k Int))
  (=> (and (loop i n a) (>= (+ i 1) n) (<= 0 k) (< k n) (not (= (select a k) 0))) false)))
(check-sat)
