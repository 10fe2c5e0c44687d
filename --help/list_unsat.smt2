(set-logic UFDTLIA)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-fun len (L) Int)(assert (= (len nil) 0))(assert (forall ((x Int) (l L)) (= (len (cons x l)) (+ 1 (len l)))))(assert (distinct (len (cons 1 (cons 2 (cons 3 nil)))) 3))
(check-sat)
