/** Turns ids of calls into ids of the vendor's alphabet, each different within a conversation. */
export function uniqueIds(): (id: string) => string {
  const taken = new Set<string>();
  return (id) => {
    const base = id.replaceAll(/[^A-Za-z0-9_-]/g, "_") || "call";
    let unique = base;
    for (let number = 2; taken.has(unique); number++) unique = `${base}_${number}`;
    taken.add(unique);
    return unique;
  };
}
