; expect: safe
; engines: pdr recursion-free
; Two elements are exchanged, and exchanged again.
(set-logic HORN)
(declare-fun once (Int Int (Array Int Int) (Array Int Int)) Bool)
(declare-fun twice (Int Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((i Int) (j Int) (a (Array Int Int)))
  (once i j a (store (store a i (select a j)) j (select a i)))))
(assert (forall ((i Int) (j Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (once i j a b) (twice i j a (store (store b i (select b j)) j (select b i))))))
(assert (forall ((i Int) (j Int) (a (Array Int Int)) (b (Array Int Int)) (k Int))
  (=> (and (twice i j a b) (not (= (select a k) (select b k)))) false)))
(check-sat)
