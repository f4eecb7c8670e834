"""Tests of the Python package, with the executable given by ECHIS or an installed one: ``python3 -m unittest``."""

import unittest

import echis

LIST = """\
field value: Int
predicate positive(x: Ref) { acc(x.value) && x.value > 0 }
method raise(x: Ref, n: Int)
  requires positive(x) && n >= 0
  ensures positive(x)
{
  unfold positive(x)
  x.value := x.value + n
  fold positive(x)
}
"""


class Verifying(unittest.TestCase):
    def test_a_program_that_verifies(self) -> None:
        result = echis.verify(LIST)
        self.assertTrue(result)
        self.assertEqual([member.name for member in result.members], ["positive", "raise"])
        self.assertIn("verified", result._repr_html_())

    def test_errors_with_places_and_counterexamples(self) -> None:
        result = echis.verify("method m(x: Int)\n{ assert x > 0 }", counterexample="extended")
        (error,) = result.errors
        self.assertEqual((result.verdict, error.id), ("failed", "assert.failed:assertion.false"))
        self.assertIsNotNone(error.position)
        self.assertEqual(error.position and error.position.line, 2)
        self.assertTrue(error.counterexample and error.counterexample.confirmed)
        self.assertLessEqual(int(error.counterexample.variables["x"]) if error.counterexample else 1, 0)
        self.assertIn("<u", result._repr_html_())

    def test_an_error_reads_like_on_a_terminal(self) -> None:
        (error,) = echis.verify("method m(x: Int)\n{ assert x > 0 }").errors
        first, place, member = str(error).splitlines()
        message = "Assert might fail. Assertion x > 0 might not hold."
        self.assertEqual(first, f"error[assert.failed:assertion.false]: {message}")
        self.assertTrue(place.endswith(":2:10"), place)
        self.assertEqual(member, "  = note: while verifying m")

    def test_a_missing_file_raises(self) -> None:
        with self.assertRaises(FileNotFoundError):
            echis.verify_file("no/such/file.vpr")
        with self.assertRaises(IsADirectoryError):
            echis.verify_file(".")

    def test_what_is_no_program(self) -> None:
        self.assertEqual(echis.verify("method").verdict, "invalid")
        with self.assertRaises(echis.EchisError):
            echis.verify("method m() {}", counterexample="nonsense")

    def test_dependencies_as_a_graph(self) -> None:
        result = echis.verify(LIST)
        (found,) = result.dependencies.of(5)
        self.assertIn(8, {node.position.line for node in found.all})
        self.assertIn("<svg", result.dependencies._repr_html_())
        self.assertEqual(result.coverage.covered, result.coverage.total)

    def test_networkx(self) -> None:
        try:
            import networkx
        except ImportError:
            self.skipTest("networkx is not installed")
        graph = echis.verify(LIST).dependencies.to_networkx()
        self.assertTrue(networkx.is_directed(graph) and graph.number_of_edges() > 0)
        self.assertIn("fold positive(x)", {data["text"] for _, data in graph.nodes(data=True)})


if __name__ == "__main__":
    unittest.main()
