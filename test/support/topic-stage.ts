import type { Stage } from "./host.ts";
import { play, saying, type Outcome } from "./lab-stage.ts";

export interface WireTopic {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly conversation_count: number;
  readonly conversations?: readonly { readonly id: string; readonly title: string }[];
}

export interface Attached {
  readonly id: string;
  readonly topicId: string | null;
  readonly folderId: string | null;
  readonly workingDirectory: string;
  readonly effective: { readonly sharedTopicAccess: string | null };
  readonly settings: {
    readonly useSharedData: boolean;
    readonly sharedTopicId: string | null;
    readonly sharedTopicName: string | null;
    readonly sharedTopicAccess: string;
  };
}

interface Failure {
  readonly error?: { readonly code: string; readonly param?: string };
}

/** What tests of topics and folders do over HTTP. */
export function topicsAt(stage: () => Stage) {
  const json = <T>(...of: Parameters<Stage["host"]["json"]>) => stage().host.json<T & Failure>(...of);
  const conversation = (id: string, rest = "") => `/v1/conversations/${encodeURIComponent(id)}${rest}`;
  return {
    json,
    /** Status and error code. */
    codeOf: async (...of: Parameters<Stage["host"]["json"]>): Promise<readonly unknown[]> => {
      const { status, body } = await json<object>(...of);
      return [status, body.error?.code, ...(body.error?.param === undefined ? [] : [body.error.param])];
    },
    make: async (name: string): Promise<WireTopic> =>
      (await json<WireTopic>("POST", "/api/topics", { name })).body,
    show: async (id: string): Promise<WireTopic> => (await json<WireTopic>("GET", `/api/topics/${id}`)).body,
    names: async (): Promise<readonly string[]> =>
      (await json<{ topics: readonly WireTopic[] }>("GET", "/api/topics")).body.topics.map(
        ({ name }) => name,
      ),
    say: (id: string, text = "Hello") => play(stage(), [saying("Well.")], { conversationId: id }, text),
    detail: async (id: string): Promise<Attached> =>
      (await json<Attached>("GET", conversation(id, "?messages=false"))).body,
    attach: (id: string, body: object) =>
      json<{ topicId: string }>("POST", conversation(id, "/attach-topic"), body),
    detach: (id: string) => json<{ topicId: null }>("POST", conversation(id, "/detach-topic")),
    patch: (id: string, body: object) => json<{ conversation: Attached }>("PATCH", conversation(id), body),
    /** A tool call by the person's hand. */
    call: async (id: string, tool: string, args: object): Promise<Outcome> => {
      const body = { tool, arguments: args, conversationId: id, isUserInitiated: true };
      return (await json<{ toolResult: Outcome }>("POST", "/debug/mcp/execute", body)).body.toolResult;
    },
  };
}
