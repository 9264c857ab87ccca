import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether a process is there. */
export function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch ({ code }) {
    return code === "EPERM";
  }
}

/**
 * Waits until no other process builds below a folder, and keeps others waiting until this one ends, however it
 * ends. `wait` is told once which process is waited for.
 */
export async function oneBuild(folder, wait) {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, "build.pid");
  let told = false;
  while (!claim(file)) {
    const holder = holderOf(file);
    if (holder === undefined) continue;
    if (!isAlive(holder)) {
      drop(file);
      continue;
    }
    if (!told) wait(holder);
    told = true;
    await sleep(50);
  }
  process.on("exit", () => rmSync(file, { force: true }));
}

function claim(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/** The process that builds; undefined = it has ended in this moment. */
function holderOf(file) {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** Takes away what a process has left that was killed, unless another was faster. */
function drop(file) {
  const own = `${file}.${process.pid}`;
  try {
    renameSync(file, own);
    if (isAlive(Number(readFileSync(own, "utf8")))) renameSync(own, file);
    else rmSync(own);
  } catch {
    // Another was faster.
  }
}
