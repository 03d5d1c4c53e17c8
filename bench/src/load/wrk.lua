-- Arguments: nothing for one fixed request, or a file with one path per line and the line to start from.
local requests = {}
local position = 0

local function rotate()
  position = position % #requests + 1
  return requests[position]
end

local function read_paths(file, start)
  for path in io.lines(file) do
    requests[#requests + 1] = wrk.format('GET', path)
  end
  position = tonumber(start) % #requests
  request = rotate
end

-- The load begins right after this.
function init(args)
  if args[1] ~= nil then read_paths(args[1], args[2]) end
  io.write('ready\n')
  io.flush()
end

function done(summary, latency, _)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"durationUs":%d,"p99Us":%d,"failed":%d,"badStatus":%d}\n',
    summary.requests, summary.duration, latency:percentile(99),
    errors.connect + errors.read + errors.write, errors.status
  ))
end
