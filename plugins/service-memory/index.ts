import { definePlugin } from "@pergola/sdk";
import { Memory } from "./memory.ts";

let memory: Memory | undefined;

export default definePlugin({
  parts: { memory: (parts) => (memory = new Memory(parts)) },
  start: () => memory?.start(),
  stop: () => memory?.stop(),
});
