import { definePlugin, defineProvider } from "@pergola/sdk";
import { Gemini, keyVariable } from "./gemini.ts";

export const gemini = defineProvider({
  type: "gemini",
  prefix: "gemini",
  name: "Google Gemini",
  baseUrl: "https://generativelanguage.googleapis.com/v1beta",
  needsKey: true,
  keyVariable,
  open: (settings, door) => new Gemini(settings, door),
});

export default definePlugin({ providers: [gemini] });
