import { startThread, toToolError, WorkerPool, workerUrl } from "@pergola/kit-worker";
import { ToolError } from "@pergola/sdk";
import type { PartOutline } from "./patch-outline.ts";
import type { PatchInput } from "./plan/new-contents.ts";

export interface PatchTasks {
  readonly outline: { readonly ask: string; readonly answer: readonly PartOutline[] };
  readonly contents: {
    readonly ask: PatchInput;
    readonly answer: readonly (Uint8Array | undefined)[];
  };
}

/** Milliseconds that a patch may take. */
const deadline = 60_000;

/** Large patches and patches of large files, read and applied in threads of their own. */
export const patchThreads = new WorkerPool<PatchTasks>({
  start: () => startThread(workerUrl("patch.worker", import.meta.url), { memoryLimit: 1024 }),
  toError: toToolError(
    ({ message }) =>
      new ToolError("invalid_value", `The patch could not be applied: ${message}.`, {
        hint: "Nothing was changed. Split the patch into smaller ones.",
      }),
  ),
  size: 2,
  deadline,
  idleAfter: 30_000,
});
