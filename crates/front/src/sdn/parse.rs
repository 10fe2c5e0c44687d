//! The lines of a network's text.
//!
//! A line has a keyword, words, and behind `:` actions with `;` between them. Names are declared before they are used;
//! `#` begins a comment.

use super::tree::{
    Bad, Client, Condition, Domain, Handler, Message, Network, Pattern, Place, Port, Rule,
    Treatment,
};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use std::collections::BTreeSet;

type Fallible<T> = Result<T, Box<Diagnostic>>;

/// The most values of a field, and the largest number of a port.
const MAX_VALUES: usize = 256;
const MAX_PORT: u32 = 256;

/// A line that is being read.
struct Line<'n> {
    network: &'n mut Network,
    span: Span,
}

/// Reads a network.
pub(super) fn network(text: &str) -> Fallible<Network> {
    let mut network = Network::default();
    let mut at = 0;
    for whole in text.split_inclusive('\n') {
        let span = Span::new(at, at + whole.trim_end().len());
        at += whole.len();
        let said = whole.split('#').next().unwrap_or("").trim();
        if !said.is_empty() {
            Line { network: &mut network, span }.read(said)?;
        }
    }
    let nothing = |what: &str| Box::new(Diagnostic::error(Code::SdnSyntax, Span::NONE, what));
    if network.switches.is_empty() {
        return Err(nothing("there is no switch"));
    }
    if network.bads.is_empty() {
        let error = nothing("nothing is asked: there is no line `bad`");
        return Err(Box::new(error.hint("bad at c2 proto=ssh")));
    }
    Ok(network)
}

