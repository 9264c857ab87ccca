import type { IncomingMessage } from "node:http";
import type { AppError } from "@pergola/sdk";
import { fault } from "../fault.ts";

const jsonType = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads no further than the limit, in bytes. */
async function readBytes(request: IncomingMessage, limit: number, tooLarge: () => AppError): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge();
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    request.on("data", (piece: Buffer) => {
      size += piece.length;
      if (size <= limit) return pieces.push(piece);
      request.pause();
      reject(tooLarge());
    });
    request.on("end", () => resolve(Buffer.concat(pieces)));
    request.on("error", (cause) => reject(fault("invalid_json", "The body ended early.", { cause })));
  });
}

interface BodyFault {
  readonly path: string;
  readonly message: string;
}

/** A key through which a copy of the value could reach a prototype. */
const isRisky = (key: string, item: unknown): boolean =>
  key === "__proto__" || (key === "constructor" && Object.hasOwn(Object(item) as object, "prototype"));

/** Where a value is too deep or has a risky key, and which of the two. */
function faultIn(value: unknown, levels: number): BodyFault | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (levels === 0) return { path: "", message: "is nested too deep" };
  const isList = Array.isArray(value);
  for (const [key, item] of Object.entries(value)) {
    const step = isList ? `[${key}]` : `.${key}`;
    if (isRisky(key, item)) return { path: step, message: "is not an accepted name" };
    const inner = faultIn(item, levels - 1);
    if (inner !== undefined) return { ...inner, path: step + inner.path };
  }
  return undefined;
}

interface BodyLimits {
  readonly bytes: number;
  readonly depth: number;
  /** Whatever its Content-Type says. */
  readonly anyType: boolean;
}

/**
 * The JSON body; `{}` when there is none. Throws AppError for another type or none unless any will do, too
 * much, no JSON, too deep, and names of prototypes.
 */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = request.headers;
  const otherType = (): AppError =>
    fault(
      "unsupported_media_type",
      "A body is JSON in UTF-8, not compressed: send it with the header Content-Type: application/json.",
    );
  const tooLarge = (): AppError =>
    fault("request_too_large", `The body is larger than server.max_body_bytes, ${limits.bytes}.`);
  const isTyped = limits.anyType || jsonType.test(type);
  if ((type !== "" && !isTyped) || encoding !== "identity") throw otherType();
  // A page can send a body without a type, and needs no permission for it.
  const isUntyped = !isTyped;
  const bytes = await readBytes(request, isUntyped ? 0 : limits.bytes, isUntyped ? otherType : tooLarge);
  if (bytes.length === 0) return {};
  const value = parse(bytes);
  const found = faultIn(value, limits.depth);
  if (found === undefined) return value;
  const param = found.path.replace(/^\./, "").slice(0, 200);
  throw fault("invalid_value", `${param} ${found.message}.`, { param });
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    throw fault("invalid_json", "The body is not JSON in UTF-8.", { cause });
  }
}

/** A body of any type, as it comes. It can be left in the middle: the answer is sent all the same. */
export async function* streamBody(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  const { "content-encoding": encoding = "identity" } = request.headers;
  if (encoding !== "identity") throw fault("unsupported_media_type", "The body must not be compressed.");
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false })) yield piece as Uint8Array;
  } catch (cause) {
    throw fault("invalid_value", "The body ended early.", { cause });
  } finally {
    // What a handler has left is read and thrown away, so that the client gets to its answer.
    request.resume();
  }
}
