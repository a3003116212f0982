--- Tests: runs the commands that comments `// RUN:` give, and shows what became of them.

local failed = require('fathom.failed')
local output = require('fathom.output')
local server = require('fathom.server')

local M = {}

local MARKS = { passed = '✓', failed = '✗', timeout = '✗', unsupported = '-' }

local function lines_of(command, result)
  local milliseconds = require('fathom.values').show_milliseconds(result.milliseconds)
  local lines = { ('%s %s: %s in %s'):format(MARKS[result.status] or '?', command, result.status, milliseconds) }
  if result.status ~= 'passed' then
    table.insert(lines, '  ' .. result.message)
    for _, line in ipairs(vim.split(vim.trim(result.output), '\n', { plain = true })) do
      table.insert(lines, '    ' .. line)
    end
  end
  return lines
end

local function run(buffer, test, done)
  local tick = vim.api.nvim_buf_get_changedtick(buffer)
  local params = { command = 'fathom.runTest', arguments = { vim.uri_from_bufnr(buffer), test.line } }
  server.request(buffer, 'workspace/executeCommand', params, function(result)
    output.show(lines_of(test.command, result))
    if vim.api.nvim_buf_is_loaded(buffer) then
      if result.range and tick == vim.api.nvim_buf_get_changedtick(buffer) then
        failed.show(buffer, result, 'fathom test')
      end
      require('fathom.lenses').refresh(buffer)
    end
    done(result)
  end)
end

--- Runs the tests of `buffer`, one after the other: the one that begins in a line, or all.
---@param buffer number
---@param line number|nil counted from 0
---@param done function|nil called with the list of results
function M.run(buffer, line, done)
  server.request(buffer, 'fathom/tests', { textDocument = server.document(buffer) }, function(tests)
    local wanted = vim.tbl_filter(function(test) return not line or test.line == line end, tests)
    if #wanted == 0 then
      return server.notify(line and 'no test begins in this line' or 'there is no comment `// RUN:`')
    end
    failed.clear(buffer)
    local results = {}
    local function next_one()
      local test = wanted[#results + 1]
      if test then
        return run(buffer, test, function(result)
          table.insert(results, result)
          next_one()
        end)
      end
      if done then
        done(results)
      end
    end
    next_one()
  end)
end

return M
