// Runs the tests with another version of Node, on a copy of the working tree with packages of its own.
//   node scripts/test-on-node.mjs 24            the newest 24
//   node scripts/test-on-node.mjs 24 types      another script of package.json instead of `test`
// Ends with the exit code of the tests. The version comes from the npm package `node`, the copy is removed in
// the end.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.dirname(import.meta.dirname);
const [version = "24", script = "test"] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version)) throw new Error(`${version} is not a version of Node.`);

const folder = mkdtempSync(path.join(tmpdir(), `pergola-node-${version}-`));
// Run by root, the tests start this Node as another user too, who has to reach it.
chmodSync(folder, 0o755);
const [tree, prefix] = [path.join(folder, "tree"), path.join(folder, "node")];

/** What git has or would add: the tree as it is, changes and new files included, without what is ignored. */
function copyTree() {
  const list = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    maxBuffer: 2 ** 28,
  });
  for (const file of new Set(list.toString().split("\0").filter(Boolean))) {
    const from = path.join(root, file);
    if (lstatSync(from, { throwIfNoEntry: false })?.isDirectory() !== false) continue;
    cpSync(from, path.join(tree, file), { verbatimSymlinks: true });
  }
}

/** Without what npm tells the scripts it runs, this one perhaps among them. */
const plain = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

let running;
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => running?.kill(signal));

/** Runs a command to its end, its output going straight on. Its exit code; 1 when a signal ended it. */
async function run(words, options) {
  process.stdout.write(`$ ${words.join(" ")}\n`);
  running = spawn(words[0], words.slice(1), { stdio: "inherit", ...options });
  const [code] = await once(running, "exit");
  return code ?? 1;
}

/** The folder of that Node, which holds `bin` and the headers that native modules are compiled against. */
function findNode() {
  const own = path.join(prefix, "node_modules", "node");
  const platform = path.join(own, "node_modules", `node-${process.platform}-${process.arch}`);
  return existsSync(path.join(platform, "bin")) ? platform : own;
}

async function test() {
  copyTree();
  mkdirSync(prefix);
  const installed = await run(["npm", "install", "--prefix", prefix, "--no-save", `node@${version}`], {
    cwd: prefix,
    env: plain,
  });
  if (installed !== 0) return installed;
  const home = findNode();
  const headers = existsSync(path.join(home, "include")) ? { npm_config_nodedir: home } : {};
  const env = { ...plain, ...headers, PATH: [path.join(home, "bin"), plain["PATH"]].join(path.delimiter) };
  const steps = [
    ["node", "--version"],
    ["npm", "ci"],
    ["npm", "run", script],
  ];
  for (const words of steps) {
    const code = await run(words, { cwd: tree, env });
    if (code !== 0) return code;
  }
  return 0;
}

try {
  process.exitCode = await test();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
