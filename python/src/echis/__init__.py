"""A verifier for Viper programs that explains its proofs.

>>> import echis
>>> result = echis.verify("method m(x: Int) { assert x > 0 }")
>>> result.verdict, [error.message for error in result.errors]
('failed', ['Assert might fail. Assertion x > 0 might not hold.'])

``result.dependencies`` is the dependency graph of the proofs, ``result.coverage`` their coverage of the program.
"""

from ._process import EchisError, executable, version
from ._results import (
    Annotation,
    Counterexample,
    Coverage,
    Dependencies,
    Error,
    Graph,
    Member,
    Node,
    Position,
    Related,
    Verification,
    verify,
    verify_file,
)

__all__ = [
    "Annotation",
    "Counterexample",
    "Coverage",
    "Dependencies",
    "EchisError",
    "Error",
    "Graph",
    "Member",
    "Node",
    "Position",
    "Related",
    "Verification",
    "executable",
    "verify",
    "verify_file",
    "version",
]
