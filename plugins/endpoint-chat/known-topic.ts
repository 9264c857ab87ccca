import { fieldFault } from "@pergola/kit-provider";
import type { RunRequest, Services } from "@pergola/sdk";

/** The request, if there is the topic whose memory it is to use. Throws `invalid_value`. */
export async function withKnownTopic(request: RunRequest, { topics }: Services): Promise<RunRequest> {
  const { memoryCollectionId: id } = request;
  if (id === undefined || (await topics?.find(id)) !== undefined) return request;
  throw fieldFault("service_config.memory_collection_id", "names no topic");
}
