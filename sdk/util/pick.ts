/** An object with the named fields of another. */
export function pick<T extends object, K extends keyof T>(value: T, ...names: readonly K[]): Pick<T, K> {
  const picked: Partial<Pick<T, K>> = {};
  for (const name of names) picked[name] = value[name];
  return picked as Pick<T, K>;
}
