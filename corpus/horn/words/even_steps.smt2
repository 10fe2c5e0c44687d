; expect: safe
; engines: houdini
; A word counts by two up to 200 and stays even: one bit says why, where its values are many.
(set-logic HORN)
(declare-fun at ((_ BitVec 32)) Bool)
(assert (at #x00000000))
(assert (forall ((i (_ BitVec 32)))
  (=> (and (at i) (not (= i #x000000c8))) (at (bvadd i #x00000002)))))
(assert (forall ((i (_ BitVec 32))) (=> (and (at i) (= ((_ extract 0 0) i) #b1)) false)))
(check-sat)