impl Line<'_> {
    fn wrong(&self, message: String) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(Code::SdnSyntax, self.span, message))
    }

    fn unknown(&self, what: &str, name: &str) -> Box<Diagnostic> {
        let message = format!("there is no {what} `{name}` before this line");
        Box::new(Diagnostic::error(Code::SdnName, self.span, message))
    }

    fn read(&mut self, said: &str) -> Fallible<()> {
        let (head, actions) = match said.split_once(':') {
            Some((head, actions)) => (head.trim(), Some(actions)),
            None => (said, None),
        };
        let words: Vec<&str> = head.split_whitespace().collect();
        let Some((&first, rest)) = words.split_first() else {
            return Err(self.wrong("a line begins with a keyword".to_owned()));
        };
        if actions.is_some() && !matches!(first, "rule" | "on" | "reply") {
            return Err(self.wrong(format!("`{first}` has no actions behind `:`")));
        }
        match first {
            "switch" => {
                for name in rest {
                    self.fresh(name)?;
                    self.network.switches.push((*name).to_owned());
                }
                Ok(())
            }
            "client" => self.client(rest),
            "link" => self.link(rest),
            "field" | "var" => self.domain(first, rest),
            "send" => {
                let (client, pattern) = self.of_client(rest)?;
                self.network.clients[client].sends.push(pattern);
                Ok(())
            }
            "reply" => {
                let (client, pattern) = self.of_client(rest)?;
                let mut sets = Vec::new();
                for word in actions.unwrap_or("").split_whitespace() {
                    sets.push(self.field(word)?);
                }
                self.network.clients[client].replies.push((pattern, sets));
                Ok(())
            }
            "rule" => self.rule(rest, actions),
            "installed" => {
                let Some((name, switches)) = rest.split_first() else {
                    return Err(self.wrong("which rule is installed where?".to_owned()));
                };
                let rule = self.rule_named(name)?;
                for switch in self.switches(switches)? {
                    self.network.installed.push((switch, rule));
                }
                Ok(())
            }
            "on" => self.handler(rest, actions),
            "bad" => self.bad(rest),
            other => {
                let error = self.wrong(format!("`{other}` begins no line"));
                let hint =
                    "switch, client, link, field, var, send, reply, rule, installed, on, bad";
                Err(Box::new(error.hint(hint)))
            }
        }
    }

    /// A name that nothing has yet.
    fn fresh(&self, name: &str) -> Fallible<()> {
        let network = &self.network;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || !name.chars().all(is_plain) {
            return Err(self.wrong(format!("`{name}` is no name: letters, digits, _ and -")));
        }
        let is_known = network.switches.iter().any(|known| known == name)
            || network.clients.iter().any(|client| client.name == name)
            || network.rules.iter().any(|rule| rule.name == name)
            || network.fields.iter().chain(&network.variables).any(|one| one.name == name)
            || matches!(name, "in" | "at" | "when" | "and");
        match is_known {
            false => Ok(()),
            true => {
                let message = format!("`{name}` is a name already");
                Err(Box::new(Diagnostic::error(Code::SdnName, self.span, message)))
            }
        }
    }

    fn switch(&self, name: &str) -> Fallible<usize> {
        let found = self.network.switches.iter().position(|known| known == name);
        found.ok_or_else(|| self.unknown("switch", name))
    }

    fn switches(&self, names: &[&str]) -> Fallible<Vec<usize>> {
        if names.is_empty() {
            return Err(self.wrong("at which switches?".to_owned()));
        }
        names.iter().map(|name| self.switch(name)).collect()
    }

    fn rule_named(&self, name: &str) -> Fallible<usize> {
        let found = self.network.rules.iter().position(|rule| rule.name == name);
        found.ok_or_else(|| self.unknown("rule", name))
    }

    fn number(&self, word: &str) -> Fallible<u32> {
        let number = word.parse::<u32>().ok().filter(|number| *number <= MAX_PORT);
        number.ok_or_else(|| self.wrong(format!("`{word}` is no number up to {MAX_PORT}")))
    }

    /// A port that is not wired yet: `s1.2`.
    fn free_port(&self, word: &str) -> Fallible<Port> {
        let Some((switch, port)) = word.split_once('.') else {
            let error = self.wrong(format!("`{word}` is no port of a switch"));
            return Err(Box::new(error.hint("s1.2")));
        };
        let port = (self.switch(switch)?, self.number(port)?);
        let links = self.network.links.iter().flat_map(|(a, b)| [*a, *b]);
        let mut wired = links.chain(self.network.clients.iter().map(|client| client.port));
        match wired.any(|known| known == port) {
            true => Err(self.wrong(format!("`{word}` is wired already"))),
            false => Ok(port),
        }
    }

    fn client(&mut self, rest: &[&str]) -> Fallible<()> {
        let [name, port] = rest else {
            return Err(self.wrong("a client has a name and a port: client c1 s1.1".to_owned()));
        };
        self.fresh(name)?;
        let port = self.free_port(port)?;
        let client =
            Client { name: (*name).to_owned(), port, sends: Vec::new(), replies: Vec::new() };
        self.network.clients.push(client);
        Ok(())
    }

    fn link(&mut self, rest: &[&str]) -> Fallible<()> {
        let [one, other] = rest else {
            return Err(self.wrong("a link has two ports: link s1.2 s2.1".to_owned()));
        };
        let (one, other) = (self.free_port(one)?, self.free_port(other)?);
        if one == other {
            return Err(self.wrong("a link has two different ports".to_owned()));
        }
        self.network.links.push((one, other));
        Ok(())
    }

    fn domain(&mut self, kind: &str, rest: &[&str]) -> Fallible<()> {
        let Some((name, values)) = rest.split_first() else {
            return Err(self.wrong(format!("a `{kind}` has a name and values")));
        };
        self.fresh(name)?;
        let different: BTreeSet<&&str> = values.iter().collect();
        if values.len() < 2 || values.len() > MAX_VALUES || different.len() < values.len() {
            let message = format!("`{name}` has from 2 to {MAX_VALUES} different values");
            return Err(self.wrong(message));
        }
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        let domain = Domain { name: (*name).to_owned(), values };
        match kind {
            "field" => self.network.fields.push(domain),
            _ => self.network.variables.push(domain),
        }
        Ok(())
    }

    /// `name=value` among some domains.
    fn value(&self, word: &str, all: &[Domain], what: &str) -> Fallible<(usize, usize)> {
        let Some((name, value)) = word.split_once('=') else {
            return Err(self.wrong(format!("`{word}` is no `name=value`")));
        };
        let found = all.iter().position(|one| one.name == name);
        let found = found.ok_or_else(|| self.unknown(what, name))?;
        let at = all[found].values.iter().position(|known| known == value);
        let at = at.ok_or_else(|| self.unknown(&format!("value of {name} called"), value))?;
        Ok((found, at))
    }

    fn field(&self, word: &str) -> Fallible<(usize, usize)> {
        self.value(word, &self.network.fields, "field")
    }

    fn variable(&self, word: &str) -> Fallible<(usize, usize)> {
        self.value(word, &self.network.variables, "variable")
    }

    /// Fields, `in=PORT` and `at=SWITCH`.
    fn pattern(&self, words: &[&str]) -> Fallible<Pattern> {
        let mut pattern = Pattern::default();
        for word in words {
            match word.split_once('=') {
                Some(("in", port)) => pattern.port = Some(self.number(port)?),
                Some(("at", switch)) => pattern.switch = Some(self.switch(switch)?),
                _ => {
                    let (field, value) = self.field(word)?;
                    if pattern.fields.iter().any(|(known, _)| *known == field) {
                        return Err(self.wrong(format!("`{word}`: the field has a value already")));
                    }
                    pattern.fields.push((field, value));
                }
            }
        }
        Ok(pattern)
    }

    /// A pattern without places.
    fn packets(&self, words: &[&str]) -> Fallible<Pattern> {
        let pattern = self.pattern(words)?;
        match pattern.port.is_some() || pattern.switch.is_some() {
            true => Err(self.wrong("`in=` and `at=` are for rules and for `on`".to_owned())),
            false => Ok(pattern),
        }
    }

    fn of_client(&self, rest: &[&str]) -> Fallible<(usize, Pattern)> {
        let Some((name, words)) = rest.split_first() else {
            return Err(self.wrong("which client?".to_owned()));
        };
        let found = self.network.clients.iter().position(|client| client.name == *name);
        Ok((found.ok_or_else(|| self.unknown("client", name))?, self.packets(words)?))
    }

    /// `drop`, or ports and fields that are set: `2 3 ttl=0`.
    fn treatment(&self, words: &[&str]) -> Fallible<Treatment> {
        let mut treatment = Treatment::default();
        if words == ["drop"] {
            return Ok(treatment);
        }
        for word in words {
            match word.contains('=') {
                true => treatment.sets.push(self.field(word)?),
                false => treatment.ports.push(self.number(word)?),
            }
        }
        match treatment.ports.is_empty() {
            true => Err(self.wrong("by which ports does it leave? or `drop`".to_owned())),
            false => Ok(treatment),
        }
    }

    fn rule(&mut self, rest: &[&str], actions: Option<&str>) -> Fallible<()> {
        let [name, priority, words @ ..] = rest else {
            let error = self.wrong("a rule has a name and a priority".to_owned());
            return Err(Box::new(error.hint("rule stop 5 proto=ssh : drop")));
        };
        self.fresh(name)?;
        let priority = self.number(priority)?;
        let pattern = self.pattern(words)?;
        if pattern.switch.is_some() {
            return Err(self.wrong("where a rule is says who adds it".to_owned()));
        }
        let words: Vec<&str> = actions.unwrap_or("").split_whitespace().collect();
        let treatment = self.treatment(&words)?;
        self.network.rules.push(Rule { name: (*name).to_owned(), priority, pattern, treatment });
        Ok(())
    }

    fn handler(&mut self, rest: &[&str], actions: Option<&str>) -> Fallible<()> {
        let split = rest.iter().position(|word| *word == "when");
        let (packets, conditions) = match split {
            Some(at) => (&rest[..at], &rest[at + 1..]),
            None => (rest, &[][..]),
        };
        let mut handler = Handler {
            pattern: self.pattern(packets)?,
            when: Vec::new(),
            sets: Vec::new(),
            treatment: Treatment::default(),
            messages: Vec::new(),
        };
        for word in conditions {
            handler.when.push(self.variable(word)?);
        }
        let mut is_treated = false;
        for action in actions.unwrap_or("").split(';') {
            let words: Vec<&str> = action.split_whitespace().collect();
            let Some((&first, rest)) = words.split_first() else { continue };
            match first {
                "forward" | "drop" if is_treated => {
                    return Err(self.wrong("what becomes of the packet is said twice".to_owned()));
                }
                "drop" if rest.is_empty() => is_treated = true,
                "forward" => {
                    (handler.treatment, is_treated) = (self.treatment(rest)?, true);
                }
                "set" => {
                    for word in rest {
                        handler.sets.push(self.variable(word)?);
                    }
                }
                "add" | "del" => {
                    let Some((name, switches)) = rest.split_first() else {
                        return Err(self.wrong(format!("`{first}` names a rule and switches")));
                    };
                    let rule = self.rule_named(name)?;
                    let message =
                        if first == "add" { Message::Add(rule) } else { Message::Delete(rule) };
                    for switch in self.switches(switches)? {
                        handler.messages.push((switch, message));
                    }
                }
                "barrier" => {
                    for switch in self.switches(rest)? {
                        handler.messages.push((switch, Message::Barrier));
                    }
                }
                other => {
                    let error = self.wrong(format!("`{other}` is no action of the controller"));
                    let hint = "forward, drop, add, del, barrier, set";
                    return Err(Box::new(error.hint(hint)));
                }
            }
        }
        self.network.handlers.push(handler);
        Ok(())
    }

    fn bad(&mut self, rest: &[&str]) -> Fallible<()> {
        let mut conditions = Vec::new();
        for part in rest.split(|word| *word == "and") {
            let Some((&first, words)) = part.split_first() else {
                return Err(self.wrong("what is bad?".to_owned()));
            };
            match first {
                "at" => {
                    let Some((&name, words)) = words.split_first() else {
                        return Err(self.wrong("at which client or switch?".to_owned()));
                    };
                    let client = self.network.clients.iter().position(|one| one.name == name);
                    let place = match client {
                        Some(client) => Place::Client(client),
                        None => Place::Switch(self.switch(name)?),
                    };
                    let pattern = self.pattern(words)?;
                    if pattern.switch.is_some() || (client.is_some() && pattern.port.is_some()) {
                        return Err(self.wrong("`in=` is for switches, `at=` for rules".to_owned()));
                    }
                    conditions.push(Condition::At(vec![place], pattern));
                }
                "dropped" => {
                    let pattern = self.pattern(words)?;
                    let switches = match pattern.switch {
                        Some(switch) => vec![Place::Dropped(switch)],
                        None => (0..self.network.switches.len()).map(Place::Dropped).collect(),
                    };
                    if pattern.port.is_some() {
                        return Err(self.wrong("where it came from is not kept".to_owned()));
                    }
                    conditions.push(Condition::At(switches, pattern));
                }
                "when" => {
                    for word in words {
                        let (variable, value) = self.variable(word)?;
                        conditions.push(Condition::Controller(variable, value));
                    }
                }
                other => {
                    let error = self.wrong(format!("`{other}` is nothing that may be bad"));
                    return Err(Box::new(error.hint("at, dropped, when, with `and` between them")));
                }
            }
        }
        let name = rest.join(" ");
        self.network.bads.push(Bad { name: Some(name), conditions, span: self.span });
        Ok(())
    }
}
