--- Previews: scratch buffers that show a stage of a source buffer beside it and follow its changes.

local mapping = require('fathom.mapping')
local server = require('fathom.server')

local M = {}

local links = vim.api.nvim_create_namespace('fathom.links')
local marks = vim.api.nvim_create_namespace('fathom.stale')

--- The open previews by their buffer: `{ source, stage, fn, place, buffer, result, tick, asked }`, where `tick` is the
--- `changedtick` of the source that `result` belongs to, and `asked` counts questions so that late answers are dropped.
--- Of a preview that shows a part of its function, `place` is the position that was asked for last; nil for others.
local previews = {}

--- How names of files end that hold what a stage is; of MLIR's own stages there is nothing to say.
local extensions = { ['llvm-ir'] = 'll', ['llvm-optimized'] = 'll', assembly = 's', object = 's' }

--- The name of the preview's buffer. (The address that the server gives is no name Neovim would leave alone.)
local function title(preview)
  local extension = extensions[preview.stage] or 'mlir'
  local file = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(preview.source), ':t')
  local what = preview.fn and ('@%s.%s'):format(preview.fn, extension) or ('%s.%s'):format(vim.fn.fnamemodify(file, ':r'), extension)
  return ('fathom://%s/%s?%s%s'):format(preview.stage, what, file, preview.place and '#part' or '')
end

---@return number[] the windows of the current tab page that show `buffer`
local function windows_of(buffer)
  return vim.tbl_filter(function(window)
    return vim.api.nvim_win_get_buf(window) == buffer
  end, vim.api.nvim_tabpage_list_wins(0))
end

local function clear(buffer)
  if vim.api.nvim_buf_is_valid(buffer) then
    vim.api.nvim_buf_clear_namespace(buffer, links, 0, -1)
  end
end

--- Highlights whole lines of `buffer`, and scrolls its windows so that the first of them shows.
local function light(buffer, lines)
  clear(buffer)
  local count = vim.api.nvim_buf_line_count(buffer)
  lines = vim.tbl_filter(function(line) return line < count end, lines)
  for _, line in ipairs(lines) do
    local mark = { end_row = line + 1, end_col = 0, hl_group = 'FathomLinked', hl_eol = true, priority = 90, strict = false }
    vim.api.nvim_buf_set_extmark(buffer, links, line, 0, mark)
  end
  for _, window in ipairs(#lines > 0 and windows_of(buffer) or {}) do
    vim.api.nvim_win_call(window, function()
      local top, bottom = vim.fn.line('w0') - 1, vim.fn.line('w$') - 1
      local visible = vim.tbl_filter(function(line) return top <= line and line <= bottom end, lines)
      if #visible == 0 then
        vim.api.nvim_win_set_cursor(window, { lines[1] + 1, 0 })
        vim.cmd('normal! zz')
      end
    end)
  end
end

--- Whether the map of the preview fits the present text of the source.
local function is_current(preview)
  return preview.result and not preview.result.stale
    and preview.tick == vim.api.nvim_buf_get_changedtick(preview.source)
end

local refresh

local function has_line(range, line)
  return range.start.line <= line and line <= range['end'].line
end

--- The position of the cursor in the source, if the preview shows a part of the function that it is in.
local function place_in_function(preview)
  local part = preview.place and preview.result and preview.result.part
  local window = part and windows_of(preview.source)[1]
  local place = window and server.position(window)
  return place and has_line(part['function'], place.line) and place or nil
end

--- Asks for another part if the cursor has left the one that is shown.
local function follow_part(preview)
  local place = is_current(preview) and place_in_function(preview)
  if place and place.line ~= preview.place.line and not has_line(preview.result.part.range, place.line) then
    refresh(preview)
  end
end

--- Highlights what belongs to the cursor of the current window, and has the parts around it shown.
function M.follow()
  local window = vim.api.nvim_get_current_win()
  local buffer = vim.api.nvim_win_get_buf(window)
  local own = previews[buffer]
  if own then
    clear(buffer)
    local lines = is_current(own) and mapping.linked_lines(own.result.map, 'target', server.position(window)) or {}
    return light(own.source, lines)
  end
  for _, preview in pairs(previews) do
    if preview.source == buffer then
      clear(buffer)
      local lines = is_current(preview) and mapping.linked_lines(preview.result.map, 'source', server.position(window)) or {}
      light(preview.buffer, lines)
      follow_part(preview)
    end
  end
end

--- Says in the preview that it is older than its source, and why.
local function mark_stale(preview)
  local result, buffer = preview.result, preview.buffer
  vim.api.nvim_buf_clear_namespace(buffer, marks, 0, -1)
  local reason = result.stale and ('stale: ' .. (result.staleReason or 'the source is newer')) or nil
  vim.b[buffer].fathom_stale = reason or ''
  if reason then
    local text = { { '  ' .. reason:gsub('%s*\n%s*', ' '), 'FathomStale' } }
    vim.api.nvim_buf_set_extmark(buffer, marks, 0, 0, { virt_text = text, virt_text_pos = 'eol' })
  end
  for _, window in ipairs(windows_of(buffer)) do
    vim.wo[window].winhighlight = reason and 'Normal:FathomStaleText,EndOfBuffer:FathomStaleText' or ''
  end
end

--- Replaces the lines that differ, so that the view stays where it is.
local function write(buffer, text)
  local new = vim.split(text:gsub('\n$', ''), '\n', { plain = true })
  local old = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  local first = 1
  while first <= #old and first <= #new and old[first] == new[first] do
    first = first + 1
  end
  local last_old, last_new = #old, #new
  while last_old >= first and last_new >= first and old[last_old] == new[last_new] do
    last_old, last_new = last_old - 1, last_new - 1
  end
  if last_old < first and last_new < first then
    return
  end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, first - 1, last_old, false, vim.list_slice(new, first, last_new))
  vim.bo[buffer].modifiable = false
