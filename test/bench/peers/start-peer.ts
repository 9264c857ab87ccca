import { spawn } from "node:child_process";
import { request } from "node:http";
import { now, sleep } from "../client.ts";
import { endOf } from "../processes.ts";
import { freePort } from "../setting.ts";
import type { Peer, Scene } from "./catalogue.ts";
import { folderOf } from "./install.ts";

export interface RunningPeer {
  readonly scene: Scene;
  readonly pid: number;
  /** Milliseconds from the start to the first answer. */
  readonly started: number;
  end(): Promise<void>;
}

const running = new Set<() => Promise<void>>();

/** Ends whatever peers run still. */
export const endPeers = async (): Promise<void> => {
  await Promise.all([...running].map((end) => end()));
};

/** Whether somebody answers, whatever it is. A server may accept long before it answers. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = request({ port, host: "127.0.0.1", path: "/", timeout: 250 }, (answer) => {
      answer.resume();
      resolve(true);
    });
    probe.on("timeout", () => probe.destroy());
    probe.on("error", () => resolve(false));
    probe.end();
  });

/** Starts a peer's program on the given cores, in a home of its own. */
export async function startPeer(
  peer: Peer,
  on: string,
  of: Pick<Scene, "mock" | "files">,
): Promise<RunningPeer> {
  const folder = folderOf(peer);
  const scene = { ...of, folder, port: await freePort() };
  peer.prepare?.(scene);
  const begun = now();
  const child = spawn("taskset", ["-c", on, process.execPath, ...peer.args(scene)], {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, NODE_ENV: "production" },
  });
  const end = async (): Promise<void> => {
    await endOf(child);
    running.delete(end);
  };
  running.add(end);
  let said = "";
  for (const output of [child.stdout, child.stderr])
    output.on("data", (text: Buffer) => (said = (said + text.toString()).slice(-2000)));
  while (!(await answers(scene.port))) {
    if (child.exitCode !== null || now() - begun > 30_000) {
      await end();
      throw new Error(`${peer.name} does not start: ${said}`);
    }
    await sleep(2);
  }
  return { scene, pid: child.pid ?? 0, started: now() - begun, end };
}
