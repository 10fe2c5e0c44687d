// A queue of four words, with a counter of the words in it and two assertions about them. Both hold; with
// OVERFULL defined, `in_range` fails after five pushes. docs/verilog.md has the commands.
module queue (input clk, input push, input pop, input [7:0] data_in, output [7:0] data_out);
    reg [7:0] cells [0:3];
    reg [1:0] first = 0, last = 0;
    reg [2:0] count = 0;

`ifdef OVERFULL
    wire do_push = push && count <= 4;
`else
    wire do_push = push && count != 4;
`endif
    wire do_pop = pop && count != 0;
    assign data_out = cells[first];

    always @(posedge clk) begin
        if (do_push) begin
            cells[last] <= data_in;
            last <= last + 1;
        end
        if (do_pop) first <= first + 1;
        count <= count + do_push - do_pop;
    end

`ifdef FORMAL
    always @(*) begin
        agree: assert (last - first == count[1:0]);
        in_range: assert (count <= 4);
    end
`endif
endmodule
