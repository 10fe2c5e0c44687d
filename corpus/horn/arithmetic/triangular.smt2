; The sum of the first numbers, by its formula at the end of the loop: an equation of squares and a bound.
; expect: safe
; engines: polynomials
(set-logic HORN)
(declare-fun loop (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 0) (loop 0 0 n))))
(assert (forall ((i Int) (s Int) (n Int)) (=> (and (loop i s n) (< i n)) (loop (+ i 1) (+ s i 1) n))))
(assert (forall ((i Int) (s Int) (n Int))
  (=> (and (loop i s n) (>= i n) (not (= (* 2 s) (* n (+ n 1))))) false)))
(check-sat)
