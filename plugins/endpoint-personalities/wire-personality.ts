import { personalityTraits, type Personality } from "@pergola/sdk/host";

/** A personality as lists show it. */
export const wireListed = ({ id, name, description, category, builtIn }: Personality, defaultId: string) => ({
  id,
  name,
  description,
  category,
  isDefault: id === defaultId,
  builtIn,
});

/** The same with its text; a trait of which nothing is said is null. */
export const wirePersonality = (personality: Personality, defaultId: string) => ({
  ...wireListed(personality, defaultId),
  instructions: personality.instructions,
  traits: Object.fromEntries(personalityTraits.map((trait) => [trait, personality.traits[trait] ?? null])),
});
