import { defineProvider, type ProviderDefinition, type ProviderSettings } from "@pergola/sdk";
import { ChatCompletions } from "./chat-completions.ts";
import { githubAddresses } from "./github/github-addresses.ts";
import type { Preset } from "./preset.ts";

const loginOrigins = (settings: ProviderSettings): readonly string[] =>
  Object.values<string>({ ...githubAddresses(settings) }).map((address) => new URL(address).origin);

/** The provider kind of a row. */
export function defineKind(preset: Preset): ProviderDefinition {
  const { type, prefix, name, baseUrl, needsKey, keyVariable, login, priceNote } = preset;
  return defineProvider({
    type,
    prefix,
    name,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(needsKey === undefined ? {} : { needsKey }),
    ...(keyVariable === undefined ? {} : { keyVariable }),
    ...(priceNote === undefined ? {} : { priceNote }),
    ...(login === undefined ? {} : { origins: loginOrigins }),
    open: (settings, door) => new ChatCompletions(preset, settings, door),
  });
}
