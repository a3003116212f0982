--- Starts and stops the language server, attaches it to MLIR, LLVM IR and TableGen buffers, and sends it requests.
---
--- Works from Neovim 0.7 on; what changed its name since is hidden in the functions at the top.

local command = require('fathom.command')
local lenses = require('fathom.lenses')

local M = {}

local has_methods = vim.fn.has('nvim-0.11') == 1

---@type table the options of `setup`
local options = {}
--- Whether it is for `setup` to start the server; else `vim.lsp.enable` does.
local set_up = false
--- The client that was started last after `setup`.
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

---@return table the options given to `setup`, or to `config`
function M.options()
  return options
end

function M.is_set_up()
  return set_up
end

--- Says why the server could not be used, and what to do about it.
local function explain_exit(started, code)
  local log = vim.lsp.log and vim.lsp.log.get_filename and vim.lsp.log.get_filename() or vim.lsp.get_log_path()
  local problem, advice = command.problem(started)
  local hint = problem and ('%s. %s'):format(problem, advice) or ('See %s.'):format(log)
  M.notify(('the server ended with status %d. %s'):format(code, hint), vim.log.levels.ERROR)
end

---@return table[] the running clients: one, or with `vim.lsp.enable` one for each folder
function M.clients()
  local all = {}
  if set_up then
    -- One that is not initialized yet is known by its number only.
    all = { client_id and vim.lsp.get_client_by_id(client_id) }
  elseif vim.lsp.get_clients then
    all = vim.lsp.get_clients { name = 'fathom' }
  end
  return vim.tbl_filter(function(client) return not call(client, 'is_stopped') end, all)
end

--- The running client, if there is one: that of `buffer`, where several run.
---@return table|nil
function M.client(buffer)
  local clients = M.clients()
  for _, client in ipairs(clients) do
    if buffer and vim.lsp.buf_is_attached(buffer, client.id) then
      return client
    end
  end
  return clients[1]
end

--- The folder that is served: the one around a file that has a `fathom.toml`, or a repository; else the current one.
local function root_of(buffer)
  local here = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':p:h')
  local path = vim.fn.escape(here, ', ;') .. ';'
  local marker = vim.fn.findfile('fathom.toml', path)
  if marker == '' then
    marker = vim.fn.finddir('.git', path)
  end
  if marker == '' then
    marker = vim.fn.findfile('.git', path)
  end
  return marker ~= '' and vim.fn.fnamemodify(marker, ':p:s?/$??:h') or vim.fn.getcwd()
end

--- What becomes of a buffer when the server is attached to it: what Neovim does not do of its own accord.
local function on_attach(client, buffer)
  for option, action in pairs { omnifunc = 'v:lua.vim.lsp.omnifunc', tagfunc = 'v:lua.vim.lsp.tagfunc' } do
    if vim.bo[buffer][option] == '' then
      vim.bo[buffer][option] = action
    end
  end
  lenses.follow(client, buffer, options.lenses)
  require('fathom.preview').refresh_of(buffer)
  if options.on_attach then
    options.on_attach(client, buffer)
  end
end

--- The configuration of a client, as `vim.lsp.start` and `vim.lsp.config` take it, but for its folder.
local function config_of_client()
  local started = command.find(options)
  return {
    name = 'fathom',
    cmd = started,
    capabilities = lenses.with_capabilities(options.capabilities or vim.lsp.protocol.make_client_capabilities()),
    commands = lenses.commands,
    init_options = options.settings,
    settings = { fathom = options.settings },
    flags = { debounce_text_changes = options.debounce },
    handlers = { ['fathom/previewDidChange'] = function(_, params) require('fathom.preview').changed(params) end },
    on_attach = on_attach,
    on_exit = function(code, _, id)
      vim.schedule(function()
        if not stopping[id] and code ~= 0 then
          explain_exit(started, code)
        end
        stopping[id] = nil
      end)
    end,
  }
end

--- Starts the server if it does not run: in the folder of `buffer`.
---@return table|nil client
local function start(buffer)
  if not set_up then
    if not M.client(buffer) and vim.lsp.enable then
      vim.lsp.enable('fathom')
    end
    return M.client(buffer)
  end
  local client = M.client()
  if not client then
    local config = config_of_client()
    if vim.fn.executable(config.cmd[1]) ~= 1 then
      M.notify(('%s cannot be executed. Set `cmd` or `python` in setup.'):format(config.cmd[1]), vim.log.levels.ERROR)
      return
    end
    config.root_dir = root_of(buffer)
    client_id = start_client(config)
  end
  return M.client()
