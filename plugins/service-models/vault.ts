import type { Entity, Json, JsonObject, ProviderVault } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";

interface VaultRecord extends Entity {
  readonly kept: JsonObject;
}

function textsOf(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  return Object.values(Object(value) as JsonObject).flatMap(textsOf);
}

const vaults = (parts: Parts) =>
  parts.stores.storage.collection<VaultRecord>("service-models/vault", { indexes: [] });

/** Forgets what a provider keeps: it goes to another place, or away. */
export async function clearVault(parts: Parts, providerId: string): Promise<void> {
  await vaults(parts).delete(providerId);
}

/** That of a provider that keeps nothing. */
export const emptyVault: ProviderVault = { get: async () => undefined, put: async () => undefined };

/** What one provider keeps; every text in it is a secret as soon as it is known. */
export function openVault(parts: Parts, providerId: string): ProviderVault {
  const records = vaults(parts);
  return {
    get: async () => {
      const kept = (await records.get(providerId))?.kept;
      parts.learnSecrets(textsOf(kept ?? null));
      return kept;
    },
    put: async (kept) => {
      parts.learnSecrets(textsOf(kept));
      await records.put({ id: providerId, kept });
    },
  };
}
