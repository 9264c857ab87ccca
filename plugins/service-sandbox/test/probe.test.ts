import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { SandboxState } from "@pergola/sdk/host";
import { temporaryFolder } from "@pergola/sdk/testing";
import { bubblewrapLauncher } from "../bubblewrap/bubblewrap-launcher.ts";
import { findBubblewrap } from "../bubblewrap/find-bubblewrap.ts";
import type { Launcher } from "../launcher.ts";
import { openSandbox } from "../sandbox.ts";
import { needsSandbox } from "./needs-sandbox.ts";

type Change = (args: readonly string[]) => readonly string[];

const without =
  (...words: readonly string[]): Change =>
  (args) => {
    const at = args.findIndex((_, index) => words.every((word, step) => args[index + step] === word));
    return at < 0 ? args : [...args.slice(0, at), ...args.slice(at + words.length)];
  };
/** Right before the last mounts are made, which are the ones that count. */
const adding =
  (...words: readonly string[]): Change =>
  (args) => {
    const at = args.lastIndexOf("--remount-ro");
    return [...args.slice(0, at), ...words, ...args.slice(at)];
  };
const withoutFilter: Change = (args) =>
  without("--seccomp", "4")(args).map((word) => word.replace('exec "$@" 4<"$0"', 'exec "$@"'));
const both =
  (...changes: readonly Change[]): Change =>
  (args) =>
    changes.reduce((changed, change) => change(changed), args);

describe("the attempts at the walls for plugins", function () {
  this.timeout(30_000);
  const data = temporaryFolder();
  before(needsSandbox);

  /** The state of walls whose command lines are changed. */
  async function stateWith(change: Change): Promise<SandboxState> {
    const real = await bubblewrapLauncher(data);
    const launcher: Launcher = {
      ...real,
      commandLine: async (...plan) => {
        const line = await real.commandLine(...plan);
        return { ...line, args: change(line.args) };
      },
    };
    return openSandbox({ dataDirectory: data, preference: () => undefined }, async () => launcher).state(
      "plugin",
    );
  }

  it("are all refused where the walls are whole", async () => {
    const state = await stateWith((args) => args);
    expect(state).to.deep.include({ works: true });
  });

  const holes: Readonly<Record<string, readonly [Change, readonly string[]]>> = {
    "shows the service's data": [adding("--ro-bind", data, data), ["read files outside"]],
    "has a writable root": [without("--remount-ro", "/"), ["write to /"]],
    "has a writable /dev": [without("--remount-ro", "/dev"), ["write to /dev"]],
    "shows processes": [adding("--proc", "/proc"), ["read /proc"]],
    "has no filter": [
      withoutFilter,
      ["start a program", "trace processes", "make namespaces", "mount file systems"],
    ],
    "has no filter and the host's network": [
      both(withoutFilter, without("--unshare-net")),
      ["start a program", "reach the network", "trace processes", "make namespaces", "mount file systems"],
    ],
    "sees the host's processes": [without("--unshare-pid"), ["send signals to other processes"]],
    "has no limit of memory": [
      (args) => args.map((word) => word.replace(/ulimit -d \d+; /, "")),
      ["hold more memory than its limit"],
    ],
  };
  for (const [hole, [change, could]] of Object.entries(holes))
    it(`find a wall that ${hole}`, async () => {
      const state = await stateWith(change);
      expect(state).to.deep.include({
        works: false,
        reason: `the sandbox leaks: a program in it could ${could.join(", ")}`,
      });
    });

  it("X27 find a bubblewrap that runs the program bare, and nothing is run in it", async () => {
    const program = path.join(temporaryFolder(), "bwrap");
    writeFileSync(program, '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n');
    chmodSync(program, 0o755);
    const found = await findBubblewrap();
    const fake = async () => found && { ...found, program };
    const sandbox = openSandbox({ dataDirectory: data, preference: () => undefined }, (folder) =>
      bubblewrapLauncher(folder, fake),
    );
    const state = await sandbox.state("plugin");
    if (state.works) throw new Error("It was believed.");
    const things = ["read files outside", "read /proc", "start a program", "reach the network"];
    for (const thing of things) expect(state.reason).to.include(thing);
    expect(state.reason).to.include("send signals").and.include("trace processes");
    const limits = { dataBytes: 2 ** 30, fileBytes: 0, scratchBytes: 0, processes: 1, files: 64 };
    const plan = { kind: "plugin", read: [], write: [], keep: [], network: "none", limits } as const;
    const failure = await sandbox.wrap(plan, "/bin/true", []).catch((error: Error) => error.message);
    expect(failure).to.match(/^There is no sandbox: the sandbox leaks/);
  });
});
