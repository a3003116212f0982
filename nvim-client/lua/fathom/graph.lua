--- Graphs as text: control flow, data flow, loops, accesses and calls, in a window of their own; and as pictures in the browser.

local choose = require('fathom.choose')
local command = require('fathom.command')
local server = require('fathom.server')

local M = {}

M.kinds = { 'cfg', 'data-flow', 'loops', 'access', 'calls' }

local space = vim.api.nvim_create_namespace('fathom-graph')
local INDENT = '    '
--- Kinds of edges that say nothing beside the edge itself.
local PLAIN = { branch = true, value = true, nest = true, case = true }

local buffer
--- What is shown: the graph, the buffer of its source, and the node of each line, from 1 on.
local shown

local function edge_line(edge, nodes)
  local words = {}
  if not PLAIN[edge.kind] then
    table.insert(words, edge.kind)
  end
  if edge.label and edge.label ~= edge.kind then
    table.insert(words, edge.label)
  end
  if edge.back then
    table.insert(words, 'back')
  end
  local said = #words > 0 and ('  (%s)'):format(table.concat(words, ', ')) or ''
  return ('-> [%d] %s%s'):format(edge['end'], nodes[edge['end'] + 1].title, said)
end

--- The elements that an access touches, as lines: of each the number of the iteration that touches it first.
---@return string[]
function M.grid(pattern)
  local wide, margin, heads = #tostring(pattern.column + pattern.columns - 1), 0, {}
  for _, first in ipairs(pattern.first) do
    wide = math.max(wide, first >= 0 and #tostring(first) or 1)
  end
  for _, row in ipairs(pattern.rows) do
    table.insert(heads, #row > 0 and ('[%s]'):format(table.concat(row, ', ')) or '')
    margin = math.max(margin, #heads[#heads])
  end
  local function line(head, cells)
    return ((head .. (' '):rep(margin - #head) .. ' |' .. table.concat(cells)):gsub('%s+$', ''))
  end
  local cells = {}
  for column = 0, pattern.columns - 1 do
    table.insert(cells, (' %' .. wide .. 'd'):format(pattern.column + column))
  end
  local lines = { line('', cells) }
  for number, head in ipairs(heads) do
    cells = {}
    for column = 1, pattern.columns do
      local first = pattern.first[(number - 1) * pattern.columns + column]
      table.insert(cells, (' %' .. wide .. 's'):format(first >= 0 and tostring(first) or '.'))
    end
    table.insert(lines, line(head, cells))
  end
  return lines
end

--- The lines of a graph, as `fathom graph --format=text` prints them, and the number of the node that each is of.
---@return string[] lines, table<number, number> of
function M.outline(graph)
  local inside, leaving = {}, {}
  for number, node in ipairs(graph.nodes) do
    local parent = node.parent or -1
    inside[parent] = inside[parent] or {}
    table.insert(inside[parent], number - 1)
  end
  for _, edge in ipairs(graph.edges) do
    leaving[edge.start] = leaving[edge.start] or {}
    table.insert(leaving[edge.start], edge_line(edge, graph.nodes))
  end
  local lines, of = { ('%s%s at %s'):format(graph.kind, graph['function'] and (' of @' .. graph['function']) or '', graph.stage) }, {}
  local function add(indent, text, number)
    -- A line break in a name would be none in a buffer.
    table.insert(lines, (indent .. text):gsub('\n', ' ') .. '')
    of[#lines] = number
  end
  local pending = {}
  local function push(numbers, depth)
    for index = #(numbers or {}), 1, -1 do
      table.insert(pending, { numbers[index], depth })
    end
  end
  push(inside[-1], 0)
  while #pending > 0 do
    local number, depth = unpack(table.remove(pending))
    local node, indent = graph.nodes[number + 1], INDENT:rep(math.min(depth, 20))
    add(indent, ('[%d] %s%s'):format(number, node.title, node.unreachable and '  (unreachable)' or ''), number)
    for _, text in ipairs(node.lines or {}) do
      add(indent .. INDENT, text, number)
    end
    for _, text in ipairs(node.pattern and M.grid(node.pattern) or {}) do
      add(indent .. INDENT, text, number)
    end
    for _, text in ipairs(leaving[number] or {}) do
      add(indent .. INDENT, text, number)
    end
    push(inside[number], depth + 1)
  end
  if graph.omitted then
    table.insert(lines, graph.omitted)
  end
  return lines, of
end

--- Puts the cursor of the source at the node of the line at the cursor.
local function jump()
  local number = shown and shown.of[vim.api.nvim_win_get_cursor(0)[1]]
  local place = number and shown.graph.nodes[number + 1].source
  if not place then
    return
  end
  local window = vim.fn.bufwinid(shown.source)
  if window == -1 then
    vim.cmd('rightbelow split')
    vim.api.nvim_win_set_buf(0, shown.source)
  else
    vim.api.nvim_set_current_win(window)
  end
  local line = math.min(place.start.line + 1, vim.api.nvim_buf_line_count(shown.source))
  vim.api.nvim_win_set_cursor(0, { line, 0 })
  vim.cmd('normal! ^')
end

--- Marks the lines of the smallest node around a line of the source.
local function follow(line)
  vim.api.nvim_buf_clear_namespace(buffer, space, 0, -1)
  local nearest, size
  for number, node in ipairs(shown.graph.nodes) do
    local place = node.source
    if place and place.start.line <= line and line <= place['end'].line then
      local lines = place['end'].line - place.start.line
      if not size or lines < size then
        nearest, size = number - 1, lines
      end
    end
  end
  for at, number in pairs(shown.of) do
    if number == nearest then
      vim.api.nvim_buf_add_highlight(buffer, space, 'FathomLinked', at - 1, 0, -1)
    end
  end
end

local function window_of()
  if not (buffer and vim.api.nvim_buf_is_valid(buffer)) then
    buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buffer, 'fathom-graph')
    vim.keymap.set('n', '<CR>', jump, { buffer = buffer, desc = 'To the lines of this node' })
  end
  if vim.fn.bufwinid(buffer) == -1 then
    local current = vim.api.nvim_get_current_win()
    vim.cmd('keepalt rightbelow vsplit')
    vim.api.nvim_win_set_buf(0, buffer)
    vim.wo.number = false
    vim.wo.wrap = false
    vim.api.nvim_set_current_win(current)
  end
end

local function show(source, graph)
  local lines, of = M.outline(graph)
  shown = { source = source, graph = graph, of = of }
  window_of()
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  local group = vim.api.nvim_create_augroup('fathom-graph', { clear = true })
  vim.api.nvim_create_autocmd('CursorMoved', {
    group = group,
    buffer = source,
    callback = function()
      if not vim.api.nvim_buf_is_valid(buffer) or vim.fn.bufwinid(buffer) == -1 then
        return true
      end
      follow(vim.api.nvim_win_get_cursor(0)[1] - 1)
    end,
  })
  follow(vim.api.nvim_win_get_cursor(0)[1] - 1)
end

--- Shows a graph of the function at the cursor, or of the one named.
---@param what { kind: string|nil, stage: string|nil, fn: string|nil }
function M.show(source, what)
  local kind, stage = what.kind or 'cfg', what.stage or 'source'
  local function ask(name)
    local params = { textDocument = server.document(source), kind = kind, stage = stage, ['function'] = name }
    server.request(source, 'fathom/graph', params, function(graph)
      if graph.problem then
        return server.notify(graph.problem, vim.log.levels.WARN)
      end
      show(source, graph)
    end)
  end
  if kind == 'calls' then
    -- Of the part of the file in which the function at the cursor stands.
    local line = vim.api.nvim_win_get_cursor(0)[1] - 1
    return server.functions(source, function(all)
      local here = server.function_at(all, line)
      ask(here and here.name)
    end)
  end
  choose.with_function(source, what.fn, function(info) ask(info.name) end)
end

--- Shows the file of a buffer in the browser, as it is on disk.
function M.explore(source)
  local file = vim.api.nvim_buf_get_name(source)
  local client = server.client(source)
  local start = client and command.with(client.config.cmd, { 'explore', file })
  if file == '' or not start then
    return server.notify('the buffer has no file, or its server is not started by a command', vim.log.levels.ERROR)
  end
  vim.fn.jobstart(start, {
    on_stderr = function(_, lines)
      for _, line in ipairs(lines) do
        if line ~= '' then
          server.notify(line)
        end
      end
    end,
  })
end

return M
