"""Symbols that do not begin a line of their own, or are named behind their bodies: each is known by its name, where it
stands, and to those who name it."""

from __future__ import annotations

import pytest

from fathom.context import default_context
from fathom_server.features.edits import edited
from fathom_server.features.functions import function_at, functions
from fathom_server.features.lower import lower_function
from fathom_server.features.preview import preview
from fathom_server.features.run import Runnable, runnable
from fathom_server.features.stages import LLVM_IR, stage_called, stages_of
from fathom_server.features.symbols import OutlineEntry, outline
from fathom_server.model.document import Document
from fathom_server.model.elaboration import elaborated
from fathom_server.model.lowered import stalled
from fathom_server.model.mistakes import diagnostics
from fathom_server.model.settings import Settings
from fathom_server.model.snapshot import Snapshot


def opened(text: str) -> Snapshot:
    return Document("file:///a.mlir", 0, text, default_context(), Settings()).snapshot()


def found(snapshot: Snapshot) -> list[str]:
    """What is said of a document: mistakes, and what does not lower."""
    items = snapshot.tree.items
    return [
        diagnostic.message for item in items for diagnostic in (*diagnostics(snapshot, item), *stalled(snapshot, item))
    ]


def check_outline(text: str, *expected: str, errors: tuple[str, ...] = ()) -> None:
    """The outline is each symbol with its text, those in a table indented."""
    snapshot = opened(text)

    def lines(entries: list[OutlineEntry], margin: str) -> list[str]:
        return [
            line
            for entry in entries
            for line in (
                f"{margin}{entry.name}: {text[entry.start : entry.end]}",
                *lines(entry.children, margin + "  "),
            )
        ]

    assert lines(outline(snapshot), "") == list(expected)
    assert found(snapshot) == list(errors)


CALLS = "func.func @f() {\n  call @g() : () -> ()\n  call @h() : () -> ()\n  return\n}"


def test_declarations_on_one_line() -> None:
    g, h = "func.func private @g()", "func.func private @h()"
    check_outline(f"{g} {h}\n{CALLS}\n", f"@g: {g}", f"@h: {h}", f"@f: {CALLS}")


def test_functions_begin_behind_the_braces_of_others() -> None:
    g, h, i = "func.func @g() { return }", "func.func @h() {\n  return\n}", "func.func private @i()"
    check_outline(f"{g} {h} {i} {CALLS}\n", f"@g: {g}", f"@h: {h}", f"@i: {i}", f"@f: {CALLS}")


def test_tables_that_end_where_they_begin() -> None:
    m, n, g = "module @m { func.func private @g() }", "module @n {}", "func.func private @g()"
    check_outline(f"{m} {n} {g}\n", f"@m: {m}", f"  @g: {g}", f"@n: {n}", f"@g: {g}")


def test_what_stands_in_the_line_of_a_table_stands_in_it() -> None:
    calls = CALLS.replace("\n", "\n  ")
    inner = f"module @n {{ func.func private @g() func.func private @h()\n  {calls}\n}}"
    check_outline(
        f"module @m {{ {inner}\n}}\n",
        f"@m: module @m {{ {inner}\n}}",
        f"  @n: {inner}",
        "    @g: func.func private @g()",
        "    @h: func.func private @h()",
        f"    @f: {calls}",
    )


def test_a_name_behind_a_body() -> None:
    body = '"func.func"() ({\n  "func.return"() : () -> ()\n})'
    g, h = (f'{body} {{sym_name = "{name}", function_type = () -> ()}} : () -> ()' for name in "gh")
    h = h.replace("\n", " ")
    check_outline(f"{g}\n{h}\n{CALLS}\n", f"@g: {g}", f"@h: {h}", f"@f: {CALLS}")


def test_a_name_that_is_taken_on_the_same_line() -> None:
    g = "func.func private @g()"
    check_outline(f"{g} {g}\n", f"@g: {g}", f"@g: {g}", errors=("redefinition of symbol named 'g'",))


def test_what_stands_behind_the_brace_that_ends_a_table() -> None:
    g, n = "func.func private @g()", "module @n {\n  func.func private @g()\n}"
    check_outline(
        f"module @m {{\n  {g}\n}} {n} {g} {CALLS.replace('@h', '@g')}\n{g.replace('@g', '@i')}\n",
        f"@m: module @m {{\n  {g}\n}}",
        f"  @g: {g}",
        f"@n: {n}",
        f"  @g: {g}",
        f"@g: {g}",
        f"@f: {CALLS.replace('@h', '@g')}",
        "@i: func.func private @i()",
    )


