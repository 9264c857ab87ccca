import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { getModel } from "./routes/get-model.ts";
import { listModels } from "./routes/list-models.ts";

export const models = defineEndpoints({ group: "models", routes: [listModels, getModel] });

export default definePlugin({ endpoints: [models] });
