// expect: safe
// engines: pdr duality kind houdini
// A lock is taken and given back in turns; the contracts say so.
var held: bool;

procedure take();
  requires !held;
  ensures held;
  modifies held;

procedure give()
  requires held;
  modifies held;
{
  held := false;
}

procedure {:entrypoint} main(n: int)
  requires !held;
  modifies held;
{
  var i: int;
  i := 0;
  while (i < n)
    invariant !held;
  {
    call take();
    i := i + 1;
    call give();
  }
  assert !held && (n < 0 || i == n);
}
