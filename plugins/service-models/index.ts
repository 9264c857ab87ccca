import { defineHostPlugin, type Parts } from "@pergola/sdk/host";
import { Models } from "./models.ts";
import { checkProviders, openProviders } from "./open-providers.ts";

const choosing = ["providers.list", "providers.from_environment"];

function openModels(parts: Parts): Models {
  const changed = (): void => models.announce();
  const models: Models = new Models(parts, openProviders(parts, [], changed));
  parts.preferences.guard((values) => checkProviders(parts, values));
  parts.preferences.watch((keys) => {
    if (choosing.some((key) => keys.includes(key)))
      models.use(openProviders(parts, models.instances, changed));
  });
  return models;
}

export default defineHostPlugin({ parts: { models: openModels } });
