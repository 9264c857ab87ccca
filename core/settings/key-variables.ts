import { isObject, type Json } from "@pergola/sdk";
import type { Environment } from "@pergola/sdk/host";
import type { SettingsSource } from "./read-settings.ts";

/** Whether a variable of this name customarily holds a secret. */
export const isSecretName = (name: string): boolean => /(_KEY|_TOKEN|_SECRET|PASSWORD)$/.test(name);

/** Whether a variable of this name holds the key of a provider or a tool. */
export const isApiKey = (name: string): boolean => name.endsWith("_API_KEY");

/** The set variables that trusted settings refer to, and those whose name fits, in order. */
export function keyVariables(
  { layers }: Pick<SettingsSource, "layers">,
  environment: Environment,
  fits: (name: string) => boolean,
): readonly string[] {
  const trusted = layers.filter((layer) => layer.trusted);
  const named = trusted.flatMap(({ content }) => variablesIn(content));
  const customary = Object.keys(environment).filter(fits);
  return [...new Set([...named, ...customary])].filter((name) => environment[name]).sort();
}

/** Every NAME of a `{ env: NAME }`. */
function variablesIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(variablesIn);
  if (!isObject(value)) return [];
  const { env } = value;
  if (typeof env === "string" && Object.keys(value).length === 1) return [env];
  return Object.values(value).flatMap(variablesIn);
}
