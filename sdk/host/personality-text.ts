import type { Personality } from "../contract/prompts.ts";

/** `writingStyle` as "Writing style". */
function labelOf(trait: string): string {
  const words = trait.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.replace(/^./, (letter) => letter.toUpperCase());
}

/** A personality as a model is told it: its instructions, then its traits; empty when it has neither. */
export function personalityText({
  instructions,
  traits,
}: Pick<Personality, "instructions" | "traits">): string {
  const sentences = Object.entries(traits).map(([trait, value]) => `${labelOf(trait)}: ${value}.`);
  return [instructions, sentences.join(" ")].filter((part) => part !== "").join("\n\n");
}
