(set-logic LIA)
(assert (forall ((x Int)) (exists ((y Int)) (or (= x (* 2 y)) (= x (+ 1 (* 2 y)))))))
(check-sat)
