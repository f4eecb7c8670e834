//! The members of a program.

use crate::{Expr, ProgramBuilder, Stmt, Type, untagged};
use echis_syntax::ast::{self, Contract, DecreasesKind, DomainParam, Import, Interpretation, Member, MemberKind};

/// A name with its type: a parameter, result, bound variable or field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// The name.
    pub name: String,
    /// The type.
    pub ty: Type,
}

impl Param {
    /// A name with its type.
    pub fn new(name: impl Into<String>, ty: Type) -> Self {
        Param { name: name.into(), ty }
    }
}

/// A termination measure, or a statement about termination without one.
#[derive(Clone, Debug)]
pub enum Decreases {
    /// `decreases terms`, with an optional condition.
    Terms(Vec<Expr>, Option<Expr>),
    /// `decreases _`: termination is assumed, with an optional condition.
    Assumed(Option<Expr>),
    /// `decreases *`: termination is not claimed.
    Unclaimed,
}

/// An annotation: its name and arguments.
type Annotated = (String, Vec<String>);

/// A method. Without a body it is abstract.
#[derive(Clone, Debug)]
pub struct Method<O = u64> {
    name: String,
    params: Vec<Param>,
    returns: Vec<Param>,
    requires: Vec<Expr>,
    ensures: Vec<Expr>,
    decreases: Vec<Decreases>,
    body: Option<Vec<Stmt>>,
    origin: Option<O>,
    annotations: Vec<Annotated>,
}

/// A function. Without a body it is abstract.
#[derive(Clone, Debug)]
pub struct Function<O = u64> {
    name: String,
    params: Vec<Param>,
    result: Type,
    requires: Vec<Expr>,
    ensures: Vec<Expr>,
    decreases: Vec<Decreases>,
    body: Option<Expr>,
    origin: Option<O>,
    annotations: Vec<Annotated>,
}

/// A predicate. Without a body it is abstract.
#[derive(Clone, Debug)]
pub struct Predicate<O = u64> {
    name: String,
    params: Vec<Param>,
    body: Option<Expr>,
    origin: Option<O>,
    annotations: Vec<Annotated>,
}

/// A domain: a type with functions and axioms.
#[derive(Clone, Debug)]
pub struct Domain<O = u64> {
    name: String,
    params: Vec<String>,
    interpretations: Option<Vec<(String, String)>>,
    functions: Vec<DomainFunction<O>>,
    axioms: Vec<Axiom<O>>,
    origin: Option<O>,
    annotations: Vec<Annotated>,
}

/// A function of a domain.
#[derive(Clone, Debug)]
pub struct DomainFunction<O = u64> {
    name: String,
    params: Vec<Param>,
    result: Type,
    unique: bool,
    interpretation: Option<String>,
    origin: Option<O>,
    annotations: Vec<Annotated>,
}

/// An axiom of a domain.
#[derive(Clone, Debug)]
pub struct Axiom<O = u64> {
    name: Option<String>,
    body: Expr,
    origin: Option<O>,
    annotations: Vec<Annotated>,
}

/// An algebraic data type.
#[derive(Clone, Debug)]
pub struct Adt<O = u64> {
    name: String,
    params: Vec<String>,
    constructors: Vec<Constructor<O>>,
    derives: Vec<(String, Option<Type>, Vec<String>)>,
    origin: Option<O>,
    annotations: Vec<Annotated>,
}

/// A constructor of an ADT.
#[derive(Clone, Debug)]
pub struct Constructor<O = u64> {
    name: String,
    args: Vec<Param>,
    origin: Option<O>,
    annotations: Vec<Annotated>,
}

