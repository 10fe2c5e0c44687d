//! Declarations of datatypes, with parameters where instances have them.
//!
//! The store knows instances: `(List Int)` and `(List Bool)` are two datatypes. A *family* is all
//! instances of one name. It is declared once, over parameters, by generalising its instances: a
//! field's sort becomes a parameter where it is that parameter in every instance, and otherwise
//! has the same form in all of them (anti-unification, after Plotkin 1970). The declaration need
//! not be the one that was written, but its instances are the same.
//!
//! Families that mention each other are declared together; the groups are the strongly connected
//! components of "mentions", found by Tarjan's algorithm (1972) with a stack of our own.

use alphorn_term::print::quote;
use alphorn_term::{DataId, Sort, SortId, Store};
use rustc_hash::FxHashMap;
use std::fmt::Write;

struct Family {
    instances: Vec<DataId>,
    /// Families that the fields mention, in order.
    mentions: Vec<usize>,
}

/// The families of some datatypes.
pub(super) struct Families {
    list: Vec<Family>,
}

impl Families {
    pub(super) fn of(store: &Store, datas: &[DataId]) -> Families {
        let mut list: Vec<Family> = Vec::new();
        let mut by_name: FxHashMap<(&str, usize), usize> = FxHashMap::default();
        let mut plain: Vec<DataId> = Vec::new();
        for &id in datas {
            let data = store.data(id);
            if data.params.is_empty() {
                plain.push(id);
                continue;
            }
            let key = (store.name(data.name), data.params.len());
            let position = *by_name.entry(key).or_insert(list.len());
            if position == list.len() {
                list.push(Family { instances: Vec::new(), mentions: Vec::new() });
            }
            list[position].instances.push(id);
        }
        // When an instance is made depends on what else is declared; its name does not.
        list.sort_by_key(|family| {
            let data = store.data(family.instances[0]);
            (store.name(data.name).to_owned(), data.params.len())
        });
        list.extend(
            plain.into_iter().map(|id| Family { instances: vec![id], mentions: Vec::new() }),
        );
        let mut families = Families { list };
        families.link(store);
        families
    }

    fn link(&mut self, store: &Store) {
        let mut family_of: FxHashMap<DataId, usize> = FxHashMap::default();
        for (position, family) in self.list.iter().enumerate() {
            family_of.extend(family.instances.iter().map(|&id| (id, position)));
        }
        for position in 0..self.list.len() {
            let instances = &self.list[position].instances;
            let mut mentions: Vec<usize> = Vec::new();
            for_each_field(store, instances, |sorts| {
                mentioned(store, instances, sorts, &family_of, &mut mentions);
            });
            mentions.sort_unstable();
            mentions.dedup();
            self.list[position].mentions = mentions;
        }
    }

    pub(super) fn write(&self, store: &Store, out: &mut String) {
        for group in self.groups() {
            let mut names = Vec::new();
            let mut bodies = Vec::new();
            for &position in &group {
                let family = &self.list[position];
                let data = store.data(family.instances[0]);
                let name = quote(store.name(data.name));
                names.push(format!("({name} {})", data.params.len()));
                bodies.push(show_family(store, family));
            }
            // What mentions each other is of one kind.
            let is_co = store.data(self.list[group[0]].instances[0]).is_co;
            let kind = if is_co { "codatatypes" } else { "datatypes" };
            let _ = writeln!(
                out,
                "(declare-{kind} ({})\n  ({}))",
                names.join(" "),
                bodies.join("\n   ")
            );
        }
    }

    /// Families that mention each other, mentioned ones first.
    fn groups(&self) -> Vec<Vec<usize>> {
        let count = self.list.len();
        let (mut index, mut low) = (vec![usize::MAX; count], vec![usize::MAX; count]);
        let (mut on_path, mut path) = (vec![false; count], Vec::new());
        let (mut groups, mut next) = (Vec::new(), 0);
        for root in 0..count {
            let mut stack = vec![(root, 0)];
            while let Some((family, edge)) = stack.pop() {
                if edge == 0 {
                    if index[family] != usize::MAX {
                        continue;
                    }
                    (index[family], low[family]) = (next, next);
                    next += 1;
                    path.push(family);
                    on_path[family] = true;
                }
                if let Some(&other) = self.list[family].mentions.get(edge) {
                    stack.push((family, edge + 1));
                    if index[other] == usize::MAX {
                        stack.push((other, 0));
                    } else if on_path[other] {
                        low[family] = low[family].min(index[other]);
                    }
                    continue;
                }
                if low[family] == index[family] {
                    let start = path.iter().rposition(|&on| on == family).unwrap_or(0);
                    let mut group = path.split_off(start);
                    group.iter().for_each(|&member| on_path[member] = false);
                    group.sort_unstable();
                    groups.push(group);
                }
                if let Some(&(parent, _)) = stack.last()
                    && on_path[family]
                {
                    low[parent] = low[parent].min(low[family]);
                }
            }
        }
        groups
    }
}

