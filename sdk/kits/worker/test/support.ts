import { messageOf } from "@pergola/sdk";
import { startProcess, startThread, type ThreadOptions, type ToError } from "../index.ts";

/** An error that says why, so that tests can look at both. */
export const toError: ToError = ({ reason, message, fault }) =>
  Object.assign(new Error(`${reason}: ${message}`), { fault });

const fileOf = (kind: string): URL => new URL(`./${kind}.ts`, import.meta.url);

export const sampleThread = (options: ThreadOptions = {}) => startThread(fileOf("sample.worker"), options);

export const sampleProcess = () => startProcess(fileOf("sample.process"));

export function closingThread(hangs: boolean) {
  const flag = new SharedArrayBuffer(4);
  const thread = startThread(fileOf("closing.worker"), { workerData: { flag, hangs } });
  return { thread, wasAsked: () => Atomics.load(new Int32Array(flag), 0) === 1 };
}

/** The message of what a promise rejects with. */
export const rejection = (work: Promise<unknown>): Promise<string> =>
  work.then(() => "it did not reject", messageOf);
