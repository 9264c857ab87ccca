import { definePlugin } from "@pergola/sdk";
import { Tally, type ModelTally } from "./tally.ts";

let tally: Tally | undefined;

export default definePlugin({
  collections: { models: { indexes: [] } },
  register(host) {
    host.tap("runEnded", async (run) => {
      const fields = await tally?.add(run);
      if (fields !== undefined) host.log.info({ ...fields }, "A run was counted");
    });
  },
  start(host) {
    tally = new Tally(host.collection<ModelTally>("models"));
  },
  // After this the storage is closed.
  stop: () => tally?.settled(),
});