def test_a_function_that_is_not_closed_is_not_around_the_next_one() -> None:
    g, f = "func.func @g() {\n  return", "func.func @f() {\n  call @g() : () -> ()\n  return\n}"
    expected = "expected '}' to close the region that begins here"
    check_outline(f"{g}\n{f}\n", f"@g: {g}", f"@f: {f}", errors=(expected,))


@pytest.mark.parametrize(
    ("text", "signatures"),
    [
        (
            "func.func @a(%x: i32) { return } func.func @b(%y: f32) {\n  return\n} func.func @c(%z: i1) { return }\n",
            ["a(%x: i32)", "b(%y: f32)", "c(%z: i1)"],
        ),
        ("module @n { func.func private @x(i32)\nfunc.func @y() {\n  return\n}\n}\n", ["n::@x(i32)", "n::@y()"]),
    ],
)
def test_functions_have_their_own_signatures(text: str, signatures: list[str]) -> None:
    assert [f"{function.name}{function.signature}" for function in functions(opened(text))] == signatures


def test_lowering_one_of_two() -> None:
    text = "func.func @a() { return } func.func @b(%x: i32) -> i32 { return %x : i32 } // %x\n"
    edit = lower_function(opened(text), "b")
    assert isinstance(edit, list)
    assert [(text[replacement.start : replacement.end], replacement.text) for replacement in edit] == [
        (
            "func.func @b(%x: i32) -> i32 { return %x : i32 }",
            "llvm.func @b(%arg0: i32) -> i32 {\n  llvm.return %arg0 : i32\n}",
        )
    ]


@pytest.mark.parametrize("tables", ["module @m {", "module @m { module {", "module @m attributes {a.b} { module @n {"])
@pytest.mark.parametrize("name", ["f", "g"])
def test_what_stands_behind_the_brace_of_a_table_is_lowered_and_run(tables: str, name: str) -> None:
    f = "func.func @f() -> i32 { %0 = arith.constant 3 : i32 return %0 : i32 }"
    g = "func.func @g() -> i32 { %0 = call @f() : () -> i32 return %0 : i32 }"
    text = f"{tables} {f}\n{g}\n{'}' * tables.count('module')}\n{g.replace('@g', '@f').replace('call @f', 'call @h')}\n"
    snapshot = opened(text)
    known = functions(snapshot)
    function = next(candidate for candidate in known if candidate.symbol.name == name)
    assert found(snapshot) == ["'func.call' op 'h' does not reference a valid function"]
    assert isinstance(runnable(snapshot, function.name, [], checked=False), Runnable)
    shown = preview(snapshot, stage_called(snapshot, LLVM_IR), function.name)
    assert shown.problem is None
    assert shown.text is not None
    assert ("ret i32 3" in shown.text) == (name == "f")
    edit = lower_function(snapshot, function.name)
    assert isinstance(edit, list)
    assert [text[replacement.start : replacement.end] for replacement in edit] == [f, g]
    after = opened(edited(text, edit))
    assert found(after) == found(snapshot)


