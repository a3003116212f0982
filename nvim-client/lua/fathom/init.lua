--- Fathom in Neovim: starts the server, shows previews, runs functions. All knowledge of MLIR is in the server.

local M = {}

local DEFAULTS = {
  cmd = nil, -- the command that starts the server, as a list; nil: found as `:help fathom-server` says
  python = nil, -- the Python that has Fathom installed
  settings = {}, -- the settings of docs/configuration.md, as nested tables
  tablegen = true, -- whether it serves TableGen files (.td) too
  llvm = true, -- whether it serves LLVM IR (.ll) too
  lenses = true, -- whether code lenses are shown, and kept up to date
  debounce = 20, -- milliseconds that typing has to rest before the server hears of it
  capabilities = nil,
  on_attach = nil,
}

local function command(name, action, options)
  vim.api.nvim_create_user_command(name, action, options)
end

local function define_commands()
  command('FathomPreview', function(call)
    M.preview { stage = call.fargs[1], fn = call.fargs[2], whole = call.bang }
  end, {
    nargs = '*',
    bang = true,
    desc = 'Show a stage of the function at the cursor (with !: of the file) beside it',
    complete = function(lead, line)
      -- Only the stage is completed; the functions would have to be asked for.
      if #vim.split(vim.trim(line) .. (lead == '' and ' ' or ''), '%s+') > 2 then
        return {}
      end
      return vim.tbl_filter(function(stage) return vim.startswith(stage, lead) end, require('fathom.choose').known_stages)
    end,
  })
  command('FathomLower', function(call) M.lower(call.args ~= '' and call.args or nil) end, { nargs = '?', desc = 'Lower the function to the LLVM dialect' })
  local function calling(action)
    return function(call)
      local fn, args = call.args:match('^%s*@(%S+)%s*(.*)$')
      action { fn = fn, args = args or call.args }
    end
  end
  command('FathomRun', calling(function(what) M.run(what) end), { nargs = '*', desc = 'Run a function' })
  command('FathomBench', calling(function(what) M.bench(what) end), { nargs = '*', desc = 'Measure how long a function takes' })
  command('FathomRemarks', function(call) M.remarks(call.args ~= '' and call.args or nil) end, {
    nargs = '?',
    desc = 'Show what LLVM optimised in the function, and what it did not and why',
  })
  command('FathomGraph', function(call)
    M.graph { kind = call.fargs[1], stage = call.fargs[2], fn = call.fargs[3] }
  end, {
    nargs = '*',
    desc = 'Show control flow, data flow, loops or calls as text',
    complete = function(lead, line)
      local words = vim.split(vim.trim(line) .. (lead == '' and ' ' or ''), '%s+')
      local known = #words > 2 and require('fathom.choose').known_stages or require('fathom.graph').kinds
      return vim.tbl_filter(function(word) return vim.startswith(word, lead) end, known)
    end,
  })
  command('FathomExplore', function() M.explore() end, { desc = 'Show the file in the browser, with its stages and graphs' })
  command('FathomTest', function(call) M.test(call.bang) end, {
    bang = true,
    desc = 'Run the test of the RUN line at the cursor (with !: all of the file)',
  })
  local function of_stage(name, action, desc)
    command(name, function(call) action(call.fargs[1]) end, {
      nargs = 1,
      desc = desc,
      complete = function(lead)
        return vim.tbl_filter(function(stage) return vim.startswith(stage, lead) end, require('fathom.choose').known_stages)
      end,
    })
  end
  command('FathomTimeline', function(call) require('fathom.passes').timeline(call.args ~= '' and call.args or nil) end, {
    nargs = '?',
    desc = 'Show what each pass, of Fathom or of a tool, did to the function at the cursor',
  })
  command('FathomDiff', function(call)
    if #call.fargs ~= 2 then
      return require('fathom.server').notify(':FathomDiff takes two stages', vim.log.levels.ERROR)
    end
    require('fathom.passes').difference(call.fargs[1], call.fargs[2])
  end, { nargs = '+', desc = 'Show two stages side by side' })
  of_stage('FathomBlame', function(stage) require('fathom.passes').blame(stage) end, 'Show who last changed each line of a stage')
  of_stage('FathomSteps', function(stage) require('fathom.passes').steps(stage) end, 'Go through the pass before a stage step by step')
  command('FathomLife', function() require('fathom.passes').life() end, { desc = 'Show what became of the operation at the cursor' })
  command('FathomWhy', function(call) require('fathom.passes').why(call.args ~= '' and call.args or nil) end, { nargs = '?', desc = 'Show why the operation at the cursor is left' })
  command('FathomTrace', function(call) require('fathom.passes').trace(call.fargs[1], tonumber(call.fargs[2])) end, {
    nargs = '+',
    complete = 'file',
    desc = 'Show what a trace of fathom opt --record tells of passes',
  })
  command('FathomDumps', function(call) require('fathom.dumps').open(call.args) end, {
    nargs = 1,
    complete = 'file',
    desc = 'List the passes that a log, or a folder of --mlir-print-ir-tree-dir, has dumps of',
  })
  command('FathomCancel', function() require('fathom.run').cancel() end, { desc = 'Stop the function that runs' })
  command('FathomRestart', function() M.restart() end, { desc = 'Restart the server' })
