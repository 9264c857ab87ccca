/** Ids in groups of one scope each. */
export function idsByScope(
  of: readonly { readonly id: string; readonly scope: string }[],
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { id, scope } of of) groups.set(scope, [...(groups.get(scope) ?? []), id]);
  return groups;
}
