import { definePlugin, defineProvider } from "@pergola/sdk";
import { Anthropic } from "./anthropic.ts";

export const anthropic = defineProvider({
  type: "anthropic",
  prefix: "anthropic",
  name: "Anthropic",
  baseUrl: "https://api.anthropic.com/v1",
  needsKey: true,
  keyVariable: "ANTHROPIC_API_KEY",
  open: (settings, door) => new Anthropic(settings, door),
});

export default definePlugin({ providers: [anthropic] });
