# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# One graph, several grammars. Cells begin with `# %%`, so that editors run this as a notebook;
# as a program it checks what it says.
#
# `main` calls `id` twice: x = id(a) at site 1, y = id(b) at site 2.

# %%
import cflr

graph = cflr.Graph.from_edges([
    ("a", "id::v", "call[1]"), ("b", "id::v", "call[2]"), ("id::v", "id::return", "a"),
    ("id::return", "x", "ret[1]"), ("id::return", "y", "ret[2]")])
print(graph)

# %% [markdown]
# Reachability that ignores calls says that both arguments reach both results.

# %%
ignored = cflr.solve(graph, """
    Flow ::= Step | Flow Step
    Step ::= a | call[i] | ret[i]
""")
assert ("a", "x") in ignored["Flow"] and ("a", "y") in ignored["Flow"]

# %% [markdown]
# A grammar that matches call[i] with ret[i] keeps them apart.

# %%
matched = cflr.solve(graph, """
    Flow    ::= a | Flow Flow | Open[i] ret[i]
    Open[i] ::= call[i] Flow
""")
assert ("a", "x") in matched["Flow"] and ("a", "y") not in matched["Flow"]
print([graph.vertex(v).name for v in matched["Flow"]["a"]])

# %% [markdown]
# Why does `a` reach `x`?

# %%
why = matched.explain("Flow", "a", "x")
print(why)

# %% [markdown]
# What the first grammar says and the second does not, as pairs of names: with NumPy as a table, and
# with pandas as a frame.


# %%
def named(result):
    return {(graph.vertex(u).name, graph.vertex(int(v)).name)
            for u, row in result["Flow"] for v in row}


spurious = sorted(named(ignored) - named(matched))
print(spurious)
assert ("a", "y") in spurious and ("b", "x") in spurious and ("a", "x") not in spurious

try:
    import pandas
    print(pandas.DataFrame(spurious, columns=["from", "to"]).groupby("from").size())
except ImportError:
    print("no pandas here")
