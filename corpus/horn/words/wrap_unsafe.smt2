; expect: unsafe
; engines: forward bits-ic3 bits-bmc
; A counter by three meets one by five again only after both have wrapped around.
(set-logic HORN)
(declare-fun run ((_ BitVec 6) (_ BitVec 6)) Bool)
(assert (run #b000000 #b000001))
(assert (forall ((x (_ BitVec 6)) (y (_ BitVec 6)))
  (=> (run x y) (run (bvadd x #b000011) (bvadd y #b000100)))))
(assert (forall ((x (_ BitVec 6))) (=> (run x x) false)))
(check-sat)
