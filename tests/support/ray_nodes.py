"""Run a Ray cluster of three simulated machines on this machine, controlled by lines on standard input.

It prints the address; `remove` removes a machine with everything that runs on it; the end of the input ends the cluster.
"""

from __future__ import annotations

import sys
from typing import Any


def main() -> None:
    """Run the cluster."""
    from ray.cluster_utils import Cluster

    options: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 100 << 20}
    cluster = Cluster(initialize_head=True, head_node_args=options | {"include_dashboard": False})
    nodes = [cluster.add_node(**options) for _ in range(2)]
    cluster.wait_for_nodes()
    print(f"address {cluster.address}", flush=True)
    for line in sys.stdin:
        if line.strip() == "remove":
            cluster.remove_node(nodes.pop(), allow_graceful=False)
            print("removed", flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main()
