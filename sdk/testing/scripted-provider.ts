import {
  AppError,
  defineProvider,
  type ModelCall,
  type ModelEvent,
  type ModelInfo,
  type ProviderDefinition,
} from "@pergola/sdk";
import { playTurn } from "./play-turn.ts";
import { stepsOf, type Script, type ScriptTurn } from "./script.ts";

export interface ScriptedOptions {
  /** Default `scripted`; the prefix of its models too. */
  readonly type?: string;
  /** Default: one model, `test`. The model `echo` is always there and answers with the last user message. */
  readonly models?: readonly ModelInfo[];
  /** Answers every further call with the last turn; without it a call past the script's end fails. */
  readonly repeatLast?: boolean;
}

/** A provider kind whose models answer from a script, and the calls it got. */
export interface ScriptedProvider extends ProviderDefinition {
  /** Every call, in order, `echo` left out. */
  readonly calls: readonly ModelCall[];
}

const echo = ({ messages }: ModelCall): ScriptTurn => {
  const content = messages.findLast(({ role }) => role === "user")?.content ?? "";
  return {
    text:
      typeof content === "string"
        ? content
        : content.map((part) => (part.type === "text" ? part.text : "")).join(""),
  };
};

function turnOf(script: Script, call: ModelCall, index: number, repeatLast: boolean): ScriptTurn {
  if (typeof script === "function") return script(call, index);
  const turn = script[index] ?? (repeatLast ? script.at(-1) : undefined);
  if (turn !== undefined) return turn;
  throw new AppError({
    code: "provider_error",
    message: `The script has ${script.length} turns; this is call ${index + 1}.`,
  });
}

/**
 * A provider for tests: each model call takes the next turn of the script, whichever model and instance is
 * asked. It needs no network and no clock, so the same calls always get the same answers.
 */
export function scriptedProvider(script: Script, options: ScriptedOptions = {}): ScriptedProvider {
  const {
    type = "scripted",
    models = [{ id: "test", contextWindow: 32_768, supportsTools: true }],
    repeatLast = false,
  } = options;
  const calls: ModelCall[] = [];

  async function* stream(call: ModelCall, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted();
    if (call.model !== "echo") calls.push(call);
    const turn = call.model === "echo" ? echo(call) : turnOf(script, call, calls.length - 1, repeatLast);
    if (!Array.isArray(turn) && "expect" in turn) turn.expect?.(call);
    yield* playTurn(stepsOf(turn), { number: calls.length, provider: type, signal });
  }

  const definition = defineProvider({
    type,
    prefix: type.replaceAll("-", "_"),
    name: "Scripted",
    isLocal: true,
    always: true,
    open: () => ({ listModels: async () => [...models, { id: "echo", supportsTools: false }], stream }),
  });
  return { ...definition, calls };
}
