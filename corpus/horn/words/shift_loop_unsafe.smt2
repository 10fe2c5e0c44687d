; expect: unsafe
; engines: forward bits-ic3 bits-bmc
; A single bit shifted through a word falls out of it: after sixteen steps none is left.
(set-logic HORN)
(declare-fun loop ((_ BitVec 16)) Bool)
(assert (loop #x0001))
(assert (forall ((x (_ BitVec 16))) (=> (loop x) (loop (bvshl x #x0001)))))
(assert (forall ((x (_ BitVec 16))) (=> (and (loop x) (= x #x0000)) false)))
(check-sat)
