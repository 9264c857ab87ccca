import { definePlugin, defineProvider } from "@pergola/sdk";
import { EmbeddedProvider } from "./embedded-provider.ts";

export const embedded = defineProvider({
  type: "embedded",
  prefix: "embedded",
  name: "Embedded",
  isLocal: true,
  needsKey: false,
  always: true,
  open: (_settings, door) => new EmbeddedProvider(door),
});

export default definePlugin({ providers: [embedded] });
