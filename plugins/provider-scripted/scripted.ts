import { defineProvider } from "@pergola/sdk";
import { scriptedProvider } from "@pergola/sdk/testing";
import { readScript } from "./read-script.ts";

/** Each configured instance plays its own script, from the first turn. */
export const scripted = defineProvider({
  type: "scripted",
  prefix: "scripted",
  name: "Scripted",
  isLocal: true,
  open: (settings, door) => {
    const models = settings.models.map((id) => ({ id, supportsTools: true }));
    const options = {
      ...(models.length > 0 && { models }),
      repeatLast: settings.extra["repeat_last"] === true,
    };
    const script = readScript(settings.extra["script"] ?? []);
    return scriptedProvider(script, options).open(settings, door);
  },
});
