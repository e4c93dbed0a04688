//! The tree that a browser makes of a piece of HTML.
//!
//! Absent from here: how the pieces stand in the HTML. The rule to keep: all about the
//! tree is decided by html5ever, which follows the standard; this only holds it.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, ParseOpts, QualName, local_name, ns, parse_fragment};

use super::{Piece, push_words, sorted};

/// Elements that hold nothing, and have no end.
pub(super) const VOID: [&str; 13] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
];

/// The tree of this HTML, as a browser finds it in the body of a page, piece by piece.
pub(super) fn read(html: &str) -> Vec<Piece> {
    let mut options = ParseOpts::default();
    // As where the editor reads: in a document that is not shown.
    options.tree_builder.scripting_enabled = false;
    let body = QualName::new(None, ns!(html), local_name!("body"));
    let document = parse_fragment(Tree::default(), options, body, Vec::new(), false).one(html);
    let mut pieces = Vec::new();
    // A fragment's nodes stand below the root that the parser makes for them.
    for root in document.children.borrow().iter() {
        push_children(root, &mut pieces);
    }
    pieces
}

fn push_children(node: &Node, pieces: &mut Vec<Piece>) {
    for child in node.children.borrow().iter() {
        match &child.kind {
            Kind::Text(text) => push_words(pieces, &text.borrow()),
            Kind::Comment(text) => pieces.push(Piece::Comment(text.to_string())),
            Kind::Element { name, attributes, contents } => {
                pieces.push(Piece::Start(name.local.clone(), sorted(&attributes.borrow())));
                push_children(contents.as_deref().unwrap_or(child), pieces);
                pieces.push(Piece::End(name.local.clone()));
            }
            Kind::Other => {}
        }
    }
}

type Handle = Rc<Node>;

struct Node {
    kind: Kind,
    parent: RefCell<Weak<Node>>,
    children: RefCell<Vec<Handle>>,
}

enum Kind {
    Element {
        name: QualName,
        attributes: RefCell<Vec<Attribute>>,
        /// What a template holds beside the tree.
        contents: Option<Handle>,
    },
    Text(RefCell<String>),
    Comment(StrTendril),
    /// A document, or what only XML has.
    Other,
}

impl Node {
    fn new(kind: Kind) -> Handle {
        Rc::new(Self { kind, parent: RefCell::default(), children: RefCell::default() })
    }

    fn detach(self: &Rc<Self>) {
        if let Some(parent) = self.parent.take().upgrade() {
            parent.children.borrow_mut().retain(|child| !Rc::ptr_eq(child, self));
        }
    }

    /// Puts a node, or text, which joins that before it, in a place among the children.
    fn insert(self: &Rc<Self>, at: usize, new: NodeOrText<Handle>) {
        let mut children = self.children.borrow_mut();
        let node = match new {
            NodeOrText::AppendNode(node) => node,
            NodeOrText::AppendText(text) => {
                let before = at.checked_sub(1).and_then(|before| children.get(before));
                if let Some(Kind::Text(before)) = before.map(|node| &node.kind) {
                    before.borrow_mut().push_str(&text);
                    return;
                }
                Node::new(Kind::Text(RefCell::new(text.to_string())))
            }
        };
        node.parent.replace(Rc::downgrade(self));
        children.insert(at, node);
    }
}

/// Holds the tree while it grows.
struct Tree {
    document: Handle,
    /// The name of what has none; it is never asked for.
    nameless: QualName,
}

impl Default for Tree {
    fn default() -> Self {
        let nameless = QualName::new(None, ns!(), local_name!(""));
        Self { document: Node::new(Kind::Other), nameless }
    }
}

impl TreeSink for Tree {
    type Handle = Handle;
    type Output = Handle;
    type ElemName<'a> = &'a QualName;

    fn finish(self) -> Handle {
        self.document
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Rc::clone(&self.document)
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> &'a QualName {
        match &target.kind {
            Kind::Element { name, .. } => name,
            Kind::Text(_) | Kind::Comment(_) | Kind::Other => &self.nameless,
        }
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> Handle {
        let contents = flags.template.then(|| Node::new(Kind::Other));
        Node::new(Kind::Element { name, attributes: RefCell::new(attributes), contents })
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        Node::new(Kind::Comment(text))
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> Handle {
        Node::new(Kind::Other)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        let end = parent.children.borrow().len();
        parent.insert(end, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        previous: &Handle,
        child: NodeOrText<Handle>,
    ) {
        let has_parent = element.parent.borrow().upgrade().is_some();
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &Handle) -> Handle {
        match &target.kind {
            Kind::Element { contents: Some(contents), .. } => Rc::clone(contents),
            Kind::Element { .. } | Kind::Text(_) | Kind::Comment(_) | Kind::Other => {
                Rc::clone(target)
            }
        }
    }

    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        Rc::ptr_eq(one, other)
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, new: NodeOrText<Handle>) {
        if let NodeOrText::AppendNode(node) = &new {
            node.detach();
        }
        let Some(parent) = sibling.parent.borrow().upgrade() else { return };
        let at = parent.children.borrow().iter().position(|child| Rc::ptr_eq(child, sibling));
        if let Some(at) = at {
            parent.insert(at, new);
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, new: Vec<Attribute>) {
        if let Kind::Element { attributes, .. } = &target.kind {
            let mut attributes = attributes.borrow_mut();
            for one in new {
                if !attributes.iter().any(|known| known.name == one.name) {
                    attributes.push(one);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        target.detach();
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let children = node.children.take();
        for child in &children {
            child.parent.replace(Rc::downgrade(new_parent));
        }
        new_parent.children.borrow_mut().extend(children);
    }
}
