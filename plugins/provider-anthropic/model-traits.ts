import { fieldsOf, valueAt } from "@pergola/kit-provider";

/** Who decides how much a model thinks: the caller (`budget`), the model (`adaptive`), either, or nobody. */
export type ThinkingKind = "none" | "budget" | "both" | "adaptive";

/** What a model takes and gives, in tokens where it is counted. */
export interface ModelTraits {
  readonly thinking: ThinkingKind;
  /** Its thinking can be switched off. */
  readonly canStop: boolean;
  /** `output_config.effort` is known. */
  readonly effort: boolean;
  /** `output_config.format` is known. */
  readonly schemas: boolean;
  /** `temperature` and `top_p` are known. */
  readonly sampling: boolean;
  /** An assistant's message may be last; the model continues it. */
  readonly prefill: boolean;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
}

const old: ModelTraits = {
  thinking: "none",
  canStop: true,
  effort: false,
  schemas: false,
  sampling: true,
  prefill: true,
  contextWindow: 200_000,
  maxOutputTokens: 4096,
};
const four: ModelTraits = { ...old, thinking: "budget", maxOutputTokens: 64_000 };
const fourSix: ModelTraits = { ...four, thinking: "both", effort: true, schemas: true, prefill: false };
const current: ModelTraits = { ...fourSix, thinking: "adaptive", sampling: false };

/** By name, the first that fits; what the vendor lists of a model wins. As documented in November 2026. */
const rows: readonly (readonly [name: RegExp, traits: ModelTraits])[] = [
  [/^claude-3-5/, { ...old, maxOutputTokens: 8192 }],
  [/^claude-3-7/, four],
  [/^claude-(2|3|instant)/, old],
  [/^claude-(opus|sonnet)-4-6/, fourSix],
  [/^claude-(opus|sonnet|haiku)-4-5/, { ...four, schemas: true }],
  [/^claude-opus-4(-[01]\b|-\d{8}|-latest|$)/, { ...four, maxOutputTokens: 32_000 }],
  [/^claude-sonnet-4(-0\b|-\d{8}|-latest|$)/, four],
  [/^claude-/, current],
];

const unknown: ModelTraits = { ...four, maxOutputTokens: 8192 };

/** Traits of a model by its name; of one with a strange name, those that most servers of the format share. */
export const traitsByName = (model: string): ModelTraits =>
  rows.find(([name]) => name.test(model))?.[1] ?? unknown;

/** Whether the vendor made the model, so that its name tells its traits. */
export const isVendorModel = (model: string): boolean => traitsByName(model) !== unknown;

/**
 * Whether `capabilities` of a listing says that the ability at a dotted path is supported; undefined where it
 * says nothing.
 */
export function abilityOf(capabilities: unknown, path: string): boolean | undefined {
  const { supported } = fieldsOf(valueAt(capabilities, path));
  if (typeof supported !== "boolean") return undefined;
  return supported;
}

function thinkingOf(capabilities: unknown): ThinkingKind | undefined {
  if (abilityOf(capabilities, "thinking") === false) return "none";
  const budget = abilityOf(capabilities, "thinking.types.enabled");
  const adaptive = abilityOf(capabilities, "thinking.types.adaptive");
  if (budget === undefined && adaptive === undefined) return undefined;
  if (budget === true && adaptive === true) return "both";
  if (budget === true) return "budget";
  if (adaptive === true) return "adaptive";
  return "none";
}

/** The traits of a listed model. */
export function traitsOf(model: string, capabilities: unknown): ModelTraits {
  const named = traitsByName(model);
  return {
    ...named,
    thinking: thinkingOf(capabilities) ?? named.thinking,
    canStop: abilityOf(capabilities, "thinking.types.disabled") ?? named.canStop,
    effort: abilityOf(capabilities, "effort") ?? named.effort,
    schemas: abilityOf(capabilities, "structured_outputs") ?? named.schemas,
  };
}
