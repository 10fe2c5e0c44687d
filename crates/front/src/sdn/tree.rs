//! What a file says about a network.

use alphorn_problem::Span;

/// A port of a switch: the switch by its position, and the number of the port.
pub(super) type Port = (usize, u32);

/// Something with finitely many values, by their positions.
#[derive(Clone, Debug)]
pub(super) struct Domain {
    pub name: String,
    pub values: Vec<String>,
}

/// Which packets are meant: values of some fields, and where they arrived.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    /// Fields and values, by their positions.
    pub fields: Vec<(usize, usize)>,
    pub port: Option<u32>,
    pub switch: Option<usize>,
}

/// What is done with a packet.
#[derive(Clone, Debug, Default)]
pub(super) struct Treatment {
    /// The ports that it leaves by; none if it is dropped.
    pub ports: Vec<u32>,
    /// Fields that are changed before.
    pub sets: Vec<(usize, usize)>,
}

#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub name: String,
    pub priority: u32,
    pub pattern: Pattern,
    pub treatment: Treatment,
}

/// What the controller sends to a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Message {
    Add(usize),
    Delete(usize),
    Barrier,
}

/// What the controller does with a packet that no rule of its switch is about.
#[derive(Clone, Debug)]
pub(super) struct Handler {
    pub pattern: Pattern,
    /// Variables of the controller and their values, before and afterwards.
    pub when: Vec<(usize, usize)>,
    pub sets: Vec<(usize, usize)>,
    pub treatment: Treatment,
    /// Messages with their switches, in order.
    pub messages: Vec<(usize, Message)>,
}

/// Where a packet may be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Client(usize),
    /// At a switch, on its way in.
    Switch(usize),
    /// Dropped by a switch.
    Dropped(usize),
}

/// A part of what is bad.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    At(Vec<Place>, Pattern),
    Controller(usize, usize),
}

/// What must not be: all conditions at once.
#[derive(Clone, Debug)]
pub(super) struct Bad {
    pub name: Option<String>,
    pub conditions: Vec<Condition>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Client {
    pub name: String,
    pub port: Port,
    /// The packets that it may send at any time.
    pub sends: Vec<Pattern>,
    /// The packets that it may send when others have arrived.
    pub replies: Vec<(Pattern, Vec<(usize, usize)>)>,
}

/// A network.
#[derive(Clone, Debug, Default)]
pub(super) struct Network {
    pub switches: Vec<String>,
    pub clients: Vec<Client>,
    pub links: Vec<(Port, Port)>,
    pub fields: Vec<Domain>,
    pub variables: Vec<Domain>,
    pub rules: Vec<Rule>,
    /// Rules that are in the tables of switches at first.
    pub installed: Vec<(usize, usize)>,
    pub handlers: Vec<Handler>,
    pub bads: Vec<Bad>,
}
