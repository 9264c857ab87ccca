import path from "node:path";
import { AppError, defined } from "@pergola/sdk";
import { fault } from "../fault.ts";
import type { Answer } from "./ask.ts";
import { exitCodes } from "./exit-codes.ts";
import type { KeptKeys } from "./kept-keys.ts";
import { Questions, type QuestionOptions } from "./questions.ts";
import { readEvents, type Chunk, type Metadata } from "./read-events.ts";
import { isAtTerminal, Screen } from "./screen.ts";
import { jsonOf, type Service } from "./service.ts";
import { PlainText, type AnswerText } from "./text/plain-text.ts";
import { causeOf, unreachableCode } from "./unreachable.ts";
import { styled, visible } from "./visible.ts";

export interface Turn {
  readonly conversationId?: string | undefined;
  readonly runId?: string | undefined;
  readonly metadata?: Metadata | undefined;
  /** The message of the failure that ended it. It has been printed. */
  readonly error?: string | undefined;
  /** By Ctrl-C. */
  readonly stopped: boolean;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export interface TurnOptions {
  readonly model?: string;
  /** Where tools work; the current directory by default, or one of the conversation's own under `url`. */
  readonly directory?: string;
  /** The service's address where it was named: its folders may be those of another computer. */
  readonly url?: string;
}

/** The folder that a request names, an absolute path; undefined: the service chooses. */
export function workingDirectoryOf({ directory, url }: TurnOptions): string | undefined {
  return url === undefined ? path.resolve(directory ?? ".") : directory;
}

/** The body of a request with one message of the user. Its run ends when this client leaves. */
export const turnBody = (content: string, options: TurnOptions): object => ({
  model: options.model ?? "default",
  messages: [{ role: "user", content }],
  service_config: defined({ working_directory: workingDirectoryOf(options), on_client_close: "cancel" }),
});

export interface ShowOptions extends QuestionOptions {
  readonly json?: boolean;
  /** The run whose events are read again from the first: what was answered in it is not asked again. */
  readonly replayedRun?: string;
  /** Keeps the keys while the answer is shown. */
  readonly keys?: KeptKeys;
}

/** Requests a streamed answer and shows it as `showAnswer` does. */
export const streamTurn = (
  service: Service,
  address: string,
  body: object,
  options: ShowOptions,
): Promise<Turn> => {
  const streamed = { ...body, stream: true, stream_options: { include_tool_events: true } };
  return showAnswer(service, (signal) => service.call("POST", address, streamed, signal), options);
};

/** What shows Markdown is loaded where it is wanted only. */
async function textFor(json: boolean): Promise<AnswerText> {
  if (json || !isAtTerminal()) return new PlainText();
  const { LiveText } = await import("./text/live-text.ts");
  return new LiveText();
}

/**
 * Shows an answer as it arrives, with its tool calls and questions. The first Ctrl-C cancels the run, a
 * second one exits at once. Rejects with AppError if the service refuses.
 */
export async function showAnswer(
  service: Service,
  request: (signal: AbortSignal) => Promise<Answer>,
  { json = false, replayedRun, keys, allow, wait }: ShowOptions,
): Promise<Turn> {
  const screen = new Screen(json, await textFor(json), keys);
  const leaving = new AbortController();
  const turn: Writable<Turn> = { runId: replayedRun, stopped: false };
  const stop = (): void => {
    if (turn.stopped) {
      screen.end();
      process.exit(exitCodes.interrupted);
    }
    turn.stopped = true;
    screen.line(styled("dim", "Stopping. Press Ctrl-C again to quit at once."));
    if (turn.runId === undefined) leaving.abort();
    else service.call("POST", `/api/runs/${turn.runId}/cancel`).catch(() => leaving.abort());
  };
  const hasPerson = process.stdin.isTTY && process.stdout.isTTY && !json;
  const replays = replayedRun !== undefined;
  const questions = new Questions({
    ...defined({ allow, wait }),
    service,
    screen,
    hasPerson,
    replays,
    stop,
  });
  process.on("SIGINT", stop);
  try {
    const answer = await request(leaving.signal);
    if (!answer.ok) await jsonOf(answer);
    for await (const chunk of readEvents(answer)) {
      noteFields(turn, chunk);
      screen.show(chunk);
      questions.handle(chunk.event);
    }
  } catch (cause) {
    if (!leaving.signal.aborted) throw brokenOff(cause, turn);
  } finally {
    await questions.end();
    screen.end();
    process.off("SIGINT", stop);
  }
  if (!json) showEnd(screen, turn);
  return turn;
}

/** A connection that has failed in the middle of an answer says nothing of what to do; other errors stay. */
function brokenOff(cause: unknown, { runId }: Turn): unknown {
  if (AppError.is(cause) || causeOf(cause).code === undefined) return cause;
  const next = runId === undefined ? "" : ` \`pergola runs show ${runId}\` says how its run stands.`;
  return fault(unreachableCode, `The service broke off in the middle of the answer.${next}`, { cause });
}

function showEnd(screen: Screen, { metadata, error }: Turn): void {
  for (const warning of metadata?.warnings ?? []) screen.line(styled("dim", visible(warning)));
  if (error !== undefined) screen.line(styled("red", visible(error)));
}

/** The first chunk with a field decides it. */
function noteFields(turn: Writable<Turn>, chunk: Chunk): void {
  turn.runId ??= chunk.run_id;
  turn.conversationId ??= chunk.conversation_id;
  turn.metadata ??= chunk.service_metadata;
  turn.error ??= chunk.error?.message;
}
