import { spawn } from "node:child_process";
import { fault } from "../fault.ts";

/** A bundler that is started by Node is followed by where in Node that was, which says nothing. */
const withoutTrace = (said: string): string => said.split(/^node:[\w/]+:\d+$/m)[0] || said;

/** Runs the script `build` of a package. Rejects with AppError `invalid_value` with what it says. */
export function buildPackage(folder: string, signal: AbortSignal): Promise<void> {
  const child = spawn("npm", ["run", "build", "--silent"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
    signal,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-4000)));
  return new Promise((resolve, reject) => {
    child.once("error", (cause) =>
      reject(fault("invalid_value", `npm cannot be run in ${folder}.`, { cause })),
    );
    child.once("close", (code) => {
      if (code === 0) return resolve();
      reject(fault("invalid_value", `npm run build has failed:\n${withoutTrace(said).trim()}`));
    });
  });
}
