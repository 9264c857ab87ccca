/** Ids in groups of one scope each. */
export function idsByScope(
  records: readonly { readonly id: string; readonly scope: string }[],
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { id, scope } of records) groups.set(scope, [...(groups.get(scope) ?? []), id]);
  return groups;
}