/// Setters that members share.
macro_rules! setters {
    ($Type:ident: $($part:ident)*) => {
        impl<O> $Type<O> {
            /// Sets the origin of the member.
            pub fn at(mut self, origin: O) -> Self {
                self.origin = Some(origin);
                self
            }
            /// Adds an annotation `@name("args", …)`.
            pub fn annotate<A: Into<String>>(mut self, name: &str, args: impl IntoIterator<Item = A>) -> Self {
                self.annotations.push((name.to_owned(), args.into_iter().map(Into::into).collect()));
                self
            }
            $(setters!(@ $part);)*
        }
    };
    (@ params) => {
        /// Adds a parameter.
        pub fn param(mut self, name: impl Into<String>, ty: Type) -> Self {
            self.params.push(Param::new(name, ty));
            self
        }
    };
    (@ contract) => {
        /// Adds a precondition.
        pub fn requires(mut self, clause: Expr) -> Self {
            self.requires.push(clause);
            self
        }
        /// Adds a postcondition.
        pub fn ensures(mut self, clause: Expr) -> Self {
            self.ensures.push(clause);
            self
        }
        /// Adds a termination measure.
        pub fn decreases(mut self, clause: Decreases) -> Self {
            self.decreases.push(clause);
            self
        }
    };
    (@ expression) => {
        /// Sets the body.
        pub fn body(mut self, body: Expr) -> Self {
            self.body = Some(body);
            self
        }
    };
    (@ type_params) => {
        /// Adds a type parameter.
        pub fn type_param(mut self, name: impl Into<String>) -> Self {
            self.params.push(name.into());
            self
        }
    };
}

setters!(Method: params contract);
setters!(Function: params contract expression);
setters!(Predicate: params expression);
setters!(Domain: type_params);
setters!(DomainFunction: params);
setters!(Axiom:);
setters!(Adt: type_params);
setters!(Constructor:);

impl<O> Method<O> {
    /// An abstract method without parameters.
    pub fn new(name: impl Into<String>) -> Self {
        Method {
            name: name.into(),
            params: Vec::new(),
            returns: Vec::new(),
            requires: Vec::new(),
            ensures: Vec::new(),
            decreases: Vec::new(),
            body: None,
            origin: None,
            annotations: Vec::new(),
        }
    }
    /// Adds a result.
    pub fn returns(mut self, name: impl Into<String>, ty: Type) -> Self {
        self.returns.push(Param::new(name, ty));
        self
    }
    /// Sets the body.
    pub fn body(mut self, stmts: impl IntoIterator<Item = Stmt>) -> Self {
        self.body = Some(stmts.into_iter().collect());
        self
    }
}

impl<O> Function<O> {
    /// An abstract function without parameters.
    pub fn new(name: impl Into<String>, result: Type) -> Self {
        Function {
            name: name.into(),
            params: Vec::new(),
            result,
            requires: Vec::new(),
            ensures: Vec::new(),
            decreases: Vec::new(),
            body: None,
            origin: None,
            annotations: Vec::new(),
        }
    }
}

impl<O> Predicate<O> {
    /// An abstract predicate without parameters.
    pub fn new(name: impl Into<String>) -> Self {
        Predicate { name: name.into(), params: Vec::new(), body: None, origin: None, annotations: Vec::new() }
    }
}

impl<O> Domain<O> {
    /// An empty domain.
    pub fn new(name: impl Into<String>) -> Self {
        Domain {
            name: name.into(),
            params: Vec::new(),
            interpretations: None,
            functions: Vec::new(),
            axioms: Vec::new(),
            origin: None,
            annotations: Vec::new(),
        }
    }
    /// Adds a function.
    pub fn function(mut self, function: DomainFunction<O>) -> Self {
        self.functions.push(function);
        self
    }
    /// Adds an axiom.
    pub fn axiom(mut self, axiom: Axiom<O>) -> Self {
        self.axioms.push(axiom);
        self
    }
    /// Makes the domain a type of a back end, such as `interpretation (SMTLIB: "(_ BitVec 32)")`.
    pub fn interpretation(mut self, backend: impl Into<String>, text: impl Into<String>) -> Self {
        self.interpretations.get_or_insert_default().push((backend.into(), text.into()));
        self
    }
}

