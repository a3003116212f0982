--- Starts and stops the language server, attaches it to MLIR and TableGen buffers, and sends it requests.
---
--- Works from Neovim 0.7 on; what changed its name since is hidden in the functions at the top.

local M = {}

local has_methods = vim.fn.has('nvim-0.11') == 1

---@type table the options of `setup`
local options = {}
local client_id
--- Stopping on purpose is not worth a message.
local stopping = {}

local function start_client(config)
  if has_methods then
    return vim.lsp.start(config, { attach = false })
  end
  return vim.lsp.start_client(config)
end

local function call(client, method, ...)
  if has_methods then
    return client[method](client, ...)
  end
  return client[method](...)
end

function M.notify(message, level)
  vim.notify('Fathom: ' .. message, level or vim.log.levels.INFO)
end

--- The command that starts the server: the one given to `setup`; else with the Python given there, with that of the
--- active virtual environment, with the `fathom` on the path, or with the Python there.
---@return string[]
function M.command()
  if options.cmd then
    return options.cmd
  end
  local environment = vim.env.VIRTUAL_ENV
  local python = options.python or (environment and (environment .. '/bin/python'))
  if not python and vim.fn.executable('fathom') == 1 then
    return { 'fathom', 'lsp', '--stdio' }
  end
  python = python or (vim.fn.executable('python3') == 1 and 'python3' or 'python')
  return { vim.fn.expand(python), '-m', 'fathom.cli', 'lsp', '--stdio' }
end

--- Says why the server could not be used, and what to do about it.
local function explain_exit(command, code)
  local log = vim.lsp.log and vim.lsp.log.get_filename and vim.lsp.log.get_filename() or vim.lsp.get_log_path()
  local hint = ('See %s.'):format(log)
  if command[2] == '-m' then
    vim.fn.system({ command[1], '-c', 'import fathom.cli, fathom_server' })
    if vim.v.shell_error ~= 0 then
      hint = ("Fathom is not installed in %s: install it there (`%s -m pip install`, followed by the folder of Fathom's "
        .. "sources), or choose another Python with require('fathom').setup { python = '...' }."):format(command[1], command[1])
    end
  end
  M.notify(('the server ended with status %d. %s'):format(code, hint), vim.log.levels.ERROR)
end

---@return table|nil the running client
function M.client()
  local client = client_id and vim.lsp.get_client_by_id(client_id)
  if client and not call(client, 'is_stopped') then
    return client
  end
end

--- Starts the server if it does not run, and attaches it to `buffer`.
---@return table|nil client
function M.attach(buffer)
  if not M.client() then
    local command = M.command()
    if vim.fn.executable(command[1]) ~= 1 then
      M.notify(('%s cannot be executed. Set `cmd` or `python` in setup.'):format(command[1]), vim.log.levels.ERROR)
      return
    end
    client_id = start_client {
      name = 'fathom',
      cmd = command,
      root_dir = vim.fn.getcwd(),
      capabilities = options.capabilities or vim.lsp.protocol.make_client_capabilities(),
      init_options = options.settings,
      settings = { fathom = options.settings },
      flags = { debounce_text_changes = options.debounce },
      handlers = { ['fathom/previewDidChange'] = function(_, params) require('fathom.preview').changed(params) end },
      on_attach = options.on_attach,
      on_exit = function(code, _, id)
        vim.schedule(function()
          if not stopping[id] and code ~= 0 then
            explain_exit(command, code)
          end
          stopping[id] = nil
        end)
      end,
    }
  end
  if client_id and vim.api.nvim_buf_is_loaded(buffer) then
    vim.lsp.buf_attach_client(buffer, client_id)
  end
  return M.client()
end

--- The types of files for which the server is started.
local function filetypes()
  return options.tablegen and { 'mlir', 'tablegen' } or { 'mlir' }
end

---@return number[] the loaded source buffers
local function source_buffers()
  return vim.tbl_filter(function(buffer)
    local is_ours = vim.tbl_contains(filetypes(), vim.bo[buffer].filetype)
    return vim.api.nvim_buf_is_loaded(buffer) and is_ours and vim.bo[buffer].buftype == ''
  end, vim.api.nvim_list_bufs())
