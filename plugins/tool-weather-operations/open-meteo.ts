import { isObject, ToolError, type Json, type JsonObject, type ToolContext } from "@pergola/sdk";

const hosts = {
  geocoder: "https://geocoding-api.open-meteo.com/v1/search",
  weather: "https://api.open-meteo.com/v1/forecast",
} as const;

/** What helps against an answer with a status. */
const remedies: Readonly<Record<number, string>> = {
  429: "The service's limit is reached; try again later.",
};

/** A list, or an empty one in place of anything else. */
export const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];

async function bodyOf(response: Response): Promise<JsonObject> {
  const body = (await response.json().catch(() => undefined)) as Json | undefined;
  if (body === undefined || !isObject(body)) return {};
  return body;
}

function refusal(status: number, reason: unknown): ToolError {
  if (status === 400) {
    const text = String(reason).replace(/\.$/, "");
    return new ToolError("invalid_value", `Open-Meteo refused the request: ${text}.`, {
      hint: "Check the place.",
    });
  }
  const hint = remedies[status] ?? "A retry may help.";
  return new ToolError("network_error", `Open-Meteo answered ${status}.`, { hint });
}

/**
 * Asks Open-Meteo (https://open-meteo.com/en/docs, https://open-meteo.com/en/docs/geocoding-api); it needs no
 * key. Throws ToolError `invalid_value` or `network_error`, and what the door throws.
 */
export async function askOpenMeteo(
  context: ToolContext,
  service: keyof typeof hosts,
  parameters: Readonly<Record<string, string | number>>,
): Promise<JsonObject> {
  const texts = Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]);
  const query = new URLSearchParams(texts);
  const response = await context.fetch(`${hosts[service]}?${query.toString()}`, {
    timeoutSeconds: 20,
    maxBytes: 1_048_576,
  });
  const body = await bodyOf(response);
  if (response.status !== 200) throw refusal(response.status, body["reason"]);
  return body;
}

/** One of the answer's blocks of values, such as `current`. Throws `network_error` when it is missing. */
export function blockOf(answer: JsonObject, name: string): JsonObject {
  const block = answer[name];
  if (block !== undefined && isObject(block)) return block;
  throw new ToolError("network_error", "Open-Meteo's answer cannot be read.", { hint: "A retry may help." });
}

/** The rows of a block that holds a list for each variable: one row for each time. */
export function rowsOf(block: JsonObject): readonly JsonObject[] {
  const at = (row: number): JsonObject =>
    Object.fromEntries(Object.entries(block).map(([name, values]) => [name, listOf(values)[row] ?? null]));
  return listOf(block["time"]).map((_, row) => at(row));
}
