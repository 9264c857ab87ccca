import path from "node:path";
import { describeStorage, temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { openPostgres } from "../open-postgres.ts";
import { needsPostgres, sharedServer } from "./support/postgres-server.ts";

const { log } = toolContext();
const open = async (settings: object) =>
  openPostgres({ ...settings }, { dataDirectory: temporaryFolder(), log });

describe("the storage contract", () => {
  before(needsPostgres);

  describeStorage("postgres", async () => open((await sharedServer()).settings()), {
    lasting: () => {
      const settings = sharedServer().then((server) => server.settings());
      return async () => open(await settings);
    },
    plugin: {
      folder: path.resolve(import.meta.dirname, ".."),
      settings: async () => (await sharedServer()).settings(),
    },
  });
});
