"""How long programs take on local clusters of one, two and three nodes with a processor each.

    python3 tests_ray/makespan.py FOLDER --every 5 --report report.json

Prints the seconds of each run, and writes the report of the run on one node, for `cargo xtask cluster report.json`. The numbers
mean something only on a machine with as many free processors as nodes.
"""

import argparse
import os
import re
import time
from pathlib import Path
from typing import List

import ray
from ray.cluster_utils import Cluster

from echis import cluster


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


def timeless(text: str) -> str:
    return re.sub(r'"time_ms": [0-9.e-]+', '"time_ms": 0', text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--every", type=int, default=1, help="take every Nth program")
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--report", default="report.json", help="where to write the report of the first run")
    parser.add_argument("--time-limit", type=float, default=3600.0)
    args = parser.parse_args()
    paths = programs(args.folder, args.every)
    first = None
    for nodes in args.nodes:
        before = os.getloadavg()[0]
        seconds, report = run(paths, nodes, args.time_limit)
        files = report.json["files"]
        members = [member for file in files for member in file["members"]]
        work = sum(member["time_ms"] for member in members) / 1000
        if first is None:
            first = report.text
            Path(args.report).write_text(report.text, encoding="utf-8")
        same = timeless(report.text) == timeless(first)
        print(
            f"{nodes} nodes: {seconds:.1f} s for {len(files)} programs, {len(members)} members, {work:.1f} s of work; "
            f"{'same report' if same else 'DIFFERENT report'}; load before {before:.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
