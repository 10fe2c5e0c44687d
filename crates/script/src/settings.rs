//! Commands that set options and logics, and that ask for information about the program.
//!
//! An option that decides what the solver records must be set before the first assertion. What is
//! not known is answered by `unsupported`, as the standard has it.

use crate::kernel::Kernel;
use crate::options::{EARLY, UNSUPPORTED, is_foreign, is_known};
use crate::session::{Reply, Session};
use crate::state::State;
use alphorn_front::smtlib::general::{Attribute, reply};

impl<K: Kernel> Session<'_, K> {
    pub(crate) fn set_logic(&mut self, logic: &str) -> Reply {
        if self.logic.is_some() {
            return Err("the logic is set already".to_owned());
        }
        self.logic = Some(logic.to_owned());
        Ok((!is_logic(logic)).then(|| UNSUPPORTED.to_owned()))
    }

    pub(crate) fn set_option(&mut self, attribute: &Attribute) -> Reply {
        let keyword = attribute.keyword.as_str();
        let value = attribute.value.clone().unwrap_or_default();
        let is_other_channel = match keyword {
            ":regular-output-channel" => value != "\"stdout\"",
            ":diagnostic-output-channel" => !matches!(value.as_str(), "\"stdout\"" | "\"stderr\""),
            _ => false,
        };
        if is_foreign(keyword) {
            let message = "options of another solver's search have no effect here";
            self.remark = self.remark.take().or(Some(message));
            return Ok(None);
        }
        if !is_known(keyword) || is_other_channel {
            return Ok(Some(UNSUPPORTED.to_owned()));
        }
        if EARLY.contains(&keyword) && self.has_begun {
            return Err(format!("{keyword} must be set before the first assertion"));
        }
        self.options.set(keyword, value);
        Ok(None)
    }

    pub(crate) fn get_info(&mut self, keyword: &str) -> Reply {
        let value = match keyword {
            ":name" => reply::string("Alphorn"),
            ":version" => reply::string(env!("CARGO_PKG_VERSION")),
            ":authors" => reply::string("the authors of Alphorn"),
            ":error-behavior" => "continued-execution".to_owned(),
            ":assertion-stack-levels" => self.in_force.level().to_string(),
            ":reason-unknown" => match &self.state {
                State::Unknown(reason) => reply::string(reason),
                _ => return Err("the last answer was not unknown".to_owned()),
            },
            ":all-statistics" => {
                let counts = self.statistics();
                let lines = counts
                    .iter()
                    .map(|(name, count)| format!(":{} {count}", name.replace(' ', "-")));
                return Ok(Some(format!("({})", lines.collect::<Vec<String>>().join("\n "))));
            }
            _ => match self.infos.get(keyword) {
                Some(value) => value.clone(),
                None => return Ok(Some(UNSUPPORTED.to_owned())),
            },
        };
        Ok(Some(format!("({keyword} {value})")))
    }
}

/// Whether a name is that of a logic over theories that are read: arrays, declared functions,
/// words, datatypes, arithmetic, each in this order. pySMT has names of its own: `BOOL`, and marks
/// at the end for constant arrays and declared sorts.
fn is_logic(name: &str) -> bool {
    let name = name.strip_suffix(['*', 't']).unwrap_or(name);
    if matches!(name, "ALL" | "QF_ALL" | "HORN" | "QF_AX") {
        return true;
    }
    let name = name.strip_prefix("QF_").unwrap_or(name);
    if name.is_empty() {
        return false;
    }
    let mut rest = name;
    for theory in ["A", "UF", "BV", "DT"] {
        rest = rest.strip_prefix(theory).unwrap_or(rest);
    }
    matches!(rest, "" | "BOOL" | "LIA" | "LRA" | "LIRA" | "NIA" | "NRA" | "NIRA" | "IDL" | "RDL")
}

#[cfg(test)]
mod tests {
    use super::is_logic;

    #[test]
    fn names_of_logics_are_told_from_other_words() {
        for name in [
            "ALL", "QF_LIA", "QF_UFLRA", "AUFLIRA", "QF_ABV", "QF_IDL", "UF", "UFDTLIA", "QF_BOOL",
            "QF_ALIA*",
        ] {
            assert!(is_logic(name), "{name}");
        }
        for name in ["QF_S", "QF_FP", "QF_", "", "LINEAR", "QF_SLIA", "QF_BVFP"] {
            assert!(!is_logic(name), "{name}");
        }
    }
}
