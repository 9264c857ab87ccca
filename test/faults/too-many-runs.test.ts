import { openLab } from "../support/lab-stage.ts";
import { expectLimit, tightSettings, wipingScript } from "../support/too-many-runs.ts";

describe("more runs than may wait", function () {
  this.timeout(60_000);

  it("are refused before anything of them is begun; none is lost that was taken", async () => {
    const settings = { ...tightSettings, storage: { type: "sqlite" } };
    const stage = await openLab(wipingScript, { settings });
    try {
      await expectLimit([stage]);
    } finally {
      await stage.end();
    }
  });
});
