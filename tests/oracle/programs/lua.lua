-- SPDX-License-Identifier: Apache-2.0
-- A tour through Lua 5.4: each part of the interpreter and each library is used once at least, so that its
-- pointers are seen at work.
local function check(ok, what) if not ok then error("wrong: " .. what, 2) end end

-- values, operators, strings long and short
local n, f = 7, 2.5
check(n // 2 == 3 and n % 4 == 3 and n ^ 2 == 49.0 and n / 2 == 3.5, "arithmetic")
check((n & 3) | (8 ~ 1) == 11 and ~0 == -1 and 1 << 4 == 16 and 256 >> 4 == 16, "bits")
check("10" + 5 == 15 and 10 .. "" == "10" and -"2" == -2, "coercions")
local long = ("x"):rep(500) .. tostring(f)
check(#long == 503 and long < long .. "y" and long ~= "x", "strings")
check(math.type(3) == "integer" and math.type(3.0) == "float" and 3 == 3.0, "numbers")

-- closures, upvalues, varargs, tail calls, goto
local function counter(step)
    local at = 0
    return function() at = at + step; return at end, function(to) at = to end
end
local next_one, reset = counter(2)
next_one(); next_one(); reset(10)
check(next_one() == 12, "upvalues")
local function pack(...) return select("#", ...), {...} end
local count, list = pack(1, nil, "three", nil)
check(count == 4 and list[3] == "three", "varargs")
local function sum(k, all) if k == 0 then return all end return sum(k - 1, all + k) end
check(sum(20000, 0) == 200010000, "tail calls")
do local i = 1; ::again:: i = i * 2; if i < 100 then goto again end; check(i == 128, "goto") end
for i = 10, 1, -3 do check(i > 0, "for") end
local seen = 0
for k, v in pairs({ a = 1, b = 2, 10, 20 }) do seen = seen + v end
for i, v in ipairs({ 1, 2, nil, 4 }) do seen = seen + i end
check(seen == 36, "iterators")
do local guard <close> = setmetatable({}, { __close = function() seen = -1 end }); local fixed <const> = 5 end
check(seen == -1, "to-be-closed")

-- tables: array part, hash part, growth, removal, sorting
local t = {}
for i = 1, 300 do t[i] = i * 7 % 101; t["k" .. i] = i; t[i + 0.5] = -i end
for i = 1, 300, 3 do t["k" .. i] = nil end
table.sort(t, function(a, b) return a > b end)
check(t[1] >= t[2] and #t == 300, "sort")
table.insert(t, 1, "first"); table.remove(t, 2)
check(table.concat({ 1, 2, 3 }, "-", 2) == "2-3" and select("#", table.unpack({ 1, 2, 3 })) == 3, "concat")
check(table.move({ 1, 2, 3 }, 1, 3, 2)[3] == 2, "move")
check(next({}) == nil and rawlen({ 1 }) == 1 and rawequal(t, t), "raw")

-- metatables: every event
local events = {}
local mt = {}
for _, name in ipairs({ "add", "sub", "mul", "div", "mod", "pow", "unm", "idiv", "band", "bor", "bxor", "shl",
    "shr", "bnot", "concat" }) do
    mt["__" .. name] = function(a, b) events[#events + 1] = name; return a end
end
mt.__len = function() return 42 end
mt.__eq = function() return true end
mt.__lt = function() return true end
mt.__le = function() return false end
mt.__call = function(self, x) return x end
mt.__index = function(_, k) return k .. "!" end
mt.__newindex = function(self, k, v) rawset(self, k, { v }) end
mt.__tostring = function() return "object" end
mt.__name = "thing"
local o, p = setmetatable({}, mt), setmetatable({}, mt)
local _ = o + 1, o - 1, o * 1, o / 1, o % 1, o ^ 1, -o, o // 1, o & 1, o | 1, o ~ 1, o << 1, o >> 1, ~o, o .. "x"
check(#events == 15 and #o == 42 and o == p and o < p and not (o <= p) and o(5) == 5, "metamethods")
o.new = 1
check(o.other == "other!" and o.new[1] == 1 and tostring(o) == "object", "index")
local base = { hello = function() return "base" end }
local derived = setmetatable({}, { __index = setmetatable({}, { __index = base }) })
check(derived.hello() == "base" and getmetatable("").__index == string, "inheritance")

-- errors, protected calls, coroutines
check(not pcall(error, { code = 1 }) and select(2, pcall(error, "x", 0)) == "x", "pcall")
check(select(2, xpcall(function() local x = nil; return x.y end, debug.traceback)):find("traceback"), "xpcall")
local function deep() return deep() + 1 end
check(not pcall(deep), "stack overflow")
local co = coroutine.create(function(a)
    local b = coroutine.yield(a + 1)
    local ok = pcall(function() coroutine.yield(b .. "?"); error("inside") end)
    return ok
end)
check(select(2, coroutine.resume(co, 1)) == 2 and select(2, coroutine.resume(co, "x")) == "x?", "yield")
check(select(2, coroutine.resume(co)) == false and coroutine.status(co) == "dead", "resume")
local gen = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
check(gen() + gen() + gen() == 6 and coroutine.isyieldable() == false and coroutine.running(), "wrap")
local closing = coroutine.create(function() local x <close> = setmetatable({}, { __close = function() end }); coroutine.yield() end)
coroutine.resume(closing)
check(coroutine.close(closing), "close")

-- strings: patterns, formats, packing, dumping
check(("key = value"):match("^(%w+)%s*=%s*(%w+)$") == "key", "match")
check(("hello world"):gsub("o", { o = "0" }) == "hell0 w0rld" and ("abc"):gsub("%w", "%0%0") == "aabbcc", "gsub")
check(("x"):gsub(".", function(c) return c:upper() end) == "X" and ("f(a(b)c)d"):match("%b()") == "(a(b)c)", "gsub 2")
for word, at in ("one two"):gmatch("(%a+)()") do check(#word == 3 and at, "gmatch") end
check(("THE (quick) fox"):find("%((%a+)%)") == 5 and ("a.b"):find(".", 1, true) == 2, "find")
check(("%5d|%-5s|%q|%g|%x|%a"):format(42, "ab", "q\n", 1e15, 255, 1.0):len() > 20, "format")
check(("abc"):byte(-1) == 99 and string.char(65, 66) == "AB" and ("aBc"):lower() == "abc", "bytes")
check(("abc"):reverse() == "cba" and ("abcdef"):sub(-3, -2) == "de", "sub")
local packed = string.pack("<i4 z s1 d", 7, "zero", "short", 0.5)
check(select(4, string.unpack("<i4 z s1 d", packed)) == 0.5 and string.packsize("i4i8") >= 12, "pack")
local dumped = string.dump(function(a) local function inner() return a, "constant", 1.5 end return inner end)
check(select(2, load(dumped, "dumped", "b")(3)()) == "constant", "dump")
check(utf8.char(228, 8364) == "ä€" and utf8.len("ä€") == 2 and utf8.codepoint("ä") == 228, "utf8")
for at, code in utf8.codes("aä") do check(utf8.offset("aä", 2) == 2 and code, "codes") end

-- loading: every kind of statement through the compiler, and what is wrong
local pieces = { "local a, b = 1, {x=1, [2]=3; 4}\n", "repeat local q = a; a = a + 1 until q > 3\n",
    "while a > 0 do a = a - 1 if a == 2 then break elseif a == 3 then a = 2 else end end\n",
    "function b.f(...) return ... end function b:m(y) return self.x + y end\n",
    "local s = [[long\nstring]] .. '\\65\\x41\\u{48}\\z   \n'\n", "return b:m(2), b.f(a), #s, not a, a and b or s" }
local at = 0
local chunk = load(function() at = at + 1; return pieces[at] end, "=pieces", "t", setmetatable({}, { __index = _G }))
check(chunk() == 3, "load")
for _, wrong in ipairs({ "x =", "goto nowhere", "local x <const> = 1; x = 2", "for i = 1", "'open", "return return",
    "a.b:c = 1", "break", "::l:: ::l::", "\\", "0x", "x = }" }) do
    check(load(wrong) == nil, "syntax")
end
local many = {}
for i = 1, 300 do many[i] = "local v" .. i % 150 .. " = {" .. i .. ", 'k" .. i .. "', f = function() return v" .. i % 150 .. " end}" end
check(load("do " .. table.concat(many, "\n", 1, 150) .. " end return 1")() == 1, "many locals")
package.preload.mine = function(name, extra) return { name = name, extra = extra } end
check(require("mine").name == "mine" and package.loaded.mine and not pcall(require, "not.there"), "require")
check(package.searchpath("x", "./?.lua;./?/none") == nil, "searchpath")

-- garbage: generations, weak tables, finalizers, limits
local weak = setmetatable({}, { __mode = "kv" })
local ephemeron = setmetatable({}, { __mode = "k" })
local finalized = 0
for i = 1, 2000 do
    weak[i] = {}
    ephemeron[{}] = { i }
    setmetatable({}, { __gc = function() finalized = finalized + 1 end })
    local s = "s" .. i
end
collectgarbage(); collectgarbage("generational")
for i = 1, 3000 do weak[i] = { {} } end
collectgarbage("step"); collectgarbage("incremental", 100, 200, 10)
for i = 1, 3000 do weak[i] = function() return i end end
collectgarbage("collect"); collectgarbage("stop"); collectgarbage("restart")
check(finalized > 0 and collectgarbage("count") > 0 and collectgarbage("isrunning"), "garbage")

-- debug, io, os
local hooks = 0
debug.sethook(function(event, line) hooks = hooks + 1 end, "crl", 5)
local function watched(a) local b = a; return b end
watched(1); watched(2)
debug.sethook()
check(hooks > 0 and debug.gethook() == nil, "hooks")
local info = debug.getinfo(watched, "SlnutfL")
check(info.nparams == 1 and info.source and info.activelines, "getinfo")
local function locals() local one = 1; return debug.getlocal(1, 1), debug.setlocal(1, 1, 5), one end
check(locals() == "one" and debug.getupvalue(next_one, 1) == "at" and debug.setupvalue(next_one, 1, 3) == "at", "locals")
debug.upvaluejoin(next_one, 1, reset, 1)
check(debug.upvalueid(next_one, 1) == debug.upvalueid(reset, 1), "upvalueid")
check(debug.getregistry() and debug.getmetatable("x") and debug.traceback("m", 1):find("m"), "registry")
local u = io.tmpfile()
debug.setuservalue(u, { 1 }, 1)
u:write("first\n", 2.5, " 17 0x1F\nlast line\n"); u:seek("set")
check(u:read("l") == "first" and u:read("n") == 2.5 and u:read("n", "n") == 17 and u:read("L") == "\n", "read")
for line in u:lines() do check(line == "last line", "lines") end
check(u:seek("end") > 0 and u:setvbuf("full", 64) and u:flush() and io.type(u) == "file", "file")
u:close()
check(io.type(u) == "closed file" and not io.open("/nonexistent/file"), "closed")
local pipe = io.popen("echo piped")
check(pipe:read("a") == "piped\n" and pipe:close(), "popen")
local name = os.tmpname()
local out = io.output(); io.output(name); io.write("x\ny\n"); io.close(); io.output(out)
local lines = 0
for _ in io.lines(name) do lines = lines + 1 end
check(lines == 2 and dofile and os.rename(name, name .. "2") and os.remove(name .. "2"), "files")
check(os.time({ year = 2020, month = 1, day = 2, hour = 12 }) and os.date("!%Y-%m-%d", 0) == "1970-01-01", "time")
check(os.date("*t", 0).year and os.clock() >= 0 and os.getenv("HOME") ~= 1 and os.difftime(2, 1) == 1, "os")
check(os.setlocale(nil) and select(3, os.execute("exit 3")) == 3, "execute")
check(math.max(1, 5, 3) == 5 and math.floor(-1.5) == -2 and math.ult(1, -1) and math.tointeger("8") == 8, "math")
math.randomseed(42); check(math.random(10) <= 10 and math.random() < 1 and math.fmod(7, 3) == 1, "random")
warn("@on"); warn("part ", "of a warning"); warn("@off")
print(type(nil), type(print), tostring(nil), tonumber("z", 36), assert(1, "no"))
