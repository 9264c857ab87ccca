import type { ProviderStatus } from "@pergola/sdk";
import type { UnusedServer } from "../doctor/checks.ts";
import { serverAdvice } from "../doctor/server-advice.ts";
import { ask } from "./ask.ts";

/** A program for models that listens on this computer by custom. */
export interface LocalServer {
  readonly name: string;
  readonly type: string;
  /** Its origin. */
  readonly url: string;
}

export const customary: readonly LocalServer[] = [
  { name: "Ollama", type: "ollama", url: "http://127.0.0.1:11434" },
  { name: "LM Studio", type: "lmstudio", url: "http://127.0.0.1:1234" },
];

const patience = 500;

/** What the listing of a server may hold: it is read from a stranger. */
interface Listing {
  readonly data?: readonly ({ readonly id?: unknown } | null)[];
}

const isModelId = (id: unknown): id is string => typeof id === "string" && /^[\w./:@-]{1,200}$/.test(id);

/** The ids of the models that it lists; undefined when nothing of its kind answers, or another Pergola. */
async function modelsOf({ url }: LocalServer): Promise<readonly string[] | undefined> {
  try {
    const signal = AbortSignal.timeout(patience);
    const answer = await ask(`${url}/v1/models`, { signal });
    const { data } = await answer.json<Listing>();
    if (!answer.ok || !Array.isArray(data) || "x-pergola" in answer.headers) return undefined;
    return data.map((entry: { readonly id?: unknown } | null) => entry?.id).filter(isModelId);
  } catch {
    return undefined;
  }
}

/**
 * Servers on this computer that no provider uses yet, each with how to use it. They are asked for their
 * models and for nothing else.
 */
export async function findLocalServers(
  providers: readonly Pick<ProviderStatus, "type" | "baseUrl">[],
  settingsFile: string | undefined,
  servers: readonly LocalServer[] = customary,
): Promise<readonly UnusedServer[]> {
  const isUsed = ({ type, url }: LocalServer): boolean =>
    providers.some((provider) => {
      const baseUrl = provider.baseUrl.replace("//localhost:", "//127.0.0.1:");
      return provider.type === type || baseUrl === url;
    });
  const unused = servers.filter((server) => !isUsed(server));
  const found = await Promise.all(
    unused.map(async (server) => {
      const models = await modelsOf(server);
      return models && { name: server.name, advice: serverAdvice(server.type, models, settingsFile) };
    }),
  );
  return found.filter((server) => server !== undefined);
}
