; expect: safe
; engines: cells
; A string is copied up to its end, a zero.
(set-logic HORN)
(declare-fun loop (Int (Array Int Int) (Array Int Int)) Bool)
(declare-fun copied (Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((s (Array Int Int)) (d (Array Int Int))) (loop 0 s d)))
(assert (forall ((i Int) (s (Array Int Int)) (d (Array Int Int)))
  (=> (and (loop i s d) (not (= (select s i) 0))) (loop (+ i 1) s (store d i (select s i))))))
(assert (forall ((i Int) (s (Array Int Int)) (d (Array Int Int)))
  (=> (and (loop i s d) (= (select s i) 0)) (copied i s (store d i 0)))))
(assert (forall ((i Int) (s (Array Int Int)) (d (Array Int Int)) (k Int))
  (=> (and (copied i s d) (<= 0 k) (<= k i)
           (or (not (= (select s k) (select d k))) (and (< k i) (= (select d k) 0)))) false)))
(check-sat)
