import { definePlugin, defineProvider } from "@pergola/sdk";
import { Parley } from "./parley.ts";

export const parley = defineProvider({
  type: "parley",
  prefix: "parley",
  name: "Parley",
  baseUrl: "https://parley.example/api",
  needsKey: true,
  keyVariable: "PARLEY_API_KEY",
  open: (settings, door) => new Parley(settings, door),
});

export default definePlugin({ providers: [parley] });
