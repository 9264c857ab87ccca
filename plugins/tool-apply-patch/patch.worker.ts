import { serve } from "@pergola/kit-worker/serve";
import { outlineOf } from "./patch-outline.ts";
import type { PatchTasks } from "./patch-thread.ts";
import { newContents } from "./plan/new-contents.ts";
import { readPatch } from "./read/read-patch.ts";

serve<PatchTasks>({
  outline: (patch) => outlineOf(readPatch(patch)),
  contents: (input, { transfer }) => {
    const contents = newContents(input).map((text) => (text === undefined ? undefined : bytesOf(text)));
    for (const bytes of contents) if (bytes !== undefined) transfer.push(bytes.buffer);
    return contents;
  },
});

/** In a buffer of its own, which can be handed over. */
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
