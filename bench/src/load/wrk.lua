-- Arguments: nothing for one fixed request, or a file with one path per line and the line to start from.
local requests = {}
local position = 0

local function rotate()
  position = position % #requests + 1
  return requests[position]
end

function init(args)
  if args[1] == nil then return end
  for path in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format('GET', path)
  end
  position = tonumber(args[2]) % #requests
  request = rotate
end

function done(summary, latency, _)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"durationUs":%d,"p99Us":%d,"failed":%d,"badStatus":%d}\n',
    summary.requests, summary.duration, latency:percentile(99),
    errors.connect + errors.read + errors.write, errors.status
  ))
end
