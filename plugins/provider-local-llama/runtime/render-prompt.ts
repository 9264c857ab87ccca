import { Template } from "@huggingface/jinja";
import { AppError, defined, messageOf, type OfferedTool } from "@pergola/sdk";
import { argumentsOf } from "@pergola/kit-provider";
import type { ChatTurn, TurnMessage } from "../messages.ts";
import { foldMessages } from "./fold-messages.ts";
import { callStart } from "./marks.ts";
import { SealedTexts, type Piece } from "./sealed-texts.ts";
import { writeCalls } from "./written-calls.ts";

export interface ChatFormat {
  /** The Jinja template of the model file. */
  readonly template: string | undefined;
  readonly bos: string;
  readonly eos: string;
}

/** For files without a template: the most common form. */
const chatMl = `{% for message in messages %}<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`;

/** Whether the template shows tools, calls and results in the form that is read here. */
const knowsCalls = (template: string): boolean =>
  /\btools\b/.test(template) && template.includes(callStart) && /["']?arguments["']?/.test(template);

/**
 * What the model reads: the messages in its own template, up to where its answer begins. A template that
 * refuses them as they are gets them with user and assistant in turn. Rejects with `provider_rejected` when
 * it refuses these, too.
 */
export function renderPrompt(
  turn: ChatTurn,
  tools: readonly OfferedTool[],
  forced: boolean,
  format: ChatFormat,
): readonly Piece[] {
  const source = format.template ?? chatMl;
  const native = knowsCalls(source);
  const messages = native ? turn.messages : writeCalls(turn.messages, tools);
  const template = new Template(source);
  const attempts = [
    { messages, tools: native ? tools : [] },
    { messages: foldMessages(native ? writeCalls(turn.messages, tools) : messages), tools: [] },
  ];
  const variables = {
    ...thinkingOf(turn, forced),
    add_generation_prompt: true,
    bos_token: format.bos,
    eos_token: format.eos,
  };
  let refusal: unknown;
  for (const attempt of attempts) {
    try {
      return render(template, attempt, variables);
    } catch (error) {
      refusal = error;
    }
  }
  const reason = messageOf(refusal);
  throw new AppError({
    code: "provider_rejected",
    message: `The model's chat template refuses the messages: ${reason.slice(0, 300)}`,
    cause: refusal,
  });
}

/** A forced call comes without thoughts. */
function thinkingOf({ thinking }: ChatTurn, forced: boolean): object {
  if (forced) return { enable_thinking: false };
  if (thinking === undefined) return {};
  return { enable_thinking: thinking.mode !== "disabled" };
}

function render(
  template: Template,
  { messages, tools }: Pick<ChatTurn, "messages" | "tools">,
  variables: object,
): readonly Piece[] {
  const sealed = new SealedTexts();
  const describedTools = tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: sealed.sealAll({ name, description, parameters }),
  }));
  const rendered = template.render({
    messages: messages.map((message) => templateMessage(message, sealed)),
    ...(tools.length > 0 && { tools: describedTools }),
    ...variables,
  });
  return sealed.open(rendered);
}

function templateMessage(message: TurnMessage, sealed: SealedTexts): object {
  const { role, content, toolCalls, toolCallId, name, reasoning } = message;
  const calls = toolCalls?.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: sealed.sealAll(argumentsOf(call)) },
  }));
  return defined({
    role,
    content: sealed.seal(content),
    tool_calls: calls,
    tool_call_id: toolCallId,
    name,
    reasoning_content: reasoning && sealed.seal(reasoning),
  });
}
