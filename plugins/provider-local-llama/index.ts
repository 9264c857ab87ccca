import { definePlugin, defineProvider } from "@pergola/sdk";
import { LocalLlama } from "./local-llama.ts";

export const localLlama = defineProvider({
  type: "local-llama",
  prefix: "llama",
  name: "Local models",
  isLocal: true,
  needsKey: false,
  always: "with-models",
  open: (settings, door) => new LocalLlama(settings, door),
});

export default definePlugin({ providers: [localLlama] });
