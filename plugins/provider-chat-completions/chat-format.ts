import { buildRequest } from "./build-request.ts";
import { ChunkReader } from "./chunk-reader.ts";
import type { Format } from "./format.ts";

/** `POST /chat/completions`, the format that every vendor speaks. */
export const chatFormat: Format = {
  path: "/chat/completions",
  build: buildRequest,
  reader: (events, { snapshots }) => new ChunkReader(events, snapshots === true),
};
