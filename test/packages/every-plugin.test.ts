import { needsSandbox } from "../boundary/support/program-stage.ts";
import { needsPostgres } from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { pluginFolders } from "../architecture/tree.ts";
import { openOutside, type Outside } from "../support/alone/outside.ts";
import { projectOfAll } from "../support/alone/project.ts";
import { tryAlone } from "../support/alone/try-alone.ts";

/** Two are tried at a time: the one that a test waits for, and the next. */
describe("every plugin, installed alone beside the core", function () {
  this.timeout(240_000);
  const ids = pluginFolders();
  const tried = new Map<string, Promise<void>>();
  let outside: Outside;
  before(async () => {
    await projectOfAll();
    outside = await openOutside();
  });
  after(() => outside.close());

  const tryOnce = (id: string): Promise<void> => {
    const begun = tried.get(id) ?? tryAlone(id, outside);
    begun.catch(() => undefined);
    tried.set(id, begun);
    return begun;
  };

  for (const [index, id] of ids.entries())
    it(`${id} is installed, runs and is of use`, async function () {
      if (id === "storage-postgres") needsPostgres.call(this);
      if (["service-isolation", "service-sandbox"].includes(id)) needsSandbox.call(this);
      const result = tryOnce(id);
      for (const next of ids.slice(index + 1, index + 2)) void tryOnce(next);
      await result;
    });
});
