; expect: safe
; engines: forward pdr
; Multiplication by shift and add: what is left to add is the product of what is left of the factors.
(set-logic HORN)
(declare-fun mul ((_ BitVec 4) (_ BitVec 4) (_ BitVec 4) (_ BitVec 4) (_ BitVec 4)) Bool)
(assert (forall ((a (_ BitVec 4)) (b (_ BitVec 4))) (mul a b a b #x0)))
(assert (forall ((a (_ BitVec 4)) (b (_ BitVec 4)) (x (_ BitVec 4)) (y (_ BitVec 4)) (sum (_ BitVec 4)))
  (=> (and (mul a b x y sum) (not (= y #x0)))
      (mul a b (bvshl x #x1) (bvlshr y #x1) (ite (= ((_ extract 0 0) y) #b1) (bvadd sum x) sum)))))
(assert (forall ((a (_ BitVec 4)) (b (_ BitVec 4)) (x (_ BitVec 4)) (sum (_ BitVec 4)))
  (=> (and (mul a b x #x0 sum) (not (= sum (bvmul a b)))) false)))
(check-sat)
