import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { now } from "./client.ts";
import { median, memoryOf } from "./processes.ts";
import type { Figure } from "./report.ts";
import { startService, type Setting } from "./setting.ts";

async function bareNode(): Promise<number> {
  const begun = now();
  await once(spawn("taskset", ["-c", "0", process.execPath, "-e", "0"]), "exit");
  return now() - begun;
}

async function idleNode(): Promise<number> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000); console.log(1)"]);
  await once(child.stdout, "data");
  await new Promise((resolve) => setTimeout(resolve, 500));
  const memory = memoryOf(child.pid ?? 0);
  child.kill("SIGKILL");
  return memory;
}

/** Start to healthy, and idle memory, against a bare node. */
export async function startUp({ folder, mock }: Setting): Promise<readonly Figure[]> {
  const ratios: number[] = [];
  const times: number[] = [];
  let memory = 0;
  for (let pair = 0; pair < 5; pair++) {
    const bare = await bareNode();
    const begun = now();
    const service = await startService(path.join(folder, "start-data"), mock.port);
    const answer = await fetch(`http://127.0.0.1:${service.port}/health`);
    await answer.text();
    times.push(now() - begun);
    ratios.push((now() - begun) / bare);
    if (pair === 4) await new Promise((resolve) => setTimeout(resolve, 2000));
    memory = memoryOf(service.process.pid ?? 0);
    await service.end();
  }
  const idle = await idleNode();
  return [
    {
      id: "P8",
      what: "start → first healthy, default plugins, ÷ node -e 0",
      value: median(ratios),
      unit: "×",
      goal: 3.5,
      detail: `${median(times).toFixed(0)} ms`,
    },
    {
      id: "P9",
      what: "idle memory ÷ a bare idle node",
      value: memory / idle,
      unit: "×",
      goal: 2.2,
      detail: `${memory.toFixed(0)} against ${idle.toFixed(0)} MB`,
    },
  ];
}
