; expect: unsafe
; engines: forward
; Lists: reversing (1 2) onto nil gives (2 1).
(set-logic HORN)
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
(declare-fun rev ((List Int) (List Int)) Bool)
(assert (rev (cons 1 (cons 2 (as nil (List Int)))) (as nil (List Int))))
(assert (forall ((x Int) (xs (List Int)) (ys (List Int)))
  (=> (rev (cons x xs) ys) (rev xs (cons x ys)))))
(assert (forall ((ys (List Int)))
  (=> (and (rev (as nil (List Int)) ys) (= (head ys) 2) (= (head (tail ys)) 1)) false)))
(check-sat)
