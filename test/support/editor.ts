import { PassThrough, Readable, Writable } from "node:stream";
import {
  client,
  ndJsonStream,
  type ClientCapabilities,
  type ClientContext,
  type ContentBlock,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type InitializeResponse,
  type NewSessionResponse,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { Program } from "./pergola.ts";

type Decide = (request: RequestPermissionRequest) => Promise<RequestPermissionResponse>;

/** An editor that speaks the Agent Client Protocol with a program, and all that it is told. */
export interface Editor {
  readonly agent: ClientContext;
  /** What the program has said of itself. */
  readonly greeting: InitializeResponse;
  readonly updates: SessionUpdate[];
  readonly asked: RequestPermissionRequest[];
  readonly inquired: CreateElicitationRequest[];
  /** How permissions are decided; by default the option `once` is taken. */
  decide: Decide;
  answer: (request: CreateElicitationRequest) => CreateElicitationResponse;
  open: (cwd: string, more?: object) => Promise<NewSessionResponse>;
  prompt: (sessionId: string, words: string | readonly ContentBlock[]) => Promise<PromptResponse>;
  /** The updates of a kind. */
  told: <K extends SessionUpdate["sessionUpdate"]>(
    kind: K,
  ) => readonly Extract<SessionUpdate, { readonly sessionUpdate: K }>[];
  /** The texts of the chunks of a kind, joined. */
  said: (kind: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk") => string;
  /** All that it was told and asked, and how it decides. */
  forget: () => void;
  close: () => void;
}

export const choosing =
  (optionId: string): Decide =>
  async () => ({
    outcome: { outcome: "selected", optionId },
  });

/** Greets the program. */
export async function openEditor(
  { child }: Pick<Program, "child">,
  clientCapabilities: ClientCapabilities = {},
): Promise<Editor> {
  const updates: SessionUpdate[] = [];
  const asked: RequestPermissionRequest[] = [];
  const inquired: CreateElicitationRequest[] = [];
  const app = client({ name: "editor" })
    .onNotification("session/update", ({ params }) => void updates.push(params.update))
    .onRequest("session/request_permission", ({ params }) => {
      asked.push(params);
      return editor.decide(params);
    })
    .onRequest("elicitation/create", ({ params }) => {
      inquired.push(params);
      return editor.answer(params);
    });
  const input = Writable.toWeb(child.stdin!) as WritableStream<Uint8Array>;
  // What it writes is kept as text beside.
  const lines = new PassThrough();
  child.stdout!.on("data", (text: string) => lines.write(text)).once("end", () => lines.end());
  const output = Readable.toWeb(lines) as ReadableStream<Uint8Array>;
  const connection = app.connect(ndJsonStream(input, output));
  const { agent } = connection;
  const greeting = await agent.request("initialize", { protocolVersion: 1, clientCapabilities });
  const told: Editor["told"] = (kind) =>
    updates.filter((update): update is never => update.sessionUpdate === kind);
  const editor: Editor = {
    agent,
    greeting,
    updates,
    asked,
    inquired,
    decide: choosing("once"),
    answer: () => ({ action: "decline" }),
    open: (cwd, more = {}) => agent.request("session/new", { cwd, mcpServers: [], ...more }),
    prompt: (sessionId, words) => {
      const prompt = typeof words === "string" ? [{ type: "text" as const, text: words }] : [...words];
      return agent.request("session/prompt", { sessionId, prompt });
    },
    told,
    said: (kind) =>
      told(kind)
        .map(({ content }) => (content.type === "text" ? content.text : ""))
        .join(""),
    forget: () => {
      for (const list of [updates, asked, inquired]) list.length = 0;
      editor.decide = choosing("once");
    },
    close: () => connection.close(),
  };
  return editor;
}
