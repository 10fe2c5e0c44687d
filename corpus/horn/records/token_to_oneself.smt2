; A transfer that reads both balances first makes money for those who pay themselves.
; expect: unsafe
(set-logic HORN)
(declare-datatypes ((token 0)) (((token (balance (Array Int Int)) (supply Int)))))
(declare-fun live (token) Bool)
(assert (forall ((t token))
  (=> (and (= (supply t) 5) (= (balance t) (store ((as const (Array Int Int)) 0) 1 5))) (live t))))
(assert (forall ((from Int) (to Int) (n Int) (t token) (paid Int) (left Int))
  (=> (and (live t) (<= 0 n) (<= n (select (balance t) from))
           (= paid (+ (select (balance t) to) n)) (= left (- (select (balance t) from) n)))
      (live (token (store (store (balance t) from left) to paid) (supply t))))))
(assert (forall ((t token) (a Int)) (=> (and (live t) (> (select (balance t) a) (supply t))) false)))
(check-sat)
