; expect: safe
; engines: open-cells
; Every second cell of two arrays is written, from where each begins: where one is ten, the other is twenty. Of the cells in between
; nothing is known.
(set-logic HORN)
(declare-fun fill (Int Int Int (Array Int Int) (Array Int Int)) Bool)
(declare-fun look (Int Int Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((p Int) (q Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (> p 0) (> q 0)) (fill 0 p q a b))))
(assert (forall ((i Int) (p Int) (q Int) (x Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (fill i p q a b) (< i 5000) (= x 10))
      (fill (+ i 2) p q (store a (+ p i) x) (store b (+ q i) 20)))))
(assert (forall ((i Int) (p Int) (q Int) (x Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (fill i p q a b) (< i 5000) (distinct (mod x 256) 10))
      (fill (+ i 2) p q (store a (+ p i) x) b))))
(assert (forall ((i Int) (p Int) (q Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (fill i p q a b) (>= i 5000)) (look 0 p q a b))))
(assert (forall ((i Int) (p Int) (q Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (look i p q a b) (< i 5000)) (look (+ i 2) p q a b))))
(assert (forall ((i Int) (p Int) (q Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (look i p q a b) (< i 5000) (= (select a (+ p i)) 10) (distinct (select b (+ q i)) 20))
      false)))
(check-sat)
