import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fault } from "../fault.ts";

/** The variable that opens what this process has left for itself. It opens nothing once that is read. */
const seal = "PERGOLA_HANDED_OVER";

/** Milliseconds after which nobody comes for what a start has left. */
const tooOld = 60_000;

type Values = Readonly<Record<string, string>>;

const algorithm = "aes-256-gcm";
const [nonceBytes, tagBytes] = [12, 16];

/** A process keeps its number when it executes itself anew. */
const fileIn = (dataDirectory: string): string => path.join(dataDirectory, `start-${process.pid}.sealed`);

/**
 * Leaves values for this process to take when it has executed itself anew: in a file of its own that only a
 * variable opens, which is given back.
 */
export function leaveValues(dataDirectory: string, values: Values): Values {
  removeLeft(dataDirectory);
  const [key, nonce] = [randomBytes(32), randomBytes(nonceBytes)];
  const cipher = createCipheriv(algorithm, key, nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(values), "utf8"), cipher.final()]);
  const sealed = Buffer.concat([nonce, cipher.getAuthTag(), text]);
  writeFileSync(fileIn(dataDirectory), sealed, { mode: 0o600, flag: "wx" });
  return { [seal]: key.toString("base64url") };
}

/** What starts that have failed never took, and what an earlier process of this number left. */
function removeLeft(dataDirectory: string): void {
  for (const name of readdirSync(dataDirectory).filter((one) => /^start-\d+\.sealed$/.test(one))) {
    const file = path.join(dataDirectory, name);
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > tooOld || file === fileIn(dataDirectory)) rmSync(file, { force: true });
  }
}

/** Removes what was left, where it is not taken. */
export function forgetValues(dataDirectory: string): void {
  rmSync(fileIn(dataDirectory), { force: true });
}

/**
 * What this process has left for itself; its file is gone then. Undefined where it was started by somebody
 * else. Throws AppError `storage_unavailable` where it cannot be read.
 */
export function takeValues(dataDirectory: string, environment: NodeJS.ProcessEnv): Values | undefined {
  const key = environment[seal];
  if (key === undefined) return undefined;
  delete environment[seal];
  try {
    const sealed = readFileSync(fileIn(dataDirectory));
    forgetValues(dataDirectory);
    return JSON.parse(open(sealed, Buffer.from(key, "base64url"))) as Values;
  } catch (cause) {
    const message = `The keys of the environment were lost on the way (${seal} is set). Start it again.`;
    throw fault("storage_unavailable", message, { cause });
  }
}

function open(sealed: Buffer, key: Buffer): string {
  const [textAt, nonce] = [nonceBytes + tagBytes, sealed.subarray(0, nonceBytes)];
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  decipher.setAuthTag(sealed.subarray(nonceBytes, textAt));
  return Buffer.concat([decipher.update(sealed.subarray(textAt)), decipher.final()]).toString("utf8");
}
