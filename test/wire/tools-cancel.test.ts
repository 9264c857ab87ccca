import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSocketServer, type AddressInfo, type Server } from "node:net";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type { JsonObject } from "@pergola/sdk";
import {
  chatReply,
  streamChunks,
  temporaryFolder,
  type MockRequest,
  type MockScript,
} from "@pergola/sdk/testing";
import { expect } from "chai";
import { needsSandbox } from "../boundary/support/program-stage.ts";
import { commandOf } from "../support/descendants.ts";
import { eventually, outcomesOf } from "../support/lab-stage.ts";
import { noNames } from "../support/no-names.ts";
import { eachOf, openTools, type OperationCase, type ToolStage } from "../support/tool-scene.ts";
import { verifies } from "../support/verifies.ts";

/** The parent of each process. */
const parents = (): ReadonlyMap<number, number> =>
  new Map(
    readdirSync("/proc").flatMap((name) => {
      try {
        const parent = /^\d+$/.test(name)
          ? /\) \S (\d+) /.exec(readFileSync(`/proc/${name}/stat`, "utf8"))?.[1]
          : undefined;
        return parent === undefined ? [] : [[Number(name), Number(parent)] as const];
      } catch {
        return [];
      }
    }),
  );

const isIn = (pid: number, folder: string): boolean => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
  } catch {
    return false;
  }
};

/** A connection to the database of the tests, which the server has made a process for. */
const isOfDatabase = (pid: number): boolean => commandOf(pid).startsWith("postgres: ");

/** This process's descendants, and whatever works in the folder. */
function processes(folder: string): readonly number[] {
  const known = parents();
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === process.pid || isOurs(known.get(pid)));
  return [...known.keys()].filter(
    (pid) => pid !== process.pid && !isOfDatabase(pid) && (isOurs(known.get(pid)) || isIn(pid, folder)),
  );
}

/** Takes connections and says nothing. */
const deafProgram =
  'require("net").createServer(() => {}).listen(0, "127.0.0.2", function () { console.log(this.address().port); })';

/** Calls that would go on for long; for the other operations their examples must do. */
const endless = (service: string, deafPort: number): Readonly<Record<string, JsonObject>> => {
  const remote = { ssh_port: deafPort, ssh_key: "key" };
  return {
    "math_operations.compute": { code: "while True: pass" },
    "terminal_operations.run_command": { command: "sleep 300 & sleep 300", explanation: "Wait" },
    "web_operations.fetch": { url: `${service}/page` },
    "web_operations.scrape": { url: `${service}/page` },
    "document_operations.document_import": { path: `${service}/page` },
    "version_control.push": { remote: "deaf" },
    "version_control.pull": { remote: "deaf", branch: "main" },
    "agent_operations.spawn": { task: "Wait", wait: true },
    "remote_execution.execute_remote": { host: "a@127.0.0.1", command: "true", ...remote },
    "remote_execution.execute_parallel": { targets: ["a@127.0.0.1"], command: "true", ...remote },
    "remote_execution.prepare_remote": { host: "a@127.0.0.1", ...remote },
    "remote_execution.cleanup_remote": { host: "a@127.0.0.1", ...remote },
    "remote_execution.check_remote": { host: "a@127.0.0.1", ...remote },
    "remote_execution.transfer_files": { host: "a@127.0.0.1", files: ["a.txt"], ...remote },
    "remote_execution.retrieve_files": { host: "a@127.0.0.1", files: ["a.txt"], ...remote },
  };
};

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

