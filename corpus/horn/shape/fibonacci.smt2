; expect: unsafe
; engines: forward
; A non-linear system: the tenth Fibonacci number is 55.
(set-logic HORN)
(declare-fun fib (Int Int) Bool)
(assert (fib 1 1))
(assert (fib 2 1))
(assert (forall ((n Int) (a Int) (b Int))
  (=> (and (fib n a) (fib (+ n 1) b) (< n 20)) (fib (+ n 2) (+ a b)))))
(assert (forall ((x Int)) (=> (and (fib 10 x) (= x 55)) false)))
(check-sat)
