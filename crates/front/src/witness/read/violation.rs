//! Reading the part of a witness that is about a violation: segments of waypoints, the last of which is the target.

use super::Reader;
use crate::witness::{Segment, Waypoint, WaypointKind};
use crate::yaml::Node;
use alphorn_problem::Span;

impl Reader<'_> {
    pub(super) fn segment(&mut self, node: &Node) -> Option<Segment> {
        let list = self.list(node, "segment")?;
        let mut avoid = Vec::new();
        for (position, one) in list.iter().enumerate() {
            let (waypoint, action, span) = self.waypoint(one)?;
            let is_last = position + 1 == list.len();
            match action.as_str() {
                "avoid" if is_last => {
                    return self.wrong(span, "a segment ends with a waypoint to follow");
                }
                "avoid" if waypoint.kind == WaypointKind::Target => {
                    return self.wrong(span, "a target is not avoided");
                }
                "avoid" => avoid.push(waypoint),
                "follow" | "cycle" if is_last => {
                    let is_cycle = action == "cycle";
                    return Some(Segment { avoid, follow: waypoint, is_cycle });
                }
                "follow" | "cycle" => {
                    return self.wrong(span, "a segment has one waypoint to follow, the last");
                }
                _ => return self.wrong(span, "'action' is follow, avoid or cycle"),
            }
        }
        self.wrong(node.span, "the segment is empty")
    }

    fn waypoint(&mut self, node: &Node) -> Option<(Waypoint, String, Span)> {
        let span = node.span;
        let node = self.find(node, "waypoint")?;
        self.only(node, &["type", "action", "location", "constraint", "thread_id"]);
        if let Some(thread) = node.find("thread_id") {
            return self.unsupported(thread.span, "waypoints of threads are not treated");
        }
        let type_node = self.find(node, "type")?;
        let kind = WaypointKind::ALL.into_iter().find(|kind| Some(kind.name()) == type_node.text());
        let Some(kind) = kind else {
            let names: Vec<&str> = WaypointKind::ALL.iter().map(|kind| kind.name()).collect();
            return self.wrong(type_node.span, format!("'type' is one of {}", names.join(", ")));
        };
        let action_node = self.find(node, "action")?;
        let action_span = action_node.span;
        let action = self.text(node, "action")?;
        let location = self.location(node)?;
        let constraint = match node.find("constraint") {
            None => None,
            Some(constraint) => {
                self.only(constraint, &["value", "format"]);
                self.format(constraint, kind)?;
                Some(self.text(constraint, "value")?)
            }
        };
        let needs = !matches!(kind, WaypointKind::FunctionEnter | WaypointKind::Target);
        match (needs, &constraint) {
            (true, None) => {
                return self.wrong(span, format!("a waypoint '{}' has a constraint", kind.name()));
            }
            (false, Some(_)) => {
                return self.wrong(span, format!("a waypoint '{}' has no constraint", kind.name()));
            }
            _ => {}
        }
        Some((Waypoint { kind, location, constraint, span }, action, action_span))
    }

    pub(super) fn format(&mut self, constraint: &Node, kind: WaypointKind) -> Option<()> {
        let Some(format) = constraint.find("format") else { return Some(()) };
        let formats: &[&str] = match kind {
            WaypointKind::Assumption => &["c_expression", "ext_c_expression"],
            WaypointKind::FunctionReturn => &["acsl_expression", "ext_c_expression"],
            WaypointKind::Branching => &["c_expression"],
            WaypointKind::FunctionEnter | WaypointKind::Target => &[],
        };
        let fits = format.text().is_some_and(|text| formats.contains(&text));
        match fits {
            true => Some(()),
            false => self.unsupported(format.span, "this format of constraints is not treated"),
        }
    }

    /// The segments, if the last of them and no other ends with a target, or if some of them repeat.
    pub(super) fn sequence(&mut self, segments: Vec<Segment>, span: Span) -> Option<Vec<Segment>> {
        let is_target = |segment: &Segment| segment.follow.kind == WaypointKind::Target;
        let Some((last, before)) = segments.split_last() else {
            return self.wrong(span, "the sequence has no segment");
        };
        if let Some(early) = before.iter().find(|segment| is_target(segment)) {
            return self.wrong(early.follow.span, "only the last segment ends with a target");
        }
        let first_cycle = segments.iter().position(|segment| segment.is_cycle);
        match first_cycle {
            Some(first) if segments[first..].iter().all(|segment| segment.is_cycle) => {
                Some(segments)
            }
            Some(_) => self.wrong(span, "what repeats comes after what does not"),
            None if is_target(last) => Some(segments),
            None => self.wrong(last.follow.span, "the last segment ends with a target"),
        }
    }
}
