import { AppError, type Services } from "@pergola/sdk";
import { builtInPersonalityIds, type Personality, type PromptLibrary } from "@pergola/sdk/host";

/** Throws `route_not_found` where no plugin keeps personalities. */
export function personalitiesOf({ prompts }: Pick<Services, "prompts">): PromptLibrary<Personality> {
  if (prompts === undefined)
    throw new AppError({
      code: "route_not_found",
      message: "No plugin that keeps personalities is installed.",
    });
  return prompts.personalities;
}

/** The id of the personality in force where nobody chose one. */
export async function defaultIdOf(services: Services): Promise<string> {
  const wanted = services.preferences.get<string>("default_personality_id");
  return (await personalitiesOf(services).find(wanted))?.id ?? builtInPersonalityIds.default;
}
