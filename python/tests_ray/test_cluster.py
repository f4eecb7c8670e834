"""Tests of `echis.cluster` on a local Ray cluster with three nodes: ``cargo xtask ray``.

Ray is a large package, so these tests are not part of the usual test command.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Dict, List, Optional

import ray
from ray.cluster_utils import Cluster

import echis
from echis import cluster

#: The second precondition is not needed.
PROVED = "method p(a: Int, b: Int) returns (c: Int) requires a > 0 requires b > 0 ensures c > 0 { c := a }"
LIBRARY = "function one(): Int ensures result == 1 { 1 }\n"


def member(index: int) -> str:
    if index % 5 == 0:
        return f"method m{index}(r: Ref, n: Int) requires acc(r.f) {{ r.f := n assert r.f > {index} }}\n"
    return f"method m{index}(r: Ref) requires acc(r.f) {{ r.f := one() + {index} assert r.f == {index + 1} }}\n"


def program(members: int) -> str:
    return 'import "library.vpr"\nfield f: Int\n' + "".join(member(index) for index in range(members))


#: A wrapper of Echis that intercepts requests.
WRAPPER = """#!{python}
import json, os, signal, subprocess, sys, time
real = os.environ["REAL_ECHIS"]
if sys.argv[1] != "serve":
    os.execv(real, [real, *sys.argv[1:]])
