import { existsSync } from "node:fs";
import { exitCodes } from "./exit-codes.ts";
import { settingsOf, type CommonOptions } from "./service.ts";
import { styled } from "./visible.ts";

interface Finding {
  readonly level: "ok" | "note" | "fault";
  readonly what: string;
  readonly detail: string;
}

const marks = { ok: styled("green", "✓"), note: styled("yellow", "!"), fault: styled("red", "✗") } as const;

async function listens(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(500) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Model servers on this computer that could be used; they are named, never used unasked. */
async function localServers(): Promise<readonly Finding[]> {
  const known = [
    { name: "Ollama", url: "http://127.0.0.1:11434/v1/models", type: "ollama" },
    { name: "LM Studio", url: "http://127.0.0.1:1234/v1/models", type: "lmstudio" },
  ];
  const found = await Promise.all(known.map(async (one) => ((await listens(one.url)) ? one : undefined)));
  return found.flatMap((one) =>
    one === undefined
      ? []
      : [
          {
            level: "note",
            what: `${one.name} runs here`,
            detail: `to use it, add to the settings file: providers: { list: [{ type: ${one.type} }] }`,
          } as const,
        ],
  );
}

async function look(options: CommonOptions): Promise<readonly Finding[]> {
  const { createHost } = await import("../host.ts");
  const host = await createHost({ ...settingsOf(options), quiet: true, inspecting: true });
  try {
    const { system, models, preferences, tools } = host.services;
    const plugins = system.plugins();
    const listed = await models.list(AbortSignal.timeout(10_000));
    const [providers, families] = [await models.providers(), await tools.list()];
    const chosen = preferences.get<string>("default_model");
    const known = listed.some(({ modelId }) => modelId === chosen);
    return [
      { level: "ok", what: "Settings", detail: host.settingsFile ?? "none found; the defaults are in force" },
      { level: "ok", what: "Data", detail: `${host.dataDirectory}${existsSync(host.dataDirectory) ? "" : " (made at the first start)"}` },
      ...host.warnings.map((detail) => ({ level: "note", what: "Settings", detail }) as const),
      { level: "ok", what: "Plugins", detail: `${plugins.filter(({ state }) => state === "running").length} running` },
      ...plugins.filter(({ fault }) => fault !== null).map(({ id, fault }) => ({ level: "fault", what: id, detail: fault ?? "" }) as const),
      ...providers.map(
        ({ id, status, lastError, modelCount }) =>
          ({ level: status === "error" ? "fault" : "ok", what: `Provider ${id}`, detail: lastError ?? `${modelCount} models` }) as const,
      ),
      {
        level: known ? "ok" : "fault",
        what: "Default model",
        detail: known ? chosen : `${chosen} is not listed by any provider; set default_model`,
      },
      ...(listed.some(({ providerType, kind }) => kind === "chat" && providerType !== "embedded")
        ? []
        : [
            {
              level: "note",
              what: "Models",
              detail:
                "only the embedded guide; connect a model with OPENAI_API_KEY or another provider's key in the environment, or with providers.list in the settings file",
            } as const,
          ]),
      ...families
        .filter(({ available }) => !available)
        .map(({ name, unavailableReason }) => ({ level: "note", what: name, detail: unavailableReason ?? "unavailable" }) as const),
      ...(await localServers()),
    ];
  } finally {
    await host.stop();
  }
}

/** What is found, from where, what is missing, and how to get it. */
export async function doctor(options: CommonOptions): Promise<number> {
  const findings = await look(options);
  const text = findings.map(({ level, what, detail }) => `${marks[level]} ${what}: ${detail}`).join("\n");
  process.stdout.write(`${options.json === true ? JSON.stringify({ findings }) : text}\n`);
  return findings.some(({ level }) => level === "fault") ? exitCodes.failed : exitCodes.ok;
}
