import type { ModelInfo } from "@pergola/sdk";

/** The listed models of these names; one that is not listed is known by its name only. No names: all. */
export function chooseModels(names: readonly string[], listed: readonly ModelInfo[]): readonly ModelInfo[] {
  if (names.length === 0) return listed;
  return names.map((id) => listed.find((model) => model.id === id) ?? { id });
}

/**
 * A provider's models: of its listing those that its settings name (`ProviderSettings.models`). The names
 * alone where the listing fails; without names that failure is thrown.
 */
export async function listNamed(
  names: readonly string[],
  list: () => Promise<readonly ModelInfo[]>,
): Promise<readonly ModelInfo[]> {
  try {
    return chooseModels(names, await list());
  } catch (error) {
    if (names.length === 0) throw error;
    return chooseModels(names, []);
  }
}
