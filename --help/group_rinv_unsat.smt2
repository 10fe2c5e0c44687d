(set-logic UF)
(declare-sort G 0)(declare-fun m (G G) G)(declare-fun i (G) G)(declare-const e G)(assert (forall ((x G)) (= (m e x) x)))(assert (forall ((x G)) (= (m (i x) x) e)))(assert (forall ((x G) (y G) (z G)) (= (m (m x y) z) (m x (m y z)))))(declare-const a G)(assert (distinct (m a (i a)) e))
(check-sat)
