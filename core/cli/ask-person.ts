import type { Question } from "./read-events.ts";
import { jsonOf, type Service } from "./service.ts";
import { styled, visible } from "./visible.ts";

const show = (value: unknown): string => visible(typeof value === "string" ? value : JSON.stringify(value));

/** Everything that is to be decided on, in full. */
function describe({ kind, prompt, context, tool, operation, arguments: args, paths, authorize_operation: asked }: Question): string {
  const lines = kind === "question" && asked === null ? [] : [`${styled("bold", visible(asked ?? `${tool}.${operation}`))}`];
  if (asked === null && kind === "approval") for (const [key, value] of Object.entries(args)) lines.push(`  ${key}: ${show(value)}`);
  for (const path of paths) lines.push(`  path: ${visible(path)}`);
  return [visible(prompt), ...(context === null ? [] : [visible(context)]), ...lines].join("\n");
}

async function answer(
  question: Question,
): Promise<{ readonly approved?: boolean; readonly userResponse?: string; readonly grant?: string }> {
  const { select, text, isCancel } = await import("@clack/prompts");
  if (question.kind === "question") {
    const said =
      question.options.length > 0
        ? await select({ message: describe(question), options: question.options.map((value) => ({ value, label: visible(value) })) })
        : await text({ message: describe(question) });
    return isCancel(said) ? { approved: false } : { userResponse: said };
  }
  const options = [
    { value: "once", label: "Yes, this once" },
    { value: "conversation", label: "Yes, for the rest of this conversation" },
    { value: "no", label: "No" },
    { value: "why", label: "No, and say why" },
  ];
  const chosen = await select({ message: describe(question), options, initialValue: "no" });
  if (chosen === "why") {
    const said = await text({ message: "What should it do instead?" });
    return { approved: false, ...(isCancel(said) ? {} : { userResponse: said }) };
  }
  if (isCancel(chosen) || chosen === "no") return { approved: false };
  return { approved: true, ...(chosen === "conversation" ? { grant: "conversation" } : {}) };
}

/** Puts a question to the person at the terminal and hands the answer on. Without a terminal the question stays open. */
export async function askPerson(service: Service, question: Question): Promise<void> {
  if (!process.stdin.isTTY) {
    process.stderr.write(
      `${describe(question)}\nNobody is here to answer. Answer with: POST ${service.url}/api/approvals/${question.toolCallId}\n`,
    );
    return;
  }
  const given = await answer(question);
  await jsonOf(await service.call("POST", "/api/chat/tool-response", { toolCallId: question.toolCallId, ...given }));
}