impl<O> DomainFunction<O> {
    /// A function without parameters.
    pub fn new(name: impl Into<String>, result: Type) -> Self {
        DomainFunction {
            name: name.into(),
            params: Vec::new(),
            result,
            unique: false,
            interpretation: None,
            origin: None,
            annotations: Vec::new(),
        }
    }
    /// Makes the function unique: different unique functions have different values.
    pub fn unique(mut self) -> Self {
        self.unique = true;
        self
    }
    /// Sets the function of the back end that interprets this one.
    pub fn interpretation(mut self, text: impl Into<String>) -> Self {
        self.interpretation = Some(text.into());
        self
    }
}

impl<O> Axiom<O> {
    /// An axiom without a name.
    pub fn new(body: Expr) -> Self {
        Axiom { name: None, body, origin: None, annotations: Vec::new() }
    }
    /// Names the axiom.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}

impl<O> Adt<O> {
    /// A type without constructors.
    pub fn new(name: impl Into<String>) -> Self {
        let (params, constructors) = (Vec::new(), Vec::new());
        Adt { name: name.into(), params, constructors, derives: Vec::new(), origin: None, annotations: Vec::new() }
    }
    /// Adds a constructor.
    pub fn constructor(mut self, constructor: Constructor<O>) -> Self {
        self.constructors.push(constructor);
        self
    }
    /// Derives a function, such as `contains`, for a type if given, ignoring some arguments of constructors. The
    /// library `adt/derives.vpr` must be imported.
    pub fn derives(
        mut self,
        name: impl Into<String>,
        ty: Option<Type>,
        without: impl IntoIterator<Item = String>,
    ) -> Self {
        self.derives.push((name.into(), ty, without.into_iter().collect()));
        self
    }
}

impl<O> Constructor<O> {
    /// A constructor without arguments.
    pub fn new(name: impl Into<String>) -> Self {
        Constructor { name: name.into(), args: Vec::new(), origin: None, annotations: Vec::new() }
    }
    /// Adds an argument.
    pub fn arg(mut self, name: impl Into<String>, ty: Type) -> Self {
        self.args.push(Param::new(name, ty));
        self
    }
}

/// Adding members.
impl<O> ProgramBuilder<O> {
    /// Adds a field.
    pub fn field(&mut self, name: &str, ty: Type) {
        let fields = self.formals([Param::new(name, ty)]);
        self.member(MemberKind::Fields(fields), None, Vec::new());
    }
    /// Adds the declarations of a library file, such as `decreases/int.vpr` for measures on integers.
    pub fn import_library(&mut self, path: &str) {
        let path = self.text(path);
        let import = Import { path, library: true, path_span: untagged() };
        self.member(MemberKind::Import(import), None, Vec::new());
    }
    /// Adds a method.
    pub fn method(&mut self, method: Method<O>) {
        let name = self.ident(&method.name);
        let (params, returns) = (self.formals(method.params), self.formals(method.returns));
        let contract = self.contract(method.requires, method.ensures, method.decreases);
        let body = method.body.map(|stmts| self.block_of(stmts));
        let kind = MemberKind::Method(ast::Method { name, params, returns, contract, body });
        self.member(kind, method.origin, method.annotations);
    }
    /// Adds a function.
    pub fn function(&mut self, function: Function<O>) {
        let (name, params) = (self.ident(&function.name), self.formals(function.params));
        let result = self.ty(&function.result);
        let contract = self.contract(function.requires, function.ensures, function.decreases);
        let body = function.body.map(|body| self.own(body));
        let kind = MemberKind::Function(ast::Function { name, params, result, contract, body });
        self.member(kind, function.origin, function.annotations);
    }
    /// Adds a predicate.
    pub fn predicate(&mut self, predicate: Predicate<O>) {
        let (name, params) = (self.ident(&predicate.name), self.formals(predicate.params));
        let body = predicate.body.map(|body| self.own(body));
        let kind = MemberKind::Predicate(ast::Predicate { name, params, body });
        self.member(kind, predicate.origin, predicate.annotations);
    }
    /// Adds a domain.
    pub fn domain(&mut self, domain: Domain<O>) {
        let name = self.ident(&domain.name);
        let params = domain.params.iter().map(|param| self.ident(param)).collect();
        let mut interpreted = |(backend, text): (String, String)| {
            let (backend, text) = (self.ident(&backend), self.text(&text));
            Interpretation { backend, text }
        };
        let interpretations = domain.interpretations.map(|all| all.into_iter().map(&mut interpreted).collect());
        let functions = domain.functions.into_iter().map(|function| self.domain_function(function)).collect();
        let axioms = domain.axioms.into_iter().map(|axiom| self.axiom(axiom)).collect();
        let kind = MemberKind::Domain(ast::Domain { name, params, interpretations, functions, axioms });
        self.member(kind, domain.origin, domain.annotations);
    }
    /// Adds an algebraic data type.
    pub fn adt(&mut self, adt: Adt<O>) {
        let name = self.ident(&adt.name);
        let params = adt.params.iter().map(|param| self.ident(param)).collect();
        let mut constructor = |one: Constructor<O>| {
            let (name, args) = (self.ident(&one.name), self.formals(one.args));
            ast::Constructor { name, args, span: self.tag(one.origin), annotations: self.annotated(one.annotations) }
        };
        let constructors = adt.constructors.into_iter().map(&mut constructor).collect();
        let mut derive = |(name, arg, without): (String, Option<Type>, Vec<String>)| {
            let (name, arg) = (self.ident(&name), arg.map(|ty| self.ty(&ty)));
            ast::Derive { name, arg, without: without.iter().map(|name| self.ident(name)).collect(), span: untagged() }
        };
        let derives = adt.derives.into_iter().map(&mut derive).collect();
        let kind = MemberKind::Adt(ast::Adt { name, params, constructors, derives });
        self.member(kind, adt.origin, adt.annotations);
    }

