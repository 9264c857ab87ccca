/** How a model is told to think: not at all, by a number of tokens, or by a level. */
export type ThinkingControl = "none" | "budget" | "level";

/** What only a model's name tells; the listing does not. */
export interface ModelTraits {
  /**
   * Major version; names without a number, as `gemini-flash-latest`, lead to the newest. 0 for models that
   * are no Gemini.
   */
  readonly generation: number;
  readonly thinking: ThinkingControl;
  /** Thinking tokens that it can be told to spend; models without `least` 0 cannot be told to spend none. */
  readonly budget: { readonly least: number; readonly most: number };
  /** It refuses requests that declare functions or hold a system instruction. */
  readonly plain: boolean;
}

const newest = 99;

function generationOf(model: string): number {
  if (!model.startsWith("gemini-")) return 0;
  const [, version = newest] = /^gemini-(\d+)/.exec(model) ?? [];
  return Number(version);
}

/**
 * By https://ai.google.dev/gemini-api/docs/thinking: versions 1 and 2.0 do not think, 2.5 takes a budget,
 * later ones a level.
 */
function thinkingOf(model: string, generation: number): ThinkingControl {
  if (generation >= 3) return "level";
  if (model.startsWith("gemini-2.5")) return "budget";
  return "none";
}

export function modelTraits(name: string): ModelTraits {
  const model = name.replace(/^models\//, "");
  const generation = generationOf(model);
  const budget = model.includes("pro") ? { least: 128, most: 32_768 } : { least: 0, most: 24_576 };
  return { generation, thinking: thinkingOf(model, generation), budget, plain: /^gemma-[1-3]/.test(model) };
}