child = subprocess.Popen([real, *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
print(child.stdout.readline(), end="", flush=True)
for line in sys.stdin:
    request = json.loads(line)
    at = request["options"]["at"]
    {action}
    child.stdin.write(line)
    child.stdin.flush()
    print(child.stdout.readline(), end="", flush=True)
"""


#: A driver that writes the report to a file. With `cancel_when`, the run is cancelled as soon as a process's command line
#: contains this text, and the driver writes the remaining processes.
DRIVER = """
import json, pathlib, subprocess, sys, time
import ray
from echis import cluster
given, output = json.loads(sys.argv[1]), pathlib.Path(sys.argv[2])
variables = {"ECHIS": given["wrapper"], "REAL_ECHIS": given["real"]}
ray.init(address=given["address"], log_to_driver=False, runtime_env={"env_vars": variables})
limits = {name: given.get(name) for name in ("time_limit", "memory_limit")}
options = cluster.Options({}, ("--no-cache", "--jobs", "1"), **limits)
marker = given.get("cancel_when")
def running():
    listing = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True).stdout
    return [line for line in listing.splitlines() if marker in line and "cancel_when" not in line]
if marker is None:
    output.write_text(cluster.verify(given["paths"], options=options).text)
else:
    started = False
    try:
        cluster.verify(given["paths"], options=options, is_cancelled=lambda: bool(running()))
    except KeyboardInterrupt:
        started = True
    for _ in range(100):
        left = running()
        if not left:
            break
        time.sleep(0.2)
    output.write_text(json.dumps({"started": started, "left": left}))
"""


# On busy machines, nodes start slowly, and workers with a low priority would starve.
os.environ.setdefault("RAY_agent_register_timeout_ms", "300000")
os.environ.setdefault("RAY_worker_niceness", "0")

#: Time limit for each test.
SECONDS = 300


def too_long(*_: Any) -> None:
    raise TimeoutError(f"the test takes longer than {SECONDS} s")


def timeless(text: str) -> str:
    text = re.sub(r'"times_ms": ?\{[^}]*\}', '"times_ms": 0', text)
    text = re.sub(r'"work": ?\{[^}]*\}', '"work": 0', text)
    return re.sub(r'"time_ms": ?[0-9.e-]+', '"time_ms": 0', text)


def one_machine(paths: List[str], *more: str) -> str:
    command = [str(echis.executable()), "verify", "--format", "json", "--no-cache", "--hints", "off", *more, *paths]
    return subprocess.run(command, capture_output=True, text=True).stdout


class OnThreeNodes(unittest.TestCase):
    cluster: Cluster
    folder: tempfile.TemporaryDirectory

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory(prefix="echis-ray-")
        store = {"object_store_memory": 80 << 20}
        cls.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, **store})
        for _ in range(2):
            cls.cluster.add_node(num_cpus=1, **store)
        ray.init(address=cls.cluster.address, log_to_driver=False)
        cls.cluster.wait_for_nodes()

    @classmethod
    def tearDownClass(cls) -> None:
        ray.shutdown()
        cls.cluster.shutdown()
        cls.folder.cleanup()

    def setUp(self) -> None:
        signal.signal(signal.SIGALRM, too_long)
        signal.alarm(SECONDS)
        self.addCleanup(signal.alarm, 0)
        self.path = Path(self.folder.name) / self.id().split(".")[-1]
        self.path.mkdir()
        self.write("library.vpr", LIBRARY)
        self.real = str(echis.executable())

    def write(self, name: str, text: str) -> str:
        file = self.path / name
        file.write_text(text)
        return str(file)

    def wrapped(self, action: str) -> str:
        """Writes a wrapper of Echis and returns its path."""
        wrapper = self.write("echis", WRAPPER.format(python=sys.executable, action=action))
        os.chmod(wrapper, 0o755)
        return wrapper

    def verify(self, paths: List[str], request: Optional[Dict[str, Any]] = None, **more: Any) -> Any:
        options = cluster.Options(request or {}, ("--no-cache", "--jobs", "1"))
        return cluster.verify(paths, options=options, **more)

    def test_the_report_is_that_of_one_machine(self) -> None:
        paths = [self.write("a.vpr", program(23)), self.write("b.vpr", program(2)), self.write("c.vpr", "method c() { x }")]
        paths.append(self.write("d.vpr", ""))
        seen: List[cluster.Progress] = []
        report = self.verify(paths, progress=seen.append)
        self.assertEqual(timeless(report.text), timeless(one_machine(paths)))
        self.assertEqual((report.exit_code, seen[-1].done, seen[-1].total), (2, 27, 27))
        self.assertGreater(len(seen), 8)
        again = self.verify(paths, costs=report.json, request={"counterexample": "variables"})
        self.assertEqual(timeless(again.text), timeless(one_machine(paths, "--counterexample", "variables")))

    def test_folders_and_the_command(self) -> None:
        self.write("a.vpr", program(4))
        nodes = ["--address", self.cluster.address, "--no-cache", "--format", "json", "-q"]
        command = [sys.executable, "-m", "echis.cluster", "verify", str(self.path), *nodes]
        run = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((run.returncode, timeless(run.stdout)), (1, timeless(one_machine([str(self.path)]))), run.stderr)

    def test_explanations_are_those_of_one_machine(self) -> None:
        paths = [self.write("a.vpr", program(7)), self.write("b.vpr", PROVED), self.write("c.vpr", "method c() { x }")]
        options = cluster.Options({}, ("--no-cache", "--jobs", "1"))
        for function, command, more in (
            (cluster.dependencies, ["deps", "--all"], {}),
            (cluster.coverage, ["cover"], {}),
            (cluster.coverage, ["cover", "--no-confirm"], {"confirm": "skip"}),
            (cluster.stability, ["verify", "--stability", "3", "--hints", "off"], {"runs": 3}),
        ):
            with self.subTest(command=command):
                report = function(paths, options=options, **more)
                alone = subprocess.run([self.real, *command, "--format", "json", "--jobs", "1", *paths], capture_output=True, text=True)
                self.assertEqual(timeless(report.text), timeless(alone.stdout))
                self.assertEqual(report.exit_code, alone.returncode)

    def test_the_commands_that_explain(self) -> None:
        path = self.write("a.vpr", PROVED)
        where = ["--address", self.cluster.address, "--no-cache", "-q", path]
        for command, field in (("deps", "dependencies"), ("cover", "coverage"), ("stability", "stability")):
            run = subprocess.run([sys.executable, "-m", "echis.cluster", command, *where], capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn(field, json.loads(run.stdout)["files"][0])

    def test_a_node_that_is_killed_loses_nothing(self) -> None:
        path = self.write("a.vpr", program(60))
        node = self.cluster.add_node(num_cpus=1, object_store_memory=80 << 20)
        self.cluster.wait_for_nodes()
        killed: List[threading.Thread] = []

        def kill(progress: cluster.Progress) -> None:
            if not killed:
                killed.append(threading.Thread(target=self.cluster.remove_node, args=(node, False)))
                killed[0].start()

        report = self.verify([path], progress=kill)
        killed[0].join()
        self.assertEqual(timeless(report.text), timeless(one_machine([path])))

    def test_a_member_that_kills_its_worker_is_undecided(self) -> None:
        path = self.write("a.vpr", program(20))
        wrapper = self.wrapped("if 7 in at: os.kill(os.getppid(), signal.SIGKILL); time.sleep(9)")
        report = self.on_wrapper(wrapper, [path])
        (file,) = report["files"]
        verdicts = {found["name"]: found["verdict"] for found in file["members"]}
        self.assertEqual([name for name, verdict in verdicts.items() if verdict == "undecided"], ["m7"])
        (stop,) = file["stopped"]
        self.assertEqual((stop["kind"], stop["member"]), ("lost", "m7"))
        self.assertIn("died 2 times", stop["message"])
        self.assertEqual((file["verdict"], len(verdicts)), ("failed", 21))

    def on_wrapper(self, wrapper: str, paths: List[str], **limits: Any) -> Any:
        """Runs a separate driver, whose workers use the wrapper, and returns its report."""
        given = {"address": self.cluster.address, "wrapper": wrapper, "real": self.real, "paths": paths, **limits}
        output = self.path / "driver.json"
        command = [sys.executable, "-c", DRIVER, json.dumps(given), str(output)]
        run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "ECHIS": self.real})
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(output.read_text())

    def test_a_member_that_needs_too_much_memory_is_undecided(self) -> None:
        path = self.write("a.vpr", program(5))
        # The wrapper itself allocates the memory, with the same limit as Echis.
        wrapper = self.wrapped("taken = bytearray(8 << 30) if 3 in at else None")
        (file,) = self.on_wrapper(wrapper, [path], memory_limit=4 << 30)["files"]
        (stop,) = file["stopped"]
        self.assertEqual((stop["kind"], stop["member"]), ("lost", "m3"))
        self.assertIn("ended with code 1", stop["message"])

    def test_time_is_limited(self) -> None:
        path = self.write("a.vpr", program(3))
        wrapper = self.wrapped("if 1 in at: time.sleep(600)")
        begin = time.monotonic()
        (file,) = self.on_wrapper(wrapper, [path], time_limit=20.0)["files"]
        self.assertLess(time.monotonic() - begin, 300)
        self.assertIn({"kind": "timeout", "member": "m1", "message": "not decided in the time given"}, file["stopped"])
        self.assertEqual([found["name"] for found in file["members"]], ["m0", "m1", "m2", "one"])

    def test_cancelled_runs_leave_no_process(self) -> None:
        path = self.write("a.vpr", program(1))
        wrapper = self.wrapped("time.sleep(600)")
        told = self.on_wrapper(wrapper, [path], cancel_when=wrapper + " serve")
        self.assertEqual(told, {"started": True, "left": []})

    def test_poisoned_entries_of_the_shared_cache_are_ignored(self) -> None:
        path = self.write("a.vpr", program(6))
        shared = self.path / "shared"
        arguments = ("--jobs", "1", "--cache", str(self.path / "own"), "--cache-url", str(shared), "--trust-cache")
        options = cluster.Options({}, arguments)
        first = cluster.verify([path], options=options)
        entries = [file for file in shared.rglob("*") if file.is_file() and file.name != "trimmed"]
        self.assertGreater(len(entries), 5)
        cached = cluster.verify([path], options=options).json["files"][0]["members"]
        self.assertTrue(any(found.get("cached") for found in cached))
        for entry in entries:
            entry.write_bytes(entry.read_bytes()[:-9] + b"poisoned!")
        again = cluster.verify([path], options=options)
        self.assertEqual(timeless(again.text), timeless(first.text))

    def test_a_program_that_changes_meanwhile_is_refused(self) -> None:
        path = self.write("a.vpr", program(3))
        with echis._server.Server(("--no-cache",)) as server:
            plan = server.ask({"command": "verify", "path": path, "options": {"at": []}})
            self.write("a.vpr", program(3).replace("r.f > 0", "true"))
            part = server.ask({"command": "verify", "path": path, "options": {"at": [0, 1, 2, 3]}})
            with self.assertRaisesRegex(echis.EchisError, "a.vpr differs"):
                cluster._merged(server.head, [cluster._Program(path, plan, None)], [part])


if __name__ == "__main__":
    unittest.main()
