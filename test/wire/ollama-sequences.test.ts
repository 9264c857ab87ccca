import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { chatReply, type ScriptStep } from "@pergola/sdk/testing";
import { sentBody, sentTurns } from "../support/chat.ts";
import { officialPlugins, openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** What the model says. */
  readonly reply?: readonly ScriptStep[];
  /** Stands in the text, or in the calls, of the answer. */
  readonly says?: string;
  readonly thinks?: string;
  /** Places of the answer that the client reads. */
  readonly reads?: readonly (readonly string[])[];
  /** Turns that reach the model last. */
  readonly sends?: readonly string[];
  /** The model is told the form of the answer. */
  readonly format?: boolean;
}

/** The first requests of a client, and where its own code makes them. */
interface Sequence {
  readonly client: string;
  readonly sources: readonly string[];
  readonly requests: readonly Request[];
}

interface Message {
  readonly content?: string;
  readonly thinking?: string;
  readonly tool_calls?: readonly { readonly id?: string }[];
}

interface Line {
  readonly message?: Message;
  readonly choices?: readonly { readonly delta: Message }[];
}

const folder = path.join(import.meta.dirname, "ollama-sequences");

const linesOf = (text: string): readonly Message[] =>
  text
    .split("\n")
    .map((line) => line.replace(/^data: (\[DONE\])?/, ""))
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Line)
    .map(({ message, choices }) => message ?? choices?.[0]?.delta ?? {});

/** Text, thoughts and calls of an answer, whole or in pieces, in either format. */
function answerOf(text: string) {
  const pieces = linesOf(text);
  const calls = pieces.flatMap(({ tool_calls: some }) => some ?? []);
  return {
    said: pieces.map(({ content }) => content ?? "").join("") + JSON.stringify(calls),
    thought: pieces.map(({ thinking }) => thinking ?? "").join(""),
    call: calls[0]?.id ?? "",
  };
}

function valueAt(answer: unknown, steps: readonly string[]): unknown {
  const info = (answer as { model_info?: Readonly<Record<string, string>> }).model_info;
  const architecture = info?.["general.architecture"] ?? "";
  return steps.reduce(
    (value: unknown, step) =>
      (value as Readonly<Record<string, unknown>> | undefined)?.[step.replace("$architecture", architecture)],
    answer,
  );
}

describe("the first ten requests of a client of Ollama", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage(undefined, {
      plugins: officialPlugins(["bundle-standard", "provider-scripted"]),
    });
  });
  after(() => stage.end());

  /** The id of the last call of a tool, which the next request names. */
  let called = "";

  const send = async ({ method, path: at, headers = {}, body, reply }: Request): Promise<string> => {
    if (reply !== undefined) stage.provider.play(chatReply(reply));
    const sent = body && JSON.stringify(body).replaceAll("$call", called);
    const answer = await fetch(stage.host.url + at, { method, headers, ...(sent && { body: sent }) });
    const text = await answer.text();
    expect(answer.status, `${method} ${at} ${sent ?? ""}: ${text}`).to.equal(200);
    return text;
  };

  const replay = async (request: Request): Promise<void> => {
    const text = await send(request);
    const at = `${request.method} ${request.path}`;
    for (const steps of request.reads ?? [])
      expect(valueAt(JSON.parse(text), steps), `${at}: ${steps.join(".")}`).not.to.equal(undefined);
    const isText = request.body === undefined && request.says !== undefined;
    const { said, thought, call } = isText ? { said: text, thought: "", call: "" } : answerOf(text);
    if (request.says !== undefined) expect(said, at).to.include(request.says);
    expect(thought, at).to.equal(request.thinks ?? "");
    if (call !== "") called = call;
    const { sends = [] } = request;
    if (sends.length > 0) expect(sentTurns(stage).slice(-sends.length)).to.deep.equal(sends);
    if (request.format === true)
      expect(sentBody(stage)["response_format"]).to.include({ type: "json_schema" });
  };

  for (const file of readdirSync(folder)) {
    const sequence = JSON.parse(readFileSync(path.join(folder, file), "utf8")) as Sequence;
    verifies("ollama:clients", `are answered: ${sequence.client}`, async () => {
      expect(sequence.requests).to.have.lengthOf(10);
      expect(sequence.sources.every((source) => /^[\w-]+\/[\w-]+ \S+$/.test(source))).to.equal(true);
      for (const request of sequence.requests) await replay(request);
    });
  }
});
