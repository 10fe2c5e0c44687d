; expect: safe
; engines: forward pdr
; Two counters that wrap around, one by one and one by three: the second stays three times the first.
(set-logic HORN)
(declare-fun run ((_ BitVec 8) (_ BitVec 8)) Bool)
(assert (run #x00 #x00))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)))
  (=> (run x y) (run (bvadd x #x01) (bvadd y #x03)))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)))
  (=> (and (run x y) (not (= y (bvmul #x03 x)))) false)))
(check-sat)