F = "func.func @f() -> i32 { %0 = call @g() : () -> i32 return %0 : i32 }"
G = "func.func @g() -> i32 { %0 = arith.constant 3 : i32 return %0 : i32 }"
H = "func.func @h() -> i32 { %0 = arith.constant 4 : i32 return %0 : i32 }"
WITHIN = {
    "module {{ {} {} }}": ("f", "g"),
    "module @m {{ {} {} }}": ("m::@f", "m::@g"),
    "module @m {{ {} {} }} module @n {{ {h} }}": ("m::@f", "m::@g"),
    "module {{ {h} }} module @n {{ {h} {} {} }}": ("n::@f", "n::@g"),
    "module {{ {other} {h} }} module {{ {} {} }}": ("f", "g#2"),
    "module @m {{ module @n {{ {} {} }} {other} }}": ("m::@n::@f", "m::@n::@g"),
    "module @m {{ module @n {{ {other} }} {} {} }}": ("m::@f", "m::@g"),
    "{h} {other} module {{ {} {} }}": ("f", "g#2"),
    "{h} module @m {{ {} {} }} {other}": ("m::@f", "m::@g"),
    "module @m {{ {other} module @n {{ {} {} }}\n{h}\n}}": ("m::@n::@f", "m::@n::@g"),
    "module @m {{ {other} module @n {{ {h} {} {}\n}}\n}}": ("m::@n::@f", "m::@n::@g"),
    "module @m {{\n{other}\nmodule {{ {} {} }} }}": ("m::@f", "m::@g#2"),
    '"builtin.module"() ({{ {} {} }}) : () -> ()': ("f", "g"),
    "module @m {{\n{other} }} module {{ {} {} }}": ("f", "g"),
    "module @m {{\n{other}\n}} module @n {{ {h} {} {}\n}}": ("n::@f", "n::@g"),
    "module @m {{\n{other}\nmodule {{\n}} module @n {{\n{} {} }} }}": ("m::@n::@f", "m::@n::@g"),
    "module @m {{\nmodule @o {{\n{other}\n}} }} {} {}": ("f", "g"),
    "module @m {{\n{other}\n}} {}\n{}": ("f", "g"),
    "// @f\n\nmodule @m {{ // @g\n{} {} }}": ("m::@f", "m::@g"),
}
"""Where two functions stand in a table, and what clients call them."""
FORMS = {"on one line": (F, G), "over lines": tuple(form.replace(" %0 =", "\n  %0 =") for form in (F, G))}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("table", WITHIN)
def test_functions_of_a_table_that_ends_where_it_begins(table: str, form: str) -> None:
    f, g = FORMS[form]
    text = f"{table.format(f, g, h=H, other=G.replace('3', '5'))}\n"
    snapshot = opened(text)
    assert found(snapshot) == []
    assert set(WITHIN[table]) <= {function.name for function in functions(snapshot)}
    for name, own in zip(WITHIN[table], (f, g), strict=True):
        assert isinstance(runnable(snapshot, name, [], checked=True), Runnable)
        run = runnable(snapshot, name, [], checked=False)
        assert isinstance(run, Runnable)
        assert "ret i32 3" in run.request.llvm_ir
        start = text.index(own)
        assert function_at(snapshot, start + 12) == name
        for stage in stages_of(snapshot, name):
            shown = preview(snapshot, stage, name)
            assert shown.problem is None
            assert shown.text is not None
            assert "@h" not in shown.text
            assert shown.links
            assert all(start <= link.source.start < link.source.end <= start + len(own) for link in shown.links)
        edit = lower_function(snapshot, name)
        assert isinstance(edit, list)
        assert [text[replacement.start : replacement.end] for replacement in edit] == [f, g]
        after = opened(edited(text, edit))
        assert found(after) == []
        assert {function.name for function in functions(after)} == {function.name for function in functions(snapshot)}


def test_a_name_without_a_value() -> None:
    invalid = (
        "invalid properties {sym_name} for op func.func: Invalid attribute `sym_name` in property conversion: unit"
    )
    check_outline('"func.func"() <{sym_name}> ({\n}) : () -> ()\n', errors=(invalid,))


def test_what_is_typed_in_a_table_on_one_line() -> None:
    text = f"module @m {{ {F} {G} }}\n"
    document = Document("file:///a.mlir", 0, text, default_context(), Settings())
    typed = f" {H}"
    for index, letter in enumerate(typed):
        column = len(text) - 3 + index
        document.edit((0, column), (0, column), letter)
        fresh = opened(document.tree.text)
        assert [function.name for function in functions(document.snapshot())] == [
            function.name for function in functions(fresh)
        ]
        assert found(document.snapshot()) == found(fresh)
    assert [function.name for function in functions(document.snapshot())] == ["m::@f", "m::@g", "m::@h"]


def test_two_of_one_name_in_a_table_on_one_line() -> None:
    snapshot = opened(f"module @m {{ {G} {G} }} module @n {{ {G} }}\n")
    assert found(snapshot) == ["redefinition of symbol named 'g'"]
    assert [function.name for function in functions(snapshot)] == ["m::@g", "m::@g#2", "n::@g"]


BAD = "func.func @bad() -> i32 { return }"
BAD_RETURN = "'func.return' op has 0 operands, but enclosing function (@bad) returns 1"
CALL = "func.func @f() { call @g() : () -> () return }"


