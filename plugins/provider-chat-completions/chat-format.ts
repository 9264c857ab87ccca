import { ChatChunkReader } from "@pergola/kit-provider";
import { buildRequest } from "./build-request.ts";
import type { Format } from "./format.ts";

/** `POST /chat/completions`, the format that every vendor speaks. */
export const chatFormat: Format = {
  path: "/chat/completions",
  build: buildRequest,
  reader: (events, preset) => new ChatChunkReader(events, preset),
};
