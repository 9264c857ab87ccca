/** Ids in groups of one scope each. */
export function idsByScope(
  records: readonly { readonly id: string; readonly scope: string }[],
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { id, scope } of records) {
    const ids = groups.get(scope) ?? [];
    groups.set(scope, ids);
    ids.push(id);
  }
  return groups;
}
