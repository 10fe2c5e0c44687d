-- expect: unsafe
-- engines: explore bmc
-- A token goes to whoever wants it, and is lost where nobody else does: the model uses an undefined value.
type place: scalarset(3);
var token: place;
    wants: array [place] of boolean;

startstate begin
  undefine token;
  for p: place do wants[p] := false; end;
end;

ruleset p: place do
  rule "want" !wants[p] ==> begin wants[p] := true; end;
  rule "get" wants[p] & isundefined(token) ==> begin token := p; end;
  rule "pass" !isundefined(token) & token = p ==> begin
    wants[p] := false;
    undefine token;
    for q: place do
      if wants[q] then token := q; end;
    end;
    assert wants[token];
  end;
end;
