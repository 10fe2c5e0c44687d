; expect: terminates
; engines: rank
; The loop never begins: its step needs what no start gives.
(declare-sort Loc 0)
(declare-const loop Loc)
(define-fun cfg_init ((pc Loc) (src Loc) (rel Bool)) Bool (and (= pc src) rel))
(define-fun cfg_trans2 ((pc Loc) (src Loc) (pc1 Loc) (dst Loc) (rel Bool)) Bool
  (and (= pc src) (= pc1 dst) rel))

(define-fun init_main ((pc Loc) (x Int) (b Bool)) Bool (cfg_init pc loop (and b (= x -1))))
(define-fun next_main ((pc Loc) (x Int) (b Bool) (pc1 Loc) (x1 Int) (b1 Bool)) Bool
  (cfg_trans2 pc loop pc1 loop (and (= x x1) (not b) (= b b1))))
