import type { HookName } from "../contract/hooks.ts";
import type { HostPlugin } from "./host-plugin.ts";
import type { Provides } from "./manifest.ts";

/** What a plugin's code brings, in the form of a manifest's `provides`. */
export const providesOf = (
  { tools = [], providers = [], storages = [], endpoints = [], parts = {} }: HostPlugin,
  hooks: readonly HookName[],
): Provides => ({
  tools: Object.fromEntries(
    tools.map(({ name, operations }) => [
      name,
      operations.filter(({ hidden }) => hidden !== true).map((operation) => operation.name),
    ]),
  ),
  providers: providers.map(({ type }) => type),
  storages: storages.map(({ type }) => type),
  endpoints: endpoints.flatMap(({ routes }) => routes.map(({ method, path }) => `${method} ${path}`)),
  hooks,
  parts: Object.keys(parts),
});

/** Commands are no part of it: they are modules of their own, which the service does not run. */
const itemsOf = ({ tools = {}, commands: _, ...lists }: Provides): readonly string[] => [
  ...Object.entries(tools).flatMap(([tool, operations]) => [
    tool,
    ...operations.map((operation) => `${tool}.${operation}`),
  ]),
  ...Object.values(lists).flat(),
];

/** How code and manifest differ, as a sentence; undefined when they agree. */
export function describeDifference(promised: Provides, provided: Provides): string | undefined {
  const [named, real] = [new Set(itemsOf(promised)), new Set(itemsOf(provided))];
  const lacking = [...named].filter((item) => !real.has(item)).join(", ");
  const extra = [...real].filter((item) => !named.has(item)).join(", ");
  const parts = [
    lacking && `the manifest promises ${lacking}, which the code does not provide`,
    extra && `the code provides ${extra}, which the manifest does not name`,
  ];
  return parts.filter(Boolean).join("; ") || undefined;
}
