import { defined, isObject, stringOf, type ModelInfo } from "@pergola/sdk";
import { objectsOf, positiveInteger, type Fields, type Page } from "@pergola/kit-provider";
import { abilityOf, isVendorModel, traitsOf, type ModelTraits } from "./model-traits.ts";

export interface ListedModel {
  readonly id: string;
  readonly info: ModelInfo;
  readonly traits: ModelTraits;
}

/** Unix seconds of an ISO date. */
function createdOf(date: unknown): number | undefined {
  const seconds = Math.floor(Date.parse(stringOf(date)) / 1000);
  if (seconds > 0) return seconds;
  return undefined;
}

/** What only the vendor's own models are known to have. */
const vendorFacts = ({ contextWindow, maxOutputTokens, thinking }: ModelTraits) => ({
  contextWindow,
  maxOutputTokens,
  supportsThinking: thinking !== "none",
  supportsVision: true,
  vendor: "Anthropic",
});

function readModel(entry: Fields): readonly ListedModel[] {
  const { capabilities, max_input_tokens: input, max_tokens: output, created_at: date } = entry;
  const id = stringOf(entry["id"]);
  if (id === "" || id.length > 300) return [];
  const traits = traitsOf(id, capabilities);
  const listed = defined({
    contextWindow: positiveInteger(input),
    maxOutputTokens: positiveInteger(output),
    supportsVision: abilityOf(capabilities, "image_input"),
    supportsThinking: abilityOf(capabilities, "thinking"),
    created: createdOf(date),
  });
  const info = { id, supportsTools: true, ...(isVendorModel(id) && vendorFacts(traits)), ...listed };
  const { maxOutputTokens = traits.maxOutputTokens } = listed;
  return [{ id, info, traits: { ...traits, maxOutputTokens } }];
}

/** One page of `GET /models`; undefined when it is none. */
export function readListing(page: unknown): Page<ListedModel> | undefined {
  if (!isObject(page) || !Array.isArray(page["data"])) return undefined;
  return {
    items: objectsOf(page["data"]).flatMap(readModel),
    next: page["has_more"] === true ? stringOf(page["last_id"]) : "",
  };
}
