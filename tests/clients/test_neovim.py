"""Fathom in a real, headless Neovim: what a person does in it, and what the buffers and windows show then."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

import fathom
from benchmarks.big_functions import MISTAKE, RETURN, straight
from tests.cli.running import fathom as run_fathom
from tests.cli.test_timeline import LOG
from tests.clients.explore_page import build
from tests.clients.neovim import ATTACHED, BARE, CLIENTS, NEOVIMS, REPOSITORY, RUNTIME, Editor, plugin, quoted, server

GCD = """\
// The greatest common divisor, after Euclid.
func.func @gcd(%a: i32, %b: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %g, %z = scf.while (%x = %a, %y = %b) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %y, %c0 : i32
    scf.condition(%more) %x, %y : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %r = arith.remsi %x, %y : i32
    scf.yield %y, %r : i32, i32
  }
  return %g : i32
}

// Nothing but a product.
func.func @square(%v: f32) -> f32 {
  %w = arith.mulf %v, %v : f32
  return %w : f32
}
"""

FILL = """func.func @fill(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1 : i32
  %m = memref.alloca() : memref<4xi32>
  scf.for %i = %c0 to %n step %c1 { memref.store %v, %m[%i] : memref<4xi32>
  }
  return
}
"""
ENDLESS = """\
func.func @endless() {
  %true = arith.constant true
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    scf.yield
  }
  return
}
"""


@pytest.fixture(params=NEOVIMS)
def which(request: pytest.FixtureRequest) -> str:
    """Each of the Neovims."""
    return request.param


@pytest.fixture(scope="module", params=NEOVIMS)
def one(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """One of the Neovims, with one server, for all tests that need no other."""
    editor = Editor(tmp_path_factory.mktemp("neovim"), request.param)
    yield editor
    editor.close()


@pytest.fixture
def alone(tmp_path: Path, which: str) -> Iterator[Editor]:
    """One for a test whose workspace has a configuration."""
    editor = Editor(tmp_path, which)
    yield editor
    editor.close()


@pytest.fixture
def editor(one: Editor) -> Iterator[Editor]:
    """With nothing open."""
    yield one
    one.clear()


def opened(editor: Editor, text: str) -> None:
    path = editor.directory / "program.mlir"
    path.write_text(text, encoding="utf-8")
    editor.open(path)


def open_preview(editor: Editor, command: str, needle: str) -> int:
    """Types a command that opens a preview; gives its buffer as soon as `needle` is in it."""
    editor.type(f":{command}<CR>")
    find = """(function()
      for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
        local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\\n')
        if vim.api.nvim_buf_get_name(buffer):find('^fathom://') and text:find(%s, 1, true) then return buffer end
      end
    end)()"""
    return editor.wait(find % quoted(needle))


def wait_for_text(editor: Editor, buffer: int, needle: str) -> None:
    lines = f"table.concat(vim.api.nvim_buf_get_lines({buffer}, 0, -1, false), '\\n')"
    editor.wait(f"{lines}:find({quoted(needle)}, 1, true)")


def check_linked(editor: Editor, buffer: int, needle: str) -> None:
    """Waits until a line of `buffer` that contains `needle` is highlighted."""
    marked = f"""(function()
      local links = vim.api.nvim_get_namespaces()['fathom.links']
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks({buffer}, links, 0, -1, {{}})) do
        local line = vim.api.nvim_buf_get_lines({buffer}, mark[2], mark[2] + 1, false)[1]
        if line:find({quoted(needle)}, 1, true) then return true end
      end
    end)()"""
    editor.wait(marked)


def check_run(editor: Editor, command: str, *expected: str) -> None:
    """Types a `:FathomRun` and waits until the window of runs shows each expected text."""
    editor.type(f":{command}<CR>")
    shown = "table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr('fathom-runs'), 0, -1, false), '\\n')"
    for text in expected:
        editor.wait(f"vim.fn.bufnr('fathom-runs') > 0 and {shown}:find({quoted(text)}, 1, true)")


def test_a_file_is_recognised_and_attached(editor: Editor) -> None:
    opened(editor, GCD)
    assert editor.value("vim.bo.filetype") == "mlir"
    assert editor.value("vim.b.current_syntax") == "mlir"
    assert editor.value(f"{CLIENTS}[1].name") == "fathom"


def test_a_sound_file_has_no_diagnostics_and_a_broken_one_has(editor: Editor) -> None:
    opened(editor, GCD)
    line = editor.find("arith.mulf")
    editor.replace_line(line, "  %w = arith.mulf %v, : f32")
    diagnostics: list[dict[str, Any]] = editor.wait("#vim.diagnostic.get(0) > 0 and vim.diagnostic.get(0)")
    assert [diagnostic["lnum"] for diagnostic in diagnostics] == [line]
    editor.replace_line(line, "  %w = arith.mulf %v, %v : f32")
    editor.wait("#vim.diagnostic.get(0) == 0")


def test_hover_says_what_a_type_becomes(editor: Editor) -> None:
    shutil.copy(REPOSITORY / "examples" / "saxpy.mlir", editor.directory / "saxpy.mlir")
    editor.open(editor.directory / "saxpy.mlir")
    editor.move_to("%x: memref")
    editor.lua("vim.lsp.buf.hover()")
    floating = """(function()
      for _, window in ipairs(vim.api.nvim_list_wins()) do
        if vim.api.nvim_win_get_config(window).relative ~= '' then
          return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\\n')
        end
      end
    end)()"""
    hover: str = editor.wait(floating)
    assert "memref<?xf32>" in hover
    assert "!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>" in hover


def test_go_to_definition(editor: Editor) -> None:
    opened(editor, GCD)
    editor.move_to("return %w")
    editor.type("f%")
    editor.lua("vim.lsp.buf.definition()")
    editor.wait(f"vim.api.nvim_win_get_cursor(0)[1] == {editor.find('%w = ') + 1}")


def check_lowered(editor: Editor) -> None:
    """`@square` is lowered, and nothing else is touched; one undo takes it back."""
    editor.wait("table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false)):find('llvm.func @square', 1, true)")
    before, _ = GCD.split("func.func @square")
    text = editor.text()
    assert text.startswith(before)
    assert "llvm.fmul" in text
    assert "arith.mulf" not in text
    editor.type("<C-\\><C-N>u")
    editor.wait(f"vim.api.nvim_buf_line_count(0) == {GCD.count(chr(10))}")
    assert editor.text() == GCD


def test_the_code_action_lowers_a_function(editor: Editor) -> None:
    opened(editor, GCD)
    editor.move_to("@square")
    editor.lua("""
      vim.ui.select = function(actions, options, done)
        for _, action in ipairs(actions) do
          if options.format_item(action):find('Lower `@square` to the LLVM dialect', 1, true) then done(action) end
        end
      end
      vim.lsp.buf.code_action()""")
    check_lowered(editor)


def test_the_command_lowers_the_function_at_the_cursor(editor: Editor) -> None:
    opened(editor, GCD)
    editor.move_to("arith.mulf")
    editor.type(":FathomLower<CR>")
    check_lowered(editor)


def test_a_preview_follows_typing(editor: Editor) -> None:
    opened(editor, GCD)
    editor.move_to("arith.mulf")
    preview = open_preview(editor, "FathomPreview llvm-ir", "define float @square(float")
    assert "@gcd" not in editor.text(preview)
    editor.move_to("mulf")
    editor.type("ciwaddf<Esc>")
    wait_for_text(editor, preview, "fadd float")
    assert "fmul" not in editor.text(preview)


def test_a_broken_buffer_leaves_the_last_good_text_marked_stale(editor: Editor) -> None:
    opened(editor, GCD)
    editor.move_to("arith.mulf")
    preview = open_preview(editor, "FathomPreview llvm-dialect", "llvm.fmul")
    good = editor.text(preview)
    editor.move_to("%v, %v")
    editor.type("D")
    reason: str = editor.wait(f"vim.b[{preview}].fathom_stale ~= '' and vim.b[{preview}].fathom_stale")
    assert reason.startswith("stale: ")
    assert editor.text(preview) == good
    editor.type("u")
    editor.wait(f"vim.b[{preview}].fathom_stale == ''")
    assert editor.text(preview) == good


def test_the_cursor_lights_the_other_side(editor: Editor) -> None:
    opened(editor, GCD)
    source: int = editor.value("vim.api.nvim_get_current_buf()")
    editor.move_to("arith.remsi")
    preview = open_preview(editor, "FathomPreview llvm-ir", "define i32 @gcd")
    check_linked(editor, preview, "srem i32")
    editor.move_to("arith.cmpi")
    check_linked(editor, preview, "icmp ne i32")
    editor.type("<C-W>l")
    editor.wait(f"vim.api.nvim_get_current_buf() == {preview}")
    editor.move_to("srem i32")
    check_linked(editor, source, "arith.remsi")


def test_an_edit_elsewhere_keeps_the_links(editor: Editor) -> None:
    opened(editor, GCD)
    editor.move_to("arith.remsi")
    preview = open_preview(editor, "FathomPreview llvm-ir", "define i32 @gcd")
    check_linked(editor, preview, "srem i32")
    editor.move_to("return %w")
    editor.type("O// more<Esc>")
    editor.move_to("arith.cmpi")
    check_linked(editor, preview, "icmp ne i32")
    editor.type("O// above<Esc>")
    editor.move_to("arith.remsi")
    check_linked(editor, preview, "srem i32")


def test_a_preview_of_the_whole_file_and_of_a_pass(editor: Editor) -> None:
    opened(editor, GCD)
    preview = open_preview(editor, "FathomPreview! convert-scf-to-cf", "cf.cond_br")
    text = editor.text(preview)
    assert "func.func @gcd" in text
    assert "func.func @square" in text
    assert "scf." not in text


def test_the_part_of_a_big_function_around_the_cursor(editor: Editor) -> None:
    opened(editor, GCD + straight(3000).text.replace(MISTAKE, RETURN))
    function = editor.find("func.func @straight")
    editor.lua("""
      vim.ui.select = function(what, options, done)
        _G.offered = vim.tbl_map(options.format_item, what)
        done(what[1])
      end""")
    editor.lua(f"vim.api.nvim_win_set_cursor(0, {{ {function + 2}, 2 }})")
    preview = open_preview(editor, "FathomPreview source", "func.func @straight.part")
    assert editor.value("_G.offered") == ["The part of @straight around the cursor", "All of @straight"]
    beginning = editor.text(preview)
    editor.type(f"<C-\\><C-N>{function + 2500}Go  %new = arith.constant 77777 : i32<Esc>")
    wait_for_text(editor, preview, "77777")
    check_linked(editor, preview, "77777")
    editor.type("<C-\\><C-N>dd")
    there = "table.concat(vim.api.nvim_buf_get_lines(%d, 0, -1, false), '\\n')"
    editor.wait(f"not ({there % preview}):find('77777', 1, true)")
    assert "return %c0" in beginning and "return %c0" not in editor.text(preview)
    editor.move_to("arith.remsi")
    editor.type("O// elsewhere<Esc>")
    editor.type(f"<C-\\><C-N>{function + 3}G")
    wait_for_text(editor, preview, "return %c0")
    assert editor.text(preview) == beginning


def test_closing_the_source_closes_its_previews(editor: Editor) -> None:
    opened(editor, GCD)
    preview = open_preview(editor, "FathomPreview! llvm-ir", "define")
    editor.type(":bwipeout!<CR>")
    editor.wait(f"not vim.api.nvim_buf_is_valid({preview})")


def test_running_a_function(editor: Editor) -> None:
    opened(editor, GCD)
    check_run(editor, "FathomRun @gcd 12 18", "@gcd(12, 18)", "result 0 : i32 = 6", "compiled in")
    editor.move_to("arith.mulf")
    check_run(editor, "FathomRun 1.5", "result 0 : f32 = 2.25")


def test_what_each_line_computed_is_shown_until_an_edit(tmp_path: Path) -> None:
    """The Neovim on the path is older than inlay hints."""
    editor = Editor(tmp_path, "newest")
    try:
        opened(editor, GCD)
        editor.lua("vim.lsp.inlay_hint.enable(true)")
        check_run(editor, "FathomRun @gcd 12 18", "result 0 : i32 = 6")
        shown = """(function()
          local labels = {}
          for _, hint in ipairs(vim.lsp.inlay_hint.get()) do table.insert(labels, hint.inlay_hint.label) end
          return table.concat(labels, '\\n')
        end)()"""
        for label in ("%a = 12, %b = 18", "%g = 6, %z = 0, %x = 6, %y = 0", "= false"):
            editor.wait(f"{shown}:find({quoted(label)}, 1, true)")
        editor.replace_line(editor.find("%r = arith"), "    %r = arith.remui %x, %y : i32")
        editor.wait(f"not {shown}:find('%a = 12', 1, true)")
    finally:
        editor.close()


def test_a_function_in_a_module_is_the_one_that_is_meant(editor: Editor) -> None:
    constant = "func.func @f() -> i32 {\n  %c = arith.constant NUMBER : i32\n  return %c : i32\n}\n"
    inner = constant.replace("NUMBER", "22")
    opened(editor, constant.replace("NUMBER", "11") + f"module @inner {{\n{inner}}}\n// -----\n{inner}")
    for typed in ("@inner::@f", "@inner::f"):
        check_run(editor, f"FathomRun {typed}", "@inner::@f()", "result 0 : i32 = 22")
    preview = open_preview(editor, "FathomPreview llvm-ir inner::f", "ret i32 22")
    editor.replace_line(editor.find("constant 22"), "  %c = arith.constant 33 : i32")
    wait_for_text(editor, preview, "ret i32 33")
    editor.move_to("constant 33")
    check_run(editor, "FathomRun", "@inner::@f()", "result 0 : i32 = 33")
    editor.move_to("constant 22")
    check_run(editor, "FathomRun", "@f#2()", "result 0 : i32 = 22")


def test_a_run_shows_the_memory_it_changed(editor: Editor) -> None:
    shutil.copy(REPOSITORY / "examples" / "saxpy.mlir", editor.directory / "saxpy.mlir")
    editor.open(editor.directory / "saxpy.mlir")
    command = 'FathomRun @saxpy 2.0 [1, 2, 3] {"shape": [3], "fill": 10}'
    changes = "    3 of 3 elements changed\n      [0]: 10 -> 12\n      [1]: 10 -> 14\n      [2]: 10 -> 16\n"
    check_run(editor, command, f"memref<?xf32> = [12, 14, 16]\n{changes}")


def test_a_function_is_measured(editor: Editor) -> None:
    opened(editor, GCD)
    check_run(editor, "FathomBench @gcd 12 -18", "@gcd(12, -18)\n  ", " values of ", "certain within 1 %")
    editor.lua("vim.ui.input = function(options, done) done('0.5') end")
    check_lens(editor, "@square(%v: f32)", "Bench")
    check_run(editor, "redraw", "@square(0.5)\n  ", "FLOP/s")


def test_what_is_measured_is_cancelled(editor: Editor) -> None:
    opened(editor, ENDLESS)
    editor.type(":FathomBench<CR>")
    editor.wait("vim.tbl_contains(_G.notices, 'Fathom: measuring @endless; :FathomCancel ends it')")
    editor.type(":FathomCancel<CR>")
    editor.wait("vim.tbl_contains(_G.notices, 'Fathom: cancelled')")
    opened(editor, GCD)
    check_run(editor, "FathomBench @gcd 12 18", "@gcd(12, 18)\n  ")


def test_a_failed_check_is_shown_at_its_operation(editor: Editor) -> None:
    opened(editor, FILL)
    check_run(editor, "FathomRun @fill 5", "error: 'memref.store' op out-of-bounds access: 4 is not in [0, 4) (line 6)")
    shown = "vim.tbl_filter(function(each) return each.source == 'fathom run' end, vim.diagnostic.get(0))"
    editor.wait(f"#{shown} == 1")
    first = f"{shown}[1]"
    line = FILL.splitlines()[5]
    start = line.index("memref.store")
    where = f"{{ {first}.lnum, {first}.col, {first}.end_lnum, {first}.end_col }}"
    assert editor.value(where) == [5, start, 5, len(line)]
    editor.replace_line(6, "  }  // changed")
    editor.wait(f"#{shown} == 0")


def test_an_endless_program_is_stopped(tmp_path: Path, which: str) -> None:
    editor = Editor(tmp_path, which, plugin(f"{{ {server()}, settings = {{ run = {{ timeoutSeconds = 0.5 }} }} }}"))
    try:
        opened(editor, ENDLESS)
        check_run(editor, "FathomRun", "@endless()", "error: ")
    finally:
        editor.close()


def test_the_server_can_be_restarted(editor: Editor) -> None:
    opened(editor, GCD)
    preview = open_preview(editor, "FathomPreview! llvm-ir", "fmul")
    editor.type(":FathomRestart<CR>")
    editor.wait("vim.tbl_contains(_G.notices, 'Fathom: restarted')")
    editor.replace_line(editor.find("arith.mulf"), "  %w = arith.addf %v, %v : f32")
    wait_for_text(editor, preview, "fadd")


def test_a_python_without_fathom_is_explained(tmp_path: Path, which: str) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho 'No module named fathom' >&2\nexit 1\n")
    python.chmod(0o755)
    editor = Editor(tmp_path, which, plugin(f"{{ python = {quoted(str(python))} }}"))
    try:
        (tmp_path / "program.mlir").write_text(GCD)
        editor.type(f":edit {tmp_path}/program.mlir<CR>")
        notice: str = editor.wait("_G.notices[1]")
        assert "Fathom is not installed in" in notice
        assert "setup { python" in notice
    finally:
        editor.close()


def test_a_dialect_of_the_workspace_is_known_when_it_is_saved(alone: Editor) -> None:
    (alone.directory / "fathom.toml").write_text('dialects = ["shop.toml"]\n')
    shop = alone.directory / "shop.toml"
    shop.write_text('dialect = "shop"\n[op.buy]\noperands = ["what: I32"]\nsyntax = "$what attr-dict"\n')
    opened(alone, "func.func @f(%a: i32) {\n  shop.buy %a\n  return\n}\n")
    errors = "vim.diagnostic.get({}, {{ severity = vim.diagnostic.severity.ERROR }})"
    alone.wait("#vim.diagnostic.get(0) > 0")
    assert alone.value(errors.format(0)) == []
    program = alone.value("vim.api.nvim_get_current_buf()")
    alone.lua(f"vim.cmd('split {shop}')")
    alone.replace_line(2, 'operands = ["what: I64"]')
    alone.lua("vim.cmd('write')")
    errors_of_program = errors.format(program)
    (error,) = alone.wait(f"#{errors_of_program} > 0 and {errors_of_program}")
    assert error["lnum"] == 1
    assert error["message"].startswith("use of value '%a' expects different type than prior uses: 'i64' vs 'i32'")


def check_lens(editor: Editor, line: str, title: str) -> None:
    """Waits for the lens `title` above the line with `line`, and does what it says."""
    number = editor.find(line)
    # Neovim runs none on a line before all there are resolved, and the server may have it ask for all of them anew at
    # any time: so it is found out and done in one call.
    editor.wait(f"""(function()
      local found = false
      for _, lens in ipairs(vim.lsp.codelens.get(0)) do
        if lens.range.start.line == {number} then
          if not lens.command then return false end
          found = found or lens.command.title:find({quoted(title)}, 1, true) ~= nil
        end
      end
      if not found then return false end
      vim.ui.select = function(options, how, done)
        for _, option in ipairs(options) do
          if how.format_item(option):find({quoted(title)}, 1, true) then return done(option) end
        end
      end
      vim.api.nvim_win_set_cursor(0, {{ {number + 1}, 0 }})
      vim.lsp.codelens.run()
      return true
    end)()""")


TWICE = """\
func.func @twice(%v: f32) -> f32 {
  %w = func.call @square(%v) : (f32) -> f32
  return %w : f32
}
"""


def test_the_lenses_of_a_function(editor: Editor) -> None:
    opened(editor, GCD + TWICE)
    editor.lua("vim.ui.input = function(asked, done) done('1.5') end")
    check_lens(editor, "@square(%v: f32)", "Run")
    shown = "table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr('fathom-runs'), 0, -1, false), '\\n')"
    editor.wait(f"vim.fn.bufnr('fathom-runs') > 0 and {shown}:find('result 0 : f32 = 2.25', 1, true)")
    check_lens(editor, "@square(%v: f32)", "1 use")
    places = "vim.fn.getqflist()"
    (place,) = editor.wait(f"#{places} > 0 and {places}")
    assert place["lnum"] == GCD.count("\n") + 2
    editor.type(":cclose<CR>")
    editor.wait("vim.bo.filetype == 'mlir'")
    check_lens(editor, "@square(%v: f32)", "Lower")
    editor.wait("table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false)):find('llvm.func @square', 1, true)")


def test_the_code_action_looks_for_the_pass_that_breaks_a_function(editor: Editor) -> None:
    opened(editor, GCD)
    editor.move_to("@square")
    editor.lua("""
      vim.ui.input = function(asked, done) done('1.5') end
      vim.ui.select = function(actions, options, done)
        for _, action in ipairs(actions) do
          if options.format_item(action):find('Find the pass that breaks `@square`', 1, true) then done(action) end
        end
      end
      vim.lsp.buf.code_action()""")
    shown = "table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr('fathom-runs'), 0, -1, false), '\\n')"
    for text in ("@square: no pass changes what it does", "  source: 2.25", "  convert-arith-to-llvm: 2.25"):
        editor.wait(f"vim.fn.bufnr('fathom-runs') > 0 and {shown}:find({quoted(text)}, 1, true)")


LEFT = """\
func.func @left(%t: tensor<4xf32>) -> tensor<4xf32> {
  %u = arith.addf %t, %t : tensor<4xf32>
  return %u : tensor<4xf32>
}
"""


def test_the_code_action_asks_why_an_operation_is_left(editor: Editor) -> None:
    opened(editor, f"// RUN: mlir-opt %s --canonicalize --convert-to-llvm --reconcile-unrealized-casts\n{LEFT}")
    editor.move_to("arith.addf")
    editor.lua("""
      vim.ui.select = function(actions, options, done)
        for _, action in ipairs(actions) do
          if options.format_item(action):find('Why was this not converted?', 1, true) then done(action) end
        end
      end
      vim.lsp.buf.code_action()""")
    window_with(editor, "VectorConvertToLLVMPattern: unable to convert type for operand #0")


TESTED = """\
// RUN: mlir-opt %s | mlir-opt
// RUN: mlir-opt %s -verify-diagnostics
func.func @f(%a: i32) -> i32 {
  // expected-error@+1 {{something else}}
  return %a : i32
}
"""


def test_the_test_of_a_run_line(editor: Editor) -> None:
    opened(editor, TESTED)
    check_lens(editor, "RUN: mlir-opt %s | mlir-opt", "Run test")
    check_lens(editor, "RUN: mlir-opt %s | mlir-opt", "passed in")
    editor.move_to("-verify-diagnostics")
    editor.type(":FathomTest<CR>")
    shown = "vim.tbl_filter(function(each) return each.source == 'fathom test' end, vim.diagnostic.get(0))"
    (test,) = editor.wait(f"#{shown} > 0 and {shown}")
    assert test["lnum"] == 3
    printed = "table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr('fathom-runs'), 0, -1, false), '\\n')"
    output = editor.value(printed)
    assert "✓ mlir-opt %s | mlir-opt: passed" in output
    assert "✗ mlir-opt %s -verify-diagnostics: failed" in output


def enabled_init() -> str:
    """The plugin, where Neovim starts the server itself."""
    return f"{RUNTIME}{BARE}\nvim.lsp.config('fathom', {{ {server()} }})\nvim.lsp.enable('fathom')\n"


@pytest.fixture
def enabled(tmp_path: Path) -> Iterator[Editor]:
    editor = Editor(tmp_path, "newest", enabled_init())
    yield editor
    editor.close()


def choose_action(editor: Editor, title: str) -> None:
    """Takes the code action at the cursor whose title contains `title`."""
    editor.lua(f"""
      vim.ui.select = function(actions, how, done)
        for _, action in ipairs(actions) do
          if how.format_item(action):find({quoted(title)}, 1, true) then return done(action) end
        end
      end
      vim.lsp.buf.code_action()""")


def wait_for_line(editor: Editor, line: str) -> None:
    editor.wait(f"vim.tbl_contains(vim.api.nvim_buf_get_lines(0, 0, -1, false), {quoted(line)})")


def test_a_completion_is_accepted(enabled: Editor) -> None:
    editor = enabled
    opened(editor, GCD)
    editor.move_to("%w = ")
    editor.type("o  %new = arith.mul<C-X><C-O>")
    words = "vim.tbl_map(function(item) return item.word end, vim.fn.complete_info({ 'items' }).items)"
    offered: list[str] = editor.wait(f"vim.fn.pumvisible() == 1 and {words}")
    chosen = next(index for index, word in enumerate(offered) if word.startswith("arith.mulf"))
    selected: int = editor.value("vim.fn.complete_info({ 'selected' }).selected")
    editor.type("<C-N>" * (chosen - selected) + "<C-Y><Esc>")
    editor.wait(
        f"vim.api.nvim_buf_get_lines(0, {editor.find('%new = ')}, -1, false)[1]:find('%new = arith.mulf', 1, true)"
    )


def test_a_quick_fix_mends_a_name(editor: Editor) -> None:
    opened(editor, GCD)
    editor.replace_line(editor.find("arith.mulf"), "  %w = arith.mullf %v, %v : f32")
    editor.wait("#vim.diagnostic.get(0) > 0")
    editor.move_to("arith.mullf")
    choose_action(editor, "arith.mulf")
    wait_for_line(editor, "  %w = arith.mulf %v, %v : f32")


def test_a_value_is_renamed_and_its_uses_with_it(editor: Editor) -> None:
    opened(editor, GCD)
    editor.move_to("%w = ")
    editor.lua("vim.lsp.buf.rename('product')")
    wait_for_line(editor, "  return %product : f32")
    wait_for_line(editor, "  %product = arith.mulf %v, %v : f32")


def test_a_file_is_formatted(editor: Editor) -> None:
    opened(editor, GCD)
    editor.replace_line(editor.find("arith.mulf"), "      %w=arith.mulf   %v,%v:f32   // twice")
    # Where nothing is said of it, both wait for one second only: too short on a busy machine.
    editor.lua(
        "if vim.lsp.buf.format then vim.lsp.buf.format({ timeout_ms = 20000 })"
        " else vim.lsp.buf.formatting_sync(nil, 20000) end"
    )
    wait_for_line(editor, "  %w = arith.mulf %v, %v : f32   // twice")


def test_uses_are_lit(editor: Editor) -> None:
    opened(editor, GCD)
    editor.move_to("%w = ")
    editor.lua("vim.lsp.buf.document_highlight()")
    marks = """(function()
      local spaces = vim.api.nvim_get_namespaces()
      local space = spaces['nvim.lsp.references'] or spaces['vim_lsp_references']
      local marks = space and vim.api.nvim_buf_get_extmarks(0, space, 0, -1, {}) or {}
      return #marks > 0 and marks
    end)()"""
    wait = editor.wait(marks)
    line = editor.find("%w = ")
    assert [mark[1] for mark in wait] == [line, line + 1]


def check_health(editor: Editor, *expected: str) -> None:
    """Waits until the report of `:checkhealth fathom` has each expected text."""
    editor.type(":checkhealth fathom<CR>")
    report = "table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')"
    for text in expected:
        editor.wait(f"vim.bo.filetype == 'checkhealth' and {report}:find({quoted(text)}, 1, true)")


def test_the_report_on_a_healthy_setup(editor: Editor) -> None:
    opened(editor, GCD)
    check_health(
        editor, "from the option `cmd`", f"fathom {fathom.__version__}", "with 1 buffer, counting columns in utf-"
    )
    report = editor.text()
    assert "ERROR" not in report
    assert "WARN" not in report


def test_the_report_on_a_python_without_fathom(tmp_path: Path, which: str) -> None:
    editor = Editor(tmp_path, which, plugin("{ python = '/bin/false' }"))
    try:
        check_health(editor, "Fathom is not installed in /bin/false", "the server does not run")
    finally:
        editor.close()


def plain_init() -> str:
    """Neovim without the plugin, as docs/editors/neovim.md has it."""
    return f"""{BARE}
