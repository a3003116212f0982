--- Code lenses: keeps those of a buffer up to date.

local M = {}

--- Milliseconds that a buffer has to be left alone before its lenses are asked for again.
local PATIENCE = 200

local function refresh(buffer)
  if vim.api.nvim_buf_is_loaded(buffer) then
    -- Before 0.11 it knows no other buffer than the current one.
    vim.api.nvim_buf_call(buffer, vim.lsp.codelens.refresh)
  end
end

--- Shows the lenses of `buffer`, if the server has any and the option `lenses` does not forbid it.
---@param wanted boolean
function M.follow(client, buffer, wanted)
  if not wanted or not client.server_capabilities.codeLensProvider then
    return
  end
  local timer
  local function soon()
    if timer then
      timer:stop()
    end
    timer = vim.defer_fn(function() refresh(buffer) end, PATIENCE)
  end
  local group = vim.api.nvim_create_augroup('fathom.lenses.' .. buffer, { clear = true })
  vim.api.nvim_create_autocmd({ 'BufEnter', 'TextChanged', 'InsertLeave' }, { group = group, buffer = buffer, callback = soon })
  soon()
end

return M
