; expect: unsafe
; engines: forward
; The fixedpoint dialect: rules and a query. A path of length two leads from 1 to 3.
(declare-rel edge (Int Int))
(declare-rel path (Int Int))
(declare-rel goal ())
(declare-var x Int)
(declare-var y Int)
(declare-var z Int)
(rule (edge 1 2))
(rule (edge 2 3))
(rule (=> (edge x y) (path x y)) direct)
(rule (=> (and (path x y) (edge y z)) (path x z)) longer)
(rule (=> (path 1 3) goal))
(query goal)
