import { AppError, type RunLog, type RunOutcome, type RunRecord, type Services } from "@pergola/sdk";
import { responseIdOf, runIdOf } from "./ids.ts";
import { echoOf, responseOf, type RunFacts } from "./response-object.ts";
import { ResponseWriter } from "./response-writer.ts";
import { outputOf, readRunMessages } from "./stored-items.ts";

export const noResponse = (id: string): AppError =>
  new AppError({ code: "not_found", message: `There is no response "${id}".` });

/** The run behind the id of a response that is stored. Rejects with `not_found`. */
export async function findResponse(
  responseId: string,
  { runs, conversations }: Pick<Services, "runs" | "conversations">,
): Promise<RunRecord> {
  try {
    const run = await runs.get(runIdOf(responseId) ?? "");
    await conversations.get(run.conversationId);
    if (echoOf(run).store !== false) return run;
  } catch (error) {
    if (!AppError.is(error) || error.code !== "not_found") throw error;
  }
  throw noResponse(responseId);
}

interface ReadOutput {
  readonly output: readonly object[];
  readonly outcome?: RunOutcome;
}

/** What has come of a run so far, by its events. */
async function readEvents(log: RunLog): Promise<ReadOutput> {
  const writer = new ResponseWriter(responseIdOf(log.id), { toolEvents: false });
  const { count } = log;
  if (count === 0) return { output: [] };
  for await (const { number, event } of log.events()) {
    if (event.type === "end") {
      writer.end(event.outcome);
      return { output: writer.output, outcome: event.outcome };
    }
    writer.take(event);
    if (number >= count) break;
  }
  return { output: writer.outputSoFar };
}

/** What the record of a run still knows of its outcome, once its events are gone. */
const outcomeOfRecord = (run: RunRecord): RunOutcome => ({
  run,
  answeredBy: null,
  text: "",
  reasoning: "",
  finishReason: run.completionReason === "max_iterations_reached" ? "length" : "stop",
  callerCalls: [],
  usageSource: "estimated",
  duration: (Date.parse(run.endedAt ?? run.createdAt) - Date.parse(run.startedAt ?? run.createdAt)) / 1000,
  warnings: [],
  iterations: [],
  executions: [],
  error: run.error && new AppError({ code: run.error.code, message: run.error.message }),
});

/** The output of a run, by its events or, once they are gone, by what it has stored. */
export async function readOutput(run: RunRecord, services: Services): Promise<ReadOutput & RunFacts> {
  const log = await services.runs.log(run.id);
  const facts = { id: run.id, conversationId: run.conversationId, record: run };
  const model = log?.model ?? { modelId: run.model };
  const read = log && (await readEvents(log));
  if (read !== undefined && (read.outcome !== undefined || run.status !== "ended"))
    return { ...facts, ...read, model };
  const output = outputOf(await readRunMessages(run, services), run.id);
  if (run.status !== "ended") return { ...facts, output, model };
  return { ...facts, output, model, outcome: outcomeOfRecord(run) };
}

/** The response of a run as it stands now. */
export async function readResponse(run: RunRecord, services: Services) {
  const { output, outcome, ...facts } = await readOutput(run, services);
  return responseOf(facts, output, outcome);
}
