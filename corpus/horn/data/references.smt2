; A borrowed number is a pair of what it is and what it will be; one is added to the larger of two.
; expect: unsafe
; engines: pdr
(set-logic HORN)
(declare-datatypes ((Mut 0)) (((mut (now Int) (later Int)))))
(declare-fun larger (Mut Mut Mut) Bool)
(assert (forall ((a Mut) (b Mut))
  (=> (and (>= (now a) (now b)) (= (now b) (later b))) (larger a b a))))
(assert (forall ((a Mut) (b Mut))
  (=> (and (< (now a) (now b)) (= (now a) (later a))) (larger a b b))))
(assert (forall ((a Int) (b Int) (c Int) (d Int) (m Mut))
  (=> (and (larger (mut a c) (mut b d) m) (= (later m) (+ (now m) 1))) (not (= c (+ d 1))))))
(check-sat)
