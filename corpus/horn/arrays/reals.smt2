; expect: safe
; engines: cells
; Every element is halved: an array of real numbers.
(set-logic HORN)
(declare-fun loop (Int Int (Array Int Real) (Array Int Real)) Bool)
(assert (forall ((n Int) (a (Array Int Real)) (b (Array Int Real))) (loop 0 n a b)))
(assert (forall ((i Int) (n Int) (a (Array Int Real)) (b (Array Int Real)))
  (=> (and (loop i n a b) (< i n) (>= (select a i) 0.0))
      (loop (+ i 1) n a (store b i (/ (select a i) 2.0))))))
(assert (forall ((i Int) (n Int) (a (Array Int Real)) (b (Array Int Real)) (k Int))
  (=> (and (loop i n a b) (>= i n) (<= 0 k) (< k n) (> (select b k) (select a k))) false)))
(check-sat)
