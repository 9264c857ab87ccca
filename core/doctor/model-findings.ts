import { countOf, type ProviderStatus, type Services } from "@pergola/sdk";
import { fault, note, ok, type Finding } from "./findings.ts";
import { isTimeout } from "./run-checks.ts";

const address = "#/models";

/** Milliseconds for the listings of all providers. */
const patience = 10_000;

/**
 * How the providers are, and what models there are. Listing the models asks every provider, so their states
 * are known only afterwards.
 */
export async function modelFindings(
  { models, preferences }: Pick<Services, "models" | "preferences">,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const listing = models.list(AbortSignal.any([signal, AbortSignal.timeout(patience)]));
  const listed = await listing.catch((error: unknown) => {
    if (isTimeout(error)) return undefined;
    throw error;
  });
  const providers = (await models.providers()).map(providerFinding);
  // Which models there are is not known: the provider that is silent is the fault.
  if (listed === undefined) return providers;
  const chosen = preferences.get<string>("default_model");
  const isThere = listed.some(({ modelId }) => modelId === chosen);
  const hasReal = listed.some(({ providerType, kind }) => kind === "chat" && providerType !== "embedded");
  return [...providers, defaultModel(chosen, isThere), ...(hasReal ? [] : [onlyGuide])];
}

function providerFinding({
  id,
  enabled,
  status,
  lastError,
  modelCount,
}: Pick<ProviderStatus, "id" | "enabled" | "status" | "lastError" | "modelCount">): Finding {
  const about = { id: `provider:${id}`, what: `Provider ${id}`, address };
  if (status === "error") return fault({ ...about, detail: lastError ?? "it does not answer" });
  if (status === "unknown" && enabled) {
    const detail = `it has not listed its models within ${patience / 1000} seconds`;
    return fault({ ...about, detail, remedy: "see whether its server is at work, and look again" });
  }
  return ok({ ...about, detail: countOf(modelCount, "model") });
}

function defaultModel(chosen: string, isThere: boolean): Finding {
  const about = { id: "default_model", what: "Default model", address };
  if (isThere) return ok({ ...about, detail: chosen });
  const remedy = "choose another with: pergola settings set default_model <id>";
  return fault({ ...about, detail: `no provider lists ${chosen}`, remedy });
}

const onlyGuide = note({
  id: "models",
  what: "Models",
  detail: "only the embedded guide",
  remedy:
    "connect a model with OPENAI_API_KEY or another provider's key in the environment, or with " +
    "providers.list in the settings file",
  address,
});
