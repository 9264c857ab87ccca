import { definePlugin } from "@pergola/sdk";
import { Memory } from "./memory.ts";

export default definePlugin({ parts: { memory: (parts) => new Memory(parts) } });
