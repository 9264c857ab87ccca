import { temporaryFolder, type TestHost } from "@pergola/sdk/testing";
import { toolPlugin, writePlugin } from "./plugins/write-plugin.ts";

const folder = temporaryFolder();
const secret = "sk-live1234567890abcdefgh";

/**
 * A plugin that does something at every hook that decides or shapes: it asks before `lab.note`, forbids
 * `lab.scan`, and stops what says "forbidden".
 */
const meddler = {
  use: writePlugin(folder, {
    id: "policy-meddler",
    kind: "policy",
    provides: {
      hooks: ["resolveModel", "authorizeToolCall", "shapeChat", "shapeModelCall", "shapeToolResult"],
    },
    code: `
      const verdicts = {
        note: { decision: "ask", reason: "notes are looked at" },
        scan: { decision: "deny", code: "permission_denied", message: "Nobody may scan." },
      };
      const withSuffix = (message) => ({ ...message, content: message.content + " In one word." });
      export default {
        register(host) {
          host.tap("resolveModel", (model) => (model === "best" ? "custom/test" : undefined));
          host.tap("authorizeToolCall", ({ operation }) => verdicts[operation], { stage: "early" });
          host.tap("shapeChat", (chat) => ({ ...chat, system: [...chat.system, "Be brief. ${secret}"] }));
          host.tap("shapeModelCall", (call) => {
            const last = call.messages.findLastIndex(({ role }) => role === "user");
            const { content } = call.messages[last];
            if (content.includes("forbidden")) throw new Error("this is not to be said");
            if (!content.startsWith("Shorten")) return call;
            return { ...call, messages: call.messages.with(last, withSuffix(call.messages[last])) };
          }, { stage: "early" });
          host.tap("shapeToolResult", (result, { operation }) =>
            operation === "peek" ? { ...result, data: result.data.toUpperCase() } : result);
        },
      };`,
  }),
  isolation: "trusted",
};

/** A tool in a process of its own. */
const walled = {
  use: toolPlugin(folder, "tool-walled", "return { data: 'seen', message: 'ok' };"),
  isolation: "process",
};

export const explainScene = { meddler, walled, secret };

export interface WireStep {
  readonly at: string;
  readonly milliseconds: number;
  readonly kind: string;
  readonly plugin: string | null;
  readonly hook: string | null;
  readonly callId: string | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly note: string | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
}

interface Explained {
  readonly runId: string;
  readonly steps: readonly WireStep[];
  readonly count: number;
}

export const explain = async (host: Pick<TestHost, "json">, run: string): Promise<readonly WireStep[]> =>
  (await host.json<Explained>("GET", `/api/runs/${run}/explain`)).body.steps;
