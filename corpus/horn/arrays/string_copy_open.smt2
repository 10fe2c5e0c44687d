; expect: unsafe
; engines: cells bmc pdr
; A string is copied without its end.
(set-logic HORN)
(declare-fun loop (Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((s (Array Int Int)) (d (Array Int Int))) (loop 0 s d)))
(assert (forall ((i Int) (s (Array Int Int)) (d (Array Int Int)))
  (=> (and (loop i s d) (not (= (select s i) 0))) (loop (+ i 1) s (store d i (select s i))))))
(assert (forall ((i Int) (s (Array Int Int)) (d (Array Int Int)) (k Int))
  (=> (and (loop i s d) (= (select s i) 0) (> i 1) (<= 0 k) (<= k i)
           (not (= (select s k) (select d k)))) false)))
(check-sat)
