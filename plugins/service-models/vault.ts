import type { Entity, Json, JsonObject, ProviderVault } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";

interface VaultRecord extends Entity {
  readonly kept: JsonObject;
}

function textsOf(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  return Object.values(Object(value) as JsonObject).flatMap(textsOf);
}

/** What one provider keeps; every text in it is a secret as soon as it is known. */
export function openVault(parts: Parts, providerId: string): ProviderVault {
  const records = parts.stores.storage.collection<VaultRecord>("service-models/vault", { indexes: [] });
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
