import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { checkPaths } from "../../../core/check/check-paths.ts";
import { silentLog } from "../../../core/cli/person-log.ts";
import { approvePlugins } from "../../support/approve-plugins.ts";
import { writePlugin } from "../../support/plugins/write-plugin.ts";

describe("`pergola plugins check --settings`", function () {
  this.timeout(60_000);

  it("runs what else the settings name only where it is approved", async () => {
    const folder = temporaryFolder();
    const traceOf = (id: string): string => path.join(folder, `${id} was loaded`);
    const codeOf = (id: string): string =>
      `import { writeFileSync } from "node:fs";
      writeFileSync(${JSON.stringify(traceOf(id))}, "");
      export default {};`;
    const write = (id: string): string => writePlugin(folder, { id, kind: "service", code: codeOf(id) });
    const [checked, other] = [write("service-checked"), write("service-other")];
    const settings = path.join(folder, "settings.json");
    const plugins = ["@pergola/bundle-standard", { use: other, isolation: "trusted" }];
    writeFileSync(settings, JSON.stringify({ plugins }));

    const outcome = async (data?: string): Promise<object> => {
      const options = { trusted: true, settings, log: silentLog, note: () => undefined };
      const found = await checkPaths([checked], { ...options, ...(data !== undefined && { data }) });
      const problems = found
        .filter(({ id }) => id === "service-other")
        .flatMap((plugin) => plugin.problems.map(({ message, remedy }) => `${message}. ${remedy}`));
      const loaded = ["service-checked", "service-other"].filter((id) => existsSync(traceOf(id)));
      return { problems, loaded };
    };
    expect(await outcome()).to.deep.equal({
      problems: [
        "service-other, approve: nobody has approved it yet. It was not loaded. " +
          "Approve it, and name the data where you did: --data <folder>.",
      ],
      loaded: ["service-checked"],
    });

    const data = path.join(folder, "data");
    await approvePlugins(data, other);
    expect(await outcome(data)).to.deep.equal({
      problems: [],
      loaded: ["service-checked", "service-other"],
    });
  });
});
