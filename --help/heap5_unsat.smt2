(set-logic UFLIA)
(declare-sort H 0)(declare-sort F 0)(declare-fun rd (H Int F) Int)(declare-fun wr (H Int F Int) H)(assert (forall ((h H) (o Int) (f F) (v Int)) (! (= (rd (wr h o f v) o f) v) :pattern ((wr h o f v)))))(assert (forall ((h H) (o Int) (f F) (v Int) (p Int) (g F)) (! (=> (or (distinct o p) (distinct f g)) (= (rd (wr h o f v) p g) (rd h p g))) :pattern ((rd (wr h o f v) p g)))))(declare-const h H)(declare-const f F)(declare-const g F)(assert (distinct f g))(assert (distinct (rd (wr (wr (wr (wr (wr h 0 g 0) 1 f 1) 2 g 2) 3 f 3) 4 g 4) 0 g) 0))
(check-sat)