end

--- Calls `done` when the server has ended.
function M.stop(done)
  local client = M.client()
  if not client then
    return done()
  end
  local id = client.id
  stopping[id] = true
  call(client, 'stop')
  local timer, waited = vim.loop.new_timer(), 0
  timer:start(20, 20, vim.schedule_wrap(function()
    if timer:is_closing() then
      return
    end
    waited = waited + 20
    local gone = not vim.lsp.get_client_by_id(id) or call(client, 'is_stopped')
    if not gone and waited == 2000 then
      call(client, 'stop', true)
    end
    if gone or waited > 4000 then
      timer:close()
      client_id = nil
      done()
    end
  end))
end

function M.restart()
  M.stop(function()
    for _, buffer in ipairs(source_buffers()) do
      M.attach(buffer)
    end
    require('fathom.preview').refresh_all()
    M.notify('restarted')
  end)
end

--- Calls `action` when the client is initialized: before, the server knows no documents.
local function when_ready(client, action)
  if client.initialized then
    return action()
  end
  local timer = vim.loop.new_timer()
  timer:start(10, 10, vim.schedule_wrap(function()
    if timer:is_closing() then
      return
    end
    local stopped = call(client, 'is_stopped')
    if client.initialized or stopped then
      timer:close()
    end
    if client.initialized and not stopped then
      action()
    end
  end))
end

--- Sends a request about `buffer`; calls `handler(result)` if it is answered, and `on_error(error)` if it is not
--- (without one, the error is shown).
---@return table|nil handle for `cancel`
function M.request(buffer, method, params, handler, on_error)
  local client = M.attach(buffer)
  if not client then
    return
  end
  local handle = {}
  when_ready(client, function()
    local _
    _, handle.id = call(client, 'request', method, params, function(err, result)
      if not err then
        return handler(result)
      end
      if on_error then
        return on_error(err)
      end
      M.notify(err.message, vim.log.levels.ERROR)
    end, buffer)
  end)
  return handle
end

function M.notify_server(method, params)
  local client = M.client()
  if client then
    call(client, 'notify', method, params)
  end
end

---@param handle table what `request` gave
function M.cancel(handle)
  local client = M.client()
  if client and handle.id then
    call(client, 'cancel_request', handle.id)
  end
end

---@return table TextDocumentIdentifier
function M.document(buffer)
  return { uri = vim.uri_from_bufnr(buffer) }
end

--- The position of the cursor in `window`, in the encoding of the protocol.
function M.position(window)
  local client = M.client()
  local encoding = client and client.offset_encoding or 'utf-16'
  return vim.lsp.util.make_position_params(window, encoding).position
end

--- Gives the functions of a buffer, as docs/protocol.md ("fathom/functions") describes them.
function M.functions(buffer, handler)
  M.request(buffer, 'fathom/functions', { textDocument = M.document(buffer) }, handler)
end

--- The function whose text contains the zero-based `line`.
function M.function_at(functions, line)
  for _, info in ipairs(functions) do
    if info.range.start.line <= line and line <= info.range['end'].line then
      return info
    end
  end
end

function M.setup(given)
  options = given
  if vim.tbl_isempty(options.settings) then
    -- An empty table is a list in JSON, unless it is said to be an object.
    options.settings = vim.empty_dict()
  end
  local group = vim.api.nvim_create_augroup('fathom', { clear = true })
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = filetypes(),
    callback = function(event)
      if vim.bo[event.buf].buftype == '' then
        M.attach(event.buf)
      end
    end,
  })
  vim.api.nvim_create_autocmd('BufWritePost', {
    group = group,
    pattern = { '*.toml', '*.td' },
    callback = function(event)
      local changed = 2 -- FileChangeType.Changed
      M.notify_server('workspace/didChangeWatchedFiles', { changes = { { uri = vim.uri_from_fname(event.match), type = changed } } })
    end,
  })
  for _, buffer in ipairs(source_buffers()) do
    M.attach(buffer)
  end
end

return M
