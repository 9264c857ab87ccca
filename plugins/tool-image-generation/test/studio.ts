import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { ToolError, type JsonObject, type OperationResult, type ToolContext } from "@pergola/sdk";
import { runOperation, toolContext, type TestSetup } from "@pergola/sdk/testing";
import { imageGeneration } from "../index.ts";
import { fakeService, type Answer } from "./fake-service.ts";

export const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
export const pngUrl = `data:image/png;base64,${png.toString("base64")}`;

export interface Generated {
  readonly images: readonly { readonly path: string; readonly url: string }[];
  readonly model: string;
  readonly seed: number;
}

const operationNamed = (name: string) =>
  imageGeneration.operations.find((operation) => operation.name === name)!;

/** A service that answers as told, and the operations that ask it. */
export async function studio(
  answers: Readonly<Record<string, Answer>>,
  setup: Partial<ToolContext> & TestSetup = {},
) {
  const service = await fakeService(answers);
  const { settings = { "tools.image.base_url": `${service.origin}/v1` } } = setup;
  const address = settings["tools.image.base_url"];
  const origins = typeof address === "string" && URL.canParse(address) ? [new URL(address).origin] : [];
  const context = toolContext({
    secrets: { "tools.image.api_key": "key-1" },
    ...setup,
    settings,
    configured: { origins },
  });
  const folder = path.join(context.workingDirectory, "images");
  const run = (name: string, args: JsonObject = {}): Promise<OperationResult> =>
    runOperation(operationNamed(name), args, context);
  return {
    ...service,
    context,
    run,
    generate: async (args: JsonObject = {}) =>
      (await run("generate", { prompt: "a red fox", model: "sd", seed: 7, ...args }))
        .data as unknown as Generated,
    files: (): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []),
    file: (name: string): Buffer => readFileSync(path.join(folder, name)),
  };
}

/** The ToolError that a call fails with. */
export async function failure(call: Promise<unknown>): Promise<ToolError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (ToolError.is(error)) return error;
  throw new Error("the call did not fail with a ToolError", { cause: error });
}