vim.filetype.add({{ extension = {{ mlir = 'mlir' }} }})
vim.lsp.config('fathom', {{ {server()}, filetypes = {{ 'mlir' }}, root_markers = {{ 'fathom.toml', '.git' }} }})
vim.lsp.enable('fathom')
"""


def test_enabling_it_as_newer_neovims_do(enabled: Editor) -> None:
    opened(enabled, GCD)
    check_run(enabled, "FathomRun @gcd 12 18", "result 0 : i32 = 6")
    enabled.move_to("arith.mulf")
    preview = open_preview(enabled, "FathomPreview llvm-ir", "fmul")
    enabled.type(":FathomRestart<CR>")
    enabled.wait("vim.tbl_contains(_G.notices, 'Fathom: restarted')")
    enabled.wait(ATTACHED)
    enabled.replace_line(enabled.find("arith.mulf"), "  %w = arith.addf %v, %v : f32")
    wait_for_text(enabled, preview, "fadd")


def test_without_the_plugin(tmp_path: Path) -> None:
    editor = Editor(tmp_path, "newest", plain_init())
    try:
        opened(editor, GCD)
        line = editor.find("arith.mulf")
        editor.replace_line(line, "  %w = arith.mulf %v, : f32")
        diagnostics = editor.wait("#vim.diagnostic.get(0) > 0 and vim.diagnostic.get(0)")
        assert [diagnostic["lnum"] for diagnostic in diagnostics] == [line]
    finally:
        editor.close()


SUMMED = """\
func.func @sum(%p: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %p, %c0 : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %v = memref.load %p[%i] : memref<?xf32>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  return %r : f32
}
"""


def test_remarks_of_llvm(editor: Editor) -> None:
    opened(editor, SUMMED)
    editor.wait(ATTACHED)
    editor.move_to("memref.load")
    editor.type(":FathomRemarks<CR>")
    shown = editor.wait("#vim.diagnostic.get(0) > 0 and vim.diagnostic.get(0)")
    assert {each["code"] for each in shown} == {"remark"}
    refused = "loop not vectorized: cannot prove it is safe to reorder floating-point operations"
    assert [each["lnum"] for each in shown if each["message"] == refused] == [editor.find("arith.addf")]
    editor.wait(f"vim.tbl_contains(_G.notices, 'Fathom: @sum: {len(shown)} remarks')")
    editor.type(":FathomRemarks nothing<CR>")
    editor.wait("vim.tbl_contains(_G.notices, 'Fathom: there is no function @nothing with a body')")


def test_a_graph_as_text(editor: Editor) -> None:
    opened(editor, GCD)
    editor.wait(ATTACHED)
    editor.move_to("arith.remsi")
    editor.type(":FathomGraph cfg llvm-dialect<CR>")
    buffer = editor.wait("(function() local b = vim.fn.bufnr('fathom-graph') return b > 0 and b end)()")
    wait_for_text(editor, buffer, "llvm.srem")
    assert (
        editor.text(buffer).rstrip()
        == """\