end

local function show(preview, result, tick)
  preview.result, preview.tick = result, tick
  local text = result.text
  if text == '' then
    local comment = extensions[preview.stage] == 'll' and '; ' or '// '
    text = comment .. (result.staleReason or 'nothing to show yet'):gsub('\n', '\n' .. comment)
  end
  write(preview.buffer, text)
  mark_stale(preview)
  M.follow()
end

local function parameters(preview, part)
  return { textDocument = server.document(preview.source), stage = preview.stage, ['function'] = preview.fn, part = part }
end

function refresh(preview)
  preview.place = place_in_function(preview) or preview.place
  preview.asked = preview.asked + 1
  local asked = preview.asked
  local function is_late()
    return previews[preview.buffer] ~= preview or asked ~= preview.asked
  end
  local tick = vim.api.nvim_buf_get_changedtick(preview.source)
  server.request(preview.source, 'fathom/preview', parameters(preview, preview.place), function(result)
    if not is_late() then
      show(preview, result, tick)
    end
  end, function(err)
    if not is_late() then
      local text = preview.result and preview.result.text or ''
      show(preview, { stale = true, staleReason = err.message, text = text, map = {} }, tick)
    end
  end)
end

--- Asks for the previews of `source` anew: a server that was just started knows none of them.
function M.refresh_of(source)
  for _, preview in pairs(previews) do
    if preview.source == source then
      refresh(preview)
    end
  end
end

--- The handler of `fathom/previewDidChange`. A preview that the notification does not cover is the same at the new version.
function M.changed(params)
  for _, preview in pairs(previews) do
    if vim.api.nvim_buf_is_valid(preview.source) and vim.uri_from_bufnr(preview.source) == params.textDocument.uri then
      local same_stage = not params.stage or params.stage == preview.stage
      -- The server's answer has the function's name in the one form in which it writes it.
      local fn = preview.result and preview.result['function'] or preview.fn
      local same_function = not params.functions or not fn or vim.tbl_contains(params.functions, fn)
      if same_stage and same_function then
        refresh(preview)
      elseif preview.result and not preview.result.stale then
        preview.tick = params.textDocument.version
        M.follow()
      end
    end
  end
end

local function close(buffer)
  local preview = previews[buffer]
  if not preview then
    return
  end
  previews[buffer] = nil
  clear(preview.source)
  if vim.api.nvim_buf_is_valid(preview.source) then
    server.notify_server('fathom/closePreview', parameters(preview, preview.place and true))
  end
end

local function find(source, stage, fn, is_part)
  for _, preview in pairs(previews) do
    if preview.source == source and preview.stage == stage and preview.fn == fn
      and (preview.place ~= nil) == is_part then
      return preview
    end
  end
end

--- Makes the preview's buffer and shows it right of the source; the cursor stays where it is.
local function open_window(preview)
  local window = vim.api.nvim_get_current_win()
  vim.cmd('keepalt botright vertical sbuffer ' .. preview.buffer)
  vim.wo.number = false
  vim.wo.relativenumber = false
  vim.wo.cursorline = false
  vim.wo.wrap = false
  vim.api.nvim_set_current_win(window)
end

--- Opens the preview of `stage` for the function `fn` (nil: the whole file) of the buffer `source`, or for the part of
--- it around the cursor if that `is_part`.
---@return number buffer of the preview
function M.open(source, stage, fn, is_part)
  is_part = fn ~= nil and is_part == true
  local preview = find(source, stage, fn, is_part)
  if preview then
    if #windows_of(preview.buffer) == 0 then
      open_window(preview)
    end
    refresh(preview)
    return preview.buffer
  end
  local buffer = vim.api.nvim_create_buf(false, true)
  local window = windows_of(source)[1]
  local place = is_part and (window and server.position(window) or { line = 0, character = 0 }) or nil
  preview = { source = source, stage = stage, fn = fn, place = place, buffer = buffer, asked = 0 }
  previews[buffer] = preview
  -- Two files of one name may have a function of one name: then the buffer keeps its number for a name.
  pcall(vim.api.nvim_buf_set_name, buffer, title(preview))
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].modifiable = false
  vim.b[buffer].fathom_stale = ''
  open_window(preview)
  vim.bo[buffer].filetype = ({ ll = 'llvm', s = 'asm' })[extensions[stage]] or 'mlir'
  local group = vim.api.nvim_create_augroup('fathom.preview.' .. buffer, { clear = true })
  for _, each in ipairs { source, buffer } do
    vim.api.nvim_create_autocmd({ 'CursorMoved', 'CursorMovedI', 'BufEnter' }, { group = group, buffer = each, callback = M.follow })
  end
  vim.api.nvim_create_autocmd('BufWipeout', { group = group, buffer = buffer, callback = function()
    close(buffer)
    vim.api.nvim_del_augroup_by_id(group)
  end })
  vim.api.nvim_create_autocmd('BufWipeout', { group = group, buffer = source, callback = function()
    vim.schedule(function() pcall(vim.api.nvim_buf_delete, buffer, { force = true }) end)
  end })
  refresh(preview)
  return buffer
end

return M
