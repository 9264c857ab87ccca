import { spawn } from "node:child_process";
import { once } from "node:events";
import { chat, many, now, postJson, serviceDoor, sleep } from "../client.ts";
import { median, ratioOf } from "../measure.ts";
import { cores, residentOf } from "../processes.ts";
import type { Figure } from "../report.ts";
import type { Setting } from "../setting.ts";

const pairs = 5;

async function bareStart(): Promise<number> {
  const begun = now();
  await once(spawn("taskset", ["-c", cores.two, process.execPath, "-e", "0"]), "exit");
  return now() - begun;
}

async function bareMemory(): Promise<number> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000); console.log(1)"]);
  await once(child.stdout, "data");
  await sleep(500);
  const memory = residentOf(child.pid ?? 0);
  child.kill("SIGKILL");
  return memory;
}

/**
 * P8, P2c and the first of P9: from the start to the first healthy answer, the first turn after it, and what
 * an idle service keeps in memory.
 */
export async function startUp({ start }: Setting): Promise<readonly Figure[]> {
  const data = "start-up";
  await (await start(data)).end();
  const [bare, ours, firsts]: number[][] = [[], [], []];
  for (let pair = 0; pair < pairs; pair++) {
    bare?.push(await bareStart());
    const begun = now();
    const service = await start(data, { on: cores.two });
    await (await fetch(`http://127.0.0.1:${service.port}/health`)).text();
    ours?.push(now() - begun);
    firsts?.push((await chat(serviceDoor(service.port), { model: "s-2-1", stream: true })).first);
    await service.end();
  }
  const idle = await start(data, { on: cores.two });
  await sleep(3000);
  const [memory, node] = [residentOf(idle.pid), await bareMemory()];
  await idle.end();
  return [
    {
      id: "P8",
      what: "start → first healthy answer, default plugins, ÷ `node -e 0`",
      value: ratioOf(ours ?? [], bare ?? []),
      unit: "×",
      goal: 3.5,
      before: "7.2 ×",
      detail: `${median(ours ?? []).toFixed(0)} ms, node ${median(bare ?? []).toFixed(0)}`,
    },
    {
      id: "P2c",
      what: "first token of the first turn after a start",
      value: median(firsts ?? []),
      unit: "ms",
      goal: 100,
      before: "260–435 ms",
      detail: `${Math.min(...(firsts ?? [])).toFixed(0)} to ${Math.max(...(firsts ?? [])).toFixed(0)} ms`,
    },
    {
      id: "P9",
      what: "idle memory (RSS) ÷ a bare idle node",
      value: memory / node,
      unit: "×",
      goal: 2.2,
      before: "2.24 ×",
      detail: `${memory.toFixed(0)} MB, node ${node.toFixed(0)}`,
    },
  ];
}

const turns = 1000;

/** The rest of P9: memory after turns, and when the embedder was used and is idle. */
export async function memoryAfterUse({ start }: Setting): Promise<readonly Figure[]> {
  const service = await start("after-turns", { on: cores.two });
  const door = serviceDoor(service.port);
  await many(turns, 8, () => chat(door, { model: "echo", stream: true }));
  const at = residentOf(service.pid);
  await sleep(5000);
  const after = residentOf(service.pid);
  await service.end();
  const other = await start("after-embedding", { on: cores.two });
  await postJson(other.port, "/v1/embeddings", { model: "default", input: ["one", "two words"] });
  const used = residentOf(other.pid);
  await sleep(61_000);
  const idle = residentOf(other.pid);
  await other.end();
  const figure = (more: Pick<Figure, "what" | "value" | "goal" | "before" | "detail">): Figure => ({
    id: "P9",
    unit: "MB",
    ...more,
  });
  return [
    figure({
      what: "memory (RSS) after 1,000 turns and 5 s",
      value: after,
      goal: 140,
      before: "180 MB",
      detail: `${at.toFixed(0)} MB at their end`,
    }),
    figure({
      what: "memory (RSS) a minute after the embedder was used",
      value: idle,
      goal: 170,
      before: "330–390 MB",
      detail: `${used.toFixed(0)} MB at first`,
    }),
  ];
}
