--- The scratch window in which runs and tests show what came of them.

local M = {}

local buffer

--- Adds lines, with a line between them and those before, and scrolls to the end. The cursor stays where it is.
---@param lines string[]
function M.show(lines)
  if not (buffer and vim.api.nvim_buf_is_valid(buffer)) then
    buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buffer, 'fathom-runs')
  end
  local count = vim.api.nvim_buf_line_count(buffer)
  local is_empty = count == 1 and vim.api.nvim_buf_get_lines(buffer, 0, 1, false)[1] == ''
  if not is_empty then
    table.insert(lines, 1, '')
  end
  vim.api.nvim_buf_set_lines(buffer, is_empty and 0 or -1, -1, false, lines)
  local window = vim.fn.bufwinid(buffer)
  if window == -1 then
    local current = vim.api.nvim_get_current_win()
    vim.cmd(('keepalt botright %dsplit'):format(math.min(12, #lines + 1)))
    vim.api.nvim_win_set_buf(0, buffer)
    vim.wo.number = false
    vim.wo.cursorline = false
    vim.wo.winfixheight = true
    window = vim.api.nvim_get_current_win()
    vim.api.nvim_set_current_win(current)
  end
  vim.api.nvim_win_set_cursor(window, { vim.api.nvim_buf_line_count(buffer), 0 })
end

return M
