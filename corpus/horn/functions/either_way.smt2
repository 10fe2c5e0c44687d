; expect: unsafe
; engines: pdr
; Which clause fires depends on the function; an error follows in both cases.
(set-logic HORN)
(declare-fun f (Int) Int)
(declare-fun low (Int) Bool)
(declare-fun high (Int) Bool)
(assert (forall ((x Int)) (=> (and (= x 7) (< (f x) 0)) (low x))))
(assert (forall ((x Int)) (=> (and (= x 7) (>= (f x) 0)) (high x))))
(assert (forall ((x Int)) (=> (and (low x) (< (f x) 5)) false)))
(assert (forall ((x Int)) (=> (and (high x) (> (f x) (- 5))) false)))
(check-sat)
