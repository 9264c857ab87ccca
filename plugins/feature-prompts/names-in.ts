import type { OperationResult } from "@pergola/sdk";

interface Texts {
  list(): Promise<{ readonly items: readonly { readonly name: string }[] }>;
}

/** The names of stored texts, one to a line. */
export async function namesIn(texts: Texts | undefined): Promise<OperationResult> {
  const items = (await texts?.list())?.items ?? [];
  return { data: items.map(({ name }) => name).join("\n"), message: `There are ${items.length}.` };
}
