import type { LeftOutMcpServer, McpImportAnswer, McpImportAnswers, McpImportInput } from "@pergola/sdk/host";
import { askChoice, askHidden, askLine } from "./ask-person.ts";
import { printNote } from "./print-result.ts";
import { visible } from "./visible.ts";

async function ask({
  description,
  isSecret,
  options,
  ...input
}: McpImportInput): Promise<string | undefined> {
  const message = visible(description);
  if (options.length > 0) return askChoice(message, options);
  if (isSecret) return askHidden(message);
  const answer = await askLine(input.default === "" ? message : `${message} (${visible(input.default)})`);
  return answer === "" ? input.default : answer;
}

/**
 * Asks the person at the terminal for what servers lack, each value once; nobody there is asked nothing.
 * Undefined where they leave. One that stays empty counts as not answered.
 */
export async function answersFor(
  leftOut: readonly Pick<LeftOutMcpServer, "title" | "inputs">[],
): Promise<McpImportAnswers | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return new Map();
  const answers = new Map<string, McpImportAnswer>();
  for (const { title, inputs } of leftOut)
    for (const input of inputs.filter(({ id }) => !answers.has(id))) {
      printNote(`For ${JSON.stringify(title)}:`);
      const value = await ask(input);
      if (value === undefined) return undefined;
      if (value !== "") answers.set(input.id, { value, isSecret: input.isSecret });
    }
  return answers;
}
