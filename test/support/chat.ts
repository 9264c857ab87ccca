import type { TestHost } from "@pergola/sdk/testing";
import type { Stage } from "./host.ts";

export interface WireMessage {
  readonly role: string;
  readonly content: unknown;
  readonly [key: string]: unknown;
}

/** What a chat answer, or an error, consists of; the tests look at more. */
export interface ChatAnswer {
  readonly id: string;
  readonly model: string;
  readonly choices: readonly { readonly message: WireMessage; readonly finish_reason: string }[];
  readonly usage: Readonly<Record<string, number>>;
  readonly service_metadata: {
    readonly workflow: Readonly<Record<string, unknown>>;
    readonly conversation_id: string;
    readonly run_id: string;
    readonly warnings: readonly string[];
    readonly [key: string]: unknown;
  };
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly code: string;
    readonly param?: string;
    readonly details?: unknown;
  };
  readonly [key: string]: unknown;
}

export const user = (content: unknown): WireMessage => ({ role: "user", content });
export const assistant = (content: string): WireMessage => ({ role: "assistant", content });
export const system = (content: string): WireMessage => ({ role: "system", content });

/** `POST /api/chat/completions`; `default` is the model unless the body names another. */
export const chat = (stage: Pick<Stage, "host">, body: object) =>
  stage.host.json<ChatAnswer>("POST", "/api/chat/completions", { model: "default", ...body });

const withoutContext = (content: unknown): unknown =>
  typeof content === "string" ? content.replace(/\n*<context>[^]*<\/context>$/, "") : content;

export interface SentBody {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly [key: string]: unknown };
  }[];
  readonly [key: string]: unknown;
}

/** The body of the model call of that number, from 0; from the end if negative. */
export const sentBody = ({ provider }: Pick<Stage, "provider">, index = -1): SentBody =>
  provider.requests.at(index)?.body as SentBody;

/** The messages of a model call as `role: text`, without the service's own prompt and facts. */
export const sentTurns = (stage: Pick<Stage, "provider">, index = -1): readonly string[] =>
  sentBody(stage, index)
    .messages.filter(({ role }) => role !== "system")
    .map(({ role, content }) => `${role}: ${String(withoutContext(content))}`);

export interface StoredMessage extends WireMessage {
  readonly type: string;
}

export interface Detail {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly messageCount: number;
  readonly workingDirectory: string;
  readonly messages: readonly StoredMessage[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

export const detailOf = async (host: TestHost, id: string): Promise<Detail> =>
  (await host.json<Detail>("GET", `/v1/conversations/${encodeURIComponent(id)}`)).body;

/** The stored turns of a conversation as `role: text`: those of the active branch. */
export const storedTurns = async (host: TestHost, id: string): Promise<readonly string[]> =>
  (await detailOf(host, id)).messages.map(({ role, content }) => `${role}: ${String(content)}`);
