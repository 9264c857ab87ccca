import { exitCodes } from "./exit-codes.ts";
import { Questions } from "./questions.ts";
import { readEvents, type Metadata } from "./read-events.ts";
import { Screen } from "./screen.ts";
import { jsonOf, type Service } from "./service.ts";
import { styled } from "./visible.ts";

export interface Turn {
  readonly conversationId: string | undefined;
  readonly runId: string | undefined;
  readonly metadata: Metadata | undefined;
  /** The failure that ended it, as it was shown. */
  readonly error: string | undefined;
  /** By Ctrl-C. */
  readonly stopped: boolean;
}

/**
 * Asks for a streamed answer and shows it as it comes, with the steps of its tools and the questions it has.
 * The first Ctrl-C cancels the run, a second one leaves at once. Rejects with AppError when the service
 * refuses.
 */
export async function streamTurn(
  service: Service,
  path: string,
  body: object,
  { json = false }: { readonly json?: boolean },
): Promise<Turn> {
  const screen = new Screen(json);
  const leaving = new AbortController();
  let [runId, conversationId, error] = [
    undefined as string | undefined,
    undefined as string | undefined,
    undefined as string | undefined,
  ];
  let [metadata, stopped] = [undefined as Metadata | undefined, false];
  const stop = (): void => {
    if (stopped) process.exit(exitCodes.interrupted);
    stopped = true;
    screen.line(styled("dim", "Stopping; Ctrl-C again leaves at once."));
    if (runId === undefined) leaving.abort();
    else service.call("POST", `/api/runs/${runId}/cancel`).catch(() => leaving.abort());
  };
  const questions = new Questions({
    service,
    screen,
    person: process.stdin.isTTY && process.stdout.isTTY && !json,
    stop,
  });
  process.on("SIGINT", stop);
  try {
    const answer = await service.call("POST", path, { ...body, stream: true }, leaving.signal);
    if (!answer.ok) await jsonOf(answer);
    for await (const chunk of readEvents(answer)) {
      runId ??= chunk.run_id;
      conversationId ??= chunk.conversation_id;
      metadata ??= chunk.service_metadata;
      error ??= chunk.error?.message;
      screen.show(chunk);
      if (chunk.event?.type === "user_input_required") questions.ask(chunk.event);
      if (chunk.event?.type === "user_input_resolved") questions.close(chunk.event.toolCallId ?? "");
    }
  } catch (cause) {
    if (!leaving.signal.aborted) throw cause;
  } finally {
    await questions.end();
    screen.end();
    process.off("SIGINT", stop);
  }
  if (error !== undefined && !json) screen.line(styled("red", error));
  return { conversationId, runId, metadata, error, stopped };
}
