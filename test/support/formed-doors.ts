import { streamLines } from "@pergola/sdk/testing";
import type { Stage } from "./host.ts";

/** A request for an answer of a form; `schema` absent: any object will do, where the format can say so. */
export interface FormedRequest {
  readonly schema?: object;
  readonly strict?: boolean;
  readonly stream?: boolean;
}

/** What a client makes of the answer. */
export interface FormedAnswer {
  readonly status: number;
  readonly text: string;
  /** What the service says in place of an answer; undefined where it gave one. */
  readonly refusal: string | undefined;
  readonly warnings: readonly string[];
  readonly hadErrors: boolean;
}

interface Failure {
  readonly message: string;
}

interface Metadata {
  readonly warnings: readonly string[];
  readonly workflow: { readonly had_errors: boolean };
}

interface Block {
  readonly text?: string;
}

/** An answer, or a piece of a streamed one, with what tests read of it in any of the formats. */
interface Piece {
  readonly type?: string;
  readonly error?: string | Failure | null;
  readonly service_metadata?: Metadata;
  readonly response?: Piece;
  readonly choices?: readonly { readonly message?: Message; readonly delta?: Message }[];
  readonly message?: Message;
  readonly output?: readonly { readonly content?: readonly Block[] }[];
  readonly content?: readonly Block[];
  readonly delta?: unknown;
}

interface Message {
  readonly content?: string | null;
}

/** One of the formats in which an answer of a form can be asked for. */
export interface FormedDoor {
  readonly path: string;
  body(request: FormedRequest): object;
  textOf(piece: Piece): string;
}

const messages = [{ role: "user", content: "How warm is it?" }];
const textOfBlocks = (blocks: readonly Block[] = []): string => blocks.map(({ text = "" }) => text).join("");

const chat: FormedDoor = {
  path: "/v1/chat/completions",
  body: ({ schema, strict, stream }) => ({
    messages,
    stream,
    response_format:
      schema === undefined
        ? { type: "json_object" }
        : { type: "json_schema", json_schema: { name: "weather", strict, schema } },
  }),
  textOf: ({ choices = [] }) => (choices[0]?.message ?? choices[0]?.delta)?.content ?? "",
};

const responses: FormedDoor = {
  path: "/v1/responses",
  body: ({ schema, strict, stream }) => ({
    input: "How warm is it?",
    stream,
    text: {
      format:
        schema === undefined
          ? { type: "json_object" }
          : { type: "json_schema", name: "weather", strict, schema },
    },
  }),
  textOf: ({ type, delta, output = [] }) =>
    type === "response.output_text.delta"
      ? (delta as string)
      : output.map(({ content }) => textOfBlocks(content)).join(""),
};

const messagesDoor = (place: (format: object) => object): FormedDoor => ({
  path: "/v1/messages",
  body: ({ schema, strict, stream }) => ({
    messages,
    max_tokens: 500,
    stream,
    ...place({ type: "json_schema", schema, strict }),
  }),
  textOf: ({ type, delta, content }) =>
    type === "content_block_delta" ? textOfBlocks([delta as Block]) : textOfBlocks(content),
});

const ollama: FormedDoor = {
  path: "/api/chat",
  body: ({ schema, strict, stream = false }) => ({
    messages,
    stream,
    format: schema === undefined ? "json" : { ...schema, strict },
  }),
  textOf: ({ message }) => message?.content ?? "",
};

/** Every place of every format where the form of an answer can stand. */
export const formedDoors = {
  "chat completions": chat,
  Responses: responses,
  Messages: messagesDoor((format) => ({ output_config: { format } })),
  "Messages, as before": messagesDoor((format) => ({ output_format: format })),
  Ollama: ollama,
} as const satisfies Record<string, FormedDoor>;

async function* linesOf(answer: Response): AsyncIterable<string> {
  if (answer.headers.get("content-type") !== "application/x-ndjson") yield* streamLines(answer);
  else yield* (await answer.text()).trimEnd().split("\n");
}

async function piecesOf(answer: Response, isStream: boolean): Promise<readonly Piece[]> {
  if (!isStream || !answer.ok) return [(await answer.json()) as Piece];
  const pieces: Piece[] = [];
  for await (const line of linesOf(answer)) if (line !== "[DONE]") pieces.push(JSON.parse(line) as Piece);
  return pieces;
}

const failureOf = ({ error, response }: Piece): string | undefined => {
  const failure = error ?? response?.error ?? undefined;
  return typeof failure === "object" ? failure.message : failure;
};

const metadataOf = ({ service_metadata: own, response }: Piece): Metadata | undefined =>
  own ?? response?.service_metadata;

/** Asks at a door; the model answers as its script says. */
export async function askAtDoor(
  { host }: Pick<Stage, "host">,
  door: FormedDoor,
  request: FormedRequest,
): Promise<FormedAnswer> {
  const answer = await host.request("POST", door.path, { model: "custom/test", ...door.body(request) });
  const pieces = await piecesOf(answer, request.stream === true);
  const metadata = pieces.map(metadataOf).findLast((one) => one !== undefined);
  return {
    status: answer.status,
    text: pieces.map((piece) => door.textOf(piece)).join(""),
    refusal: pieces.map(failureOf).find((failure) => failure !== undefined),
    warnings: metadata?.warnings ?? [],
    hadErrors: metadata?.workflow.had_errors ?? false,
  };
}
