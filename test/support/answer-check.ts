import { createRequire } from "node:module";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type addFormats from "ajv-formats";
import type { JsonSchema } from "@pergola/sdk";
import { openApi } from "../../plugins/endpoint-system/open-api.ts";
import { officialRoutes } from "../../scripts/pages/official-routes.ts";

interface Media {
  readonly schema?: JsonSchema;
  readonly "x-event-data"?: JsonSchema;
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** A schema that takes only what it names, where it names anything. */
function closed(value: unknown): unknown {
  if (isList(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as Record<string, unknown>).map(([key, inner]) => [
    key,
    ["enum", "const", "default", "examples"].includes(key) ? inner : closed(inner),
  ]);
  const schema = Object.fromEntries(entries) as Record<string, unknown>;
  const isObjectSchema =
    typeof schema["properties"] === "object" && [schema["type"]].flat().includes("object");
  if (isObjectSchema) schema["additionalProperties"] ??= false;
  return schema;
}

const pointerText = (text: string): string => text.replaceAll("~", "~0").replaceAll("/", "~1");

/** An answer, as far as the document speaks of it. */
export interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
}

/** Compares answers with what the OpenAPI document of the official routes says of them. */
export class AnswerCheck {
  readonly #document: Document;
  readonly #ajv: Ajv2020;
  readonly #paths: readonly { readonly path: string; readonly form: RegExp }[];
  readonly #validators = new Map<string, ValidateFunction>();

  private constructor(document: Document) {
    this.#document = document;
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
    const { default: add } = createRequire(import.meta.url)("ajv-formats") as {
      readonly default: typeof addFormats;
    };
    (add as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.#ajv.addSchema(closed(document) as object, "document");
    this.#paths = Object.keys(document.paths)
      .toSorted((a, b) => (a.replaceAll(/\{\w+\}/g, "~") < b.replaceAll(/\{\w+\}/g, "~") ? -1 : 1))
      .map((path) => {
        const hasSteps = path.includes("/models/{id}") || path.endsWith("/files/{path}");
        const steps = path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, hasSteps ? ".+" : "[^/]+");
        return { path, form: new RegExp(`^${steps}/?$`) };
      });
  }

  static async open(): Promise<AnswerCheck> {
    return new AnswerCheck(openApi(await officialRoutes(), "0.0.0"));
  }

  /** The path and the operation that answered; undefined for what is no route of the document. */
  #operationOf({
    method,
    path: asked,
  }: Answered): { readonly path: string; readonly operation: Operation } | undefined {
    for (const { path: known, form } of this.#paths) {
      const operation = form.test(asked) ? this.#document.paths[known]?.[method.toLowerCase()] : undefined;
      if (operation !== undefined) return { path: known, operation };
    }
    return undefined;
  }

  #validator(pointer: string): ValidateFunction {
    const known = this.#validators.get(pointer);
    if (known !== undefined) return known;
    const made = this.#ajv.compile({ $ref: `document#${pointer}` });
    this.#validators.set(pointer, made);
    return made;
  }

  #faultsAt(pointer: string, value: unknown): readonly string[] {
    const validate = this.#validator(pointer);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath || "the body"} ${message} ${JSON.stringify(params)}`,
    );
  }

  /**
   * Where an answer is not what the document says; undefined where the document does not speak of the
   * request.
   */
  faultsOf(
    answered: Answered,
    text: string,
  ): { readonly operation: string; readonly faults: readonly string[] } | undefined {
    const found = this.#operationOf(answered);
    const { status, method } = answered;
    if (found === undefined || status === 405) return undefined;
    const operation = `${method} ${found.path}`;
    return { operation, faults: this.#faultsIn(found, answered, text) };
  }

  #faultsIn(
    { path: known, operation }: { readonly path: string; readonly operation: Operation },
    { method, status, contentType }: Answered,
    text: string,
  ): readonly string[] {
    const key = operation.responses[status] === undefined ? "default" : String(status);
    const response = operation.responses[key];
    if (response === undefined) return [`the status ${status} is not declared`];
    const [type = ""] = contentType.split(";");
    const { content = {} } = response;
    if (text === "" && Object.keys(content).length === 0) return [];
    if (content[type] === undefined) return [`the media type "${type}" is not declared for ${status}`];
    const place = `/paths/${pointerText(known)}/${method.toLowerCase()}/responses/${key}/content`;
    return this.#bodyFaults(`${place}/${pointerText(type)}`, type, text);
  }

  #bodyFaults(place: string, type: string, text: string): readonly string[] {
    if (type === "application/json") return this.#faultsAt(`${place}/schema`, JSON.parse(text));
    if (type !== "text/event-stream") return [];
    const events = [...text.matchAll(/^data: (.*)\n\n/gm)].map(([, data = ""]) => data);
    const objects = events.filter((data) => data !== "[DONE]");
    return objects.flatMap((data) => {
      const faults = this.#faultsAt(`${place}/x-event-data`, JSON.parse(data));
      return faults;
    });
  }
}
