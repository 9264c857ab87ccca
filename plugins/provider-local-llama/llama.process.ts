import { Worker } from "node:worker_threads";
import { serve } from "@pergola/kit-worker/serve";
import { AppError } from "@pergola/sdk";
import type { Tasks } from "./messages.ts";
import { chat } from "./runtime/chat.ts";
import { embed } from "./runtime/embed.ts";
import { readHeader } from "./runtime/header.ts";
import { loadModel, type LoadedModel } from "./runtime/load-model.ts";
import { Slots } from "./runtime/slots.ts";

// The process that reads and runs one model file.

// The library tries its binaries in processes of its own; those need none of the loaders that a run from
// sources has.
process.execArgv = [];

const threads = Number(process.argv[2] ?? 1);
let model: LoadedModel | undefined;
let slots: Slots | undefined;

function loaded(): LoadedModel {
  if (model === undefined) throw new Error("No model is loaded.");
  return model;
}

serve<Tasks>({
  inspect: ({ path }) => readHeader(path),
  async load(options) {
    model = await loadModel(options, threads);
    slots = model.context && new Slots(model.context);
    const { contextSize, gpuBytes } = model;
    return { contextSize, gpuBytes };
  },
  async chat(turn, { signal, emit }) {
    if (slots === undefined)
      throw new AppError({
        code: "provider_rejected",
        message: "This model makes vectors; it does not answer.",
      });
    await chat(loaded(), turn, { slots, signal, emit });
  },
  embed: ({ texts }, { signal }) => embed(loaded(), texts, signal),
});
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

/**
 * Native code, or a template's endless loop, can keep this thread from seeing that the host has died; another
 * one sees it.
 */
const watch = `
  const check = () => process.ppid !== ${process.ppid} && process.kill(process.pid, "SIGKILL");
  setInterval(check, 500);
`;
new Worker(watch, { eval: true, execArgv: [], env: {} }).unref();
