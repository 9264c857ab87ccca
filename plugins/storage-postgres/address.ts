import type { JsonObject } from "@pergola/sdk";

/** An address in three: up to the user, the password where it has one, and the rest. */
const parts = /^(postgres(?:ql)?:\/\/[^/:]*)(?::([^/]*))?(@.*)$/;

function withoutPassword(url: string): string {
  const [, head = url, , rest = ""] = parts.exec(url) ?? [];
  return head + rest;
}

/** The settings of a database by its address, its password apart; undefined for another kind of address. */
export function namedDatabase(
  address: string,
): { readonly settings: JsonObject; readonly secrets?: { readonly password: string } } | undefined {
  if (!/^postgres(ql)?:/.test(address)) return undefined;
  const password = parts.exec(address)?.[2];
  const settings = { url: withoutPassword(address) };
  return password === undefined ? { settings } : { settings, secrets: { password: decoded(password) } };
}

/** Where the tables are, for people. */
export function placeOf({ url, schema }: JsonObject): string {
  const address = typeof url === "string" ? withoutPassword(url) : "postgres";
  return `${address}, schema ${typeof schema === "string" ? schema : "pergola"}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