describe("tools in a run that is cancelled", () => {
  const work = temporaryFolder();
  /** Says that it is well, and nothing else. */
  const service = createServer(
    ({ url = "" }, answer) => void (/health|models/.test(url) ? answer.end('{"models":[]}') : undefined),
  );
  const deaf = createSocketServer();
  let deafRemote: ChildProcess;
  let stage: ToolStage;
  let giveNamesBack: () => void;
  let calls: ReadonlyMap<string, OperationCase>;
  let endlessCalls: Readonly<Record<string, JsonObject>>;

  /** Calls the tool that the person named. */
  const script: MockScript = ({ body }: MockRequest) => {
    const { messages } = body as { messages: readonly { role: string; content: string }[] };
    const said = messages.findLast(({ role }) => role === "user")?.content ?? "";
    const one = calls?.get(/^Call (\S+)/.exec(said)?.[1] ?? "");
    if (one === undefined || messages.at(-1)?.role === "tool") return chatReply({ hang: true });
    const { tool, operation, name, args } = one;
    return chatReply({
      toolCalls: [
        { name: tool.name, arguments: { ...(endlessCalls[name] ?? args), operation: operation.name } },
      ],
    });
  };

  before(async function () {
    if (!existsSync("/proc/self/stat")) this.skip();
    for (const server of [service, deaf]) await once(server.listen(0, "127.0.0.1"), "listening");
    // Neither an address that programs in a sandbox take for their own nor a port of the service's process.
    deafRemote = spawn(process.execPath, ["-e", deafProgram], { stdio: ["ignore", "pipe", "inherit"] });
    const [deafPort] = (await once(deafRemote.stdout!, "data")) as [Buffer];
    const address = `http://127.0.0.1:${portOf(service)}`;
    for (const words of [
      ["init", "--quiet", "--initial-branch=main"],
      ["remote", "add", "deaf", `https://127.0.0.2:${Number(deafPort)}/x.git`],
    ])
      execFileSync("git", words, { cwd: work });
    writeFileSync(path.join(work, "a.txt"), "old\n");
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    writeFileSync(path.join(work, "key"), privateKey.export({ type: "pkcs1", format: "pem" }), {
      mode: 0o600,
    });
    execFileSync(
      "git",
      [
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@b.example",
        "commit",
        "--quiet",
        "--allow-empty",
        "-m",
        "First",
      ],
      {
        cwd: work,
      },
    );
    giveNamesBack = noNames();
    const settings = {
      "authorization.auto_approve": ["write", "destructive", "execute"],
      "tools.image.base_url": address,
      "tools.web.allowed_private_hosts": [`127.0.0.1:${portOf(service)}`, "127.0.0.2"],
    };
    stage = await openTools({ settings }, script);
    calls = new Map(stage.operations.map((one) => [one.name, one]));
    endlessCalls = endless(address, portOf(deaf));
  });
  after(async () => {
    await stage?.end();
    service.closeAllConnections();
    for (const server of [service, deaf]) server.close();
    deafRemote.kill("SIGKILL");
    giveNamesBack?.();
  });

  /**
   * Lets a model call the tool, cancels the run as soon as the call is at work, or `patience` ms later, and
   * tells how long the end took.
   */
  async function cancelled(name: string, patience = 0) {
    const body = {
      model: "default",
      messages: [{ role: "user", content: `Call ${name}` }],
      stream: true,
      service_config: { working_directory: work },
    };
    const answer = await stage.host.request("POST", "/api/chat/completions", body);
    const states: string[] = [];
    let begun: number | undefined;
    let reason: string | undefined;
    for await (const chunk of streamChunks(answer)) {
      const state = (chunk["toolStatus"] ?? chunk.event?.type) as string | undefined;
      if (state !== undefined) states.push(state);
      if (state === undefined || begun !== undefined) continue;
      await setTimeout(patience);
      begun = performance.now();
      const { status: code } = await stage.host.request(
        "POST",
        `/api/runs/${answer.headers.get("x-run-id")}/cancel`,
      );
      reason = code === 202 ? "cancelled" : String(code);
    }
    const conversation = answer.headers.get("x-conversation-id") ?? "";
    return { states, reason, milliseconds: performance.now() - (begun ?? 0), begun, conversation };
  }

  /** Nothing that was not there before runs any longer. */
  async function noProcessIsLeft(earlier: ReadonlySet<number>): Promise<void> {
    const left = () => processes(work).filter((pid) => !earlier.has(pid));
    await eventually(() => (left().length === 0 ? true : undefined)).catch(() => undefined);
    expect(
      left().map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")),
    ).to.deep.equal([]);
  }

  verifies(["runs:cancel", "W04"], "stop, every one of them, and leave no process behind", async () => {
    const earlier = new Set(processes(work));
    // A session that was made before the cancel came is there to stay.
    const ending = stage.operations.filter(({ name }) => name !== "terminal_operations.create_session");
    const wrong = await eachOf(ending, async ({ name }) => {
      const { states, reason, milliseconds, begun } = await cancelled(name);
      const isGood = begun !== undefined && reason === "cancelled" && milliseconds < 4000;
      return isGood
        ? undefined
        : `${name}: ${reason} after ${Math.round(milliseconds)} ms, ${states.join("; ")}`;
    });
    expect(wrong).to.deep.equal([]);
    await noProcessIsLeft(earlier);
  });

  verifies(
    ["runs:cancel", "W04"],
    "stop in the midst of what would never end, with all that they began",
    async function (this: Mocha.Context) {
      needsSandbox.call(this);
      const earlier = new Set(processes(work));
      const command = "terminal_operations.run_command";
      const known = Object.keys(endlessCalls).filter((name) => calls.has(name));
      let begun = 0;
      const wrong = await eachOf(
        known,
        async (name) => {
          const end = cancelled(name, 400);
          await setTimeout(300);
          begun += processes(work).filter((pid) => !earlier.has(pid)).length;
          const { conversation, milliseconds } = await end;
          const [outcome] = await outcomesOf(stage.host, conversation);
          const saysSo = name !== command || outcome?.error?.includes("while it ran") === true;
          const isGood = outcome?.error_code === "cancelled" && saysSo && milliseconds < 4000;
          return isGood
            ? undefined
            : `${name}: after ${Math.round(milliseconds)} ms ${JSON.stringify(outcome)}`;
        },
        4,
      );
      expect(wrong).to.deep.equal([]);
      expect([known.length > 5, begun > 0]).to.deep.equal([true, true]);
      await noProcessIsLeft(earlier);
    },
  );
});
