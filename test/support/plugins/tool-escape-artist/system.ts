import {
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { WASI } from "node:wasi";
import { eventually, tried } from "./tried.ts";
import { webAssembly } from "./web-assembly.ts";

/** X03 */
export const read = ({ files }: { readonly files: readonly string[] }) =>
  Promise.all([
    ...files.map((file) => tried(() => readFileSync(file))),
    ...files.map((file, index) =>
      tried(() => {
        const link = `/tmp/link-${index}`;
        if (!existsSync(link)) symlinkSync(file, link);
        return readFileSync(link);
      }),
    ),
    tried(() => readdirSync("/proc")),
    tried(() => readFileSync(`/proc/${process.ppid}/environ`)),
    tried(() => readFileSync("/proc/1/maps")),
    tried(() => openSync("/proc/1/mem", "r")),
  ]);

/** X04: which processes there are, and whether one opens its inspector. */
export const signals = async () => {
  const seen: number[] = [];
  for (let pid = 1; pid < 5000; pid++) {
    try {
      process.kill(pid, 0);
      seen.push(pid);
    } catch {
      continue;
    }
  }
  const sent = await Promise.all([process.ppid, 1].map((pid) => tried(() => process.kill(pid, "SIGUSR1"))));
  const inspector = await tried(() =>
    eventually((resolve, reject) =>
      connect(9229, "127.0.0.1").once("connect", resolve).once("error", reject),
    ),
  );
  return { seen, sent, inspector, own: process.pid };
};

/** The smallest WebAssembly module that WASI takes: one page of memory, and a start that does nothing. */
const module = Buffer.from(
  "0061736d010000000104016000000302010005030100010718020" +
    "66d656d6f727902000b5f696e697469616c697a6500000a040102000b",
  "hex",
);

/** X06 */
export const native = async ({ addon }: { readonly addon: string }) => {
  const binding = (process as unknown as { binding: (name: string) => object }).binding;
  const wasi = (path: string) =>
    tried(async () => {
      const system = new WASI({ version: "preview1", preopens: { "/": "/" } });
      const { instance } = await webAssembly.instantiate(module, {});
      system.initialize(instance);
      const memory = new Uint8Array((instance.exports["memory"] as { readonly buffer: ArrayBuffer }).buffer);
      memory.set(Buffer.from(path), 0);
      const open = system.wasiImport["path_open"] as (...args: unknown[]) => number;
      const failure = open(3, 0, 0, path.length, 0, 2n, 0n, 0, 1024);
      if (failure !== 0) throw new Error(`WASI ${failure}`);
      return "opened";
    });
  return {
    refused: await Promise.all([
      tried(() => process.dlopen({ exports: {} }, addon)),
      tried(() => process.dlopen({ exports: {} }, "/plugin/addon.node")),
      tried(() => binding.call(process, "spawn_sync")),
      tried(() => binding.call(process, "process_wrap")),
    ]),
    wasi: await Promise.all(["etc/shadow", "home", "root", "proc/1/environ"].map(wasi)),
    visible: readdirSync("/").toSorted(),
  };
};

/** X07 */
export const write = async () => ({
  refused: await Promise.all(
    ["/plugin", "/pergola", "/node_modules/@pergola/sdk", "/dev", "/dev/shm", "/", "/etc"].map((folder) =>
      tried(() => writeFile(`${folder}/mark`, "x")),
    ),
  ),
  node: await tried(() => writeFileSync("/node", "x")),
  fill: await tried(async () => {
    for (let piece = 0; piece < 64; piece++) await writeFile(`/tmp/big-${piece}`, Buffer.alloc(2 ** 20));
  }),
  one: await tried(() => writeFile("/tmp/one", Buffer.alloc(64 * 2 ** 20))),
});

/** X07: a million files. */
export const crowd = async () => {
  let made = 0;
  const outcome = await tried(async () => {
    for (; made < 1_000_000; made++) {
      if (made % 1000 === 0) await mkdir(`/tmp/crowd-${made / 1000}`);
      writeFileSync(`/tmp/crowd-${Math.floor(made / 1000)}/${made}`, "");
      if (made % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  });
  return { made, outcome };
};

/** X15: what the process has open, beside what Node itself opens. */
export const descriptors = async () => {
  const open: string[] = [];
  for (let descriptor = 0; descriptor < 1024; descriptor++) {
    try {
      const facts = fstatSync(descriptor);
      if (facts.isDirectory() || facts.isFile()) open.push(`${descriptor} ${facts.ino}`);
    } catch {
      continue;
    }
  }
  return { open, listed: await tried(() => readdirSync("/dev/fd")) };
};

/** X16 */
export const kernel = () => tried(() => openSync("/proc/sys/kernel/core_pattern", "r+"));