end

--- Starts the server if it does not run, and attaches it to `buffer`.
---@return table|nil client
function M.attach(buffer)
  local client = start(buffer)
  if set_up and client and vim.api.nvim_buf_is_loaded(buffer) then
    vim.lsp.buf_attach_client(buffer, client.id)
  end
  return client
end

--- The types of files for which the server is started.
local function filetypes()
  local served = { 'mlir' }
  for filetype, is_wanted in pairs { tablegen = options.tablegen, llvm = options.llvm } do
    if is_wanted then
      table.insert(served, filetype)
    end
  end
  return served
end

---@return number[] the loaded source buffers
local function source_buffers()
  return vim.tbl_filter(function(buffer)
    local is_ours = vim.tbl_contains(filetypes(), vim.bo[buffer].filetype)
    return vim.api.nvim_buf_is_loaded(buffer) and is_ours and vim.bo[buffer].buftype == ''
  end, vim.api.nvim_list_bufs())
end

--- Calls `done` when no server runs any more.
function M.stop(done)
  local clients = M.clients()
  if #clients == 0 then
    return done()
  end
  for _, client in ipairs(clients) do
    stopping[client.id] = true
    call(client, 'stop')
  end
  local timer, waited = vim.loop.new_timer(), 0
  timer:start(20, 20, vim.schedule_wrap(function()
    if timer:is_closing() then
      return
    end
    waited = waited + 20
    local left = vim.tbl_filter(function(client)
      return vim.lsp.get_client_by_id(client.id) and not call(client, 'is_stopped')
    end, clients)
    if waited == 2000 then
      for _, client in ipairs(left) do
        call(client, 'stop', true)
      end
    end
    if #left == 0 or waited > 4000 then
      timer:close()
      done()
    end
  end))
end

function M.restart()
  M.stop(function()
    for _, buffer in ipairs(source_buffers()) do
      M.attach(buffer)
    end
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

--- Sends a request to a client; calls `handler(result)` if it is answered, and `on_error(error)` if it is not (without
--- one, the error is shown).
local function send(client, buffer, method, params, handler, on_error)
  local handle = { client_id = client.id }
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

--- Sends a request about `buffer`, as `send` does.
---@return table|nil handle for `cancel`
function M.request(buffer, method, params, handler, on_error)
  local client = M.attach(buffer)
  return client and send(client, buffer, method, params, handler, on_error)
end

--- Sends a request that is about no buffer; the current one becomes no document by it.
function M.ask(method, params, handler)
  local buffer = vim.api.nvim_get_current_buf()
  local client = start(buffer)
  if not client then
    return M.notify('no server runs: open an MLIR file first', vim.log.levels.ERROR)
  end
  send(client, buffer, method, params, handler)
end

function M.notify_server(method, params)
  for _, client in ipairs(M.clients()) do
    call(client, 'notify', method, params)
  end
end

---@param handle table what `request` gave
function M.cancel(handle)
  local client = handle.client_id and vim.lsp.get_client_by_id(handle.client_id)
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
  local client = M.client(vim.api.nvim_win_get_buf(window))
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

--- Tells the server what is saved of descriptions and projects: not every Neovim watches files.
local function watch(group)
  vim.api.nvim_create_autocmd('BufWritePost', {
    group = group,
    pattern = { '*.toml', '*.td' },
    callback = function(event)
      local changed = 2 -- FileChangeType.Changed
      M.notify_server('workspace/didChangeWatchedFiles', { changes = { { uri = vim.uri_from_fname(event.match), type = changed } } })
    end,
  })
end

---@param given table the options of `setup`
---@return number the group of the autocommands
local function take(given)
  options = given
  if vim.tbl_isempty(options.settings) then
    -- An empty table is a list in JSON, unless it is said to be an object.
    options.settings = vim.empty_dict()
  end
  local group = vim.api.nvim_create_augroup('fathom', { clear = true })
  watch(group)
  return group
end

--- The configuration for `vim.lsp.config`, with which Neovim 0.11 starts the server itself.
function M.config(given)
  take(given)
  local markers = { 'fathom.toml', '.git' }
  return vim.tbl_extend('force', config_of_client(), { filetypes = filetypes(), root_markers = markers })
end

function M.setup(given)
  set_up = true
  local group = take(given)
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = filetypes(),
    callback = function(event)
      if vim.bo[event.buf].buftype == '' then
        M.attach(event.buf)
      end
    end,
  })
  for _, buffer in ipairs(source_buffers()) do
    M.attach(buffer)
  end
end

return M
