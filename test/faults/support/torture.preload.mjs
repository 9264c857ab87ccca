// Loaded into a service before anything else (`--import`), in its threads too: lets one call that can fail do so.
// The calls to the file system, the database, the network and to start programs are numbered while it is armed. The one
// whose number was chosen fails as the system could let it fail. Steered over the socket TORTURE_SOCKET:
//   POST /arm?at=N   from now on calls are numbered from 1, and the Nth fails; 0: none
//   GET /state       how many there were, which one failed, and what the process holds open
import childProcess from "node:child_process";
import fs from "node:fs";
import { createServer } from "node:http";
import { createRequire, syncBuiltinESMExports } from "node:module";
import net from "node:net";
import threads from "node:worker_threads";

const key = "pergola-torture";
const nameBytes = 200;
if (threads.isMainThread) threads.setEnvironmentData(key, new SharedArrayBuffer(16 + nameBytes));
const shared = threads.getEnvironmentData(key);
/** Whether calls are numbered, how many there were, the number of the one that fails, the length of its name. */
const [armed, count, at, named] = [0, 1, 2, 3];
const numbers = new Int32Array(shared, 0, 4);
const letters = new Uint8Array(shared, 16);

/** Whether this call is the one that fails. */
function isChosen(name, place = "") {
  if (Atomics.load(numbers, armed) === 0) return false;
  const number = Atomics.add(numbers, count, 1) + 1;
  if (number !== Atomics.load(numbers, at)) return false;
  const { written } = new TextEncoder().encodeInto(`${name} ${String(place).slice(0, 120)}`, letters);
  Atomics.store(numbers, named, written);
  return true;
}

const failure = (code, syscall) =>
  Object.assign(new Error(`${code}: a failure that was wished for, ${syscall}`), {
    code,
    syscall,
    errno: -5,
  });
const codes = { open: "EMFILE", openSync: "EMFILE", opendir: "EMFILE", write: "ENOSPC", writeFile: "ENOSPC" };
const codeOf = (name) => codes[name] ?? "EIO";

const fallible = [
  ...[
    "access",
    "appendFile",
    "chmod",
    "copyFile",
    "fsync",
    "fdatasync",
    "ftruncate",
    "link",
    "lstat",
    "mkdir",
  ],
  ...[
    "open",
    "opendir",
    "read",
    "readdir",
    "readFile",
    "readlink",
    "realpath",
    "rename",
    "rm",
    "rmdir",
    "stat",
  ],
  ...["statfs", "symlink", "truncate", "unlink", "utimes", "write", "writeFile", "fstat"],
];

/** Node's own file handles call these as methods. */
const methods = [
  "appendFile",
  "datasync",
  "read",
  "readFile",
  "stat",
  "sync",
  "truncate",
  "write",
  "writeFile",
];

/** The same function, with all its properties, but it fails when it is its turn. */
const wrapped = (name, original, fail) =>
  Object.defineProperties(function (...given) {
    return isChosen(name, typeof given[0] === "string" ? given[0] : "")
      ? fail(given, this)
      : original.apply(this, given);
  }, Object.getOwnPropertyDescriptors(original));

function wrapFiles() {
  for (const name of fallible) {
    const [callback, sync, promise] = [fs[name], fs[`${name}Sync`], fs.promises[name]];
    const error = () => failure(codeOf(name), name);
    if (callback !== undefined)
      fs[name] = wrapped(name, callback, (given) =>
        process.nextTick(
          given.findLast((one) => typeof one === "function"),
          error(),
        ),
      );
    if (sync !== undefined)
      fs[`${name}Sync`] = wrapped(`${name}Sync`, sync, () => {
        throw error();
      });
    if (promise !== undefined) fs.promises[name] = wrapped(name, promise, () => Promise.reject(error()));
  }
}

async function wrapHandles() {
  const handle = await fs.promises.open(process.execPath);
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  for (const name of methods)
    prototype[name] = wrapped(`handle.${name}`, prototype[name], () =>
      Promise.reject(failure(codeOf(name), name)),
    );
}

function wrapNetwork() {
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = wrapped("connect", connect, (_, socket) => {
    process.nextTick(() => socket.destroy(failure("ECONNREFUSED", "connect")));
    return socket;
  });
}

function wrapPrograms() {
  const { spawn } = childProcess;
  childProcess.spawn = wrapped("spawn", spawn, ([, ...rest]) => spawn("/nowhere/wished-for", ...rest));
}

function wrapDatabase() {
  const Database = createRequire(import.meta.url)("better-sqlite3");
  const { prepare, exec } = Database.prototype;
  const fail = () => {
    throw new Database.SqliteError("a failure that was wished for", "SQLITE_IOERR_WRITE");
  };
  Database.prototype.exec = wrapped("exec", exec, fail);
  Database.prototype.prepare = function (source) {
    const statement = prepare.call(this, source);
    const label = source.replace(/\s+/g, " ").slice(0, 60);
    for (const name of ["run", "get", "all"]) {
      const original = statement[name];
      statement[name] = function (...given) {
        return isChosen(`sql.${name}`, label) ? fail() : original.apply(this, given);
      };
    }
    return statement;
  };
}

/** Threads of the product start without flags of their own; these get this file. */
function wrapThreads() {
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(file, options = {}) {
      super(file, { ...options, execArgv: [...(options.execArgv ?? []), "--import", import.meta.url] });
    }
  };
}

function held() {
  const counts = {};
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function listen(socket) {
  const { readdirSync } = fs;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://torture");
    if (pathname === "/arm") {
      Atomics.store(numbers, armed, 0);
      Atomics.store(numbers, count, 0);
      Atomics.store(numbers, named, 0);
      Atomics.store(numbers, at, Number(searchParams.get("at")));
      Atomics.store(numbers, armed, Number(searchParams.get("off") ?? 0) === 1 ? 0 : 1);
      return response.end("{}");
    }
    const fired = Buffer.from(letters.slice(0, Atomics.load(numbers, named))).toString();
    const descriptors = readdirSync("/proc/self/fd").length;
    response.end(JSON.stringify({ count: Atomics.load(numbers, count), fired, descriptors, held: held() }));
  });
  server.listen(socket).unref();
}

if (threads.isMainThread) {
  listen(process.env["TORTURE_SOCKET"]);
  wrapNetwork();
  wrapPrograms();
  wrapThreads();
}
wrapFiles();
await wrapHandles();
wrapDatabase();
syncBuiltinESMExports();
