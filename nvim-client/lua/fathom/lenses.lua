--- Code lenses: keeps those of a buffer up to date, and does what they say. Their commands are described in
--- docs/protocol.md ("Code lenses and tests").

local M = {}

--- Milliseconds that a buffer has to be left alone before its lenses are asked for again.
local PATIENCE = 200

--- Asks for the lenses of `buffer` anew.
function M.refresh(buffer)
  if vim.api.nvim_buf_is_loaded(buffer) then
    -- Before 0.11 it knows no other buffer than the current one.
    vim.api.nvim_buf_call(buffer, function() vim.lsp.codelens.refresh() end)
  end
end

--- Shows the lenses of `buffer`, if the server has any and they are `wanted`.
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
    timer = vim.defer_fn(function() M.refresh(buffer) end, PATIENCE)
  end
  local group = vim.api.nvim_create_augroup('fathom.lenses.' .. buffer, { clear = true })
  vim.api.nvim_create_autocmd({ 'BufEnter', 'TextChanged', 'InsertLeave' }, { group = group, buffer = buffer, callback = soon })
  soon()
end

local function show_places(about)
  local server = require('fathom.server')
  local client = server.client(vim.uri_to_bufnr(about.uri))
  if #about.locations == 0 or not client then
    return server.notify('it is not used')
  end
  vim.fn.setqflist({}, ' ', { title = 'Uses', items = vim.lsp.util.locations_to_items(about.locations, client.offset_encoding) })
  vim.cmd('botright copen')
end

--- What lenses have the client do, by the names of their commands. *Lower* is a command of the server, whose refusal
--- Neovim would not show.
M.commands = {
  ['fathom.lowerFunction'] = function(command)
    local uri, name = unpack(command.arguments)
    require('fathom').lower(name, vim.uri_to_bufnr(uri))
  end,
  ['fathom.lens.run'] = function(command)
    local about = command.arguments[1]
    require('fathom.run').run(vim.uri_to_bufnr(about.uri), about['function'])
  end,
  ['fathom.lens.bench'] = function(command)
    local about = command.arguments[1]
    require('fathom.run').bench(vim.uri_to_bufnr(about.uri), about['function'])
  end,
  ['fathom.lens.bisect'] = function(command)
    local about = command.arguments[1]
    require('fathom.run').bisect(vim.uri_to_bufnr(about.uri), about['function'])
  end,
  ['fathom.lens.whyNot'] = function(command)
    local about = command.arguments[1]
    require('fathom.passes').why(nil, vim.uri_to_bufnr(about.uri), about.position)
  end,
  ['fathom.lens.preview'] = function(command)
    local about = command.arguments[1]
    require('fathom').preview({ fn = about['function'] }, vim.uri_to_bufnr(about.uri))
  end,
  ['fathom.lens.references'] = function(command) show_places(command.arguments[1]) end,
  ['fathom.lens.runTest'] = function(command)
    local about = command.arguments[1]
    require('fathom.test').run(vim.uri_to_bufnr(about.uri), about.line)
  end,
}

--- What a client says in `initialize` so that it is sent these lenses.
---@return table capabilities with those of these commands
function M.with_capabilities(capabilities)
  local names = vim.tbl_filter(function(name) return vim.startswith(name, 'fathom.lens.') end, vim.tbl_keys(M.commands))
  table.sort(names)
  return vim.tbl_deep_extend('force', capabilities, { experimental = { fathom = { commands = names } } })
end

return M
