import { Worker } from "node:worker_threads";
import { AppError, type Json, type ModelEvent } from "@pergola/sdk";
import type { ChatTurn, FromProcess, LoadOptions, TaskName, Tasks, ToProcess } from "./messages.ts";
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
const running = new Map<number, AbortController>();
let model: LoadedModel | undefined;
let slots: Slots | undefined;

const post = (message: FromProcess): void => void process.send?.(message);

function loaded(): LoadedModel {
  if (model === undefined) throw new Error("No model is loaded.");
  return model;
}

type Doing = {
  [Name in TaskName]: (
    asked: Tasks[Name]["asked"],
    id: number,
    signal: AbortSignal,
  ) => Promise<Tasks[Name]["told"]>;
};

const tasks: Doing = {
  inspect: ({ path }) => readHeader(path),
  load: async (options: LoadOptions) => {
    model = await loadModel(options, threads);
    slots = model.context && new Slots(model.context);
    return { contextSize: model.contextSize };
  },
  chat: async (turn: ChatTurn, id, signal) => {
    if (slots === undefined)
      throw new AppError({
        code: "provider_rejected",
        message: "This model makes vectors; it does not answer.",
      });
    const emit = (event: ModelEvent): void => post({ type: "event", id, event });
    await chat(loaded(), turn, { slots, signal, emit });
    return null;
  },
  embed: ({ texts }, _id, signal) => embed(loaded(), texts, signal),
};

async function run(id: number, name: TaskName, asked: Tasks[TaskName]["asked"]): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const told = await (tasks[name] as (...args: unknown[]) => Promise<Tasks[TaskName]["told"]>)(
      asked,
      id,
      controller.signal,
    );
    post({ type: "done", id, told });
  } catch (error) {
    const failed = AppError.is(error) ? error : undefined;
    const message = error instanceof Error ? error.message : String(error);
    const details = failed?.details as Readonly<Record<string, Json>> | undefined;
    post({
      type: "failed",
      id,
      code: failed?.code ?? "provider_error",
      message,
      ...(details === undefined ? {} : { details }),
    });
  } finally {
    running.delete(id);
  }
}

process.on("message", (message: ToProcess) => {
  if (message.type === "cancel") running.get(message.id)?.abort(new Error("cancelled"));
  else void run(message.id, message.name, message.asked);
});
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

/**
 * Native code, or a template's endless loop, can keep this thread from seeing that the host has died; another
 * one sees it.
 */
const watch = `setInterval(() => process.ppid !== ${process.ppid} && process.kill(process.pid, "SIGKILL"), 500)`;
new Worker(watch, { eval: true, execArgv: [], env: {} }).unref();
