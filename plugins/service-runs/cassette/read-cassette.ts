import { homedir } from "node:os";
import { AppError, type RunRecord } from "@pergola/sdk";
import type { Cassette, Parts, StoredRun } from "@pergola/sdk/host";
import { cleanerFor } from "./clean-texts.ts";
import { calledFamilies, decidingSettings, readRequest } from "./read-request.ts";
import { callNames, lastText, readSteps, type StoredTrace } from "./read-steps.ts";

/** More than any run stores. */
const all = 100_000;

const unfit = (message: string): AppError => new AppError({ code: "invalid_value", message });

/** Rejects with AppError for a run that cannot be replayed. */
function checkFit({ id, status, completionReason }: RunRecord): void {
  if (status !== "ended") {
    const message = `The run "${id}" has not ended: it is ${status}. Wait for its end, or cancel it.`;
    throw new AppError({ code: "run_not_ended", message });
  }
  if (completionReason === "cancelled")
    throw unfit(`The run "${id}" was cancelled, so that it has no end of its own that could be replayed.`);
}

async function readTrace({ runs, stores }: Parts, id: string): Promise<StoredTrace> {
  checkFit(await runs.get(id));
  const run = (await stores.runs.get(id)) as StoredRun;
  const of = { runId: id };
  const messages = await stores.messages.find(of, { order: "seq", limit: all });
  if (messages.length === 0) {
    const why = "It failed before it began, or its conversation was deleted.";
    throw unfit(`Nothing is stored of what was said in the run "${id}". ${why}`);
  }
  return { run, messages, approvals: await stores.approvals.find(of, { order: "createdAt", limit: all }) };
}

/**
 * An ended run as data, from what is stored of it. Rejects with AppError: `not_found`, `run_not_ended`, or
 * `invalid_value` for a run that was cancelled and for one of which no message is stored.
 */
export async function readCassette(parts: Parts, id: string): Promise<Cassette> {
  const trace = await readTrace(parts, id);
  const { run } = trace;
  const { error, completionReason, usage, model } = run;
  const steps = readSteps(parts, trace);
  const conversation = await parts.conversations.get(run.conversationId);
  const clean = cleanerFor(parts, {
    folders: [
      [await parts.conversations.workingDirectoryOf(conversation), "{workingDirectory}"],
      [homedir(), "{home}"],
    ],
    callIds: callNames(trace),
  });
  return clean<Cassette>({
    format: "pergola-cassette/1",
    recorded: { runId: id, model, at: run.createdAt, service: parts.version, usage },
    settings: decidingSettings(parts),
    families: calledFamilies(
      parts,
      steps.flatMap(({ executions }) => executions),
    ),
    request: await readRequest(parts, trace),
    steps,
    end: {
      reason: completionReason ?? "error",
      text: lastText(trace).text,
      ...(error && { error: { code: error.code, message: error.message } }),
    },
  });
}
