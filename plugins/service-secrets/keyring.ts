import type { AsyncEntry } from "@napi-rs/keyring";

/** The key store of the system, for one installation. Rejects where it does not answer. */
export interface Keyring {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
}

const service = "pergola";

/** The system's key store; the data directory tells installations apart in it. */
export function systemKeyring(dataDirectory: string): Keyring {
  const entryOf = async (name: string): Promise<AsyncEntry> => {
    const { AsyncEntry: Entry } = await import("@napi-rs/keyring");
    return new Entry(service, `${name} of ${dataDirectory}`);
  };
  return {
    get: async (name) => (await (await entryOf(name)).getPassword()) ?? undefined,
    set: async (name, value) => (await entryOf(name)).setPassword(value),
    delete: async (name) => {
      await (await entryOf(name)).deleteCredential();
    },
  };
}

const probe = { name: "a test of the key store", value: "It can be deleted." };

/** Whether the key store gives back what it was given. */
export async function isWorking(keyring: Keyring): Promise<boolean> {
  try {
    await keyring.set(probe.name, probe.value);
    const isKept = (await keyring.get(probe.name)) === probe.value;
    await keyring.delete(probe.name);
    return isKept;
  } catch {
    return false;
  }
}
