import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { openLink } from "../../../plugins/bridge-mcp-client/open-link.ts";
import { SignIn } from "../../../plugins/bridge-mcp-client/sign-in/sign-in.ts";
import type { Link } from "../../../plugins/bridge-mcp-client/link.ts";
import { root } from "../../architecture/tree.ts";
import { chat, now, serviceDoor } from "../client.ts";
import {
  cpuOfEach,
  measure,
  measureTogether,
  median,
  planOf,
  quiet,
  ratioOf,
  type Round,
  type Visit,
} from "../measure.ts";
import { cores, endOf, startProgram, type Program } from "../processes.ts";
import { join, type Figure } from "../report.ts";
import type { Setting } from "../setting.ts";

const [turns, further] = [10, 30];

/** Microseconds of CPU of a turn with so many sums, of each of the services, which take turns. */
const sums = (services: readonly Program[], count: number): Promise<readonly number[]> =>
  cpuOfEach(services, turns, async () => {
    for (let turn = 0; turn < turns; turn++) for (const { port } of services) await addUp(port, count);
  });

async function addUp(port: number, count: number): Promise<void> {
  const { text } = await chat(serviceDoor(port), { model: `sums-${count}`, stream: true });
  if (!text.includes("done")) throw new Error(`The calls broke off: ${text.slice(-400)}`);
}

const mcpServer = path.join(root, "test/bench/ref/mcp-server.mjs");
const [servers, toolsOfEach] = [4, 250];

/** Settings that bring a thousand tools: those of MCP servers. */
const manyTools = {
  servers: Object.fromEntries(
    Array.from({ length: servers }, (_, at) => [
      `bench${at}`,
      { command: process.execPath, args: [mcpServer, "stdio", String(toolsOfEach)] },
    ]),
  ),
};

/** P17: the CPU of a further call in a batch of calls, with few tools and with a thousand more. */
export async function toolCall({ start }: Setting, visit: Visit): Promise<readonly Figure[]> {
  // Both new: they differ by the tools alone.
  const services = await visit.keep(
    async () =>
      [await start("few-tools"), await start("many-tools", { settings: { mcp: manyTools } })] as const,
  );
  const { of } = await measureTogether(
    {
      names: ["one", "one of many", "more", "more of many"],
      round: async () => [...(await sums(services, 1)), ...(await sums(services, 1 + further))],
    },
    planOf(visit, { first: { pairs: 5, least: 10, warm: 10 }, later: [5, 4] }),
    visit,
  );
  const added = (more: readonly number[], one: readonly number[]): number =>
    (quiet(more) - quiet(one)) / further;
  const [few, many] = [added(of.more, of.one), added(of["more of many"], of["one of many"])];
  return [
    {
      id: "P17",
      what: "CPU of a further sum in a batch of tool calls, its durable records included",
      value: few,
      unit: "µs",
      goal: 15,
      detail: `in the middle ${((median(of.more) - median(of.one)) / further).toFixed(0)}`,
    },
    {
      id: "P17",
      what: `the same with ${(servers * toolsOfEach).toLocaleString("en")} more tools ÷ without them`,
      value: many / few,
      unit: "×",
      goal: 1.1,
      detail: `${many.toFixed(0)} µs`,
    },
  ];
}

const calls = 300;

/** Microseconds of a call, p50, one after the other. */
const eachCall =
  (call: (number: number) => Promise<string>): Round =>
  async () => {
    const times: number[] = [];
    for (let number = 0; number < calls; number++) {
      const begun = now();
      const answer = await call(number);
      times.push((now() - begun) * 1000);
      if (answer !== String(number + 1)) throw new Error(`${number} + 1 was ${answer}`);
    }
    return median(times);
  };

/** The same calls written to the server and read from it, and nothing else. */
function bareCalls() {
  const child = spawn(process.execPath, [mcpServer, "stdio"], { stdio: "pipe" });
  let answered: (line: string) => void = () => undefined;
  createInterface({ input: child.stdout }).on("line", (line) => answered(line));
  return {
    call: (number: number) =>
      new Promise<string>((resolve) => {
        answered = (line) =>
          resolve((JSON.parse(line) as { result: { content: [{ text: string }] } }).result.content[0].text);
        const params = { name: "add_0", arguments: { a: number, b: 1 } };
        const request = { jsonrpc: "2.0", id: number, method: "tools/call", params };
        child.stdin.write(`${JSON.stringify(request)}\n`);
      }),
    end: () => endOf(child),
  };
}

const callsOver = (link: Link): Round =>
  eachCall(async (number) => {
    const options = { signal: new AbortController().signal, progress: () => undefined };
    const [answer] = (await link.call("add_0", { a: number, b: 1 }, options)).content;
    return answer?.type === "text" ? answer.text : "nothing";
  });

/** P17: calls of tools of MCP servers, by the service's own client. */
export async function mcpCalls(): Promise<readonly Figure[]> {
  const bare = bareCalls();
  const overHttp = await startProgram([mcpServer, "http"], cores.all);
  const noSandbox = (): never => {
    throw new Error("no sandbox is needed");
  };
  const noop = (): void => undefined;
  const options = { deadline: 5000, ask: noSandbox, sandbox: noSandbox, outdated: noop, closed: noop };
  const links = await Promise.all(
    [
      { command: process.execPath, args: [mcpServer, "stdio"] },
      { url: `http://127.0.0.1:${overHttp.port}/mcp` },
    ].map((settings) => openLink(settings, { ...options, signIn: new SignIn("bench", settings) })),
  );
  const [stdio, http] = links as [Link, Link];
  try {
    const { of, note } = await measure(
      { bare: eachCall(bare.call), stdio: callsOver(stdio), http: callsOver(http) },
      { pairs: 41 },
    );
    const times = `${median(of.stdio).toFixed(0)} µs, bare ${median(of.bare).toFixed(0)}`;
    return [
      {
        id: "P17",
        what: "call of an MCP tool over stdio, p50, ÷ a bare JSON-RPC child",
        value: ratioOf(of.stdio, of.bare),
        unit: "×",
        goal: 1.5,
        detail: join(times, note),
      },
      {
        id: "P17",
        what: "call of an MCP tool over HTTP, p50",
        value: median(of.http),
        unit: "µs",
        goal: 450,
        detail: note,
      },
    ];
  } finally {
    await Promise.all([...links.map((link) => link.close()), overHttp.end(), bare.end()]);
  }
}
