import { isObject, stringOf, wireMessage, type Message } from "@pergola/sdk";

/** One line about a tool step: which operation, about what, and how it ended unless it succeeded. */
function stepOf({
  toolName = "tool",
  toolOperation,
  toolDisplayData,
  toolStatus = "success",
}: Message): string {
  const name = toolOperation === undefined ? toolName : `${toolName}.${toolOperation}`;
  const summary = isObject(toolDisplayData) ? stringOf(toolDisplayData["summary"]) : "";
  const ending = toolStatus === "success" ? "" : ` (${toolStatus})`;
  return `${[name, summary].filter((text) => text !== "").join(": ")}${ending}`;
}

/**
 * The visible turns among messages, on the wire. What the service's tools did before an answer is on the
 * answer, a line for each step.
 */
export async function* visibleTurns(
  pages: AsyncIterable<readonly Message[]>,
): AsyncIterable<readonly object[]> {
  let steps: string[] = [];
  const wireTurns = (message: Message): readonly object[] => {
    if (message.visible) {
      const details = message.role === "assistant" && steps.length > 0 && { toolDetails: steps };
      steps = [];
      return [{ ...turnOf(message), ...details }];
    }
    if (message.role === "tool") steps.push(stepOf(message));
    return [];
  };
  for await (const page of pages) yield page.flatMap(wireTurns);
}

/** Of calls, a turn shows those that the caller answers. */
function turnOf(message: Message): object {
  const { toolCalls, ...turn } = wireMessage(message);
  const callers = toolCalls?.filter((_, index) => message.toolCalls?.[index]?.callers === true) ?? [];
  return { ...turn, ...(callers.length > 0 && { toolCalls: callers }) };
}
