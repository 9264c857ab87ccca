import { chatReply, type MockScript, type ScriptedCall } from "@pergola/sdk/testing";
import { labCall, type SentMessage } from "../../support/lab-stage.ts";

/** An effect without a question, one that asks, and two that are records in the storage. */
export const calls = {
  keep: (mark) => labCall("keep", mark),
  wipe: (mark) => labCall("wipe", mark),
  record: (mark) => labCall("record", mark),
  memory: (mark) => ({
    name: "memory_operations",
    arguments: { operation: "store_memory", content: mark },
  }),
} satisfies Readonly<Record<string, (mark: string) => ScriptedCall>>;

/**
 * A request says its name and what is to be called, as in `n1:keep,wipe`, and has no calls left behind
 * `again`, which may come in one message with a request that was not answered. Behind what the person wrote
 * stands what the host adds.
 */
export const callingScript: MockScript = ({ body }) => {
  const { messages } = body as { readonly messages: readonly SentMessage[] };
  const last = messages.findLastIndex(({ role }) => role === "user");
  const [, again = "", name = "", wanted = ""] =
    /^(?:.*?\b(again ))?(\w+):(\S*)/s.exec(String(messages[last]?.content)) ?? [];
  const results = messages.slice(last).filter(({ role }) => role === "tool").length;
  const next = wanted.split(",")[results];
  if (again !== "" || !next) return chatReply({ text: `did ${again}${name}` });
  return chatReply({ toolCalls: [calls[next as keyof typeof calls](`${next} ${name}`)] });
};
