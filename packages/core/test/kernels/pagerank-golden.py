"""Writes pagerank-golden.json: personalised PageRank as igraph computes it.

    pip install igraph==1.0.0
    python pagerank-golden.py
    npx prettier --write pagerank-golden.json

What igraph does with a dangling node, one without outgoing weight, is not said in its Python documentation: it
hands the same vector to PRPACK for "restart" (v) and for "stuck" (u), so a walk that gets stuck jumps to the
reset distribution. This script makes sure: it solves that very system,

    x = (1 - d) r + d P x + d (sum of x over dangling nodes) r,

by elimination and refuses to write values that are further from it than 1e-10. The library lets the mass of
dangling nodes go instead, x' = (1 - d) r + d P x'; since the jump only adds a multiple of r to the right-hand
side, x is x' divided by its sum.
"""

import json
import pathlib
import random

import igraph

DAMPINGS = [0.5, 0.7, 0.85]


def solve(matrix, right):
    """Gaussian elimination with partial pivoting."""
    size = len(right)
    rows = [row[:] + [value] for row, value in zip(matrix, right)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(column + 1, size):
            factor = rows[row][column] / rows[column][column]
            for k in range(column, size + 1):
                rows[row][k] -= factor * rows[column][k]
    result = [0.0] * size
    for row in reversed(range(size)):
        rest = sum(rows[row][k] * result[k] for k in range(row + 1, size))
        result[row] = (rows[row][size] - rest) / rows[row][row]
    return result


def with_jumps_to_reset(nodes, edges, directed, reset, damping):
    weight = [[0.0] * nodes for _ in range(nodes)]
    for u, v, w in edges:
        weight[v][u] += w
        if not directed:
            weight[u][v] += w
    total = sum(reset)
    r = [mass / total for mass in reset]
    out = [sum(weight[v][u] for v in range(nodes)) for u in range(nodes)]
    matrix = [
        [(1.0 if u == v else 0.0) - damping * (weight[v][u] / out[u] if out[u] > 0 else r[v]) for u in range(nodes)]
        for v in range(nodes)
    ]
    return solve(matrix, [(1 - damping) * mass for mass in r])


def case(name, nodes, edges, directed, reset, **more):
    graph = igraph.Graph(n=nodes, edges=[(u, v) for u, v, _ in edges], directed=directed)
    scores = {}
    for damping in DAMPINGS:
        ranks = graph.personalized_pagerank(
            damping=damping,
            reset=reset,
            weights=[w for _, _, w in edges],
            directed=directed,
            implementation="prpack",
        )
        expected = with_jumps_to_reset(nodes, edges, directed, reset, damping)
        difference = max(abs(a - b) for a, b in zip(ranks, expected))
        assert difference < 1e-10, (name, damping, difference)
        scores[str(damping)] = ranks
    return {
        "name": name,
        "nodes": nodes,
        "directed": directed,
        "from": [u for u, _, _ in edges],
        "to": [v for _, v, _ in edges],
        "weights": [w for _, _, w in edges],
        "reset": reset,
        **more,
        "scores": scores,
    }


def random_directed(draw, nodes, edges, dangling):
    """No node points at itself; the last ones point at nothing."""
    pairs = set()
    while len(pairs) < edges:
        u, v = draw.randrange(nodes - dangling), draw.randrange(nodes)
        if u != v:
            pairs.add((u, v))
    return [[u, v, round(draw.uniform(0.1, 5), 3)] for u, v in sorted(pairs)]


def bipartite(draw, passages, entities):
    """Passages first. w(p, e) = N(p, e) / sum of N(p, .), the paper's weights; the last entity is in no passage."""
    counts = []
    for p in range(passages):
        for e in sorted(draw.sample(range(entities - 1), draw.randint(1, min(4, entities - 1)))):
            counts.append([p, e, draw.randint(1, 6)])
    totals = [sum(n for q, _, n in counts if q == p) for p in range(passages)]
    edges = [[p, passages + e, n / totals[p]] for p, e, n in counts]
    return counts, edges


def main():
    draw = random.Random(20251010)
    cases = [
        case("a cycle with a way out", 4, [[0, 1, 1], [1, 2, 3], [2, 0, 1], [1, 3, 0.5]], True, [1, 0, 0, 0]),
        case("a chain that ends", 5, [[0, 1, 1], [1, 2, 1], [2, 3, 1], [3, 4, 1]], True, [0.5, 0, 0.25, 0, 0.25]),
        case("reset at a dangling node alone", 3, [[0, 1, 2], [2, 1, 1], [2, 0, 4]], True, [0, 1, 0]),
        case("an isolated node with reset", 5, [[0, 1, 1], [1, 0, 1], [1, 2, 7]], True, [0.3, 0, 0, 0.7, 0]),
        case("a two-way and a one-way edge", 3, [[0, 1, 5], [1, 0, 0.2], [1, 2, 0.3], [2, 1, 9]], True, [0, 0, 1]),
        case("two components", 6, [[0, 1, 1], [1, 2, 2], [2, 0, 3], [3, 4, 1], [4, 5, 1], [5, 3, 4]], True, [2, 0, 0, 1, 0, 0]),
        case("random, all with edges", 20, random_directed(draw, 20, 90, 0), True, [draw.random() for _ in range(20)]),
        case("random, some dangling", 30, random_directed(draw, 30, 100, 6), True, [draw.randint(0, 2) for _ in range(30)]),
        case("random, sparse", 40, random_directed(draw, 40, 45, 10), True, [1] * 40),
        case("undirected", 12, random_directed(draw, 12, 25, 0), False, [draw.randint(0, 3) for _ in range(12)]),
    ]
    for passages, entities in [(3, 4), (8, 10), (20, 15)]:
        counts, edges = bipartite(draw, passages, entities)
        reset = [draw.choice([0, 0, 1, 2]) for _ in range(passages)] + [draw.choice([0, 1, 3]) for _ in range(entities)]
        cases.append(
            case(
                f"bipartite, {passages} passages and {entities} entities",
                passages + entities,
                edges,
                False,
                reset,
                passages=passages,
                counts=[n for _, _, n in counts],
            )
        )
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(json.dumps({"igraph": igraph.__version__, "cases": cases}))


main()
