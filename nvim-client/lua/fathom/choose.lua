--- Finds the function or stage that a command is about, asking if it was not said.

local server = require('fathom.server')

local M = {}

local function with_body(functions)
  return vim.tbl_filter(function(info) return not info.isDeclaration end, functions)
end

--- The path of a function as it is compared: `@inner::@f` and `inner::f` are the same.
local function plain(path)
  return (path:gsub('@', ''))
end

--- Calls `done` with the function called `fn`; without a name, with the one at the cursor, the only one, or the chosen one.
function M.with_function(buffer, fn, done)
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  server.functions(buffer, function(all)
    local functions = with_body(all)
    if fn then
      local wanted = plain(fn)
      for _, info in ipairs(functions) do
        if plain(info.name) == wanted then
          return done(info)
        end
      end
      return server.notify(('there is no function @%s with a body'):format(wanted), vim.log.levels.ERROR)
    end
    local here = server.function_at(functions, line) or (#functions == 1 and functions[1])
    if here then
      return done(here)
    end
    if #functions == 0 then
      return server.notify('there is no function with a body', vim.log.levels.ERROR)
    end
    local function format(info) return ('@%s%s'):format(info.name, info.signature) end
    vim.ui.select(functions, { prompt = 'Which function?', format_item = format }, function(info)
      if info then
        done(info)
      end
    end)
  end)
end

--- Calls `done` with the name of the function around the cursor, or with nil, and with whether a part of it is wanted:
--- for a big one, asks.
function M.what_at_cursor(buffer, done)
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  server.functions(buffer, function(all)
    local info = server.function_at(with_body(all), line)
    if not info or not info.isBig then
      return done(info and info.name, false)
    end
    local function format(is_part) return (is_part and 'The part of @%s around the cursor' or 'All of @%s'):format(info.name) end
    vim.ui.select({ true, false }, { prompt = 'Preview of what?', format_item = format }, function(is_part)
      if is_part ~= nil then
        done(info.name, is_part)
      end
    end)
  end)
end

--- The stages' names as the server gave them last, for completing the command.
M.known_stages = { 'source', 'llvm-dialect', 'llvm-ir', 'llvm-optimized', 'assembly', 'object' }

--- Calls `done` with the stage that `what` names, or that is chosen among those of the function it is about.
function M.with_stage(buffer, what, done)
  local params = { textDocument = server.document(buffer) }
  if what.fn then
    params['function'] = plain(what.fn)
  elseif not what.whole then
    params.position = { line = vim.api.nvim_win_get_cursor(0)[1] - 1, character = vim.fn.col('$') - 1 }
  end
  server.request(buffer, 'fathom/stages', params, function(stages)
    M.known_stages = vim.tbl_map(function(each) return each.id end, stages)
    if what.stage then
      return done(what.stage)
    end
    local function format(each) return each.title end
    vim.ui.select(stages, { prompt = 'Preview at which stage?', format_item = format }, function(each)
      if each then
        done(each.id)
      end
    end)
  end)
end

return M
