; expect: unsafe
; engines: bmc pdr
; Two elements are exchanged without a third place, and one is lost.
(set-logic HORN)
(declare-fun swapped (Int Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((i Int) (j Int) (a (Array Int Int))) (swapped i j a a)))
(assert (forall ((i Int) (j Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (swapped i j a b)
      (swapped i j a (store (store b i (select b j)) j (select (store b i (select b j)) i))))))
(assert (forall ((i Int) (j Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (swapped i j a b) (not (= a b)) (not (= (select b j) (select a i)))) false)))
(check-sat)
