import { defineProvider, type ProviderDefinition, type ProviderSettings } from "@pergola/sdk";
import { ChatCompletions } from "./chat-completions.ts";
import { githubAddresses } from "./github/github-addresses.ts";
import type { Preset } from "./preset.ts";

function loginOrigins(settings: ProviderSettings): readonly string[] {
  const { login, api } = githubAddresses(settings);
  return [login, api].map((address) => new URL(address).origin);
}

/** The provider kind of a preset. */
export function defineKind(preset: Preset): ProviderDefinition {
  return defineProvider({
    ...preset,
    ...(preset.login && { origins: loginOrigins }),
    open: (settings, door) => new ChatCompletions(preset, settings, door),
  });
}
