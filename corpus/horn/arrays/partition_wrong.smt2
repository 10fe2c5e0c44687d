; expect: unsafe
; engines: cells bmc pdr
; Elements go to one of two arrays by their sign, zero to the wrong one.
(set-logic HORN)
(declare-fun loop (Int Int Int Int (Array Int Int) (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int))) (loop 0 0 0 n a b c)))
(assert (forall ((i Int) (j Int) (l Int) (n Int) (a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)))
  (=> (and (loop i j l n a b c) (< i n) (> (select a i) 0))
      (loop (+ i 1) (+ j 1) l n a (store b j (select a i)) c))))
(assert (forall ((i Int) (j Int) (l Int) (n Int) (a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)))
  (=> (and (loop i j l n a b c) (< i n) (<= (select a i) 0))
      (loop (+ i 1) j (+ l 1) n a b (store c l (select a i))))))
(assert (forall ((i Int) (j Int) (l Int) (n Int) (a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (k Int))
  (=> (and (loop i j l n a b c) (> j 1) (<= 0 k) (< k l) (>= (select c k) 0)) false)))
(check-sat)