@pytest.mark.parametrize("around", ["{}", "module @o {{\n{}\n}}"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"module {{ {BAD} }}", [BAD_RETURN]),
        (f"module {{ module {{ {BAD} }} }}", [BAD_RETURN]),
        (f"module {{ {BAD}\n}}", [BAD_RETURN]),
        (f"{G}\nmodule {{ {BAD}\nfunc.func @h() {{ return }}\n}}", [BAD_RETURN]),
        (f"module {{ {CALL} module {{ {BAD}\n}}\nfunc.func @g() {{ return }}\n}}", [BAD_RETURN]),
        (f"module {{ {CALL}\nfunc.func private @g()\n}}", []),
        (f"module {{ {CALL} }}\nfunc.func private @g()", ["'func.call' op 'g' does not reference a valid function"]),
        (
            f"module {{ module {{ {CALL}\n}}\nfunc.func private @g()\n}}",
            ["'func.call' op 'g' does not reference a valid function"],
        ),
        (
            "module attributes {a} {\n}",
            ["'builtin.module' op can only contain attributes with dialect-prefixed names, found: 'a'"],
        ),
        (
            f"module attributes {{a}} {{ {G} }}",
            ["'builtin.module' op can only contain attributes with dialect-prefixed names, found: 'a'"],
        ),
    ],
)
def test_what_stands_in_the_line_of_a_table_is_verified(text: str, expected: list[str], around: str) -> None:
    assert found(opened(f"{around.format(text)}\n")) == expected


SIN = "func.func @sin(%x: f32) -> f32 { %0 = math.sin %x : f32 return %0 : f32 }"
COMMAND = (
    "// RUN: mlir-opt %s --pass-pipeline='builtin.module("
    "func.func(convert-math-to-llvm),convert-func-to-llvm,reconcile-unrealized-casts)' "
    "| mlir-translate --mlir-to-llvmir\n"
)


@pytest.mark.parametrize("body", [f"{{ {SIN} }}", f"{{ {SIN}\n}}", f"{{\n{SIN} }}", f"{{\n{SIN}\n}}"])
@pytest.mark.parametrize(
    ("text", "is_reached"),
    [
        ("module BODY", True),
        ("// @f\n!t = i32\nmodule @m BODY", True),
        ("module { module @m BODY }", False),
        ("module {\nmodule @m BODY\n}", False),
        ("func.func private @h()\nmodule BODY", False),
        ("func.func private @h() module BODY", False),
        ("module BODY func.func private @h()", False),
        ("module BODY\nfunc.func private @h()", False),
        ("module BODY\n// -----\nfunc.func private @h()", True),
        ("func.func private @h()\n// -----\nmodule BODY", True),
        ("func.func private @h()\n// -----\nfunc.func private @h()\nmodule BODY", False),
    ],
)
def test_a_nest_does_not_reach_into_a_module_inside(text: str, is_reached: bool, body: str) -> None:
    snapshot = opened(f"{COMMAND}{text.replace('BODY', body)}\n")
    name = next(function.name for function in functions(snapshot) if function.symbol.name == "sin")
    reasons = [note.message for item in snapshot.tree.items for d in stalled(snapshot, item) for note in d.notes]
    run = runnable(snapshot, name, [1.0], checked=False)
    assert isinstance(run, Runnable) is is_reached
    assert reasons == (
        []
        if is_reached
        else [
            "--convert-math-to-llvm runs on 'func.func' that stands directly in the module, in which this 'math.sin' "
            "does not",
            "run --convert-math-to-llvm on the whole module",
        ]
    )


@pytest.mark.parametrize("label", ["\n^bb0:\n  ", "\n^bb0: ", " ^bb0: "])
@pytest.mark.parametrize("table", ["module @m", "module @m { module", "gpu.module @m", '"builtin.module"() ('])
def test_the_block_of_a_table_may_have_a_label(table: str, label: str) -> None:
    f = "func.func @f() -> i32 {\n  %0 = arith.constant 3 : i32\n  return %0 : i32\n}"
    end = "}}" if "{" in table else "}) : () -> ()" if "(" in table else "}"
    snapshot = opened(f"{table} {{{label}{f}\n{end}\n")
    assert found(snapshot) == []
    shown = preview(snapshot, stage_called(snapshot, LLVM_IR), next(function.name for function in functions(snapshot)))
    assert shown.text is not None
    assert "ret i32 3" in shown.text


LIBRARY = "shape.function_library @lib {\n} mapping {}\n"