    fn member(&mut self, kind: MemberKind, origin: Option<O>, annotations: Vec<Annotated>) {
        let (span, annotations) = (self.tag(origin), self.annotated(annotations));
        self.members.push(Member { kind, span, annotations });
    }
    fn annotated(&mut self, annotations: Vec<Annotated>) -> Vec<ast::Annotation> {
        annotations.into_iter().map(|(name, args)| self.annotation(&name, args)).collect()
    }
    fn contract(&mut self, requires: Vec<Expr>, ensures: Vec<Expr>, decreases: Vec<Decreases>) -> Contract {
        let (requires, ensures) = (self.own_all(requires), self.own_all(ensures));
        Contract { requires, ensures, decreases: self.measures(decreases) }
    }
    pub(crate) fn measures(&mut self, clauses: Vec<Decreases>) -> Vec<ast::Decreases> {
        let mut lower = |clause: Decreases| {
            let (kind, condition) = match clause {
                Decreases::Terms(terms, condition) => (DecreasesKind::Tuple(self.own_all(terms)), condition),
                Decreases::Assumed(condition) => (DecreasesKind::Wildcard, condition),
                Decreases::Unclaimed => (DecreasesKind::Star, None),
            };
            let condition = condition.map(|condition| self.own(condition));
            ast::Decreases { kind, condition, span: untagged() }
        };
        clauses.into_iter().map(&mut lower).collect()
    }
    fn domain_function(&mut self, function: DomainFunction<O>) -> ast::DomainFunction {
        let name = self.ident(&function.name);
        let mut param = |param: &Param| DomainParam { name: Some(self.ident(&param.name)), ty: self.ty(&param.ty) };
        let params = function.params.iter().map(&mut param).collect();
        ast::DomainFunction {
            name,
            unique: function.unique,
            params,
            result: self.ty(&function.result),
            interpretation: function.interpretation.map(|text| self.text(&text)),
            span: self.tag(function.origin),
            annotations: self.annotated(function.annotations),
        }
    }
    fn axiom(&mut self, axiom: Axiom<O>) -> ast::Axiom {
        let name = axiom.name.map(|name| self.ident(&name));
        let (body, span) = (self.own(axiom.body), self.tag(axiom.origin));
        ast::Axiom { name, body, span, annotations: self.annotated(axiom.annotations) }
    }
}