/// Calls `visit` for each field with its sorts in all instances.
fn for_each_field(store: &Store, instances: &[DataId], mut visit: impl FnMut(&[SortId])) {
    for (position, &ctor) in store.data(instances[0]).ctors.iter().enumerate() {
        for field in 0..store.ctor(ctor).fields.len() {
            visit(&field_sorts(store, instances, position, field));
        }
    }
}

fn field_sorts(store: &Store, instances: &[DataId], ctor: usize, field: usize) -> Vec<SortId> {
    let sort = |&id: &DataId| {
        let ctor = *store.data(id).ctors.get(ctor)?;
        store.ctor(ctor).fields.get(field).map(|(_, sort)| *sort)
    };
    instances.iter().filter_map(sort).collect()
}

/// The parameter that sorts are in all instances.
fn parameter(store: &Store, instances: &[DataId], sorts: &[SortId]) -> Option<usize> {
    (0..store.data(instances[0]).params.len()).find(|&param| {
        instances.iter().zip(sorts).all(|(&id, &sort)| store.data(id).params[param] == sort)
    })
}

/// The parts of sorts of one form, position by position.
fn parts(store: &Store, sorts: &[SortId]) -> Vec<Vec<SortId>> {
    let inner = |&sort: &SortId| match store.sort_of(sort) {
        Sort::Array(index, element) => vec![*index, *element],
        Sort::Uninterpreted(_, args) => args.clone(),
        Sort::Data(data) => store.data(*data).params.clone(),
        _ => Vec::new(),
    };
    let all: Vec<Vec<SortId>> = sorts.iter().map(inner).collect();
    let count = all.iter().map(Vec::len).min().unwrap_or(0);
    (0..count).map(|part| all.iter().map(|sorts| sorts[part]).collect()).collect()
}

fn mentioned(
    store: &Store,
    instances: &[DataId],
    sorts: &[SortId],
    family_of: &FxHashMap<DataId, usize>,
    found: &mut Vec<usize>,
) {
    if parameter(store, instances, sorts).is_some() || sorts.is_empty() {
        return;
    }
    if let Sort::Data(data) = store.sort_of(sorts[0]) {
        found.extend(family_of.get(data));
    }
    for part in parts(store, sorts) {
        mentioned(store, instances, &part, family_of, found);
    }
}

fn show_general(
    store: &Store,
    instances: &[DataId],
    params: &[String],
    sorts: &[SortId],
) -> String {
    if let Some(param) = parameter(store, instances, sorts) {
        return params[param].clone();
    }
    let parts = parts(store, sorts);
    if parts.is_empty() {
        return store.show_sort(sorts[0]);
    }
    let head = match store.sort_of(sorts[0]) {
        Sort::Uninterpreted(name, _) => quote(store.name(*name)),
        Sort::Data(data) => quote(store.name(store.data(*data).name)),
        _ => "Array".to_owned(),
    };
    let parts: Vec<String> =
        parts.iter().map(|part| show_general(store, instances, params, part)).collect();
    format!("({head} {})", parts.join(" "))
}

fn show_family(store: &Store, family: &Family) -> String {
    let instances = &family.instances;
    let data = store.data(instances[0]);
    let params: Vec<String> = (1..=data.params.len()).map(|param| format!("X!{param}")).collect();
    let mut ctors = Vec::new();
    for (position, &ctor) in data.ctors.iter().enumerate() {
        let ctor = store.ctor(ctor);
        let mut text = format!("({}", quote(store.name(ctor.name)));
        for (field, (selector, _)) in ctor.fields.iter().enumerate() {
            let sorts = field_sorts(store, instances, position, field);
            let sort = show_general(store, instances, &params, &sorts);
            let _ = write!(text, " ({} {sort})", quote(store.name(*selector)));
        }
        text.push(')');
        ctors.push(text);
    }
    let body = format!("({})", ctors.join(" "));
    if params.is_empty() { body } else { format!("(par ({}) {body})", params.join(" ")) }
}
