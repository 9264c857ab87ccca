import { AppError, defineProvider, type ModelEvent, type ProviderDefinition, type Usage } from "@pergola/sdk";
import type { Cassette, RecordedAnswer, RecordedToolCall } from "@pergola/sdk/host";

/** The full id of the model that answers from a recording. */
export const replayModelId = "replay/recording";

const argumentsText = ({ arguments: given }: RecordedToolCall): string =>
  typeof given === "string" ? given : JSON.stringify(given);

function* eventsOf(answer: RecordedAnswer, usage: Usage | undefined): Generator<ModelEvent> {
  if (answer.text !== "") yield { type: "text", text: answer.text };
  for (const [index, call] of answer.toolCalls.entries())
    yield { type: "tool_call", index, id: call.id, name: call.name, arguments: argumentsText(call) };
  if (answer.error !== undefined) throw new AppError(answer.error);
  if (usage !== undefined) yield { type: "usage", usage };
  yield { type: "end", reason: answer.finishReason };
}

function answerTo(answers: readonly RecordedAnswer[], index: number): RecordedAnswer {
  const answer = answers[index];
  if (answer !== undefined) return answer;
  const last = answers.at(-1);
  // The host asks again where an answer is empty.
  if (last?.text === "" && last.toolCalls.length === 0 && last.error === undefined) return last;
  const message = `The recording has ${answers.length} model calls; the replay made one more.`;
  throw new AppError({ code: "internal_error", message });
}

/** A provider whose model gives the recorded answers in order; the last counts the tokens of the run. */
export function replayProvider({ steps, request, recorded }: Cassette): ProviderDefinition {
  const answers = steps.map(({ answer }) => answer);
  let calls = 0;
  async function* stream(): AsyncGenerator<ModelEvent> {
    const index = calls++;
    const isLast = index === answers.length - 1;
    yield* eventsOf(answerTo(answers, index), isLast ? recorded.usage : undefined);
  }
  const model = { id: "recording", contextWindow: request.contextWindow, supportsTools: true };
  return defineProvider({
    type: "replay",
    prefix: "replay",
    name: "Recording",
    isLocal: true,
    always: true,
    open: () => ({ listModels: async () => [model], stream }),
  });
}
