/** Turns ids of calls into ids of the vendor's alphabet, each different within a conversation. */
export function uniqueIds(): (id: string) => string {
  const used = new Set<string>();
  return (id) => {
    const base = id.replaceAll(/[^A-Za-z0-9_-]/g, "_") || "call";
    let unique = base;
    for (let number = 2; used.has(unique); number++) unique = `${base}_${number}`;
    used.add(unique);
    return unique;
  };
}
