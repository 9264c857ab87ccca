import { spawn } from "node:child_process";
import { once } from "node:events";
import { chat, many, now, postJson, serviceDoor, sleep } from "../client.ts";
import { measure, median, middleOf, planOf, quiet, type Visit } from "../measure.ts";
import { cores, residentOf, type Program } from "../processes.ts";
import { join, type Figure } from "../report.ts";
import type { Setting } from "../setting.ts";

const plans = { first: { pairs: 5, least: 0, warm: 0 }, later: [5, 0] } as const;

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
export async function startUp({ start }: Setting, visit: Visit): Promise<readonly Figure[]> {
  const data = "start-up";
  await visit.keep(async () => (await start(data)).end());
  const firsts: number[] = [];
  const ours = async (): Promise<number> => {
    const begun = now();
    const service = await start(data, { on: cores.two });
    await (await fetch(`http://127.0.0.1:${service.port}/health`)).text();
    const taken = now() - begun;
    firsts.push((await chat(serviceDoor(service.port), { model: "s-2-1", stream: true })).first);
    await service.end();
    return taken;
  };
  const { of } = await measure({ bare: bareStart, ours }, planOf(visit, plans), visit);
  const all = visit.add("first tokens", firsts);
  const idle = await start(data, { on: cores.two });
  await sleep(3000);
  const [memory, node] = [residentOf(idle.pid), await bareMemory()];
  await idle.end();
  const ratios = visit.add("idle memory", [memory / node]);
  return [
    {
      id: "P8",
      what: "start → first healthy answer, default plugins, ÷ `node -e 0`",
      value: quiet(of.ours) / quiet(of.bare),
      unit: "×",
      goal: 3.5,
      before: "7.2 ×",
      detail: join(
        `${quiet(of.ours).toFixed(0)} ms, node ${quiet(of.bare).toFixed(0)}`,
        middleOf(of.ours, of.bare),
      ),
    },
    {
      id: "P2c",
      what: "first token of the first turn after a start",
      value: quiet(all),
      unit: "ms",
      goal: 100,
      before: "260–435 ms",
      detail: `${Math.min(...all).toFixed(0)} to ${Math.max(...all).toFixed(0)} ms`,
    },
    {
      id: "P9",
      what: "idle memory (RSS) ÷ a bare idle node",
      value: median(ratios),
      unit: "×",
      goal: 2.2,
      before: "2.24 ×",
      detail: `${memory.toFixed(0)} MB, node ${node.toFixed(0)}`,
    },
  ];
}

const turns = 1000;

/** P9: memory after turns. */
export async function memoryAfterTurns({ start }: Setting): Promise<Figure> {
  const service = await start("after-turns", { on: cores.two });
  const door = serviceDoor(service.port);
  await many(turns, 8, () => chat(door, { model: "echo", stream: true }));
  const at = residentOf(service.pid);
  await sleep(5000);
  const after = residentOf(service.pid);
  await service.end();
  return {
    id: "P9",
    what: "memory (RSS) after 1,000 turns and 5 s",
    value: after,
    unit: "MB",
    goal: 140,
    before: "180 MB",
    detail: `${at.toFixed(0)} MB at their end`,
  };
}

const embedding = 5;
const idleTime = 61_000;

/** P9: memory when the embedder was used and is idle, of several services, which wait beside other work. */
export async function memoryAfterEmbedding(
  { start }: Setting,
  meanwhile: () => Promise<readonly Figure[]>,
): Promise<readonly Figure[]> {
  const services: Program[] = [];
  const used: number[] = [];
  for (let at = 0; at < embedding; at++) {
    const service = await start(`after-embedding-${at}`, { on: cores.two });
    await postJson(service.port, "/v1/embeddings", { model: "default", input: ["one", "two words"] });
    used.push(residentOf(service.pid));
    services.push(service);
  }
  const [figures] = await Promise.all([meanwhile(), sleep(idleTime)]);
  const idle = services.map(({ pid }) => residentOf(pid));
  await Promise.all(services.map((service) => service.end()));
  const figure: Figure = {
    id: "P9",
    what: "memory (RSS) a minute after the embedder was used",
    value: median(idle),
    unit: "MB",
    goal: 170,
    before: "330–390 MB",
    detail: `${idle.map((memory) => memory.toFixed(0)).join(", ")} MB; ${median(used).toFixed(0)} at first`,
  };
  return [figure, ...figures];
}
