import { randomInt } from "node:crypto";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { defineOperation, ToolError, type ToolContext } from "@pergola/sdk";
import { fetchImage, type FetchedImage } from "../fetch-image.ts";
import { openService, type ImageService } from "../image-service.ts";
import { saveImages } from "../save-images.ts";
import { whileWaiting } from "../while-waiting.ts";

const mib = 2 ** 20;
const limits = {
  images: 16,
  bytes: 32 * mib,
  together: 64 * mib,
} as const;

async function firstModel(service: ImageService): Promise<string> {
  const [model] = await service.models();
  if (model !== undefined) return model.id;
  throw new ToolError("unavailable", "The image service has no model.", {
    hint: "Tell the person to install one there.",
  });
}

async function fetchAll(
  addresses: readonly string[],
  service: ImageService,
  context: ToolContext,
): Promise<readonly FetchedImage[]> {
  const hint = "Change the prompt, or try another model.";
  if (addresses.length === 0)
    throw new ToolError("generic_error", "The image service made no image.", { hint });
  if (addresses.length > limits.images)
    throw new ToolError("generic_error", `It made more than ${limits.images} images.`, { hint });
  const images: FetchedImage[] = [];
  let left: number = limits.together;
  for (const [index, address] of addresses.entries()) {
    context.progress(`Fetching image ${index + 1} of ${addresses.length}`);
    const image = await fetchImage(address, service, context, Math.min(left, limits.bytes));
    left -= image.bytes.length;
    images.push(image);
  }
  return images;
}

/** An image that came inside the answer has no other address than its file. */
const fileUrl = ({ workingDirectory }: ToolContext, file: string): string =>
  pathToFileURL(path.join(workingDirectory, file)).href;

const integer = { type: "integer" } as const;

export const generate = defineOperation({
  name: "generate",
  description: "Make an image; it is saved under images/.",
  effect: "write",
  place: "paths",
  recovery: "once",
  timeoutSeconds: 600,
  parameters: {
    prompt: { type: "string", minLength: 1 },
    model: { type: "string", description: "An id of list_models" },
    negative_prompt: { type: "string", description: "What to avoid" },
    steps: { type: "integer", default: 25 },
    guidance_scale: { type: "number", default: 7.5 },
    scheduler: { type: "string", default: "ddim" },
    seed: integer,
    width: integer,
    height: integer,
  },
  required: ["prompt"],
  display: ({ prompt, model }) => ({
    actionDisplayName: "Make image",
    summary: `Make image: ${[...prompt].slice(0, 100).join("")}`,
    details: [prompt, ...(model === undefined ? [] : [`Model: ${model}`])],
  }),
  examples: [
    { say: "draw a red fox in the snow", arguments: { prompt: "a red fox in the snow" } },
    { say: "make a picture of a castle at night", arguments: { prompt: "a castle at night" } },
    {
      say: "generate a 512 by 512 image of a teapot",
      arguments: { prompt: "a teapot", width: 512, height: 512 },
    },
    {
      say: "paint a forest without people, seed 7",
      arguments: { prompt: "a forest", negative_prompt: "people", seed: 7 },
    },
    {
      say: "I want a picture of a bridge, 640 by 480",
      arguments: { prompt: "a bridge", width: 640, height: 480 },
    },
    { say: "draw a beach without people", arguments: { prompt: "a beach", negative_prompt: "people" } },
    { say: "draw a tower, seed 9", arguments: { prompt: "a tower", seed: 9 } },
    { say: "create an image that shows a train", arguments: { prompt: "a train" } },
    {
      say: "make a picture of a lake without boats",
      arguments: { prompt: "a lake", negative_prompt: "boats" },
    },
    { say: "image of a boat with seed 4", arguments: { prompt: "a boat", seed: 4 } },
  ],
  async run({ prompt, model, seed = randomInt(2 ** 32), ...options }, context) {
    const service = await openService(context);
    const modelId = model ?? (await firstModel(service));
    const making = service.generate(modelId, prompt, { ...options, seed });
    const addresses = await whileWaiting(context, `Waiting for ${modelId}`, making);
    const images = await fetchAll(addresses, service, context);
    const files = await saveImages(context, images, prompt, seed);
    const saved = files.map((file, index) => ({
      path: file,
      url: images[index]?.url ?? fileUrl(context, file),
    }));
    return {
      data: {
        images: saved,
        model: modelId,
        seed,
      },
      message: `Saved ${files.join(", ")}.`,
    };
  },
});
