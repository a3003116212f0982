"""No module imports itself by way of others, not even inside of functions."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter


def circle_in(graph: dict[str, set[str]]) -> list[str]:
    """Modules each of which is imported by the next, the first by the last; none where there is no such circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_nothing_imports_in_a_circle() -> None:
    import grimp

    graph = grimp.build_graph("fathom", "fathom_server", exclude_type_checking_imports=True, cache_dir=None)
    imported = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert circle_in(imported) == []


def test_a_circle_is_found() -> None:
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": {"b"}}) in (["b", "c", "b"], ["c", "b", "c"])