cfg of @gcd at llvm-dialect
[0] ^bb0(%a, %b)
    %c0 = llvm.mlir.constant(0 : i32) : i32
    llvm.br ^bb1(%a, %b : i32, i32)
    -> [1] ^bb1(%x, %y)
[1] ^bb1(%x, %y)
    %more = llvm.icmp "ne" %y, %c0 : i32
    llvm.cond_br %more, ^bb2(%x, %y : i32, i32), ^bb3
    -> [2] ^bb2(%x_0, %y_1)  (true)
    -> [3] ^bb3  (false)
[2] ^bb2(%x_0, %y_1)
    %r = llvm.srem %x_0, %y_1 : i32
    llvm.br ^bb1(%y_1, %r : i32, i32)
    -> [1] ^bb1(%x, %y)  (back)
[3] ^bb3
    llvm.return %x : i32"""
    )
    space = "vim.api.nvim_create_namespace('fathom-graph')"
    marked = editor.value(f"vim.api.nvim_buf_get_extmarks({buffer}, {space}, 0, -1, {{}})")
    assert next(editor.lines(buffer)[line] for _, line, _ in marked) == "[2] ^bb2(%x_0, %y_1)"
    editor.lua(f"vim.api.nvim_set_current_win(vim.fn.bufwinid({buffer})) return true")
    editor.lua("vim.fn.search('llvm.return') return true")
    editor.type("<CR>")
    assert editor.wait("vim.api.nvim_get_current_line():find('return %g', 1, true)")


FILL_ALL = """\
func.func @fill(%m: memref<2x3xf32>, %v: f32) {
  affine.for %i = 0 to 3 {
    affine.store %v, %m[1, %i] : memref<2x3xf32>
  }
  return
}
"""


def test_accesses_as_text(editor: Editor) -> None:
    opened(editor, FILL_ALL)
    editor.move_to("affine.store")
    editor.type(":FathomGraph access<CR>")
    buffer = editor.wait("(function() local b = vim.fn.bufnr('fathom-graph') return b > 0 and b end)()")
    wait_for_text(editor, buffer, "writes %m[1, %i]")
    assert [line.strip() for line in editor.lines(buffer)[-3:]] == ["| 0 1 2", "[0] | . . .", "[1] | 0 1 2"]


def window_with(editor: Editor, needle: str) -> int:
    """The buffer of a window in any tab page in which a text stands, as soon as there is one."""
    find = """(function()
      for _, window in ipairs(vim.api.nvim_list_wins()) do
        local buffer = vim.api.nvim_win_get_buf(window)
        local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\\n')
        if vim.bo[buffer].buftype ~= '' and text:find(%s, 1, true) then return buffer end
      end
    end)()"""
    return editor.wait(find % quoted(needle))


SUM = """\
func.func @sum(%a: i32, %c: i1) -> i32 {
  %zero = arith.constant 0 : i32
  %same = arith.addi %a, %zero : i32
  %r = scf.if %c -> i32 {
    %twice = arith.divsi %same, %a : i32
    scf.yield %twice : i32
  } else {
    scf.yield %zero : i32
  }
  return %r : i32
}
"""


def test_what_each_pass_did(editor: Editor) -> None:
    opened(editor, SUM)
    editor.move_to("%twice")
    editor.type(":FathomTimeline<CR>")
    timeline = window_with(editor, "convert-scf-to-cf")
    editor.lua(f"vim.api.nvim_set_current_win(vim.fn.bufwinid({timeline}))")
    editor.lua("vim.fn.search('convert-scf-to-cf')")
    editor.type("<CR>")
    window_with(editor, "cf.cond_br %c")
    assert editor.wait("vim.wo.diff")
    editor.type(":tabclose<CR>")
    editor.lua(f"vim.api.nvim_set_current_win(vim.fn.bufwinid({timeline}))")
    editor.type("s")
    stepped = window_with(editor, "cf.cond_br %c")
    assert "1 of 1: convert-scf-to-cf: IfLowering on scf.if" in editor.wait(f"vim.b[{stepped}].fathom_step")
    wait_for_text(editor, timeline, "Object file, disassembled")
    editor.lua(f"vim.api.nvim_set_current_win(vim.fn.bufwinid({timeline}))")
    editor.lua("vim.fn.search('Optimised LLVM IR')")
    editor.type("<CR>")
    assert "zext i1" in editor.text(window_with(editor, "define range(i32 0, 2) i32 @sum"))
    editor.type(":only<CR>")


def test_a_trace_is_shown_as_if_it_had_run(editor: Editor, tmp_path: Path) -> None:
    source, trace = tmp_path / "sum.mlir", tmp_path / "sum.json"
    source.write_text(SUM, encoding="utf-8")
    passes = ("--canonicalize", "--cse", "--convert-scf-to-cf", "--convert-to-llvm")
    assert run_fathom("opt", *passes, f"--record={trace}", "--record-source-names", str(source))[0] == 0
    opened(editor, SUM)
    editor.type(f":FathomTrace {trace}<CR>")
    timeline = window_with(editor, "cse: nothing changed")
    editor.lua(f"vim.api.nvim_set_current_win(vim.fn.bufwinid({timeline}))")
    editor.lua("vim.fn.search('convert-scf-to-cf')")
    editor.type("<CR>")
    window_with(editor, "cf.cond_br %c")
    assert editor.wait("vim.wo.diff")
    editor.type(":tabclose<CR>")
    editor.lua(f"vim.api.nvim_set_current_win(vim.fn.bufwinid({timeline}))")
    editor.type("b")
    blamed = window_with(editor, "cf.cond_br %c")
    editor.lua(f"vim.api.nvim_set_current_win(vim.fn.bufwinid({blamed}))")
    editor.lua("vim.fn.search('arith.divsi')")
    editor.type("K")
    told = editor.text(window_with(editor, "why it was left:"))
    assert "convert-to-llvm: VectorConvertToLLVMPattern" in told
    assert "merge: no 'arith.divsi' before it has the same operands" in told
    trace.write_text("{}", encoding="utf-8")
    editor.type(f":FathomTrace {trace}<CR>")
    editor.wait("table.concat(_G.notices, '\\n'):find('it is no trace', 1, true)")


def test_why_and_what_became(editor: Editor) -> None:
    opened(editor, SUM)
    editor.move_to("arith.divsi")
    editor.type(":FathomLife<CR>")
    life = editor.text(window_with(editor, "translation to LLVM IR"))
    assert "sdiv i32" in life
    assert "LLVM's optimisation\n    (LLVM gives no line a location of it" in life
    editor.type(":FathomBlame llvm-dialect<CR>")
    blamed = window_with(editor, "llvm.func @sum")
    shown = f"""(function()
      local marks = vim.api.nvim_get_namespaces()['fathom.passes']
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks({blamed}, marks, 0, -1, {{ details = true }})) do
        if mark[4].virt_text[1][1]:find('VectorConvertToLLVMPattern', 1, true) then return true end
      end
    end)()"""
    editor.wait(shown)
    editor.type(":only<CR>")


def listed(editor: Editor) -> int:
    """The buffer of a list of dumps, in whose window the cursor stands."""
    buffer = window_with(editor, "canonicalize")
    editor.wait(f"vim.api.nvim_get_current_buf() == {buffer}")
    return buffer


def test_a_log_is_a_timeline(editor: Editor) -> None:
    log = editor.directory / "ci run.log"
    log.write_text(LOG)
    editor.type(f":FathomDumps {log}<CR>".replace(" run", "\\\\ run"))
    dumps = listed(editor)
    assert [line.split() for line in editor.lines(dumps)] == [
        ["1", "canonicalize", "func.func", "@f", "line", "2"],
        ["1", "that", "changed", "nothing"],
        ["3", "inline", "func.func", "@f", "failed,", "line", "12"],
    ]
    editor.type("a")
    editor.wait(f"vim.api.nvim_buf_get_lines({dumps}, 1, 2, false)[1]:find('unchanged', 1, true)")
    editor.type("G<CR>")
    editor.wait("vim.wo.diff and #vim.api.nvim_tabpage_list_wins(0) == 2")
    assert editor.text() == "func.func @f() {\n  func.return\n}\n"
    editor.type(":tabclose<CR>")
    listed(editor)
    editor.type("ggmGm")
    editor.wait("vim.wo.diff and vim.fn.bufname():find('3 inline', 1, true)")
    editor.type("<C-W>h")
    editor.wait("vim.fn.bufname():find('1 canonicalize', 1, true)")
    editor.type(":tabclose<CR>t")
    editor.wait("not vim.wo.diff and vim.fn.bufname():find('3 inline', 1, true)")


def test_a_log_that_is_none_costs_a_message(editor: Editor) -> None:
    binary = editor.directory / "core"
    binary.write_bytes(bytes(range(256)) * 400)
    editor.type(f":FathomDumps {binary}<CR>")
    editor.wait(f"vim.tbl_contains(_G.notices, 'Fathom: {binary}: there is no dump of IR')")
    editor.type(f":FathomDumps {binary}.gone<CR>")
    editor.wait("_G.notices[2] and _G.notices[2]:find('No such file', 1, true)")


def test_explore_opens_the_page_about_the_file(alone: Editor) -> None:
    """The browser is a script that writes down where it was sent."""
    build()
    opened(alone, GCD)
    told, browser = alone.directory / "told", alone.directory / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {told}.new\nmv {told}.new {told}\n', encoding="utf-8")
    browser.chmod(0o755)
    alone.lua(f"vim.env.BROWSER = {quoted(str(browser))}")
    alone.type(":FathomExplore<CR>")
    alone.wait(f"vim.fn.filereadable({quoted(str(told))}) == 1")
    address = urlsplit(told.read_text(encoding="utf-8"))
    assert address.hostname == "127.0.0.1"
    assert address.fragment.startswith("token=")
    with urlopen(f"http://{address.netloc}/", timeout=60) as answer:
        assert b"page.js" in answer.read()
