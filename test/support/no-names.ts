import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { isIP } from "node:net";

type Done = (error: Error | null, found: unknown, family?: number) => void;

/** The address that a name leads to: its own when it is one, this computer's for localhost. */
function addressOf(name: string, known: Readonly<Record<string, string>>): string | undefined {
  const address = known[name];
  if (address !== undefined) return address;
  if (isIP(name) > 0) return name;
  return /(^|\.)localhost$/.test(name) ? "127.0.0.1" : undefined;
}

/**
 * Until the function that it gives is called no name leads anywhere but those given: tests ask nobody outside
 * this computer.
 */
export function noNames(known: Readonly<Record<string, string>> = {}): () => void {
  const { lookup } = dns;
  const stub = (name: string, options: { all?: boolean } | Done, done?: Done): void => {
    const tell = typeof options === "function" ? options : (done as Done);
    const address = addressOf(name, known);
    const missing = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
      code: "ENOTFOUND",
      syscall: "getaddrinfo",
      hostname: name,
    });
    const family = address?.includes(":") === true ? 6 : 4;
    process.nextTick(() => {
      if (address === undefined) tell(missing, undefined);
      else if (typeof options === "object" && options.all === true) tell(null, [{ address, family }]);
      else tell(null, address, family);
    });
  };
  dns.lookup = stub as unknown as typeof lookup;
  syncBuiltinESMExports();
  return (): void => {
    dns.lookup = lookup;
    syncBuiltinESMExports();
  };
}
