"""The files in ``examples/builds`` and ``examples/clusters``: build systems run them, schemas describe them. ``cargo xtask ray`` runs it.

``pip install cmake ninja check-jsonschema kubernetes-validate`` installs what is not there; tests without their tool are skipped.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import List

import echis

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LIBRARY = "function one(): Int ensures result == {result} {{ 1 }}\n"
PROGRAM = 'import "library.vpr"\nmethod m() { assert one() == 1 }\n'


class InBuilds(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="echis-builds-")
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)
        tools = self.path / "tools"
        tools.mkdir()
        (tools / "echis").symlink_to(echis.executable())
        self.variables = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "ECHIS_CACHE": ""}

    def run_here(self, command: List[str], where: Path) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(command, cwd=where, env=self.variables, capture_output=True, text=True, timeout=300)

    def rebuilds(self, build: List[str], where: Path, report: Path) -> None:
        """Programs are verified exactly if they are new or a file they import has changed."""
        library = where / "library.vpr"
        first = self.run_here(build, where)
        self.assertEqual(first.returncode, 0, first.stdout + first.stderr)
        self.assertEqual(json.loads(report.read_text())["files"][0]["verdict"], "verified")
        made = report.stat().st_mtime_ns
        self.assertEqual(self.run_here(build, where).returncode, 0)
        self.assertEqual(report.stat().st_mtime_ns, made, "nothing has changed")
        library.write_text(LIBRARY.format(result=2))
        os.utime(library, ns=(made + 2_000_000_000, made + 2_000_000_000))
        wrong = self.run_here(build, where)
        self.assertNotEqual(wrong.returncode, 0, wrong.stdout)
        # A program that failed is verified again.
        self.assertNotEqual(self.run_here(build, where).returncode, 0)
        library.write_text(LIBRARY.format(result=1) + "// repaired\n")
        os.utime(library, ns=(made + 4_000_000_000, made + 4_000_000_000))
        repaired = self.run_here(build, where)
        self.assertEqual(repaired.returncode, 0, repaired.stdout + repaired.stderr)

    def project(self, name: str) -> Path:
        folder = self.path / name
        shutil.copytree(EXAMPLES / "builds" / name, folder)
        (folder / "library.vpr").write_text(LIBRARY.format(result=1))
        (folder / "list.vpr").write_text(PROGRAM)
        return folder

    @unittest.skipUnless(shutil.which("make"), "there is no make")
    def test_make(self) -> None:
        folder = self.project("make")
        self.rebuilds(["make"], folder, folder / "list.json")

    @unittest.skipUnless(shutil.which("ninja"), "there is no ninja")
    def test_ninja(self) -> None:
        folder = self.project("ninja")
        self.rebuilds(["ninja"], folder, folder / "list.json")

    @unittest.skipUnless(shutil.which("cmake") and shutil.which("ninja"), "there is no cmake, or no ninja")
    def test_cmake(self) -> None:
        folder = self.project("cmake")
        configured = self.run_here(["cmake", "-G", "Ninja", "-B", "build"], folder)
        self.assertEqual(configured.returncode, 0, configured.stderr)
        self.rebuilds(["cmake", "--build", "build"], folder, folder / "build" / "list.json")

    @unittest.skipUnless(shutil.which("bazel"), "there is no bazel")
    def test_bazel(self) -> None:
        folder = self.project("bazel")
        (folder / "MODULE.bazel").write_text("")
        (folder / "tools").mkdir()
        rule = 'sh_binary(name = "echis", srcs = ["echis.sh"], visibility = ["//visibility:public"])\n'
        (folder / "tools" / "BUILD.bazel").write_text(rule)
        wrapper = folder / "tools" / "echis.sh"
        wrapper.write_text(f'#!/bin/sh\nexec {echis.executable()} "$@"\n')
        wrapper.chmod(0o755)
        built = self.run_here(["bazel", "build", "//:list"], folder)
        self.assertEqual(built.returncode, 0, built.stderr)


class AgainstSchemas(unittest.TestCase):
    def test_the_job_of_kubernetes(self) -> None:
        try:
            import kubernetes_validate
            import yaml
        except ImportError:
            self.skipTest("kubernetes-validate is not installed")
        manifest = yaml.safe_load((EXAMPLES / "clusters" / "kubernetes.yaml").read_text())
        version = kubernetes_validate.latest_version()
        kubernetes_validate.validate(manifest, version, strict=True)
        wrong = json.loads(json.dumps(manifest))
        wrong["spec"]["completionMode"] = 3
        with self.assertRaises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate(wrong, version, strict=True)

    def test_the_workflow_of_github(self) -> None:
        command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
        try:
            import check_jsonschema  # noqa: F401
        except ImportError:
            self.skipTest("check-jsonschema is not installed")
        workflow = EXAMPLES / "clusters" / "github-actions.yml"
        run = subprocess.run([*command, str(workflow)], capture_output=True, text=True, timeout=300)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as wrong:
            wrong.write(workflow.read_text().replace("runs-on:", "runs:"))
            wrong.flush()
            run = subprocess.run([*command, wrong.name], capture_output=True, text=True, timeout=300)
            self.assertNotEqual(run.returncode, 0)


if __name__ == "__main__":
    unittest.main()
