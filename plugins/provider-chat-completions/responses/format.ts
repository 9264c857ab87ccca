import type { Format } from "../format.ts";
import { buildRequest } from "./build-request.ts";
import { EventReader } from "./event-reader.ts";

/** `POST /responses`, the only format of some models. */
export const responsesFormat: Format = {
  path: "/responses",
  build: buildRequest,
  reader: (events) => new EventReader(events),
};
