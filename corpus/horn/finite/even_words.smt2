; expect: safe
; engines: forward
; Counting by two keeps a word of six bits even.
(set-logic HORN)
(declare-fun P ((_ BitVec 6)) Bool)
(assert (P #b000000))
(assert (forall ((x (_ BitVec 6))) (=> (P x) (P (bvadd x #b000010)))))
(assert (forall ((x (_ BitVec 6))) (=> (and (P x) (= ((_ extract 0 0) x) #b1)) false)))
(check-sat)
