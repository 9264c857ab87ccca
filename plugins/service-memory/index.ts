import { defineHostPlugin } from "@pergola/sdk/host";
import { Memory } from "./memory.ts";

export default defineHostPlugin({ parts: { memory: (parts) => new Memory(parts) } });
