import * as programs from "node:child_process";
import cluster from "node:cluster";
import { writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { eventually, tried } from "./tried.ts";

interface Marks {
  /** A file that must not come to be. */
  readonly mark: string;
}

/** X01 */
export const worker = ({ mark }: Marks) => {
  const code = `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "x")`;
  return Promise.all([
    tried(() =>
      eventually((resolve, reject) => {
        const thread = new Worker(code, { eval: true, execArgv: [], env: {} });
        thread.once("error", reject).once("exit", resolve);
      }),
    ),
    tried(() => writeFileSync(mark, "x")),
    tried(() => writeFileSync("/plugin/mark", "x")),
  ]);
};

/** X02 */
export const start = ({ mark }: Marks) => {
  const ended = (child: programs.ChildProcess): Promise<unknown> =>
    eventually((resolve, reject) => child.once("error", reject).once("exit", resolve));
  const touch = `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "x")`;
  const execve = (process as { execve?: (file: string, args: string[], env: object) => void }).execve;
  return Promise.all([
    tried(() => programs.execFileSync("/node", ["-e", touch])),
    tried(() => programs.execSync(`echo x > ${mark}`)),
    tried(() => ended(programs.spawn("/bin/sh", ["-c", `echo x > ${mark}`]))),
    tried(() => ended(programs.spawn(process.execPath, ["-e", touch], { detached: true }))),
    tried(() => ended(programs.fork("/pergola/isolated.process.js"))),
    tried(() => ended(cluster.fork().process)),
    tried(() => {
      if (execve === undefined) throw new Error("absent");
      return execve("/node", ["-e", touch], {});
    }),
  ]);
};