@pytest.mark.parametrize(
    ("beginning", "held", "error"),
    [
        ("module attributes {shape.lib = [@lib]} {", LIBRARY, ""),
        ("module attributes {shape.lib = @lib} {", LIBRARY, ""),
        ("module attributes {shape.lib = @a::@lib} {", f"module @a {{\n{LIBRARY}}}\n", ""),
        ("module attributes {shape.lib = [@lib]} {", "", "@lib does not refer to FunctionLibraryOp"),
        ("module attributes {shape.lib = @lib} {", "", "shape function library @lib not found"),
        (
            "module attributes {shape.lib = @lib} {",
            "func.func private @lib()\n",
            "@lib required to be shape function library",
        ),
        (
            "module { module attributes {shape.lib = [@lib]} {",
            f"}}\n{LIBRARY}",
            "@lib does not refer to FunctionLibraryOp",
        ),
    ],
)
def test_the_line_that_begins_a_table_knows_what_that_holds(beginning: str, held: str, error: str) -> None:
    # As mlir-opt 22 has it.
    errors = [error] if error else []
    end = "}\n" * (beginning.count("module") - held.startswith("}"))
    assert found(opened(f"{beginning}\n{held}{end}")) == errors


def test_the_line_that_begins_a_table_follows_what_comes_and_goes_in_that() -> None:
    document = Document(
        "file:///a.mlir", 0, "module attributes {shape.lib = [@lib]} {\n}\n", default_context(), Settings()
    )
    missing = ["@lib does not refer to FunctionLibraryOp"]
    assert found(document.snapshot()) == missing
    document.edit((1, 0), (1, 0), LIBRARY)
    assert found(document.snapshot()) == []
    document.edit((1, 24), (1, 27), "other")
    assert found(document.snapshot()) == missing


def test_a_label_stands_in_no_region() -> None:
    assert found(opened("^bb0:\nfunc.func private @f()\n")) == ["expected operation name in quotes"]


def test_a_table_that_a_line_opens_behind_a_function_is_known_in_that() -> None:
    launch = "gpu.launch_func @k::@h blocks in (%c, %c, %c) threads in (%c, %c, %c)"
    function = f"func.func @g() {{\n  %c = arith.constant 1 : index\n  {launch}\n  return\n}}"
    kernel = "gpu.module @k {\n  gpu.func @h() kernel {\n    gpu.return\n  }\n}\n"
    text = f"module attributes {{gpu.container_module}} {{\n{function} {kernel}}}\n"
    assert not [message for message in found(opened(text)) if "undefined" in message]


def test_where_an_operation_ends_that_nobody_knows_nobody_can_tell() -> None:
    sequence = "transform.named_sequence @__transform_main(%a: !transform.any_op)"
    body = "%b = transform.foreign %a : (!transform.any_op) -> !transform.any_op transform.yield"
    snapshot = opened(f"module attributes {{transform.with_named_sequence}} {{ {sequence} {{ {body} }} }}\n")
    assert not [d for item in snapshot.tree.items for d in diagnostics(snapshot, item) if d.severity == "error"]


def test_a_value_of_the_same_line_at_the_top_is_a_symbol() -> None:
    inside = '"a.f"() ({ ^bb0(%a: memref<?xf32>): %0 = affine.load %a[%i] : memref<?xf32> "a.end"() : () -> () })'
    snapshot = opened(f'%i = "a.b"() : () -> index {inside} : () -> ()\n')
    assert not [d for item in snapshot.tree.items for d in diagnostics(snapshot, item) if d.severity == "error"]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("%0 = foo.a %c {a = 1} : i32 %1 = arith.addi %0, %c : i32", ["foo.a", "arith.addi"]),
        ("%1:2 = foo.two %c : i32 %0, %2 = foo.b %1#1 : i32", ["foo.two", "foo.b"]),
        ("foo.a in(%c : i32) ^bb1(%x: i32): %1 = foo.b %x : i32", ["foo.a", "foo.b"]),
        ('foo.a %c : i32 ^bb1: "foo.b"(%c) : (i32) -> ()', ["foo.a", "foo.b"]),
        ("%0 = foo.a %1 = arith.addi %c, %c : i32", ["foo.a", "arith.addi"]),
        ("foo.a %c : i32 arith.addi %c, %c : i32", ["foo.a", "arith.addi"]),
        ("foo.a (%x = %c) applies arith.addi : i32", ["foo.a"]),
        ("foo.a %c applies foo.b to ^bb0 : i32", ["foo.a"]),
    ],
)
def test_operations_that_nobody_knows_end_where_another_must_begin(line: str, names: list[str]) -> None:
    snapshot = opened(f"func.func @f(%c: i32) {{\n  cf.br ^bb0\n^bb0:\n  {line}\n  return\n}}\n")
    errors = [message for message in found(snapshot) if not message.startswith(("operation", "'foo."))]
    assert errors == []
    (function,) = elaborated(snapshot, snapshot.tree.items[0]).operations
    assert [op.name for op in function.walk()][2:-1] == names
