import { expect } from "chai";
import type { MockRequest } from "@pergola/sdk/testing";

interface Sent {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

const contextBlock = /\n*<context>[^]*<\/context>$/;

/** The messages of a model call. */
export const messagesOf = ({ body }: Pick<MockRequest, "body">): readonly Sent[] =>
  (body as { readonly messages: readonly Sent[] }).messages;

/** The same without the blocks of facts, which user messages end with; no other message may have one. */
export function windowOf(request: Pick<MockRequest, "body">): readonly Sent[] {
  const messages = messagesOf(request);
  return messages.map((message, index) => {
    const content = message.content ?? "";
    if (message.role === "user") return { ...message, content: content.replace(contextBlock, "") };
    expect(content, `message ${index} of ${messages.length}`).to.not.include("\niteration: ");
    return message;
  });
}

/** The facts at the end of the newest user message. */
export const factsOf = (request: Pick<MockRequest, "body">): string =>
  contextBlock.exec(messagesOf(request).findLast(({ role }) => role === "user")?.content ?? "")?.[0] ?? "";

/** Every answer follows its call, and every call but the caller's own has its answer. */
export function checkPairs(messages: readonly Sent[]): void {
  const open = new Set<string>();
  for (const [index, { role, tool_calls: calls = [], tool_call_id: id = "" }] of messages.entries()) {
    if (role === "tool")
      expect(open.delete(id), `the answer ${id} at ${index} has a call before it`).to.equal(true);
    else expect([...open], `calls without an answer before ${index}`).to.deep.equal([]);
    for (const call of calls) open.add(call.id);
  }
  expect([...open], "calls without an answer at the end").to.deep.equal([]);
}

/** Follows calls of one conversation: how often the beginning changed, by which calls. */
export function prefixWatch() {
  let before: string[] = [];
  const changes: number[] = [];
  return {
    changes,
    see(request: Pick<MockRequest, "body">, index: number): void {
      const now = windowOf(request).map((message) => JSON.stringify(message));
      if (before.some((message, at) => message !== now[at])) changes.push(index);
      before = now;
    },
  };
}
