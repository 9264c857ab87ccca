import type { ModelInfo } from "@pergola/sdk";
import { abilityOf, isNamed, traitsOf, type ModelTraits } from "./model-traits.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface Listed {
  readonly info: ModelInfo;
  readonly traits: ModelTraits;
}

/** One page of `GET /models`. */
export interface ListingPage {
  readonly models: readonly Listed[];
  /** Where the next page begins; undefined on the last. */
  readonly after: string | undefined;
}

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const whole = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;

function createdOf(value: unknown): number | undefined {
  const seconds = typeof value === "string" ? Math.floor(Date.parse(value) / 1000) : Number.NaN;
  return seconds > 0 ? seconds : undefined;
}

function listedOf(entry: unknown): Listed | undefined {
  if (!isObject(entry)) return undefined;
  const { id, capabilities, max_input_tokens: input, max_tokens: output, created_at: date } = entry;
  if (typeof id !== "string" || id === "" || id.length > 300) return undefined;
  const traits = traitsOf(id, capabilities);
  const named = isNamed(id);
  const found = {
    contextWindow: whole(input) ?? (named ? traits.contextWindow : undefined),
    maxOutputTokens: whole(output) ?? (named ? traits.maxOutputTokens : undefined),
    supportsTools: true,
    supportsVision: abilityOf(capabilities, "image_input") ?? (named ? true : undefined),
    vendor: named ? "Anthropic" : undefined,
    created: createdOf(date),
  };
  const known = Object.fromEntries(
    Object.entries(found).filter(([, datum]) => datum !== undefined),
  ) as Partial<ModelInfo>;
  return {
    info: { id, ...known },
    traits: { ...traits, maxOutputTokens: whole(output) ?? traits.maxOutputTokens },
  };
}

/** A page of a listing; undefined when it is none. */
export function readListing(page: unknown): ListingPage | undefined {
  if (!isObject(page) || !Array.isArray(page["data"])) return undefined;
  const models = (page["data"] as readonly unknown[]).map(listedOf).filter((listed) => listed !== undefined);
  const last = page["last_id"];
  return {
    models,
    after: page["has_more"] === true && typeof last === "string" && last !== "" ? last : undefined,
  };
}
