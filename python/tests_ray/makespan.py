"""How long programs take on local clusters of one, two and three nodes with a processor each.

    python3 tests_ray/makespan.py FOLDER --every 5 --reports reports

Prints the seconds of a run without Ray and of each run with it, and writes their reports; `cargo xtask cluster reports/alone.json
--workers 1,2,3 --hits 0` says how long the runs should have taken. Runs are faster with more nodes only on a machine with as many
free processors.
"""

import argparse
import os
import re
import subprocess
import time
from pathlib import Path
from typing import List

import ray
from ray.cluster_utils import Cluster

from echis import cluster
from echis._process import executable

# On busy machines, nodes start slowly, and workers with a low priority would starve.
os.environ.setdefault("RAY_agent_register_timeout_ms", "300000")
os.environ.setdefault("RAY_worker_niceness", "0")


def programs(folder: str, every: int) -> List[str]:
    return cluster._programs([folder])[::every]


def run(paths: List[str], nodes: int, seconds: float) -> "tuple[float, cluster.Report]":
    store = {"object_store_memory": 80 << 20}
    local = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, **store})
    for _ in range(nodes - 1):
        local.add_node(num_cpus=1, **store)
    ray.init(address=local.address, log_to_driver=False)
    local.wait_for_nodes()
    try:
        begin = time.monotonic()
        options = cluster.Options({}, ("--no-cache", "--jobs", "1"), time_limit=seconds)
        report = cluster.verify(paths, options=options)
        return time.monotonic() - begin, report
    finally:
        ray.shutdown()
        local.shutdown()


def alone(paths: List[str]) -> "tuple[float, str]":
    """Runs one process, without Ray."""
    command = [str(executable()), "verify", "--format", "json", "--no-cache", "--jobs", "1", "--hints", "off", *paths]
    begin = time.monotonic()
    text = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8").stdout
    return time.monotonic() - begin, text


def timeless(text: str) -> str:
    return re.sub(r'"time_ms": [0-9.e-]+', '"time_ms": 0', text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--every", type=int, default=1, help="take every Nth program")
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--reports", default="reports", help="the folder for the reports, by number of nodes")
    parser.add_argument("--time-limit", type=float, default=3600.0)
    args = parser.parse_args()
    paths = programs(args.folder, args.every)
    folder = Path(args.reports)
    folder.mkdir(parents=True, exist_ok=True)
    seconds, expected = alone(paths)
    (folder / "alone.json").write_text(expected, encoding="utf-8")
    print(f"without Ray: {seconds:.1f} s for {len(paths)} programs", flush=True)
    for nodes in args.nodes:
        before = os.getloadavg()[0]
        seconds, report = run(paths, nodes, args.time_limit)
        files = report.json["files"]
        members = [member for file in files for member in file["members"]]
        work = sum(member["time_ms"] for member in members) / 1000
        (folder / f"{nodes}.json").write_text(report.text, encoding="utf-8")
        same = timeless(report.text) == timeless(expected)
        print(
            f"{nodes} nodes: {seconds:.1f} s for {len(files)} programs, {len(members)} members, {work:.1f} s of work; "
            f"{'same report' if same else 'DIFFERENT report'}; load before {before:.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
