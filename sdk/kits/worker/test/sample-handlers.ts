import { getHeapSpaceStatistics } from "node:v8";
import { threadId } from "node:worker_threads";
import { AppError, ToolError } from "@pergola/sdk";
import type { Handlers } from "../serve.ts";
import type { SampleTasks } from "./sample-tasks.ts";

const errors = {
  error: () => new Error("plain"),
  "tool-error": () => new ToolError("invalid_value", "for a tool", { hint: "do it so" }),
  "app-error": () => new AppError({ code: "conflict", message: "for an app", details: { version: 2 } }),
  text: () => "only text",
};

const never = (): Promise<never> => new Promise<never>(() => setInterval(() => undefined, 1000));

export const sampleHandlers: Handlers<SampleTasks> = {
  double: (value) => value * 2,
  fail: (kind) => {
    throw errors[kind]() as Error;
  },
  hang: never,
  spin: () => {
    for (;;);
  },
  wait: (_ask, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("cancelled in time")));
    }),
  count: (last, { emit }) => {
    for (let value = 1; value <= last; value += 1) emit(value);
    return "counted";
  },
  exit: (code) => process.exit(code),
  crash: () => {
    setTimeout(() => {
      throw new Error("thrown outside a task");
    });
    return never();
  },
  fill: () => {
    const held: unknown[] = [];
    for (;;) held.push(Array.from({ length: 1000 }, () => ({})));
  },
  buffers: async () => {
    const held: Buffer[] = [];
    for (;;) {
      held.push(Buffer.alloc(10 << 20, 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  },
  churn: () => {
    // Each value is kept for a while, so that V8 wants more room for new ones.
    const kept: unknown[] = [];
    for (let number = 0; number < 2_000_000; number++) kept[number % 50_000] = { text: `value ${number}` };
    const spaces = getHeapSpaceStatistics();
    return (spaces.find(({ space_name }) => space_name === "new_space")?.space_size ?? NaN) / 2 ** 20;
  },
  bytes: (bytes, { transfer }) => {
    transfer.push(bytes.buffer as ArrayBuffer);
    return bytes;
  },
  who: () => threadId || process.pid,
  environment: () => Object.keys(process.env),
};
