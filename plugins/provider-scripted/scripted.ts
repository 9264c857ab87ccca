import { readChatBody } from "@pergola/kit-provider";
import { defineProvider, type ModelCall } from "@pergola/sdk";
import { scriptedProvider } from "@pergola/sdk/testing";
import { readScript } from "./read-script.ts";

/** The call, or its bypassed body as one. */
function readCall(call: ModelCall): ModelCall {
  if (call.raw === undefined) return call;
  return { ...call, ...readChatBody(call.raw, { vendor: "a script", warn: () => undefined }) };
}

/** Each configured instance plays its own script, from the first turn. */
export const scripted = defineProvider({
  type: "scripted",
  prefix: "scripted",
  name: "Scripted",
  isLocal: true,
  open: async (settings, door) => {
    const models = settings.models.map((id) => ({ id, supportsTools: true }));
    const options = {
      ...(models.length > 0 && { models }),
      repeatLast: settings.extra["repeat_last"] === true,
    };
    const script = readScript(settings.extra["script"] ?? []);
    const provider = await scriptedProvider(script, options).open(settings, door);
    return { ...provider, stream: (call, signal) => provider.stream(readCall(call), signal) };
  },
});
