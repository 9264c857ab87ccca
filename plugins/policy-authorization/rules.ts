import type { PreferenceService } from "@pergola/sdk";
import { configurationFolder } from "@pergola/sdk/host";
import { isKeyEntry, protectedKeys, type ProtectedKeys } from "./protected-keys.ts";
import { protectedNames, type ProtectedNames } from "./protected-names.ts";
import { protectedPaths, type ProtectedPaths } from "./protected-paths.ts";

/** The preferences of authorization, ready to be asked. */
export interface Rules {
  readonly autoApprove: ReadonlySet<string>;
  readonly ask: ReadonlySet<string>;
  readonly paths: ProtectedPaths;
  readonly names: ProtectedNames;
  readonly keys: ProtectedKeys;
  /** Where the service's own settings lie, whatever the lists say. */
  readonly configuration: ProtectedPaths;
}

type List = readonly string[];

/** Names match without regard to case, and `-` equals `_`. */
export const canonicalName = (name: string): string => name.trim().toLowerCase().replaceAll("-", "_");

/** Remembers what was made of a list for as long as the list is the same object. */
function remembered<T>(make: (list: List) => T): (list: List) => T {
  const made = new WeakMap<List, T>();
  return (list) => {
    const known = made.get(list) ?? make(list);
    made.set(list, known);
    return known;
  };
}

/** Reads the rules in force. `home` is what `~` stands for. */
export function rulesReader(
  home: string,
  configured = configurationFolder({ home, environment: {} }),
): (preferences: Pick<PreferenceService, "get">) => Rules {
  const configuration = protectedPaths([configured], home);
  const setOf = remembered((list): ReadonlySet<string> => new Set(list.map(canonicalName)));
  const namesOf = remembered((list) =>
    protectedNames(
      list.filter((entry) => !isKeyEntry(entry)),
      home,
    ),
  );
  const keysOf = remembered(protectedKeys);
  const pathsOf = remembered((list) => protectedPaths(list, home));
  return (preferences) => ({
    autoApprove: setOf(preferences.get<string[]>("authorization.auto_approve")),
    ask: setOf(preferences.get<string[]>("authorization.ask")),
    names: namesOf(preferences.get<string[]>("authorization.protected_names")),
    keys: keysOf(preferences.get<string[]>("authorization.protected_names")),
    configuration,
    paths: pathsOf(preferences.get<string[]>("authorization.protected_paths")),
  });
}
