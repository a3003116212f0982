--- Logs of passes as timelines: what a log of any tool, or a folder of `--mlir-print-ir-tree-dir`, has dumps of.

local server = require('fathom.server')
local windows = require('fathom.windows')

local M = {}

local COLOURS = { mlir = 'mlir', llvm = 'llvm' }

local function name_of(dump)
  return dump.when == 'before' and ('before ' .. dump['pass']) or dump['pass']
end

local function title_of(dump)
  return ('%d %s'):format(dump.number, name_of(dump))
end

local function row(dump)
  local marks = { dump.outcome or '', dump.isCut and 'cut off' or '', dump.path or ('line %d'):format(dump.line + 1) }
  local said = table.concat(vim.tbl_filter(function(mark) return mark ~= '' end, marks), ', ')
  return ('%6d  %-40s %-28s %s'):format(dump.number, name_of(dump), dump.subject or '', said)
end

--- A line for each dump, and the dump of each line; those that changed nothing are folded away but with `every`.
---@return string[] lines, table<number, table> at
function M.rows(dumps, every)
  local lines, at, idle = {}, {}, 0
  local function flush()
    if idle > 0 then
      table.insert(lines, ('        %d that changed nothing'):format(idle))
      idle = 0
    end
  end
  for _, dump in ipairs(dumps) do
    if dump.changed or every then
      flush()
      table.insert(lines, row(dump))
      at[#lines] = dump
    else
      idle = idle + 1
    end
  end
  flush()
  return lines, at
end

--- What is shown of a list: everything that the keys of its window need.
local function fill(view)
  local lines
  lines, view.at = M.rows(view.dumps, view.every)
  if view.left_off > 0 then
    table.insert(lines, ('        %d more dumps are left out'):format(view.left_off))
  end
  if not view.buffer then
    view.buffer = windows.list('dumps of ' .. vim.fn.fnamemodify(view.path, ':t'), lines)
    return
  end
  vim.bo[view.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(view.buffer, 0, -1, false, lines)
  vim.bo[view.buffer].modifiable = false
end

local function text_of(view, dump, done)
  server.ask('fathom/dump', { uri = vim.uri_from_fname(view.path), number = dump.number }, done)
end

local function compare(before, before_text, after, after_text)
  windows.compare(
    { title = title_of(before), text = before_text },
    { title = title_of(after), text = after_text },
    COLOURS[after.languageId] or ''
  )
end

--- Shows a dump beside the one before it of the same operation; alone where there is none, or `alone` says so.
local function show(view, dump, alone)
  text_of(view, dump, function(answer)
    local before = answer.before and view.dumps[answer.before.number]
    if before and not alone then
      return compare(before, answer.before.text, dump, answer.text)
    end
    vim.cmd('tabnew')
    windows.scratch(title_of(dump), answer.text, COLOURS[dump.languageId])
  end)
end

--- Marks a dump, or shows the one that is marked beside it.
local function mark(view, dump)
  local marked = view.marked
  if not marked or marked == dump then
    view.marked = dump
    return server.notify(('`m` on another dump compares it with %s'):format(title_of(dump)))
  end
  view.marked = nil
  local before, after = marked, dump
  if before.number > after.number then
    before, after = after, before
  end
  text_of(view, before, function(first)
    text_of(view, after, function(second) compare(before, first.text, after, second.text) end)
  end)
end

--- Lists the dumps of a log or a folder, in a window below.
function M.open(path)
  local full = vim.fn.fnamemodify(vim.fn.expand(path), ':p'):gsub('/$', '')
  server.ask('fathom/dumps', { uri = vim.uri_from_fname(full) }, function(answer)
    if #answer.dumps == 0 then
      return server.notify(('%s: there is no dump of IR'):format(path), vim.log.levels.WARN)
    end
    local view = { path = full, dumps = answer.dumps, left_off = answer.leftOff, every = false }
    fill(view)
    local function with_dump(action)
      return function()
        local dump = view.at[vim.api.nvim_win_get_cursor(0)[1]]
        if dump then
          action(dump)
        end
      end
    end
    windows.map(view.buffer, '<CR>', with_dump(function(dump) show(view, dump, false) end))
    windows.map(view.buffer, 't', with_dump(function(dump) show(view, dump, true) end))
    windows.map(view.buffer, 'm', with_dump(function(dump) mark(view, dump) end))
    windows.map(view.buffer, 'a', function()
      view.every = not view.every
      fill(view)
    end)
  end)
end

return M
