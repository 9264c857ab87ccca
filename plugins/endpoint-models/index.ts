import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { deleteModel } from "./routes/delete-model.ts";
import { getModel } from "./routes/get-model.ts";
import { listModels } from "./routes/list-models.ts";

export const models = defineEndpoints({ group: "models", routes: [listModels, getModel, deleteModel] });

export default definePlugin({ endpoints: [models] });
