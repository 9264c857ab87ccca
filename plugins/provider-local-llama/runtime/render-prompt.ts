import { Template } from "@huggingface/jinja";
import { AppError, type OfferedTool } from "@pergola/sdk";
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

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
};

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
  const attempts = [messages, foldMessages(native ? writeCalls(turn.messages, tools) : messages)];
  let refusal: unknown;
  for (const attempt of attempts) {
    try {
      return render(
        template,
        attempt,
        native && attempt === messages ? tools : [],
        thinkingOf(turn, forced),
        format,
      );
    } catch (error) {
      refusal = error;
    }
  }
  const said = refusal instanceof Error ? refusal.message : String(refusal);
  throw new AppError({
    code: "provider_rejected",
    message: `The model's chat template refuses the messages: ${said.slice(0, 300)}`,
  });
}

/** A call that must come, comes without thoughts. */
const thinkingOf = ({ thinking }: ChatTurn, forced: boolean): object =>
  forced
    ? { enable_thinking: false }
    : thinking === undefined
      ? {}
      : { enable_thinking: thinking.mode !== "disabled" };

function render(
  template: Template,
  messages: readonly TurnMessage[],
  tools: readonly OfferedTool[],
  variables: object,
  { bos, eos }: ChatFormat,
): readonly Piece[] {
  const sealed = new SealedTexts();
  const rendered = template.render({
    messages: messages.map((message) => templateMessage(message, sealed)),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: "function",
            function: sealed.sealAll({ name, description, parameters }),
          })),
        }),
    add_generation_prompt: true,
    bos_token: bos,
    eos_token: eos,
    ...variables,
  });
  return sealed.open(rendered);
}

function templateMessage(
  { role, content, toolCalls, toolCallId, name, reasoning }: TurnMessage,
  sealed: SealedTexts,
): object {
  return {
    role,
    content: sealed.seal(content),
    ...(toolCalls === undefined
      ? {}
      : {
          tool_calls: toolCalls.map((call) => ({
            id: call.id,
            type: "function",
            function: { name: call.name, arguments: sealed.sealAll(parsed(call.arguments)) },
          })),
        }),
    ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
    ...(name === undefined ? {} : { name }),
    ...(reasoning === undefined ? {} : { reasoning_content: sealed.seal(reasoning) }),
  };
}
