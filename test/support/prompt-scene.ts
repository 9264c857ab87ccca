import { allChunks } from "@pergola/sdk/testing";
import { chat, sentBody, user, type ChatAnswer } from "./chat.ts";
import { openStage, type Stage } from "./host.ts";

export interface WireText {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly content: string;
  readonly instructions: string;
  readonly traits: Readonly<Record<string, string | null>>;
  readonly category: string;
  readonly displayOrder: number;
  readonly isDefault: boolean;
  readonly builtIn: boolean;
  readonly createdAt: string;
  readonly modifiedAt: string;
  readonly error?: { readonly code: string; readonly param?: string; readonly message: string };
}

export const builtInId = (number: number): string =>
  `00000000-0000-0000-0000-${String(number).padStart(12, "0")}`;

/**
 * What a request made of its prompts: the system text, the context block and the rest of the newest user
 * message, and the warnings.
 */
export interface Told {
  readonly system: string;
  readonly block: string;
  readonly said: string;
  readonly warnings: readonly string[];
  readonly conversationId: string;
}

export const modes = [false, true] as const;
export const modeName = (stream: boolean): string => (stream ? "streamed" : "not streamed");

/** Asks, streamed or not, and looks at what the model was sent last. */
export async function tell(stage: Stage, more: object = {}, stream = false): Promise<Told> {
  const body = { messages: [user("Hello")], stream, ...more };
  const answer = stream
    ? ((
        await allChunks(
          await stage.host.request("POST", "/api/chat/completions", { model: "default", ...body }),
        )
      ).at(-1) as unknown as ChatAnswer)
    : (await chat(stage, body)).body;
  return {
    ...seen(stage),
    warnings: answer.service_metadata.warnings,
    conversationId: answer.service_metadata.conversation_id,
  };
}

/** What the model was sent in a call. */
export function seen(stage: Stage, index = -1): Pick<Told, "system" | "block" | "said"> {
  const { messages } = sentBody(stage, index);
  const newest = String(messages.findLast(({ role }) => role === "user")?.content);
  const [, said = "", block = ""] = /^([^]*?)\n*(<context>[^]*<\/context>)$/.exec(newest) ?? [];
  return {
    system: messages
      .filter(({ role }) => role === "system")
      .map(({ content }) => String(content))
      .join("\n---\n"),
    said,
    block,
  };
}

/** Makes a text by its route. */
export const makeText = async (stage: Stage, path: string, body: object): Promise<WireText> =>
  (await stage.host.json<WireText>("POST", `/api/${path}`, body)).body;

/** What tests of prompts do over HTTP. */
export function promptsAt(stage: () => Stage) {
  const ask = <T = WireText>(method: string, path: string, body?: unknown) =>
    stage().host.json<T>(method, path, body);
  const listOf = async (path: string, field: string) => {
    const { body } = await ask<Readonly<Record<string, readonly WireText[]>> & { readonly count: number }>(
      "GET",
      path,
    );
    return { texts: body[field] ?? [], count: body.count };
  };
  return {
    ask,
    listOf,
    namesOf: async (path: string, field = "prompts") =>
      (await listOf(path, field)).texts.map(({ name }) => name),
    /** Status, code and field of a refusal. */
    failure: async (method: string, path: string, body?: unknown) => {
      const { status, body: answer } = await ask(method, path, body);
      return [status, answer.error?.code, answer.error?.param].filter((part) => part !== undefined);
    },
  };
}

/** A host with texts of the person's own, and what tests do that choose among them. */
export async function openChosenPrompts() {
  const stage = await openStage();
  const make = async (path: string, body: object) => (await makeText(stage, path, body)).id;
  return {
    ...stage,
    ids: {
      poet: await make("prompts/system", { name: "Poet", content: "POET-TEXT" }),
      judge: await make("prompts/system", { name: "Judge", content: "JUDGE-TEXT" }),
      sage: await make("personalities", {
        name: "Sage",
        instructions: "SAGE-TEXT",
        traits: { tone: "dry", teachingStyle: "by example" },
      }),
      clown: await make("personalities", { name: "Clown", instructions: "CLOWN-TEXT" }),
    },
    contentOf: async (path: string) =>
      (await stage.host.json<{ content: string; instructions: string }>("GET", `/api/${path}`)).body,
    converse: async (body: object) =>
      (await stage.host.json<{ id: string }>("POST", "/v1/conversations", body)).body.id,
    patch: (id: string, body: object) =>
      stage.host.json<{ error?: { code: string; param: string } }>("PATCH", `/v1/conversations/${id}`, body),
  };
}

export type ChosenPrompts = Awaited<ReturnType<typeof openChosenPrompts>>;
