--- Runs a function: asks for its arguments, and shows its results.

local failed = require('fathom.failed')
local output = require('fathom.output')
local server = require('fathom.server')
local values = require('fathom.values')

local M = {}

--- The request that is under way, for `:FathomCancel`.
local running

local function execute(buffer, name, arguments, done)
  local request = { uri = vim.uri_from_bufnr(buffer), ['function'] = name, arguments = arguments }
  local tick = vim.api.nvim_buf_get_changedtick(buffer)
  failed.clear(buffer)
  local params = { command = 'fathom.runFunction', arguments = { request }, workDoneToken = 'fathom-run-' .. vim.loop.hrtime() }
  running = server.request(buffer, 'workspace/executeCommand', params, function(result)
    running = nil
    output.show(values.show_run(name, arguments, result))
    if result.range and vim.api.nvim_buf_is_loaded(buffer) and tick == vim.api.nvim_buf_get_changedtick(buffer) then
      failed.show(buffer, result, 'fathom run')
    end
    if done then
      done(result)
    end
  end, function(err)
    running = nil
    server.notify(('@%s was not run: %s'):format(name, err.message), vim.log.levels.ERROR)
  end)
end

--- Asks for one argument after the other; calls `done(values)` when all are there, and nothing if one is not given.
local function ask(info, index, given, done)
  local argument = info.arguments[index]
  if not argument then
    return done(given)
  end
  if not argument.example then
    return server.notify(('@%s takes a %s, which cannot be given from here'):format(info.name, argument.type), vim.log.levels.ERROR)
  end
  local prompt = ('@%s, %s : %s = '):format(info.name, argument.name or ('argument ' .. (index - 1)), argument.type)
  vim.ui.input({ prompt = prompt, default = argument.example }, function(text)
    if not text then
      return
    end
    local value, problem = values.read_argument(text)
    if problem then
      return server.notify(problem, vim.log.levels.ERROR)
    end
    given[index] = value
    ask(info, index + 1, given, done)
  end)
end

--- Asks for the function and what it is called with; calls `done(info, values)`.
---@param fn string|nil nil: the function at the cursor
---@param text string|nil its arguments, as typed; nil or '': ask for each
local function call_of(buffer, fn, text, done)
  require('fathom.choose').with_function(buffer, fn, function(info)
    if text and vim.trim(text) ~= '' then
      local given, problem = values.read_arguments(text)
      if not given then
        return server.notify(problem, vim.log.levels.ERROR)
      end
      return done(info, given)
    end
    ask(info, 1, {}, function(given) done(info, given) end)
  end)
end

--- Asks the server for what `command` says of a call, and shows the lines that `show(result)` makes of it.
local function ask_server(buffer, command, info, given, show, done)
  local request = { uri = vim.uri_from_bufnr(buffer), ['function'] = info.name, arguments = given }
  local params = { command = command, arguments = { request } }
  running = server.request(buffer, 'workspace/executeCommand', params, function(result)
    running = nil
    output.show(show(result))
    if done then
      done(result)
    end
  end, function(err)
    running = nil
    server.notify(('@%s: %s'):format(info.name, err.message), vim.log.levels.ERROR)
  end)
end

--- Runs `fn` of `buffer`.
---@param buffer number
---@param fn string|nil
---@param text string|nil
---@param done function|nil called with the RunFunctionResult
function M.run(buffer, fn, text, done)
  call_of(buffer, fn, text, function(info, given) execute(buffer, info.name, given, done) end)
end

--- Measures how long `fn` of `buffer` takes; shows it where runs are shown.
---@param buffer number
---@param fn string|nil
---@param text string|nil
---@param done function|nil called with the BenchFunctionResult
function M.bench(buffer, fn, text, done)
  call_of(buffer, fn, text, function(info, given)
    server.notify(('measuring @%s; :FathomCancel ends it'):format(info.name))
    local function show(result) return values.show_bench(info.name, given, result) end
    ask_server(buffer, 'fathom.benchFunction', info, given, show, done)
  end)
end

--- Looks for the pass that changes what `fn` of `buffer` does; shows what was found, with the smallest text, where runs
--- are shown.
---@param buffer number
---@param fn string|nil
---@param done function|nil called with the BisectFunctionResult
function M.bisect(buffer, fn, done)
  call_of(buffer, fn, nil, function(info, given)
    local function show(result)
      local lines = { ('@%s: %s'):format(info.name, result.message) }
      for _, stage in ipairs(result.stages) do
        table.insert(lines, ('  %s: %s'):format(stage.pass, stage.does))
      end
      if result.smallest then
        table.insert(lines, '')
        vim.list_extend(lines, vim.split(vim.trim(result.smallest), '\n'))
      end
      return lines
    end
    ask_server(buffer, 'fathom.bisectFunction', info, given, show, done)
  end)
end

function M.cancel()
  if not running then
    return server.notify('nothing is running')
  end
  server.cancel(running)
  running = nil
  -- Neovim drops the answer to a request that it has cancelled.
  server.notify('cancelled')
end

return M
