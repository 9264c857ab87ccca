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
const ids = new Map(Object.entries(renamedPlugins));

/** The id that a plugin has now. */
export const currentId = (id: string): string => ids.get(id) ?? id;

/** The name that a package of ours has now; other names and paths stay as they are. */
export function currentPackage(use: string): string {
  if (!use.startsWith(scope)) return use;
  return scope + currentId(use.slice(scope.length));
}

/** What a settings file says of plugins, under the names they have now. */
interface RenamedSettings<T> {
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
  const renamed = plugins?.map((entry) => ({ ...entry, use: currentPackage(entry.use) }));
  const endpoints = disabled.filter((id) => ids.has(id) && id.startsWith("endpoint-"));
  const others = disabled.filter((id) => !endpoints.includes(id));
  const oldUses = (plugins ?? []).filter(({ use }) => currentPackage(use) !== use);
  return {
    plugins: renamed,
    disabled: others.map(currentId),
    disabledGroups: endpoints.map(groupOf),
    warnings: [
      ...oldUses.map(({ use }) => `plugins names ${use}, which is now ${currentPackage(use)}.`),
      ...others
        .filter((id) => ids.has(id))
        .map((id) => `disabled names ${id}, which is now ${currentId(id)}.`),
      ...endpoints.map(
        (id) =>
          `disabled names ${id}, which is now in ${currentId(id)}; ` +
          `to switch off its routes alone, set endpoints.${groupOf(id)}.enabled to false.`,
      ),
    ],
  };
}

const groupOf = (id: string): string => id.replace("endpoint-", "");
