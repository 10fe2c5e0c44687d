(set-logic UFDTLIA)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-fun f (L) Int)(assert (forall ((l L)) (>= (f l) 0)))(assert (> (f nil) 3))
(check-sat)
