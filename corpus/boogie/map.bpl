// expect: unsafe
// engines: forward bmc pdr duality
// Two writes to one map: the indices may be equal.
var m: [int]int;
const a, b: int;
axiom a <= b;

procedure main()
  modifies m;
{
  m[a] := 1;
  m[b] := 2;
  assert m[a] == 1;
}
