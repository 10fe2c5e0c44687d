; expect: unsafe
; engines: forward
; A word of four bits counts by three and wraps around to every value.
(set-logic HORN)
(declare-fun P ((_ BitVec 4)) Bool)
(assert (P #x0))
(assert (forall ((x (_ BitVec 4))) (=> (P x) (P (bvadd x #x3)))))
(assert (forall ((x (_ BitVec 4))) (=> (and (P x) (= x #xe)) false)))
(check-sat)
