import { definePlugin, defineProvider } from "@pergola/sdk";
import { HttpProvider } from "./provider.ts";

export const provider = defineProvider({
  type: "sample-name",
  prefix: "sample-name",
  name: "sample-name",
  baseUrl: "https://sample-name.example/v1",
  needsKey: true,
  keyVariable: "SAMPLE_NAME_API_KEY",
  open: (settings, door) => new HttpProvider(settings, door),
});

export default definePlugin({ providers: [provider] });
