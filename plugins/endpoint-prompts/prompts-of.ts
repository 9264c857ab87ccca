import { AppError, type Services } from "@pergola/sdk";
import type { PromptService } from "@pergola/sdk/host";

/** Throws `route_not_found` where no plugin keeps prompts. */
export function promptsOf({ prompts }: Pick<Services, "prompts">): PromptService {
  if (prompts === undefined)
    throw new AppError({ code: "route_not_found", message: "No plugin that keeps prompts is installed." });
  return prompts;
}
