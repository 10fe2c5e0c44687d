; expect: safe
; engines: bits-ic3 pdr
; Swapping the bytes of a word an even number of times gives the word again.
(set-logic HORN)
(declare-fun swap ((_ BitVec 32) (_ BitVec 32) Bool) Bool)
(assert (forall ((x (_ BitVec 32))) (swap x x true)))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32)) (even Bool))
  (=> (swap x y even)
      (swap x (bvor (bvor (bvshl y #x00000018) (bvand (bvshl y #x00000008) #x00ff0000))
                    (bvor (bvand (bvlshr y #x00000008) #x0000ff00) (bvlshr y #x00000018)))
            (not even)))))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32))) (=> (and (swap x y true) (distinct x y)) false)))
(check-sat)
