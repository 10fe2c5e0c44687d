(set-logic BV)
(assert (forall ((x (_ BitVec 8))) (exists ((y (_ BitVec 8))) (= (bvadd x y) #x00))))
(check-sat)
