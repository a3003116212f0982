--- Shows the operation whose check failed when a function ran, or what a test failed at, as a diagnostic of its own,
--- until the text changes.

local server = require('fathom.server')

local M = {}

local namespace = vim.api.nvim_create_namespace('fathom.run')

--- The byte in a line of `buffer` at which a position of the protocol stands.
local function column(buffer, position)
  local line = vim.api.nvim_buf_get_lines(buffer, position.line, position.line + 1, false)[1] or ''
  local client = server.client(buffer)
  local encoding = client and client.offset_encoding or 'utf-16'
  if encoding == 'utf-8' then
    return math.min(position.character, #line)
  end
  local ok, byte = pcall(vim.str_byteindex, line, position.character, encoding == 'utf-16')
  return ok and byte or #line
end

--- Takes away what an earlier run left.
function M.clear(buffer)
  if vim.api.nvim_buf_is_valid(buffer) then
    vim.diagnostic.reset(namespace, buffer)
  end
end

--- Shows the place that a result names, besides those that are shown.
---@param buffer number
---@param result table RunFunctionResult or RunTestResult of docs/protocol.md
---@param source string what it is the result of
function M.show(buffer, result, source)
  local range = result.range
  local shown = vim.diagnostic.get(buffer, { namespace = namespace })
  vim.diagnostic.set(namespace, buffer, vim.list_extend(shown, {
    {
      lnum = range.start.line,
      col = column(buffer, range.start),
      end_lnum = range['end'].line,
      end_col = column(buffer, range['end']),
      severity = vim.diagnostic.severity.ERROR,
      source = source,
      message = result.message,
    },
  }))
  vim.api.nvim_buf_attach(buffer, false, {
    on_lines = function()
      vim.schedule(function() M.clear(buffer) end)
      return true
    end,
  })
end

return M
