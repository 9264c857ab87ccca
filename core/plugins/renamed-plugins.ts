/** Ids that plugins had before their part and their routes became one plugin, and the ids they have now. */
export const renamedPlugins: Readonly<Record<string, string>> = {
  "service-folders": "feature-folders",
  "endpoint-folders": "feature-folders",
  "service-topics": "feature-topics",
  "endpoint-topics": "feature-topics",
  "service-prompts": "feature-prompts",
  "endpoint-prompts": "feature-prompts",
  "endpoint-personalities": "feature-prompts",
  "service-downloads": "feature-downloads",
  "endpoint-downloads": "feature-downloads",
  "service-changes": "feature-changes",
  "endpoint-changes": "feature-changes",
  "service-transfer": "feature-transfer",
};

const scope = "@pergola/";

/** The id that a plugin has now. */
export const currentId = (id: string): string =>
  Object.hasOwn(renamedPlugins, id) ? renamedPlugins[id]! : id;

/** The name that a package of ours has now; other names and paths stay as they are. */
export const currentPackage = (use: string): string =>
  use.startsWith(scope) ? scope + currentId(use.slice(scope.length)) : use;

/** What a settings file says of plugins, under the names they have now. */
export interface RenamedSettings<T> {
  readonly plugins: readonly T[] | undefined;
  readonly disabled: readonly string[];
  /** Endpoint groups whose plugin is disabled by an old id: their part stays, their routes do not. */
  readonly disabledGroups: readonly string[];
  /** One sentence for each old name. */
  readonly warnings: readonly string[];
}

/**
 * Reads old names as the new ones. An `endpoint-*` id under `disabled` meant only routes, so it switches off
 * their group and nothing else.
 */
export function renameSettings<T extends { readonly use: string }>(
  plugins: readonly T[] | undefined,
  disabled: readonly string[],
): RenamedSettings<T> {
  const isOld = (id: string): boolean => currentId(id) !== id;
  const groups = disabled.filter((id) => isOld(id) && id.startsWith("endpoint-"));
  const uses = (plugins ?? []).map(({ use }) => use);
  const oldUses = uses.filter((use) => currentPackage(use) !== use);
  const oldServices = disabled.filter((id) => isOld(id) && !groups.includes(id));
  const disabledGroups = groups.map((id) => id.replace("endpoint-", ""));
  return {
    plugins: plugins?.map((entry) => ({ ...entry, use: currentPackage(entry.use) })),
    disabled: disabled.filter((id) => !groups.includes(id)).map(currentId),
    disabledGroups,
    warnings: [
      ...oldUses.map((use) => `plugins names ${use}, which is now ${currentPackage(use)}.`),
      ...oldServices.map((id) => `disabled names ${id}, which is now ${currentId(id)}.`),
      ...disabledGroups.map(
        (group) =>
          `disabled names endpoint-${group}, which is now in ${currentId(`endpoint-${group}`)}; ` +
          `to switch off its routes alone, set endpoints.${group}.enabled to false.`,
      ),
    ],
  };
}
