(set-logic LIA)
(assert (exists ((x Int)) (forall ((y Int)) (<= x y))))
(check-sat)
