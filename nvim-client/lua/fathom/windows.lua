--- Windows with texts that belong to no file: what passes did, and what logs tell of them.

local M = {}

--- A scratch buffer in the current window; it goes with its window.
---@param text string|string[]
---@param filetype string|nil whose colours it has
function M.scratch(title, text, filetype)
  local buffer = vim.api.nvim_create_buf(false, true)
  pcall(vim.api.nvim_buf_set_name, buffer, ('fathom://%s #%d'):format(title, buffer))
  vim.bo[buffer].bufhidden = 'wipe'
  local lines = type(text) == 'table' and text or vim.split(text:gsub('\n+$', ''), '\n', { plain = true })
  -- A line of a buffer holds no end of a line, and no text of a log keeps one out.
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.tbl_map(function(line) return (line:gsub('[\r\n]', ' ')) end, lines))
  vim.api.nvim_win_set_buf(0, buffer)
  if filetype then
    vim.bo[buffer].syntax = filetype
  end
  vim.bo[buffer].modifiable = false
  return buffer
end

--- Has keys do something in a buffer.
function M.map(buffer, keys, action)
  vim.keymap.set('n', keys, action, { buffer = buffer, nowait = true })
end

--- Shows two texts side by side, in diff mode, in a tab page of their own.
---@param before { title: string, text: string }
---@param after { title: string, text: string }
---@param filetype string
function M.compare(before, after, filetype)
  vim.cmd('tabnew')
  M.scratch(before.title, before.text, filetype)
  vim.cmd('diffthis')
  vim.cmd('rightbelow vsplit')
  M.scratch(after.title, after.text, filetype)
  vim.cmd('diffthis')
end

--- A list in a window below.
function M.list(title, lines)
  vim.cmd(('botright %dsplit'):format(math.min(15, #lines + 1)))
  local buffer = M.scratch(title, lines)
  vim.wo.cursorline = true
  return buffer
end

return M