end

local function define_highlights()
  vim.cmd('highlight default link FathomLinked Visual')
  vim.cmd('highlight default link FathomStale WarningMsg')
  vim.cmd('highlight default link FathomStaleText Comment')
  if vim.fn.has('nvim-0.9') == 1 then
    vim.cmd('highlight default link @lsp.mod.unused.mlir Comment')
    vim.cmd('highlight default link @lsp.typemod.macro.unknown.mlir WarningMsg')
  end
end

local function define(options)
  define_highlights()
  define_commands()
  return vim.tbl_extend('force', DEFAULTS, options or {})
end

--- Sets Fathom up; the options are in `:help fathom-setup`.
function M.setup(options)
  require('fathom.server').setup(define(options))
end

--- The configuration with which `vim.lsp.enable('fathom')` starts the server, in Neovim 0.11; see `:help fathom-enable`.
function M.config(options)
  return require('fathom.server').config(define(options))
end

--- Opens a preview of `buffer` (nil: the current one): `{ stage =, fn =, part =, whole = }`, each of which may be left
--- out.
function M.preview(what, buffer)
  what = what or {}
  buffer = buffer or vim.api.nvim_get_current_buf()
  local choose, preview = require('fathom.choose'), require('fathom.preview')
  choose.with_stage(buffer, what, function(stage)
    if what.fn or what.whole then
      local name = what.fn and what.fn:gsub('^@', '') or nil
      return preview.open(buffer, stage, name, what.part)
    end
    choose.what_at_cursor(buffer, function(name, is_part) preview.open(buffer, stage, name, is_part) end)
  end)
end

--- Lowers the function `fn`, or the one at the cursor, in `buffer` (nil: the current one).
function M.lower(fn, buffer)
  local server = require('fathom.server')
  buffer = buffer or vim.api.nvim_get_current_buf()
  require('fathom.choose').with_function(buffer, fn, function(info)
    local params = { command = 'fathom.lowerFunction', arguments = { vim.uri_from_bufnr(buffer), info.name } }
    -- Where it cannot be done, the server shows why (`window/showMessage`).
    server.request(buffer, 'workspace/executeCommand', params, function() end)
  end)
end

--- Has LLVM's remarks about the function `fn`, or the one at the cursor, shown as diagnostics, until it is edited. `done`
--- is called with how many there are.
function M.remarks(fn, done)
  local server = require('fathom.server')
  local buffer = vim.api.nvim_get_current_buf()
  require('fathom.choose').with_function(buffer, fn, function(info)
    local params = { command = 'fathom.remarks', arguments = { vim.uri_from_bufnr(buffer), info.name } }
    server.request(buffer, 'workspace/executeCommand', params, function(result)
      if result.failureReason then
        return server.notify(('@%s: %s'):format(info.name, result.failureReason), vim.log.levels.ERROR)
      end
      server.notify(('@%s: %d remarks'):format(info.name, result.remarks))
      if done then
        done(result.remarks)
      end
    end)
  end)
end

--- Runs a function: `{ fn =, args = }`; see `:help :FathomRun`. `done` is called with the result.
function M.run(what, done)
  what = what or {}
  require('fathom.run').run(vim.api.nvim_get_current_buf(), what.fn, what.args, done)
end

--- Measures how long a function takes: `{ fn =, args = }`; see `:help :FathomBench`. `done` is called with the result.
function M.bench(what, done)
  what = what or {}
  require('fathom.run').bench(vim.api.nvim_get_current_buf(), what.fn, what.args, done)
end

--- Shows a graph: `{ kind =, stage =, fn = }`; see `:help :FathomGraph`.
function M.graph(what)
  require('fathom.graph').show(vim.api.nvim_get_current_buf(), what or {})
end

--- Shows the file of the buffer in the browser.
function M.explore()
  require('fathom.graph').explore(vim.api.nvim_get_current_buf())
end

--- Runs the test whose command begins in the line at the cursor; with `all`, those of the buffer. `done` is called with
--- the results.
function M.test(all, done)
  local line = not all and vim.api.nvim_win_get_cursor(0)[1] - 1 or nil
  require('fathom.test').run(vim.api.nvim_get_current_buf(), line, done)
end

function M.restart()
  require('fathom.server').restart()
end

return M
