--- Finds what a position became, or came from, in the map of a preview. Pure: no editor, no server.
---
--- Positions are those of the protocol: zero-based lines, characters in the encoding agreed on.

local M = {}

local function before(a, b)
  return a.line < b.line or (a.line == b.line and a.character < b.character)
end

--- Both ends belong to the range: a cursor stands between characters.
local function contains(range, position)
  return not before(position, range.start) and not before(range['end'], position)
end

--- Orders ranges by how much they cover: lines first, characters second.
local function is_smaller(a, b)
  local lines = (a['end'].line - a.start.line) - (b['end'].line - b.start.line)
  if lines ~= 0 then
    return lines < 0
  end
  return a['end'].character - a.start.character < b['end'].character - b.start.character
end

local function is_equal(a, b)
  return not (before(a.start, b.start) or before(b.start, a.start) or before(a['end'], b['end']) or before(b['end'], a['end']))
end

--- The lines on the other side of `position`, each once, in order.
---
--- The smallest range that contains the position decides; if none does, all that touch its line.
---@param map table[] entries `{ source = Range, target = Range }`
---@param from string 'source' or 'target': the side that `position` is on
---@param position table
---@return number[]
function M.linked_lines(map, from, position)
  local to = from == 'source' and 'target' or 'source'
  local smallest
  for _, link in ipairs(map) do
    local range = link[from]
    if contains(range, position) and (not smallest or is_smaller(range, smallest)) then
      smallest = range
    end
  end
  local seen, lines = {}, {}
  for _, link in ipairs(map) do
    local range = link[from]
    local chosen
    if smallest then
      chosen = is_equal(range, smallest)
    else
      chosen = range.start.line <= position.line and position.line <= range['end'].line
    end
    if chosen then
      for line = link[to].start.line, link[to]['end'].line do
        if not seen[line] then
          seen[line] = true
          table.insert(lines, line)
        end
      end
    end
  end
  table.sort(lines)
  return lines
end

return M
