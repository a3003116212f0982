--- `:checkhealth fathom`: whether this Neovim, the server and the files that are open fit together.

local command = require('fathom.command')
local server = require('fathom.server')

local M = {}

-- Neovim 0.7 to 0.9 call them otherwise.
local health = vim.health or require('health')
local start, ok = health.start or health.report_start, health.ok or health.report_ok
local info, warn, fail = health.info or health.report_info, health.warn or health.report_warn, health.error or health.report_error

local function check_editor()
  start('Neovim')
  local version = vim.version()
  local shown = ('%d.%d.%d'):format(version.major, version.minor, version.patch)
  if vim.fn.has('nvim-0.7') == 1 then
    ok('Neovim ' .. shown)
  else
    fail(('Neovim %s is too old'):format(shown), { 'Neovim 0.7 or later is needed.' })
  end
  if vim.g.did_load_filetypes or vim.g.do_filetype_lua then
    ok('types of files are detected')
  else
    warn('types of files are not detected', { "vim.cmd('filetype plugin on | syntax enable')" })
  end
end

local function check_command()
  start('The server')
  local found, origin = command.find(server.options())
  info(('%s, from %s'):format(table.concat(found, ' '), origin))
  local problem, advice = command.problem(found)
  if problem then
    return fail(problem, { advice })
  end
  local asking = command.version(found)
  if not asking then
    return info('its version is not asked for: the command has no `lsp` in it')
  end
  local answer = vim.trim(vim.fn.system(asking))
  if vim.v.shell_error == 0 then
    ok(answer)
  else
    fail(('`%s` ended with status %d'):format(table.concat(asking, ' '), vim.v.shell_error), vim.split(answer, '\n'))
  end
end

local function check_clients()
  start('What runs')
  local clients = server.clients()
  if #clients == 0 then
    info('the server does not run; it starts with the first MLIR file')
  end
  for _, client in ipairs(clients) do
    local buffers = vim.tbl_filter(function(buffer)
      return vim.lsp.buf_is_attached(buffer, client.id)
    end, vim.api.nvim_list_bufs())
    local folder = client.config.root_dir or 'no folder'
    ok(('client %d in %s, with %d buffer%s, counting columns in %s'):format(
      client.id, folder, #buffers, #buffers == 1 and '' or 's', client.offset_encoding))
  end
  if server.is_set_up() and vim.lsp.is_enabled and vim.lsp.is_enabled('fathom') then
    warn("both require('fathom').setup and vim.lsp.enable('fathom') are called: two servers may run", { 'Call one of them.' })
  end
end

function M.check()
  check_editor()
  check_command()
  check_clients()
end

return M
