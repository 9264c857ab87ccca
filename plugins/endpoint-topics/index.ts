import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { attachTopic } from "./routes/attach-topic.ts";
import { createTopic } from "./routes/create-topic.ts";
import { deleteTopic } from "./routes/delete-topic.ts";
import { detachTopic } from "./routes/detach-topic.ts";
import { getTopic } from "./routes/get-topic.ts";
import { listTopics } from "./routes/list-topics.ts";
import { updateTopic } from "./routes/update-topic.ts";

export const topics = defineEndpoints({
  group: "topics",
  routes: [listTopics, createTopic, getTopic, updateTopic, deleteTopic, attachTopic, detachTopic],
});

export default definePlugin({ endpoints: [topics] });
