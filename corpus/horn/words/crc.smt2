; expect: safe
; engines: pdr bits-ic3
; A step of a cyclic redundancy check, as fast hardware and as plain code write it, keeps both equal.
(set-logic HORN)
(declare-fun step ((_ BitVec 8) (_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8))) (step x x)))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (in (_ BitVec 1)))
  (=> (step x y)
      (step (ite (= ((_ extract 7 7) x) in)
                 (bvshl x #x01)
                 (bvxor (bvshl x #x01) #x07))
            (bvxor (concat ((_ extract 6 0) y) #b0)
                   (bvand #x07 ((_ sign_extend 7) (bvxor ((_ extract 7 7) y) in))))))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (step x y) (distinct x y)) false)))
(check-sat)
