import { defined, isObject, stringOf, ToolError } from "@pergola/sdk";
import type { FetchInit, JsonObject, ToolContext } from "@pergola/sdk";
import { askService, type ServiceAnswer } from "./ask-service.ts";
import { addressOf, baseUrlOf } from "./service-settings.ts";

export interface ImageModel {
  readonly id: string;
  readonly name: string;
}

const mib = 2 ** 20;
/** Bytes; an answer may hold its images in itself. */
const [largestList, largestAnswer] = [4 * mib, 96 * mib];
/** Seconds that making images may take. */
const patience = 600;

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return [];
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  return {};
}

/** What a service calls itself that does not know by which name it is reached. */
const itself = /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/;

const failures: Readonly<Record<number, readonly [code: string, hint: string]>> = {
  400: ["invalid_value", "Change the arguments."],
  401: ["unavailable", "Ask the person to set tools.image.api_key."],
  403: ["unavailable", "Ask the person to set tools.image.api_key."],
  404: ["not_found", "Choose a model of list_models; if there is none, the base URL is wrong."],
  422: ["invalid_value", "Change the arguments."],
  429: ["network_error", "A retry makes sense in a minute."],
};

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** What a service says of its failure, in its own words, shortened. */
function reasonOf(bytes: Buffer): string {
  const { error, detail, message } = fieldsOf(jsonOf(bytes));
  const reason = [fieldsOf(error)["message"], error, detail, message].map(stringOf).find(Boolean);
  if (reason === undefined) return ".";
  return `: ${reason.replace(/\s+/g, " ").slice(0, 300)}`;
}

/** The image service that the person has set, for one call. All methods throw ToolError. */
export class ImageService {
  readonly #base: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #context: Pick<ToolContext, "fetch">;

  constructor(base: URL, apiKey: string | undefined, context: Pick<ToolContext, "fetch">) {
    this.#base = base;
    this.#headers = defined({ "x-api-key": apiKey });
    this.#context = context;
  }

  async models(): Promise<readonly ImageModel[]> {
    const body = await this.#json("models", { maxBytes: largestList });
    const { data, models } = fieldsOf(body);
    const entries = listOf(data ?? models ?? body);
    return entries.flatMap((entry) => {
      const { id = entry, name } = fieldsOf(entry);
      const modelId = stringOf(id);
      if (modelId === "") return [];
      return { id: modelId, name: stringOf(name) || modelId };
    });
  }

  /** Makes images; gives back their addresses, which may be `data:` ones or relative to the service's. */
  async generate(model: string, prompt: string, metadata: JsonObject): Promise<readonly string[]> {
    const request = {
      model,
      messages: [{ role: "user", content: prompt }],
      metadata,
    };
    const body = await this.#json("chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
      maxBytes: largestAnswer,
    });
    const [choice] = listOf(fieldsOf(body)["choices"]);
    const message = fieldsOf(fieldsOf(choice)["message"]);
    return listOf(message["image_urls"]).map(stringOf).filter(Boolean);
  }

  /**
   * The address of an image, and whether it is the service's own: its origin, or its port on what it takes
   * for this machine.
   */
  locate(address: string): { readonly url: URL; readonly isOwn: boolean } | undefined {
    if (!URL.canParse(address, this.#base.href)) return undefined;
    const url = new URL(address, this.#base);
    const isItself =
      url.protocol === this.#base.protocol && url.port === this.#base.port && itself.test(url.hostname);
    if (isItself) url.hostname = this.#base.hostname;
    return { url, isOwn: url.origin === this.#base.origin };
  }

  /** An image at the service's own address. */
  async download(url: URL, maxBytes: number): Promise<Buffer> {
    return (await this.#ask(url, { maxBytes })).bytes;
  }

  async #json(path: string, request: FetchInit): Promise<unknown> {
    const body = jsonOf((await this.#ask(new URL(path, this.#base), request)).bytes);
    if (body !== undefined) return body;
    throw new ToolError("network_error", "The image service did not answer in JSON.", {
      hint: "Its base URL may be wrong: tell the person.",
    });
  }

  async #ask(url: URL, request: FetchInit): Promise<ServiceAnswer> {
    const answer = await askService(this.#context, url, {
      timeoutSeconds: patience,
      redirect: "manual",
      ...request,
      headers: {
        accept: "*/*",
        ...request.headers,
        ...this.#headers,
      },
    });
    if (answer.status >= 200 && answer.status < 300) return answer;
    const [code, hint] = failures[answer.status] ?? ["network_error", "A retry may help."];
    throw new ToolError(code, `The image service answered ${answer.status}${reasonOf(answer.bytes)}`, {
      hint,
    });
  }
}

/** The service of this call's settings. Throws ToolError `unavailable` when none is set. */
export async function openService(context: ToolContext): Promise<ImageService> {
  const base = baseUrlOf(addressOf(context));
  if (base !== undefined) return new ImageService(base, await context.secret("tools.image.api_key"), context);
  throw new ToolError("unavailable", "No image service is set.", {
    hint: "Ask the person to set tools.image.base_url.",
  });
}
