import { temporaryFolder } from "@pergola/sdk/testing";
import { writePlugin } from "./plugins/write-plugin.ts";

/** Refuses every call and says what it would have been: `family.operation effect {arguments}`. */
export const mirrorPolicy = {
  use: writePlugin(temporaryFolder(), {
    id: "policy-mirror",
    kind: "policy",
    provides: { hooks: ["authorizeToolCall"] },
    code: `export default {
      register: (host) => host.tap("authorizeToolCall", (call) => ({
        decision: "deny",
        code: "denied",
        message: [call.tool + "." + call.operation, call.effect, JSON.stringify(call.arguments)].join(" "),
      }), { stage: "early" }),
    };`,
  }),
  isolation: "trusted",
};

export interface Mirrored {
  readonly name: string;
  readonly effect: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What a refusal of the mirror says. */
export function readMirror(text: string): Mirrored {
  const [, name = text, effect = "", args = "{}"] = /^(\S+) (\S+) (\{[^]*\})$/.exec(text) ?? [];
  return { name, effect, args: JSON.parse(args) as Mirrored["args"] };
}
